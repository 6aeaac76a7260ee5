import * as z from 'zod';
import { Capability } from './capabilities.js';
import { Id, Text } from './fields.js';
import { message } from './message.js';
import { OperatorWithToken } from './operator.js';

/** Params of `nexo/admin/operators/create`. `operator_token_hash` is the caller's. */
export const OperatorsCreateParams = message({
  name: Id,
  capabilities: z.array(Capability),
  operator_token_hash: Text,
});
export type OperatorsCreateParams = z.infer<typeof OperatorsCreateParams>;

export const OperatorsCreateResult = OperatorWithToken;
export type OperatorsCreateResult = OperatorWithToken;
