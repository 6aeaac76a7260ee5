import type * as z from 'zod';
import { Id } from './fields.js';
import { McpServersResult } from './mcp-servers.js';
import { message } from './message.js';

/** Params of `nexo/admin/mcp_servers/refresh`. */
export const McpServersRefreshParams = message({ name: Id });
export type McpServersRefreshParams = z.infer<typeof McpServersRefreshParams>;

export const McpServersRefreshResult = McpServersResult;
export type McpServersRefreshResult = McpServersResult;
