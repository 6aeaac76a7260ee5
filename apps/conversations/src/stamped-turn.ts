import { MAX_TURN_BYTES } from '#contracts/limits.js';
import { eventSubject, turnSubject } from '#contracts/subjects.js';
import { utf8Length } from '#contracts/text.js';
import type { Turn } from '#contracts/turn.js';
import type { StoredMessage } from '#store/queries/read-outbox.js';
import type { StampedInbound } from '#store/queries/read-stamped-inbounds.js';

import { pendingInbound } from './hand-back.js';
import { transcriptAppended } from './transcript-appended.js';

/** An inbound of an active conversation as it is published: the turn that asks for an answer, and its line. */
export interface StampedTurn {
  turn: Turn;
  /** Of the line in the session of the turn. */
  seq: number;
  /** Of the event of the line. */
  eventId: string;
}

/** The turn of an inbound as the record holds it. It is published before the conversation is paused or never. */
export function stampedTurn(inbound: StampedInbound): StampedTurn {
  const { agentId, channel, accountId, contactId, mcpChannelSource, sessionId, seq, eventId, epoch } = inbound;
  return {
    seq,
    eventId,
    turn: {
      kind: 'turn',
      turn_id: inbound.inboundId,
      agent_id: agentId,
      scope: {
        kind: 'conversation',
        agent_id: agentId,
        channel,
        account_id: accountId,
        contact_id: contactId,
        ...(mcpChannelSource === null ? {} : { mcp_channel_source: mcpChannelSource }),
      },
      session_id: sessionId,
      epoch,
      cause: 'inbound',
      inbounds: [pendingInbound(inbound)],
    },
  };
}

/** The message in the turn stream. An inbound that would make it too large is left out and named by `more`. */
export function turnMessage({ turn, seq }: StampedTurn): StoredMessage {
  let payload = JSON.stringify(turn);
  if (isTooLarge(payload)) {
    const more = [{ session_id: turn.session_id, from_seq: seq, to_seq: seq }];
    payload = JSON.stringify({ ...turn, inbounds: [], more });
  }
  return { subject: turnSubject(turn.scope), msgId: turn.turn_id, payload, raw: null, headers: null };
}

/** The event of the line. */
export function lineMessage({ turn, seq, eventId }: StampedTurn): StoredMessage {
  const [inbound] = turn.inbounds;
  if (inbound === undefined) throw new RangeError(`turn ${turn.turn_id} answers no inbound`);
  const event = transcriptAppended(
    {
      eventId,
      agentId: turn.agent_id,
      sessionId: turn.session_id,
      role: 'user',
      body: inbound.body,
      sentAtMs: inbound.timestamp_ms,
      senderId: inbound.from_contact_id,
      sourcePlugin: inbound.source_plugin,
      messageId: inbound.message_id ?? null,
      replayed: false,
    },
    seq,
  );
  const subject = eventSubject(turn.agent_id, event.kind);
  return { subject, msgId: event.event_id, payload: JSON.stringify(event), raw: null, headers: null };
}

/** A character has three bytes at most, so that most payloads need not be measured. */
function isTooLarge(payload: string): boolean {
  return payload.length > MAX_TURN_BYTES / 3 && utf8Length(payload) > MAX_TURN_BYTES;
}
