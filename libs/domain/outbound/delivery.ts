/** What a channel reports of a message that it took. */
export type ReportedDelivery = 'delivered' | 'read' | 'failed';

/** A message that was said to have failed and is read after all has been delivered; nothing undoes that. */
const RANK: Record<ReportedDelivery, number> = { failed: 1, delivered: 2, read: 3 };

/** True if the report says more than what is known: reports may come late, twice, and in any order. */
export function saysMore(known: ReportedDelivery | null, reported: ReportedDelivery): boolean {
  return known === null || RANK[reported] > RANK[known];
}
