import { CONVERSATIONS, conversationOf, indexOfMessage, type Sample } from '../workload.js';
import type { EventRecord, TurnRecord } from './stream-content.js';

/** Message indexes of each conversation, in order. */
export type ByConversation = number[][];

export function emptyByConversation(): ByConversation {
  return Array.from({ length: CONVERSATIONS }, () => []);
}

export function bySampleOrder(samples: readonly Sample[]): ByConversation {
  const expected = emptyByConversation();
  for (const { conversation, index } of samples) expected[conversation]!.push(index);
  return expected;
}

/** The messages of the turns, repetitions included, in the order of the stream. */
export function messagesOfTurns(records: readonly TurnRecord[]): ByConversation {
  const found = emptyByConversation();
  for (const record of records) {
    if (record.kind !== 'turn') continue;
    const indexes = record.inbounds.map((inbound) => indexOfMessage(inbound.message_id));
    found[conversationOf(record.scope)]!.push(...indexes);
  }
  return found;
}

/** The messages whose evictions were announced, in the order of the stream. */
export function messagesDropped(events: readonly EventRecord[]): ByConversation {
  const found = emptyByConversation();
  for (const event of events) {
    if (event.kind !== 'pending_inbounds_dropped') continue;
    if (event.dropped !== event.message_ids.length) {
      throw new Error(`An event counts ${event.dropped} dropped messages and names ${event.message_ids.length}.`);
    }
    found[conversationOf(event.scope)]!.push(...event.message_ids.map(indexOfMessage));
  }
  return found;
}

/** The messages whose lines of the transcript were announced, in the order of the stream. */
export function messagesAppended(events: readonly EventRecord[]): ByConversation {
  const found = emptyByConversation();
  for (const event of events) {
    if (event.kind !== 'transcript_appended') continue;
    found[conversationOf({ contact_id: event.sender_id })]!.push(indexOfMessage(event.message_id));
  }
  return found;
}

/** A resume turn repeats the messages of turns that are still open: only first appearances of the samples count. */
export function firstAppearances(found: ByConversation, samples: readonly Sample[]): ByConversation {
  const firstIndex = samples[0]?.index ?? 0;
  return found.map((indexes) => [...new Set(indexes)].filter((index) => index >= firstIndex));
}

/** Throws unless every conversation has exactly its messages: none lost, none twice, none out of order. */
export function assertSame(found: ByConversation, expected: ByConversation, what: string): void {
  expected.forEach((indexes, conversation) => {
    const actual = found[conversation]!;
    if (actual.length === indexes.length && actual.every((index, position) => index === indexes[position])) return;
    throw new Error(
      `${what} of conversation ${conversation}: expected ${indexes.join(' ') || 'nothing'}, found ${actual.join(' ') || 'nothing'}.`,
    );
  });
}

/** Throws if an inbound's turn stands between a hold and the next resume turn of its conversation. */
export function assertHeld(records: readonly TurnRecord[]): void {
  const held = new Set<number>();
  for (const record of records) {
    const conversation = conversationOf(record.scope);
    if (record.kind === 'hold') held.add(conversation);
    else if (record.cause === 'resume') held.delete(conversation);
    else if (held.has(conversation)) throw new Error(`Conversation ${conversation} got a turn while it was paused.`);
  }
}

/** The buffers of paused conversations as the contract has them: the newest `cap` messages. */
export class ExpectedBuffers {
  readonly contents = emptyByConversation();

  constructor(readonly cap: number) {}

  /** @returns the messages that go, oldest first */
  add(samples: readonly Sample[]): ByConversation {
    const evicted = emptyByConversation();
    for (const { conversation, index } of samples) {
      const buffer = this.contents[conversation]!;
      buffer.push(index);
      if (buffer.length > this.cap) evicted[conversation]!.push(buffer.shift()!);
    }
    return evicted;
  }

  /** How many more messages each conversation takes before one goes. */
  room(): number[] {
    return this.contents.map((buffer) => this.cap - buffer.length);
  }
}
