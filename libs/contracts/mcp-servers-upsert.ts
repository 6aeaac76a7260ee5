import type * as z from 'zod';
import { McpServerSpec } from './mcp-server-spec.js';
import { McpServersResult } from './mcp-servers.js';
import { message } from './message.js';

/** Params of `nexo/admin/mcp_servers/upsert`. */
export const McpServersUpsertParams = message({ server: McpServerSpec });
export type McpServersUpsertParams = z.infer<typeof McpServersUpsertParams>;

export const McpServersUpsertResult = McpServersResult;
export type McpServersUpsertResult = McpServersResult;
