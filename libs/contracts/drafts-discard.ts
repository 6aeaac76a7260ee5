import type * as z from 'zod';
import { ChangeResult } from './change-result.js';
import { Text, Uuid } from './fields.js';
import { message } from './message.js';

/** Params of `nexo/admin/drafts/discard`. */
export const DraftsDiscardParams = message({ draft_id: Uuid, operator_token_hash: Text });
export type DraftsDiscardParams = z.infer<typeof DraftsDiscardParams>;

export const DraftsDiscardResult = ChangeResult;
export type DraftsDiscardResult = ChangeResult;
