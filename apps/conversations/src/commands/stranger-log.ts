import type { DataSource } from 'typeorm';

import type { Logger } from '#runtime/logger.js';
import type { Metrics } from '#runtime/metrics.js';
import { findValidTokens } from '#store/queries/find-valid-tokens.js';
import { insertStrangerAuditRow } from '#store/queries/insert-stranger-audit-row.js';
import { readOnce } from '#store/read.js';
import { withTransaction } from '#store/transaction.js';

import { describeFailure } from './describe-failure.js';
import { TokenGuard } from './token-guard.js';

const AUDITED_ONCE_PER_MS = 60_000;

/** A request without a valid token. */
export interface StrangerRequest {
  method: string;
  correlationId: string;
  paramsSha256: string;
}

/**
 * Keeps count of requests without a valid token. Sources can be made up, so that at most one a minute is audited of
 * all of them, by all processes together; this one does not even ask the database within the minute.
 */
export class StrangerLog {
  /** Holds off those who show too many worthless tokens. */
  readonly guard: TokenGuard;
  private nextAuditAtMs = 0;

  constructor(
    private readonly dataSource: DataSource,
    private readonly metrics: Pick<Metrics, 'countUnauthenticated'>,
    private readonly logger: Logger,
    /** Milliseconds that only rise. */
    private readonly now: () => number = () => performance.now(),
  ) {
    this.guard = new TokenGuard(() => readOnce(dataSource, findValidTokens), now);
  }

  async note(request: StrangerRequest): Promise<void> {
    this.metrics.countUnauthenticated();
    const nowMs = this.now();
    if (nowMs < this.nextAuditAtMs) return;
    this.nextAuditAtMs = nowMs + AUDITED_ONCE_PER_MS;
    try {
      const row = { ...request, reason: 'unauthenticated' };
      await withTransaction(this.dataSource, (tx) => insertStrangerAuditRow(tx, row, AUDITED_ONCE_PER_MS));
    } catch (error) {
      this.nextAuditAtMs = 0;
      this.logger.warn(
        { correlation_id: request.correlationId, failure: describeFailure(error) },
        'a request without a valid token could not be audited',
      );
    }
  }
}
