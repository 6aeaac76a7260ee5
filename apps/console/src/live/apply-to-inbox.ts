import type {
  AgentEvent,
  EscalationRequestedEvent,
  ProcessingStateChangedEvent,
  TranscriptAppendedEvent,
} from '#contracts/agent-event.js';
import type { Conversation } from '#contracts/conversations-list.js';
import { MAX_LAST_ENTRY_CHARACTERS } from '#contracts/limits.js';

import { keyOfScope } from '../conversation-key.js';
import { changeConversation, type Inbox, sessionKey } from './inbox.js';

/** The inbox after an event. Applying one twice, or one that the inbox was read after, changes nothing. */
export function applyToInbox(inbox: Inbox, event: AgentEvent): Inbox {
  switch (event.kind) {
    case 'processing_state_changed':
      return changeScope(inbox, event, (row) => withState(row, event));
    case 'transcript_appended':
      return keysOfLine(inbox, event).reduce(
        (changed, key) => changeConversation(changed, key, (row) => withLine(row, event)),
        inbox,
      );
    case 'escalation_requested':
      return changeScope(inbox, event, (row) => withEscalation(row, event));
    case 'escalation_resolved':
      return changeScope(inbox, event, (row) => withoutEscalation(row, event.resolved_at_ms));
    default:
      return inbox;
  }
}

/** True when the event tells of a conversation that the inbox has to read anew to know. */
export function isUnknown(inbox: Inbox, event: AgentEvent): boolean {
  if (event.kind === 'transcript_appended') return keysOfLine(inbox, event).length === 0;
  if (event.kind !== 'processing_state_changed' && event.kind !== 'escalation_requested') return false;
  const key = keyOfScope(event.scope);
  return key !== undefined && !inbox.rows.has(key);
}

/** Lines name their session only. Where conversations share one, a contact's line is that contact's. */
function keysOfLine(inbox: Inbox, line: TranscriptAppendedEvent): readonly string[] {
  const keys = inbox.bySession.get(sessionKey(line.agent_id, line.session_id)) ?? [];
  if (keys.length < 2 || line.role !== 'user') return keys;
  return keys.filter((key) => inbox.rows.get(key)?.scope.contact_id === line.sender_id);
}

function changeScope(
  inbox: Inbox,
  { scope }: ProcessingStateChangedEvent | EscalationRequestedEvent | { scope: ProcessingStateChangedEvent['scope'] },
  change: (conversation: Conversation) => Conversation,
): Inbox {
  const key = keyOfScope(scope);
  return key === undefined ? inbox : changeConversation(inbox, key, change);
}

function withState(row: Conversation, event: ProcessingStateChangedEvent): Conversation {
  if (event.epoch < row.epoch) return row;
  const drained = event.new_state.state === 'agent_active';
  return {
    ...row,
    state: event.new_state,
    epoch: event.epoch,
    pending_depth: drained ? 0 : row.pending_depth,
    last_activity_ms: Math.max(row.last_activity_ms, event.at_ms),
  };
}

function withLine(row: Conversation, { role, body, sent_at_ms }: TranscriptAppendedEvent): Conversation {
  if (row.last_entry !== undefined && row.last_entry.sent_at_ms > sent_at_ms) return row;
  const characters = Array.from(body.slice(0, 2 * MAX_LAST_ENTRY_CHARACTERS)).slice(0, MAX_LAST_ENTRY_CHARACTERS);
  return {
    ...row,
    last_entry: { role, body: characters.join(''), sent_at_ms },
    last_activity_ms: Math.max(row.last_activity_ms, sent_at_ms),
  };
}

function withEscalation(row: Conversation, event: EscalationRequestedEvent): Conversation {
  const { urgency, reason, requested_at_ms } = event;
  if ((row.escalation?.requested_at_ms ?? -1) >= requested_at_ms) return row;
  return { ...row, escalation: { urgency, reason, requested_at_ms } };
}

function withoutEscalation(row: Conversation, resolvedAtMs: number): Conversation {
  if (row.escalation === undefined || row.escalation.requested_at_ms > resolvedAtMs) return row;
  const { escalation: _, ...rest } = row;
  return rest;
}
