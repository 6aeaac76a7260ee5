import { isNativeError } from 'node:util/types';

/** What a failed transaction means for its caller. */
export type DatabaseFailure = 'retry' | 'away' | 'fatal';

/** SQLSTATEs and socket errors by what to do about them. Classes of two characters stand for all their members. */
const FAILURES: Record<string, DatabaseFailure> = {
  '40001': 'retry', // serialization_failure
  '40P01': 'retry', // deadlock_detected
  '55P03': 'retry', // lock_not_available: lock_timeout
  '25P03': 'retry', // idle_in_transaction_session_timeout
  '57014': 'retry', // query_canceled: statement_timeout
  '08': 'away', // connection exceptions
  '53': 'away', // insufficient resources: disk, memory, connections
  '57P01': 'away', // admin_shutdown
  '57P02': 'away', // crash_shutdown
  '57P03': 'away', // cannot_connect_now
  '55000': 'away', // the database accepts no connections
  '58': 'away', // system errors
  '28': 'away', // the role or its password is not accepted
  '3D000': 'away', // the database does not exist
  ECONNREFUSED: 'away',
  ECONNRESET: 'away',
  EPIPE: 'away',
  ETIMEDOUT: 'away',
  ENOTFOUND: 'away',
  EAI_AGAIN: 'away',
};

const LOST_CONNECTION =
  /^(Connection terminated|timeout exceeded|Client has encountered|Client was closed|Query read timeout)/i;

/** What TypeORM says to a statement, a commit too, of a transaction whose connection broke while nothing ran on it. */
const LOST_TRANSACTION = /^(Query runner already released|Database connection provided by a query runner was already)/;

/** Sorts an error that came out of a transaction; anything unknown is `fatal`: a defect to be fixed, not repeated. */
export function classifyDatabaseError(error: unknown): DatabaseFailure {
  if (!isNativeError(error)) return 'fatal';
  const driverError = (error as { driverError?: Error }).driverError ?? error;
  const code = (driverError as { code?: unknown }).code;
  if (typeof code === 'string') return FAILURES[code] ?? FAILURES[code.slice(0, 2)] ?? 'fatal';
  if (LOST_TRANSACTION.test(driverError.message)) return 'retry';
  return LOST_CONNECTION.test(driverError.message) ? 'away' : 'fatal';
}

/** SQLSTATE classes of data that can never be stored: data exceptions, constraints, and program limits. */
const REFUSED_DATA = new Set(['22', '23', '54']);

/** True if the database refuses the data itself: the same data will be refused again. */
export function isRefusedData(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && code.length === 5 && REFUSED_DATA.has(code.slice(0, 2));
}
