import { createHash } from 'node:crypto';

import type { Capability } from '#contracts/capabilities.js';
import type { AdminMethod } from '#contracts/methods.js';
import type { ProcessingScope } from '#contracts/processing-scope.js';
import { insertAuditRow } from '#store/queries/insert-audit-row.js';
import type { Transaction } from '#store/transaction.js';

/** The operator who commands. */
export interface Caller {
  tokenHash: string;
  /** Absent with `HOLDLINE_ADMIN_AUTH=trusted`. */
  name?: string;
  capabilities: readonly Capability[];
}

/** What a command did. */
export interface CommandEffect {
  scope?: ProcessingScope | undefined;
  /** Needed where there is no scope. */
  agentId?: string | undefined;
  changed: boolean;
  /** A machine word; never what somebody wrote. */
  reason?: string | undefined;
}

/** One command on its way through a handler. */
export class CommandContext {
  /** SHA-256, in hex, of the params as JSON. */
  readonly paramsSha256: string;
  /** What becomes of it has been audited, an error too. */
  outcomeIsAudited = false;

  constructor(
    readonly method: AdminMethod,
    readonly correlationId: string,
    readonly operator: Caller,
    rawParams: unknown,
  ) {
    this.paramsSha256 = paramsSha256(rawParams);
  }

  /** Leaves the audit row of a command that was carried out, a no-op too, in the transaction of its effect. */
  async audit(tx: Transaction, effect: CommandEffect): Promise<void> {
    await insertAuditRow(tx, {
      ...effect,
      operator: this.operator.tokenHash,
      method: this.method,
      outcome: 'ok',
      correlationId: this.correlationId,
      paramsSha256: this.paramsSha256,
    });
  }
}

/** SHA-256, in hex, of params as JSON; absent ones count as `null`. */
export function paramsSha256(rawParams: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(rawParams ?? null))
    .digest('hex');
}
