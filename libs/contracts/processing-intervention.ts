import type * as z from 'zod';
import { Id, Text, Uuid } from './fields.js';
import { InterventionAction } from './intervention-action.js';
import { message, optional } from './message.js';
import { ProcessingAck } from './processing-ack.js';
import { ProcessingScope } from './processing-scope.js';

/** Params of `nexo/admin/processing/intervention`. */
export const ProcessingInterventionParams = message({
  scope: ProcessingScope,
  action: InterventionAction,
  operator_token_hash: Text,
  session_id: optional(Uuid),
  idempotency_key: optional(Id),
});
export type ProcessingInterventionParams = z.infer<typeof ProcessingInterventionParams>;

export const ProcessingInterventionResult = ProcessingAck;
export type ProcessingInterventionResult = ProcessingAck;
