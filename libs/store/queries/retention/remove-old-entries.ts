import type { Transaction } from '../../transaction.js';
import { isStillToPublish, type Removal, type Removed } from './removal.js';

const SESSIONS_AT_ONCE = 200;

/** Goes through the transcripts by their key, because no index of lines by age would be worth its price at the gate. */
const REMOVE_OLD_ENTRIES = {
  name: 'remove-old-entries',
  text: `
    WITH page AS MATERIALIZED (
      SELECT session_id, agent_id FROM sessions
      WHERE (session_id, agent_id) > ($2::uuid, $3::text)
      ORDER BY session_id, agent_id LIMIT ${SESSIONS_AT_ONCE}
    ), old AS MATERIALIZED (
      SELECT line.*
      FROM page
      CROSS JOIN LATERAL (
        SELECT stamped_at FROM entries
        WHERE session_id = page.session_id AND agent_id = page.agent_id
        ORDER BY seq LIMIT 1
      ) AS first
      CROSS JOIN LATERAL (
        SELECT session_id, seq, agent_id, stamped_at FROM entries
        WHERE session_id = page.session_id AND agent_id = page.agent_id
          AND first.stamped_at < clock_timestamp() - $1::int * interval '1 day'
        ORDER BY seq LIMIT $4
      ) AS line
      WHERE line.stamped_at < clock_timestamp() - $1::int * interval '1 day'
      LIMIT $4
    ), removed AS (
      DELETE FROM entries AS e USING old
      WHERE e.session_id = old.session_id AND e.seq = old.seq AND e.agent_id = old.agent_id
      RETURNING e.seq
    ), last AS (
      SELECT session_id, agent_id FROM page ORDER BY session_id DESC, agent_id DESC LIMIT 1
    )
    SELECT (SELECT count(*) FROM removed)::int AS removed, (SELECT count(*) FROM page)::int AS sessions,
      (SELECT session_id FROM last), (SELECT agent_id FROM last)`,
};

interface Row {
  removed: number;
  sessions: number;
  session_id: string;
  agent_id: string;
}

/** Removes the oldest lines of transcripts. The numbers of later lines go on rising, because `sessions` has them. */
export async function removeOldEntries(tx: Transaction, { days, limit, place }: Removal): Promise<Removed> {
  if (await isStillToPublish(tx, days)) return { rows: 0, next: undefined };
  const [row] = await tx.rows<Row>(REMOVE_OLD_ENTRIES, [days, place.id, place.agentId, limit]);
  const { removed, sessions, session_id, agent_id } = row as Row;
  if (removed === limit) return { rows: removed, next: place };
  return { rows: removed, next: sessions < SESSIONS_AT_ONCE ? undefined : { id: session_id, agentId: agent_id } };
}
