import type * as z from 'zod';
import { Id } from './fields.js';
import { McpServersResult } from './mcp-servers.js';
import { message } from './message.js';

/** Params of `nexo/admin/mcp_servers/delete`. */
export const McpServersDeleteParams = message({ name: Id });
export type McpServersDeleteParams = z.infer<typeof McpServersDeleteParams>;

export const McpServersDeleteResult = McpServersResult;
export type McpServersDeleteResult = McpServersResult;
