import * as z from 'zod';
import { ChangeResult } from './change-result.js';
import { Text } from './fields.js';
import { message, optional } from './message.js';
import { ProcessingScope } from './processing-scope.js';

/** Params of `nexo/admin/escalations/resolve`. `takeover` does not pause by itself. */
export const EscalationsResolveParams = message({
  scope: ProcessingScope,
  by: z.enum(['dismissed', 'takeover']),
  dismiss_reason: optional(Text),
  operator_token_hash: Text,
});
export type EscalationsResolveParams = z.infer<typeof EscalationsResolveParams>;

export const EscalationsResolveResult = ChangeResult;
export type EscalationsResolveResult = ChangeResult;
