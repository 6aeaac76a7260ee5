import * as z from 'zod';
import { Text } from './fields.js';
import { McpServerSpec } from './mcp-server-spec.js';
import { message, optional } from './message.js';
import { ToolSpec } from './tool-spec.js';

/** A stored server and what is known of it now. Values of `env` and `headers` are shown as `***`. */
export const McpServer = message({
  server: McpServerSpec,
  status: z.enum(['connected', 'stale', 'failed']),
  detail: optional(Text),
  tools: z.array(ToolSpec),
});
export type McpServer = z.infer<typeof McpServer>;

/** What every `nexo/admin/mcp_servers/…` command answers: the servers afterwards. */
export const McpServersResult = message({ servers: z.array(McpServer) });
export type McpServersResult = z.infer<typeof McpServersResult>;
