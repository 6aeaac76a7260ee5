import { jetstreamManager } from '@nats-io/jetstream';

import { STREAMS } from '#contracts/subjects.js';

import type { TestClient } from '../../harness/client.js';
import type { Harness } from '../../harness/harness.js';
import { waitFor } from '../../harness/wait-for.js';

/** Waits until every inbound of the stream is stored and everything that follows from it is published. */
export async function settled({ database }: Harness, client: TestClient, timeoutMs = 15_000): Promise<void> {
  const manager = await jetstreamManager(client.nc, { checkAPI: false });
  const { state } = await waitFor(() => manager.streams.info(STREAMS.inbound), { timeoutMs });
  const isSettled = async () => {
    const [row] = await database.query<{ settled: boolean }>(
      `SELECT NOT EXISTS (SELECT FROM outbox) AND NOT EXISTS (SELECT FROM partitions WHERE cursor < $1)
         AND EXISTS (SELECT FROM partitions) AS settled`,
      [state.last_seq],
    );
    return row?.settled ?? false;
  };
  await waitFor(isSettled, { timeoutMs, what: `Storing and publishing all up to inbound ${state.last_seq}` });
}
