import * as z from 'zod';
import { Uuid } from './fields.js';
import { message } from './message.js';

/** The answer to commands that only say whether something changed. */
export const ChangeResult = message({ changed: z.boolean(), correlation_id: Uuid });
export type ChangeResult = z.infer<typeof ChangeResult>;
