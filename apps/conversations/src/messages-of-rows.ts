import { readLoggedEvents } from '#store/queries/read-logged-events.js';
import type { OutboxRow, StoredMessage } from '#store/queries/read-outbox.js';
import { readStampedInbounds } from '#store/queries/read-stamped-inbounds.js';
import type { Transaction } from '#store/transaction.js';

import { messagesOfEvent } from './outbox-messages.js';
import type { PublishableRow } from './publish-outbox.js';
import type { ReadyMessages } from './ready-messages.js';
import { lineMessage, stampedTurn, turnMessage } from './stamped-turn.js';

/** Rows with what they send: what a reference stands for comes from what is at hand, or else from the record. */
export async function messagesOfRows(
  tx: Transaction,
  ready: ReadyMessages,
  rows: OutboxRow[],
): Promise<PublishableRow[]> {
  const found = new Map<string, StoredMessage[]>();
  const missing = { inbounds: [] as string[], events: [] as string[] };
  for (const { holds } of rows) {
    if ('message' in holds) continue;
    const id = referenceOf(holds);
    const messages = ready.take(id);
    if (messages !== undefined) found.set(id, messages);
    else if ('inboundId' in holds) missing.inbounds.push(id);
    else missing.events.push(id);
  }
  const [inbounds, events] = await Promise.all([
    readStampedInbounds(tx, missing.inbounds),
    readLoggedEvents(tx, missing.events),
  ]);
  for (const inbound of inbounds) {
    const turn = stampedTurn(inbound);
    found.set(inbound.inboundId, [turnMessage(turn), lineMessage(turn)]);
  }
  for (const event of events) found.set(event.eventId, messagesOfEvent(event));
  return rows.map((row) => {
    if ('message' in row.holds) return { row, messages: [row.holds.message] };
    const id = referenceOf(row.holds);
    const messages = found.get(id);
    if (messages === undefined) throw new Error(`the outbox refers to ${id}, which is not stored`);
    return { row, messages };
  });
}

function referenceOf(holds: { inboundId: string } | { eventId: string }): string {
  return 'inboundId' in holds ? holds.inboundId : holds.eventId;
}
