import { uuids } from '../columns.js';
import type { Transaction } from '../transaction.js';

/** The most numbers that `firstArrival` leaves to one transaction. */
export const ARRIVALS_PER_TRANSACTION = 1024;

const FIND_KNOWN_INBOUNDS = {
  name: 'find-known-inbounds',
  text: `
    SELECT nextval('arrivals') AS first_arrival,
      ARRAY(SELECT inbound_id FROM inbounds WHERE inbound_id = ANY($1::uuid[])) AS known`,
};

/**
 * Which of these inbounds were received before, and the first number of arrival for what is new. To be asked after
 * the conversations were locked: then no other transaction can be about to store the same inbound, and numbers rise
 * in the order of the locks.
 */
export async function findKnownInbounds(
  tx: Transaction,
  inboundIds: string[],
): Promise<{ known: Set<string>; firstArrival: number }> {
  const [row] = await tx.rows<{ first_arrival: string; known: string[] }>(FIND_KNOWN_INBOUNDS, [
    uuids(inboundIds, (id) => id),
  ]);
  return { known: new Set(row?.known), firstArrival: Number(row?.first_arrival) };
}
