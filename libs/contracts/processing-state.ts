import type * as z from 'zod';
import { message } from './message.js';
import { ProcessingControlState } from './processing-control-state.js';
import { ProcessingScope } from './processing-scope.js';

/** Params of `nexo/admin/processing/state`. */
export const ProcessingStateParams = message({ scope: ProcessingScope });
export type ProcessingStateParams = z.infer<typeof ProcessingStateParams>;

export const ProcessingStateResult = message({ state: ProcessingControlState });
export type ProcessingStateResult = z.infer<typeof ProcessingStateResult>;
