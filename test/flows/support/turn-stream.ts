import { jetstreamManager } from '@nats-io/jetstream';

import { STREAMS } from '#contracts/subjects.js';

import type { TestClient } from '../../harness/client.js';

/** Has the turn stream refuse what is published to it, so that turns and Holds wait in the outbox; or take it again. */
export async function setTurnStreamFull(client: TestClient, full: boolean): Promise<void> {
  const manager = await jetstreamManager(client.nc, { checkAPI: false });
  const { state } = await manager.streams.info(STREAMS.turns);
  // An empty stream has no number of messages at which it is full.
  const whenFull = state.messages > 0 ? { max_msgs: state.messages } : { max_bytes: 1 };
  const whenFree = { max_msgs: -1, max_bytes: -1 };
  await manager.streams.update(STREAMS.turns, { discard: full ? 'new' : 'old', ...(full ? whenFull : whenFree) });
}
