import type { Conversation } from '#contracts/conversations-list.js';
import type { PausedByOperatorState } from '#contracts/processing-control-state.js';
import { EXTERNAL_OPERATOR } from '#contracts/transcript-words.js';

/** Who has a conversation, as the operator at this page sees it. */
export type Holder =
  | { kind: 'agent' }
  | { kind: 'me'; since: PausedByOperatorState }
  /** Somebody answered outside Holdline; any operator may answer for them. */
  | { kind: 'outside'; since: PausedByOperatorState }
  | { kind: 'other'; since: PausedByOperatorState };

export function holderOf({ state }: Pick<Conversation, 'state'>, operator: string): Holder {
  if (state.state === 'agent_active') return { kind: 'agent' };
  if (state.operator_token_hash === operator) return { kind: 'me', since: state };
  return { kind: state.operator_token_hash === EXTERNAL_OPERATOR ? 'outside' : 'other', since: state };
}

/** Whether this operator may write to the contact. */
export function mayReply(holder: Holder): boolean {
  return holder.kind === 'me' || holder.kind === 'outside';
}
