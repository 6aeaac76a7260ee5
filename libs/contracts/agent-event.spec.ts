import { AgentEvent, AgentEventKind } from './agent-event.js';
import { AgentEventNotification, ProcessingStateChangedNotification } from './notifications.js';

const id = '018f4e2a-0000-7abc-8def-0123456789ab';
const at = 1_700_000_000_000;
const scope = { kind: 'conversation', agent_id: 'ana', channel: 'wa', account_id: 'a', contact_id: 'c' };
const base = { event_id: id, agent_id: 'ana' };
const person = { provider: 'wa', user_id: 'u1', status: 'linked', admin: true, updated_at_ms: at };
const paused = { state: 'paused_by_operator', scope, paused_at_ms: at, operator_token_hash: 'h' };
const stateChanged = {
  kind: 'processing_state_changed',
  ...base,
  at_ms: at,
  scope,
  prev_state: { state: 'agent_active' },
  new_state: paused,
  epoch: 1,
  by: 'h',
};

const EVENTS: Record<AgentEventKind, Record<string, unknown>> = {
  processing_state_changed: stateChanged,
  pending_inbounds_dropped: { at_ms: at, scope, dropped: 2, message_ids: [id] },
  transcript_appended: {
    session_id: id,
    seq: 0,
    role: 'user',
    body: 'hola',
    sent_at_ms: at,
    sender_id: 'c',
    source_plugin: 'wa',
    message_id: id,
    replayed: true,
    delivery: 'read',
  },
  agent_reply_suppressed: { at_ms: at, scope, turn_id: id, draft_id: id, reason: 'stale_epoch' },
  turn_failed: { at_ms: at, scope, turn_id: id, detail: 'x' },
  inbound_quarantined: { at_ms: at, subject: 'nexo.inbound.x', reason: 'too_large', stream_seq: 7 },
  outbound_failed: { at_ms: at, scope, outbound_id: id, origin: 'agent', reason: 'closed', detail: 'x' },
  escalation_requested: { scope, summary: 'help', reason: 'other', urgency: 'normal', requested_at_ms: at },
  escalation_resolved: { scope, resolved_at_ms: at, by: { kind: 'operator_dismissed', reason: 'spam' } },
  escalation_overdue: { at_ms: at, scope, waited_ms: 600_000 },
  approval_requested: { at_ms: at, approval_id: id, tool: 'promote', title: 'Promote u1' },
  approval_decided: { at_ms: at, approval_id: id, status: 'void' },
  tool_call_finished: { at_ms: at, call_id: 'c1', status: 'refused' },
  person_changed: { at_ms: at, provider: 'wa', user_id: 'u1', before: { ...person, admin: false }, after: person },
  tool_face_notice: { at_ms: at, code: 'config.tool_face_invalid', server: 's', tool: 't', detail: 'x' },
};

describe('AgentEvent', () => {
  test('has the kinds that may be asked for', () => {
    expect(AgentEvent.options.map((option) => option.shape.kind.value)).toStrictEqual(AgentEventKind.options);
  });

  test.each(Object.entries(EVENTS))('%s comes out as it went in, with every field', (kind, fields) => {
    const event = { kind, ...base, tenant_id: 't1', ...fields };
    const option = AgentEvent.options.find((candidate) => candidate.shape.kind.value === kind);
    expect(Object.keys(event).sort()).toStrictEqual(Object.keys(option?.shape ?? {}).sort());
    expect(AgentEvent.parse(JSON.parse(JSON.stringify({ ...event, later: 1 })))).toStrictEqual(event);
  });

  test('of no agent has the agent system', () => {
    expect(AgentEvent.safeParse({ ...stateChanged, agent_id: 'system' }).success).toBe(true);
    expect(AgentEvent.safeParse({ ...stateChanged, agent_id: undefined }).success).toBe(false);
  });

  test('of an unknown kind does not parse', () => {
    expect(AgentEvent.safeParse({ ...stateChanged, kind: 'peer_typing' }).success).toBe(false);
  });
});

describe('notifications', () => {
  test('carry the event as params', () => {
    const notification = { jsonrpc: '2.0', method: 'nexo/notify/processing_state_changed', params: stateChanged };
    expect(ProcessingStateChangedNotification.parse(notification)).toStrictEqual(notification);
    const other = { ...notification, method: 'nexo/notify/agent_event' };
    expect(AgentEventNotification.parse(other)).toStrictEqual(other);
    expect(ProcessingStateChangedNotification.safeParse(other).success).toBe(false);
  });
});
