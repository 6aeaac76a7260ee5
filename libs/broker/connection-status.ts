import type { NatsConnection, QueuedIterator, Status } from '@nats-io/nats-core';

/**
 * Calls `listener` for each status change of the connection until the returned function is called or the connection
 * is closed for good.
 */
export function watchStatus(nc: NatsConnection, listener: (status: Status) => void): () => void {
  // The client hands out a stoppable iterator and declares only the iterable; without stop() a waiting loop leaks.
  const statuses = nc.status() as QueuedIterator<Status> & AsyncIterable<Status>;
  void (async () => {
    for await (const status of statuses) listener(status);
  })();
  return () => statuses.stop();
}
