import type { PlacedEntry } from '#domain/conversation/resume-turn.js';
import { entriesSince } from '#store/queries/entries-since.js';
import type { Outbound } from '#store/outbound.js';
import { unstampedRepliesSince } from '#store/queries/unstamped-replies-since.js';
import type { Transaction } from '#store/transaction.js';

import { entryOf } from './entry-of.js';

/**
 * All that was said in a conversation from a number of arrival on, in that order: the lines of its transcripts, and what
 * the contact was told without a line.
 */
export async function saidSince(tx: Transaction, conversationId: string, arrival: number): Promise<PlacedEntry[]> {
  const [stamped, unstamped] = await Promise.all([
    entriesSince(tx, conversationId, arrival),
    unstampedRepliesSince(tx, conversationId, arrival),
  ]);
  const lines = stamped.map((line) => ({
    arrival: line.arrival,
    entry: entryOf(line),
    place: { sessionId: line.sessionId, seq: line.seq },
  }));
  const beside = unstamped.map((line) => ({ arrival: line.arrival, entry: unstampedEntry(line), place: undefined }));
  return [...lines, ...beside].sort((a, b) => a.arrival - b.arrival);
}

function unstampedEntry(line: Outbound): PlacedEntry['entry'] {
  return {
    role: 'assistant',
    body: line.body,
    sent_at_ms: line.createdAtMs,
    ...(line.senderId === null ? {} : { sender_id: line.senderId }),
    source_plugin: line.sourcePlugin,
    ...(line.attachments === null ? {} : { attachments: JSON.parse(line.attachments) as unknown[] }),
    delivery: line.status === 'unknown' ? 'unknown' : (line.delivery ?? 'sent'),
  };
}
