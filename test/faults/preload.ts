import pg from 'pg';

import { StreamPublisher } from '#broker/stream-publisher.js';

/**
 * Loaded before a process's main module (`node --import`): sends the process a signal when it comes to a fault point.
 * The product knows nothing of it; it hooks into the database client and the publisher from outside.
 */
const point = process.env['FAULT_POINT'];
const signal = process.env['FAULT_SIGNAL'] as NodeJS.Signals;
let happened = false;

function passing(place: string): void {
  if (place !== point || happened) return;
  happened = true;
  process.kill(process.pid, signal);
}

type Query = (this: object, ...args: unknown[]) => unknown;
const statementsSinceStart = new WeakMap<object, Set<string>>();
const prototype = pg.Client.prototype as unknown as { query: Query };
const query = prototype.query;

prototype.query = function (...args) {
  const name = placeOf(this, args[0]);
  passing(`before ${name}`);
  const result = query.apply(this, args);
  if (result instanceof Promise) {
    return result.then((value: unknown) => {
      passing(`after ${name}`);
      return value;
    });
  }
  return result;
};

/** Transactions of a message to a channel, by a statement that only they have. */
const OUTBOUND_COMMITS = [
  ['insert-outbound', 'admit-commit'],
  ['hand-over-outbound', 'hand-over-commit'],
  ['settle-outbound', 'settle-commit'],
] as const;

function placeOf(client: object, statement: unknown): string {
  const seen = statementsSinceStart.get(client) ?? new Set<string>();
  statementsSinceStart.set(client, seen);
  if (statement === 'START TRANSACTION') seen.clear();
  if (statement === 'COMMIT') {
    if (seen.has('move-cursor')) return 'commit';
    if (seen.has('delete-outbox')) return 'relay-commit';
    return OUTBOUND_COMMITS.find(([statement]) => seen.has(statement))?.[1] ?? 'other-commit';
  }
  const { name = '' } = (statement ?? {}) as { name?: string };
  seen.add(name);
  return name;
}

const publish = StreamPublisher.prototype.publish;
StreamPublisher.prototype.publish = async function (...args) {
  passing('before publish');
  const outcomes = await publish.apply(this, args);
  passing('after publish');
  return outcomes;
};
