import * as z from 'zod';
import { message } from './message.js';
import { Operator } from './operator.js';

/** Params of `nexo/admin/operators/list`. */
export const OperatorsListParams = message({});
export type OperatorsListParams = z.infer<typeof OperatorsListParams>;

export const OperatorsListResult = message({ operators: z.array(Operator) });
export type OperatorsListResult = z.infer<typeof OperatorsListResult>;
