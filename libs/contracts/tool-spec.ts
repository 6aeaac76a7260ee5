import type * as z from 'zod';
import { JsonObject, Text } from './fields.js';
import { message, optional } from './message.js';
import { ToolFace } from './tool-face.js';

/** A tool as the agent sees it. `input_schema` is JSON Schema. */
export const ToolSpec = message({
  name: Text,
  title: Text,
  description: Text,
  input_schema: JsonObject,
  face: optional(ToolFace),
});
export type ToolSpec = z.infer<typeof ToolSpec>;
