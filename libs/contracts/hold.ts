import * as z from 'zod';
import { Count, Id } from './fields.js';
import { message } from './message.js';
import { ConversationScope } from './processing-scope.js';

/** Tells the agent to drop whatever runs for this conversation: a person has it. */
export const Hold = message({ kind: z.literal('hold'), agent_id: Id, scope: ConversationScope, epoch: Count });
export type Hold = z.infer<typeof Hold>;
