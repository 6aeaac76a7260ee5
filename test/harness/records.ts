import type { StreamRecord } from '#broker/partition-consumer.js';
import type { InboundMessage } from '#contracts/inbound-message.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import { inboundSubject } from '#contracts/subjects.js';

/** An inbound as the stream would deliver it. */
export function inboundRecord(
  seq: number,
  scope: ConversationScope,
  inbound: Partial<InboundMessage['inbound']> = {},
  more: { session_id?: string; msgId?: string } = {},
): StreamRecord {
  const message = {
    scope,
    inbound: {
      from_contact_id: scope.contact_id,
      body: `line ${seq}`,
      timestamp_ms: 1_700_000_000_000 + seq,
      source_plugin: 'whatsapp',
      ...inbound,
    },
    ...(more.session_id === undefined ? {} : { session_id: more.session_id }),
  };
  return rawRecord(seq, inboundSubject(scope), JSON.stringify(message), more.msgId);
}

export function rawRecord(seq: number, subject: string, payload: string | Uint8Array, msgId?: string): StreamRecord {
  return {
    seq,
    subject,
    data: typeof payload === 'string' ? new TextEncoder().encode(payload) : payload,
    receivedAtMs: 1_700_000_100_000 + seq,
    ...(msgId === undefined ? {} : { msgId }),
  };
}
