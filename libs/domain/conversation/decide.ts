import type { SuppressionReason } from '#contracts/draft.js';

/** Who answers a conversation. Times are epoch milliseconds of the database's clock. */
export type ConversationState =
  | { state: 'agent_active'; epoch: number }
  | {
      state: 'paused_by_operator';
      epoch: number;
      pausedAtMs: number;
      operatorTokenHash: string;
      reason: string | null;
      autoResumeAtMs: number | null;
    };

/** The holder of a conversation whose contact got an answer beside Holdline. */
export const EXTERNAL_OPERATOR = 'external';

export type PausedState = Extract<ConversationState, { state: 'paused_by_operator' }>;

export type ConversationCommand =
  | { kind: 'inbound' }
  | {
      kind: 'pause';
      operatorTokenHash: string;
      reason: string | undefined;
      autoResumeAfterMs: number | undefined;
      takeOver: boolean;
    }
  | { kind: 'resume'; expectedEpoch: number | undefined }
  /** `isLatest`: the turn that it answers was given since the last resume. */
  | { kind: 'agent_reply'; epoch: number; isLatest: boolean }
  | { kind: 'resume_when_due' };

/** What a command does to a conversation. The states of SPEC.md; nothing else changes one. */
export type Decision =
  | { kind: 'forward' }
  | { kind: 'buffer' }
  | { kind: 'paused'; next: PausedState }
  | { kind: 'taken_over'; next: PausedState }
  | { kind: 'resumed'; next: ConversationState }
  | { kind: 'unchanged' }
  | { kind: 'stale_epoch' }
  | { kind: 'sent' }
  | { kind: 'suppressed'; reason: SuppressionReason };

/**
 * Decides by the rules of SPEC.md what `command` does to a conversation in `state`.
 * @param nowMs the database's clock, read after the conversation was locked
 */
export function decide(state: ConversationState, command: ConversationCommand, nowMs: number): Decision {
  switch (command.kind) {
    case 'inbound':
      return { kind: decideInbound(state.state) };
    case 'pause':
      return state.state === 'agent_active' ? pause(state.epoch, command, nowMs) : pauseAgain(state, command, nowMs);
    case 'resume':
      if (command.expectedEpoch !== undefined && command.expectedEpoch !== state.epoch) return { kind: 'stale_epoch' };
      return state.state === 'agent_active' ? { kind: 'unchanged' } : resume(state.epoch);
    case 'agent_reply':
      return decideReply(state, command);
    case 'resume_when_due':
      return isDue(state, nowMs) ? resume(state.epoch) : { kind: 'unchanged' };
    default:
      return command satisfies never;
  }
}

/** An inbound is forwarded to the agent, or waits while a person has the conversation. */
export function decideInbound(state: ConversationState['state']): 'forward' | 'buffer' {
  return state === 'agent_active' ? 'forward' : 'buffer';
}

/** Work that was begun under an older epoch does not reach the contact, whatever epoch it names. */
function decideReply(state: ConversationState, { epoch, isLatest }: ReplyCommand): Decision {
  if (state.state === 'paused_by_operator') return { kind: 'suppressed', reason: 'paused' };
  if (epoch !== state.epoch || !isLatest) return { kind: 'suppressed', reason: 'stale_epoch' };
  return { kind: 'sent' };
}

type ReplyCommand = Extract<ConversationCommand, { kind: 'agent_reply' }>;
type PauseCommand = Extract<ConversationCommand, { kind: 'pause' }>;

function pause(epoch: number, command: PauseCommand, nowMs: number): Decision {
  return {
    kind: 'paused',
    next: {
      state: 'paused_by_operator',
      epoch: epoch + 1,
      pausedAtMs: nowMs,
      operatorTokenHash: command.operatorTokenHash,
      reason: command.reason ?? null,
      autoResumeAtMs: command.autoResumeAfterMs === undefined ? null : nowMs + command.autoResumeAfterMs,
    },
  };
}

/** A hold moves only when another operator asks for it by name; epoch and time stay, so that no running work is cut. */
function pauseAgain(state: PausedState, command: PauseCommand, nowMs: number): Decision {
  if (!command.takeOver || command.operatorTokenHash === state.operatorTokenHash) return { kind: 'unchanged' };
  return {
    kind: 'taken_over',
    next: {
      ...state,
      operatorTokenHash: command.operatorTokenHash,
      reason: command.reason ?? state.reason,
      autoResumeAtMs:
        command.autoResumeAfterMs === undefined ? state.autoResumeAtMs : nowMs + command.autoResumeAfterMs,
    },
  };
}

function resume(epoch: number): Decision {
  return { kind: 'resumed', next: { state: 'agent_active', epoch: epoch + 1 } };
}

function isDue(state: ConversationState, nowMs: number): boolean {
  return state.state === 'paused_by_operator' && state.autoResumeAtMs !== null && state.autoResumeAtMs <= nowMs;
}
