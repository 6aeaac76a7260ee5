import { randomUUID } from 'node:crypto';

import type { AgentEvent } from '#contracts/agent-event.js';
import type { Hold } from '#contracts/hold.js';
import { PROCESSING_STATE_CHANGED_NOTIFY_METHOD } from '#contracts/methods.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import { eventSubject, NOTIFY_STATE_CHANGED_SUBJECT, notificationMessageId, turnSubject } from '#contracts/subjects.js';
import type { Turn } from '#contracts/turn.js';
import type { StoredEvent } from '#store/queries/insert-events.js';
import type { NewMessage, NewOutboxRow } from '#store/queries/insert-outbox.js';
import type { StoredMessage } from '#store/queries/read-outbox.js';

/** An event of the firehose without the id that it gets here. */
export type NewEvent = AgentEvent extends infer Event
  ? Event extends AgentEvent
    ? Omit<Event, 'event_id'>
    : never
  : never;

/** The row of the turn that hands a conversation back, with the inbounds that it answers. */
export function turnRow(orderingKey: string, turn: Turn, inboundIds: string[]): NewMessage {
  return {
    orderingKey,
    kind: 'turn',
    subject: turnSubject(turn.scope),
    msgId: turn.turn_id,
    payload: JSON.stringify(turn),
    inboundIds,
  };
}

/** The row that tells the agent to drop whatever runs for a conversation. */
export function holdRow(orderingKey: string, scope: ConversationScope, epoch: number): NewMessage {
  const hold: Hold = { kind: 'hold', agent_id: scope.agent_id, scope, epoch };
  return {
    orderingKey,
    kind: 'hold',
    subject: turnSubject(scope),
    msgId: randomUUID(),
    payload: JSON.stringify(hold),
  };
}

/** The row of an event that is not in the log: lines of a transcript are their own log. */
export function eventRow(orderingKey: string, event: AgentEvent): NewMessage {
  return {
    orderingKey,
    kind: 'event',
    subject: eventSubject(event.agent_id, event.kind),
    msgId: event.event_id,
    payload: JSON.stringify(event),
  };
}

/** An event for the log, and the rows that publish it. */
export function eventMessages(
  orderingKey: string,
  event: NewEvent & { at_ms: number },
): { stored: StoredEvent; rows: NewOutboxRow[] } {
  return timedEventMessages(orderingKey, event, event.at_ms);
}

/** The same for an event that names its time in another way. */
export function timedEventMessages(
  orderingKey: string,
  event: NewEvent,
  atMs: number,
): { stored: StoredEvent; rows: NewOutboxRow[] } {
  const whole = { event_id: randomUUID(), ...event } as AgentEvent;
  return {
    stored: {
      eventId: whole.event_id,
      agentId: whole.agent_id,
      kind: whole.kind,
      atMs,
      payload: JSON.stringify(whole),
    },
    rows: [{ orderingKey, kind: 'event', eventId: whole.event_id }],
  };
}

/** What is published of a logged event; a change of state is a JSON-RPC notification as well. */
export function messagesOfEvent({ eventId, agentId, kind, payload }: StoredEvent): StoredMessage[] {
  const event = { subject: eventSubject(agentId, kind), msgId: eventId, payload };
  const messages = [event];
  if (kind === 'processing_state_changed') {
    messages.push({
      subject: NOTIFY_STATE_CHANGED_SUBJECT,
      msgId: notificationMessageId(eventId),
      payload: `{"jsonrpc":"2.0","method":"${PROCESSING_STATE_CHANGED_NOTIFY_METHOD}","params":${payload}}`,
    });
  }
  return messages.map((message) => ({ ...message, raw: null, headers: null }));
}
