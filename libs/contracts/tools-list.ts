import * as z from 'zod';
import { Id } from './fields.js';
import { message } from './message.js';
import { ToolSpec } from './tool-spec.js';

/** Params of `nexo/tools/list`. */
export const ToolsListParams = message({ agent_id: Id });
export type ToolsListParams = z.infer<typeof ToolsListParams>;

export const ToolsListResult = message({ tools: z.array(ToolSpec) });
export type ToolsListResult = z.infer<typeof ToolsListResult>;
