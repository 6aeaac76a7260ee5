import type { PoolClient, QueryResult, QueryResultRow } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';

/** A statement that the server plans once a connection and then runs by name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/**
 * One database transaction. Statements that do not wait for one another may be started together: the connection is
 * pipelined, so they share a round trip and run in the order in which they were started.
 */
export class Transaction {
  constructor(
    private readonly client: PoolClient,
    /** For the cold paths: repositories and the query builder, in this same transaction. */
    readonly manager: EntityManager,
  ) {}

  /** Runs a prepared statement and returns its rows. */
  async rows<Row extends QueryResultRow>(statement: Statement, values: unknown[] = []): Promise<Row[]> {
    return (await this.run<Row>(statement, values)).rows;
  }

  /** Runs a prepared statement and returns how many rows it touched. */
  async affected(statement: Statement, values: unknown[] = []): Promise<number> {
    return (await this.run(statement, values)).rowCount ?? 0;
  }

  private run<Row extends QueryResultRow>(statement: Statement, values: unknown[]): Promise<QueryResult<Row>> {
    return this.client.query<Row>({ name: statement.name, text: statement.text, values });
  }
}

/**
 * Runs `work` in a READ COMMITTED transaction and commits; any error rolls back and is thrown on.
 * An error of the commit itself leaves the outcome unknown: callers must be safe to run again.
 */
export function withTransaction<Result>(
  dataSource: DataSource,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return inTransaction(dataSource, 'commit', work);
}

/** Runs `work` in a transaction that leaves nothing behind: what would happen, not what happens. */
export function withRolledBackTransaction<Result>(
  dataSource: DataSource,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return inTransaction(dataSource, 'roll back', work);
}

async function inTransaction<Result>(
  dataSource: DataSource,
  end: 'commit' | 'roll back',
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const runner = dataSource.createQueryRunner();
  try {
    const client = (await runner.connect()) as PoolClient;
    await runner.startTransaction();
    const result = await work(new Transaction(client, runner.manager));
    await (end === 'commit' ? runner.commitTransaction() : runner.rollbackTransaction());
    return result;
  } catch (error) {
    // A dead connection cannot roll back; the server has done so, and the first error is the one to report.
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  } finally {
    await runner.release();
  }
}
