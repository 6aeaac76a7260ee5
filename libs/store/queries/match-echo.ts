import type { Reader } from '../read.js';

/** What a channel saw leave its account. */
export interface SeenOutbound {
  channel: string;
  accountId: string;
  recipient: string;
  outboundId: string | null;
  outboundMessageId: string | null;
  textSha256: Buffer;
}

/** `ours`: Holdline sent it. `undecided`: it may have, once a message that is under way has its answer. */
export type EchoMatch = 'ours' | 'undecided' | 'not_ours';

const MATCH_ECHO = {
  name: 'match-echo',
  text: `
    SELECT (
      EXISTS (SELECT FROM outbounds WHERE outbound_id = $4 AND channel = $1 AND account_id = $2)
      OR EXISTS (
        SELECT FROM outbounds
        WHERE outbound_message_id = $5 AND channel = $1 AND account_id = $2 AND origin <> 'external')
      OR EXISTS (
        SELECT FROM outbounds
        WHERE text_sha256 = $6 AND origin <> 'external' AND status IN ('sending', 'handed_over', 'sent', 'unknown')
          AND coalesce(settled_at_ms, created_at_ms) >= now_ms - $7)
    ) AS ours, (
      $5::text IS NOT NULL AND EXISTS (
        SELECT FROM outbounds
        WHERE expires_at_ms IS NOT NULL AND channel = $1 AND account_id = $2 AND recipient = $3)
    ) AS undecided
    FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms) AS clock`,
};

/**
 * Whether Holdline sent a message that a channel saw: by its id, by the channel's id of it, or by text and recipient
 * of one that is at most `windowMs` old, on the database's clock.
 */
export async function matchEcho(reader: Reader, seen: SeenOutbound, windowMs: number): Promise<EchoMatch> {
  const [row] = await reader.rows<{ ours: boolean; undecided: boolean }>(MATCH_ECHO, [
    seen.channel,
    seen.accountId,
    seen.recipient,
    seen.outboundId,
    seen.outboundMessageId,
    seen.textSha256,
    windowMs,
  ]);
  if (row?.ours) return 'ours';
  return row?.undecided ? 'undecided' : 'not_ours';
}
