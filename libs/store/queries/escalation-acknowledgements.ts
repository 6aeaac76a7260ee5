import type { Transaction } from '../transaction.js';

/** An escalation that the contact has not been told of. */
export interface DueAcknowledgement {
  escalationId: string;
  conversationId: string;
}

const CLAIM_ACKNOWLEDGEMENTS = {
  name: 'claim-acknowledgements',
  text: `
    UPDATE escalations AS e SET acknowledge_at_ms = clock.now_ms + $1
    FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms) AS clock
    WHERE e.escalation_id IN (
      SELECT escalation_id FROM escalations
      WHERE acknowledge_at_ms <= (extract(epoch FROM clock_timestamp()) * 1000)::bigint
      ORDER BY acknowledge_at_ms LIMIT $2
      FOR UPDATE SKIP LOCKED
    )
    RETURNING e.escalation_id, e.conversation_id`,
};

const END_ACKNOWLEDGEMENT = {
  name: 'end-acknowledgement',
  text: 'UPDATE escalations SET acknowledge_at_ms = NULL WHERE escalation_id = $1',
};

/** Takes acknowledgements that are due, for one process; they are due again after `retryAfterMs` unless they end. */
export async function claimAcknowledgements(
  tx: Transaction,
  retryAfterMs: number,
  limit: number,
): Promise<DueAcknowledgement[]> {
  const rows = await tx.rows<{ escalation_id: string; conversation_id: string }>(CLAIM_ACKNOWLEDGEMENTS, [
    retryAfterMs,
    limit,
  ]);
  return rows.map((row) => ({ escalationId: row.escalation_id, conversationId: row.conversation_id }));
}

/** The contact was told, or need not be any more. */
export async function endAcknowledgement(tx: Transaction, escalationId: string): Promise<void> {
  await tx.rows(END_ACKNOWLEDGEMENT, [escalationId]);
}
