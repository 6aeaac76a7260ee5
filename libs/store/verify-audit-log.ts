import type { DataSource } from 'typeorm';

import type { ChainedRow } from '#domain/audit/audit-chain.js';
import { ChainCheck, type ChainFinding, type ChainPlace } from '#domain/audit/chain-check.js';

import {
  readAuditChain,
  readAuditHead,
  readNewestAuditRemoval,
  readUnchainedAuditRows,
} from './queries/read-audit-chain.js';
import { withRolledBackTransaction } from './transaction.js';

const PAGE = 2_000;
const BEFORE_THE_FIRST = { position: String(Number.MIN_SAFE_INTEGER), id: '0' };

const ONE_MOMENT = { name: 'one-moment', text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY' };

/** What the audit log looks like as a chain. */
export interface AuditVerification {
  /** Rows that were looked at. */
  rows: number;
  /** The newest row; undefined if the note of it is gone, so that nothing can be said of the end. */
  head: ChainPlace | undefined;
  /** Up to where retention has removed rows. */
  removedThrough: number | undefined;
  findings: (ChainFinding | { kind: 'outside_of_chain'; id: string })[];
}

/**
 * Reads the whole audit log as it is at one moment, while others go on writing, and follows its chain.
 * @param kept a place that an earlier verification has told
 */
export function verifyAuditLog(dataSource: DataSource, kept?: ChainPlace): Promise<AuditVerification> {
  return withRolledBackTransaction(dataSource, async (tx) => {
    await tx.rows(ONE_MOMENT);
    const head = await readAuditHead(tx);
    const removed = await readNewestAuditRemoval(tx);
    const check = new ChainCheck(head ?? { position: Infinity, hash: Buffer.alloc(0) }, removed, kept);
    let rows = 0;
    let last: Pick<ChainedRow, 'position' | 'id'> | undefined = BEFORE_THE_FIRST;
    while (last !== undefined) {
      const page = await readAuditChain(tx, last, PAGE);
      for (const { hash, ...row } of page) check.add(row, hash);
      rows += page.length;
      last = page.at(-1);
    }
    if (head !== undefined) check.end();
    const outside = await readUnchainedAuditRows(tx);
    return {
      rows: rows + outside.length,
      head,
      removedThrough: removed?.position,
      findings: [...check.findings, ...outside.map((id) => ({ kind: 'outside_of_chain' as const, id }))],
    };
  });
}
