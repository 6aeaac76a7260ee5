import { jetstreamManager } from '@nats-io/jetstream';

import type { TestClient } from '../../harness/client.js';

/** Has a stream refuse what is published to it, so that it waits in the outbox; or take it again. */
export async function setStreamFull(client: TestClient, stream: string, full: boolean): Promise<void> {
  const manager = await jetstreamManager(client.nc, { checkAPI: false });
  const { state } = await manager.streams.info(stream);
  // An empty stream has no number of messages at which it is full.
  const whenFull = state.messages > 0 ? { max_msgs: state.messages } : { max_bytes: 1 };
  const whenFree = { max_msgs: -1, max_bytes: -1 };
  await manager.streams.update(stream, { discard: full ? 'new' : 'old', ...(full ? whenFull : whenFree) });
}
