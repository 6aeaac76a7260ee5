import type { AgentEvent, ProcessingStateChangedEvent, TranscriptAppendedEvent } from '#contracts/agent-event.js';
import type { Conversation } from '#contracts/conversations-list.js';

import { keyOf } from '../conversation-key.js';
import { applyToInbox, isUnknown } from './apply-to-inbox.js';
import { EMPTY_INBOX, mergeConversations } from './inbox.js';

const SESSION = '00000000-0000-4000-8000-000000000001';
const EVENT = { event_id: '00000000-0000-4000-8000-0000000000ff', agent_id: 'ana' };

function conversation(contact: string, more: Partial<Conversation> = {}): Conversation {
  return {
    scope: { kind: 'conversation', agent_id: 'ana', channel: 'web', account_id: 'main', contact_id: contact },
    state: { state: 'agent_active' },
    epoch: 4,
    session_id: SESSION,
    pending_depth: 0,
    dropped_total: 0,
    last_activity_ms: 1_000,
    ...more,
  };
}

const ADA = conversation('ada');
const PAUSED = {
  state: 'paused_by_operator',
  scope: ADA.scope,
  paused_at_ms: 2_000,
  operator_token_hash: 'me',
} as const;

function inboxOf(...conversations: Conversation[]) {
  return mergeConversations(EMPTY_INBOX, conversations);
}

function row(inbox: ReturnType<typeof inboxOf>, { scope }: Conversation): Conversation {
  return inbox.rows.get(keyOf(scope)) as Conversation;
}

function stateChanged(more: Partial<ProcessingStateChangedEvent>): ProcessingStateChangedEvent {
  return {
    ...EVENT,
    kind: 'processing_state_changed',
    at_ms: 2_000,
    scope: ADA.scope,
    prev_state: { state: 'agent_active' },
    new_state: PAUSED,
    epoch: 5,
    by: 'me',
    ...more,
  };
}

function said(more: Partial<TranscriptAppendedEvent> = {}): TranscriptAppendedEvent {
  const line = { role: 'user', body: 'Hello?', sent_at_ms: 3_000, sender_id: 'ada', source_plugin: 'web' } as const;
  return { ...EVENT, kind: 'transcript_appended', session_id: SESSION, seq: 1, ...line, ...more };
}

describe('applyToInbox', () => {
  it('shows who has taken a conversation over', () => {
    expect(row(applyToInbox(inboxOf(ADA), stateChanged({})), ADA)).toMatchObject({ state: PAUSED, epoch: 5 });
  });

  it('shows a buffer as empty once it was handed back', () => {
    const held = conversation('ada', { state: PAUSED, epoch: 5, pending_depth: 3 });
    const event = stateChanged({ new_state: { state: 'agent_active' }, epoch: 6 });
    expect(row(applyToInbox(inboxOf(held), event), ADA)).toMatchObject({ pending_depth: 0, epoch: 6 });
  });

  it('passes over a change that is older than what it knows', () => {
    const inbox = inboxOf(conversation('ada', { epoch: 6 }));
    expect(applyToInbox(inbox, stateChanged({}))).toBe(inbox);
  });

  it('moves a conversation within one epoch when it is taken over', () => {
    const held = inboxOf(conversation('ada', { state: PAUSED, epoch: 5 }));
    const event = stateChanged({ new_state: { ...PAUSED, operator_token_hash: 'other' } });
    expect(row(applyToInbox(held, event), ADA).state).toMatchObject({ operator_token_hash: 'other' });
  });

  it('shows the newest line and the time of it, and only the newest', () => {
    const inbox = applyToInbox(inboxOf(ADA), said());
    expect(row(inbox, ADA)).toMatchObject({ last_entry: { body: 'Hello?' }, last_activity_ms: 3_000 });
    expect(applyToInbox(inbox, said({ body: 'older', sent_at_ms: 2_500 }))).toBe(inbox);
  });

  it('keeps 200 characters of a line, and no half of one', () => {
    const inbox = applyToInbox(inboxOf(ADA), said({ body: '😀'.repeat(50_000) }));
    expect(row(inbox, ADA).last_entry?.body).toBe('😀'.repeat(200));
  });

  it("gives a contact's line to that contact where conversations share a session", () => {
    const inbox = applyToInbox(inboxOf(ADA, conversation('bob')), said());
    expect(row(inbox, conversation('bob')).last_entry).toBeUndefined();
    expect(row(inbox, ADA).last_entry?.body).toBe('Hello?');
  });

  it('shows an escalation until it is resolved', () => {
    const asked = { summary: 's', reason: 'complaint', urgency: 'high', requested_at_ms: 4_000 } as const;
    const requested: AgentEvent = { ...EVENT, kind: 'escalation_requested', scope: ADA.scope, ...asked };
    const inbox = applyToInbox(inboxOf(ADA), requested);
    expect(row(inbox, ADA).escalation).toEqual({ urgency: 'high', reason: 'complaint', requested_at_ms: 4_000 });
    const by = { kind: 'operator_takeover' } as const;
    const resolved: AgentEvent = { ...EVENT, kind: 'escalation_resolved', scope: ADA.scope, resolved_at_ms: 5_000, by };
    expect(row(applyToInbox(inbox, resolved), ADA)).not.toHaveProperty('escalation');
    expect(applyToInbox(inbox, { ...resolved, resolved_at_ms: 3_000 })).toBe(inbox);
  });

  it('changes nothing when the same events come again', () => {
    const events = [said(), stateChanged({}), said({ seq: 2, body: 'There?', sent_at_ms: 4_000 })];
    const once = events.reduce(applyToInbox, inboxOf(ADA));
    expect([...events.reduce(applyToInbox, once).rows]).toEqual([...once.rows]);
  });

  it('knows of which events the conversation is not known', () => {
    expect(isUnknown(inboxOf(ADA), said())).toBe(false);
    expect(isUnknown(EMPTY_INBOX, said())).toBe(true);
    expect(isUnknown(EMPTY_INBOX, stateChanged({}))).toBe(true);
    expect(isUnknown(inboxOf(ADA), stateChanged({}))).toBe(false);
  });
});
