import type { ConversationState } from './decide.js';

/** A turn by what tells how it stands. Arrivals are places in the order in which Holdline stores a conversation. */
export interface KnownTurn {
  /** The epoch that a resume's turn was given at; undefined for the turn of an inbound. */
  resumeEpoch: number | undefined;
  /** Of the last inbound that it holds. */
  lastArrival: number;
}

/** What of a conversation the standing of its turns depends on. */
export interface TurnContext {
  state: ConversationState;
  /** Of the last resume. */
  resumedArrival: number;
  /** Whatever arrived up to here is answered. */
  answeredArrival: number;
}

/** The turn was given at the present epoch, or at the one that the present pause has ended. */
export function isLatest({ state, resumedArrival }: Omit<TurnContext, 'answeredArrival'>, turn: KnownTurn): boolean {
  if (turn.resumeEpoch === undefined) return turn.lastArrival > resumedArrival;
  return turn.resumeEpoch === (state.state === 'agent_active' ? state.epoch : state.epoch - 1);
}

/** Neither the turn nor a later one is answered, and no resume has taken its inbounds over. */
export function isOpen(context: TurnContext, turn: KnownTurn): boolean {
  return turn.lastArrival > context.answeredArrival && isLatest(context, turn);
}
