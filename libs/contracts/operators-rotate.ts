import type * as z from 'zod';
import { Text } from './fields.js';
import { message } from './message.js';
import { OperatorWithToken } from './operator.js';

/** Params of `nexo/admin/operators/rotate`: whose token is replaced, and the caller's hash. */
export const OperatorsRotateParams = message({ token_hash: Text, operator_token_hash: Text });
export type OperatorsRotateParams = z.infer<typeof OperatorsRotateParams>;

export const OperatorsRotateResult = OperatorWithToken;
export type OperatorsRotateResult = OperatorWithToken;
