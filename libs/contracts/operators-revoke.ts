import type * as z from 'zod';
import { ChangeResult } from './change-result.js';
import { Text } from './fields.js';
import { message } from './message.js';

/** Params of `nexo/admin/operators/revoke`: whose token, and the caller's hash. */
export const OperatorsRevokeParams = message({ token_hash: Text, operator_token_hash: Text });
export type OperatorsRevokeParams = z.infer<typeof OperatorsRevokeParams>;

export const OperatorsRevokeResult = ChangeResult;
export type OperatorsRevokeResult = ChangeResult;
