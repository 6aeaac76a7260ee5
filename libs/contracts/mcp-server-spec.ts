import * as z from 'zod';
import { Id, JsonObject, Text } from './fields.js';
import { message, optional } from './message.js';

/** How an MCP server is reached. */
export const McpTransport = z.discriminatedUnion('kind', [
  message({
    kind: z.literal('stdio'),
    command: Text,
    args: optional(z.array(Text)),
    env: optional(z.record(z.string(), Text)),
  }),
  message({ kind: z.literal('http'), url: Text, headers: optional(z.record(z.string(), Text)) }),
]);
export type McpTransport = z.infer<typeof McpTransport>;

/**
 * A server whose tools are listed as `mcp__<name>__<raw>`. `agents` absent means all of them.
 * `toolFaces` is keyed by the raw tool name and stored as given, valid or not: each listing checks the faces.
 */
export const McpServerSpec = message({
  name: Id,
  transport: McpTransport,
  allowTools: optional(z.array(Text)),
  agents: optional(z.array(Id)),
  toolFaces: optional(JsonObject),
});
export type McpServerSpec = z.infer<typeof McpServerSpec>;
