import * as z from 'zod';
import { message, optional } from './message.js';

/** What a tool does, in the closed set of families. */
export const ToolFamily = z.enum(['read', 'search', 'edit', 'execute', 'fetch', 'message', 'other']);
export type ToolFamily = z.infer<typeof ToolFamily>;

/** How a call of the tool is shown to the person who approves it. */
export const ToolApprovalCard = z.enum(['command', 'file_write', 'file_edit', 'http_request', 'message']);
export type ToolApprovalCard = z.infer<typeof ToolApprovalCard>;

/** What a deployment declares about a tool of an MCP server, in the field names of the declaration. */
export const ToolFace = message({
  family: optional(ToolFamily),
  pathTarget: optional(message({ param: z.string() })),
  approvalCard: optional(ToolApprovalCard),
  ruleFace: optional(message({ keys: z.array(z.string()) })),
});
export type ToolFace = z.infer<typeof ToolFace>;

/** What a notice about a face says: it does not fit, or the listing lacks its tool. */
export const ToolFaceNoticeCode = z.enum(['config.tool_face_invalid', 'config.tool_face_undeclared']);
export type ToolFaceNoticeCode = z.infer<typeof ToolFaceNoticeCode>;
