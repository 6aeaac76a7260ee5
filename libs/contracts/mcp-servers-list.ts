import type * as z from 'zod';

import { McpServersResult } from './mcp-servers.js';
import { message } from './message.js';

/** Params of `nexo/admin/mcp_servers/list`. */
export const McpServersListParams = message({});
export type McpServersListParams = z.infer<typeof McpServersListParams>;

export const McpServersListResult = McpServersResult;
export type McpServersListResult = McpServersResult;
