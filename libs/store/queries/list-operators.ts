import { OperatorRow } from '../entities/operator-row.js';
import type { DataSource } from 'typeorm';

/** Those who may command, in the order in which they were made, then the revoked ones, last revoked first. */
export function listOperators(dataSource: DataSource): Promise<OperatorRow[]> {
  return dataSource.manager.find(OperatorRow, {
    order: {
      revokedAtMs: { direction: 'DESC', nulls: 'FIRST' },
      createdAtMs: 'ASC',
      tokenHash: 'ASC',
    },
  });
}
