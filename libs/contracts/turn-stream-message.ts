import * as z from 'zod';
import { Hold } from './hold.js';
import { Turn } from './turn.js';

/** What an agent reads from `nexo.turns.…`. */
export const TurnStreamMessage = z.discriminatedUnion('kind', [Turn, Hold]);
export type TurnStreamMessage = z.infer<typeof TurnStreamMessage>;
