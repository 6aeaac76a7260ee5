import * as z from 'zod';
import { Draft } from './draft.js';
import { message, optional } from './message.js';
import { ProcessingScope } from './processing-scope.js';

/** Params of `nexo/admin/drafts/list`. */
export const DraftsListParams = message({ scope: optional(ProcessingScope) });
export type DraftsListParams = z.infer<typeof DraftsListParams>;

export const DraftsListResult = message({ drafts: z.array(Draft) });
export type DraftsListResult = z.infer<typeof DraftsListResult>;
