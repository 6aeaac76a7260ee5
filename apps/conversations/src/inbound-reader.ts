import type { StreamRecord } from '#broker/partition-consumer.js';
import { subjectBeforeMapping } from '#broker/partitions.js';
import { InboundMessage } from '#contracts/inbound-message.js';
import { MAX_INBOUND_BYTES } from '#contracts/limits.js';
import type { PendingInbound } from '#contracts/pending-inbound.js';
import { type ConversationScope, ProcessingScope } from '#contracts/processing-scope.js';
import { namesAgent } from '#contracts/subjects.js';
import { conversationId, inboundId, type InboundIdentity } from '#domain/conversation/conversation-id.js';
import type { Redactor } from '#domain/redaction/redactor.js';

/** Why an inbound goes to quarantine; the last token of its subject there. */
export type QuarantineReason =
  'too_large' | 'not_json' | 'wrong_shape' | 'wrong_scope' | 'agent_mismatch' | 'refused_by_store';

/** An inbound that may be stored: checked, its text storable and redacted. */
export interface AcceptedInbound {
  kind: 'accepted';
  record: StreamRecord;
  conversationId: string;
  inboundId: string;
  scope: ConversationScope;
  inbound: PendingInbound;
  /** The session that it names. */
  sessionId: string | undefined;
}

export interface RefusedInbound {
  kind: 'refused';
  record: StreamRecord;
  reason: QuarantineReason;
}

/** A batch of the inbound stream, read. */
export interface ReadBatch {
  records: StreamRecord[];
  /** Without the copies of one another; in the order of the stream. */
  accepted: AcceptedInbound[];
  refused: RefusedInbound[];
  /** How many were copies of another one of the batch. */
  copies: number;
  lastSeq: number;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads a batch, without asking anybody: the next one can be read while this one is being stored. */
export function readBatch(records: StreamRecord[], redactor: Redactor): ReadBatch {
  const accepted = new Map<string, AcceptedInbound>();
  const refused: RefusedInbound[] = [];
  let copies = 0;
  for (const record of records) {
    const read = readInbound(record, redactor);
    if (read.kind === 'refused') refused.push(read);
    else if (accepted.has(read.inboundId)) copies += 1;
    else accepted.set(read.inboundId, read);
  }
  return { records, accepted: [...accepted.values()], refused, copies, lastSeq: lastSeqOf(records) };
}

/** A batch of which nothing is stored. */
export function refuseBatch(records: StreamRecord[], reason: QuarantineReason): ReadBatch {
  const refused = records.map((record) => refuse(record, reason));
  return { records, accepted: [], refused, copies: 0, lastSeq: lastSeqOf(records) };
}

function lastSeqOf(records: StreamRecord[]): number {
  const last = records.at(-1);
  if (last === undefined) throw new RangeError('a batch holds at least one record');
  return last.seq;
}

/** Reads one record of the inbound stream. Never throws: what cannot be read is refused with a reason. */
function readInbound(record: StreamRecord, redactor: Redactor): AcceptedInbound | RefusedInbound {
  if (record.data.length > MAX_INBOUND_BYTES) return refuse(record, 'too_large');
  let json: unknown;
  try {
    json = JSON.parse(utf8.decode(record.data));
  } catch {
    return refuse(record, 'not_json');
  }
  const message = InboundMessage.safeParse(json);
  if (!message.success) return refuse(record, namesOtherScope(json) ? 'wrong_scope' : 'wrong_shape');
  const { scope, inbound, session_id } = message.data;
  if (!namesAgent(subjectBeforeMapping(record.subject), scope.agent_id)) return refuse(record, 'agent_mismatch');
  const conversation = conversationId(scope);
  return {
    kind: 'accepted',
    record,
    conversationId: conversation,
    inboundId: inboundId(conversation, identityOf(record, inbound)),
    scope,
    inbound: redacted(inbound, redactor),
    sessionId: session_id,
  };
}

function refuse(record: StreamRecord, reason: QuarantineReason): RefusedInbound {
  return { kind: 'refused', record, reason };
}

/** True for a scope that the contract knows but that no inbound can have. */
function namesOtherScope(json: unknown): boolean {
  if (typeof json !== 'object' || json === null || !('scope' in json)) return false;
  const scope = ProcessingScope.safeParse(json.scope);
  return scope.success && scope.data.kind !== 'conversation';
}

function identityOf(record: StreamRecord, inbound: PendingInbound): InboundIdentity {
  if (inbound.message_id !== undefined) return { kind: 'message_id', messageId: inbound.message_id };
  if (record.msgId) return { kind: 'header', messageId: record.msgId };
  return { kind: 'stream', seq: record.seq, receivedAtMs: record.receivedAtMs };
}

function redacted(inbound: PendingInbound, redactor: Redactor): PendingInbound {
  const body = redactor.redactText(inbound.body);
  if (inbound.attachments === undefined) return { ...inbound, body };
  return { ...inbound, body, attachments: redactor.redactJson(inbound.attachments) as unknown[] };
}
