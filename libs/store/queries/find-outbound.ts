import { type Outbound, OUTBOUND_COLUMNS, type OutboundRow, toOutbound } from '../outbound.js';
import type { Reader } from '../read.js';
import type { Transaction } from '../transaction.js';

const FIND_OUTBOUND = {
  name: 'find-outbound',
  text: `SELECT ${OUTBOUND_COLUMNS} FROM outbounds WHERE outbound_id = $1`,
};

const LOCK_OUTBOUND = {
  name: 'lock-outbound',
  text: `SELECT ${OUTBOUND_COLUMNS} FROM outbounds WHERE outbound_id = $1 FOR UPDATE`,
};

/** One message to a channel; undefined if there is none of this id. */
export async function findOutbound(reader: Reader, outboundId: string): Promise<Outbound | undefined> {
  const [row] = await reader.rows<OutboundRow>(FIND_OUTBOUND, [outboundId]);
  return row && toOutbound(row);
}

/** The same, locked until the transaction ends. Whoever locks its conversation too does so before. */
export async function lockOutbound(tx: Transaction, outboundId: string): Promise<Outbound | undefined> {
  const [row] = await tx.rows<OutboundRow>(LOCK_OUTBOUND, [outboundId]);
  return row && toOutbound(row);
}
