import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';

import { connectBroker } from '#broker/connection.js';
import { ensureStreams } from '#broker/topology.js';
import { eventSubject } from '#contracts/subjects.js';
import { createLogger } from '#runtime/logger.js';

import { TestNats } from '../../../../test/harness/nats.js';
import { waitFor } from '../../../../test/harness/wait-for.js';
import { readEventFilter } from './event-filter.js';
import { EventHub } from './event-hub.js';
import type { SseClient } from './sse-client.js';

/** What the hub needs of a client. */
class FakeClient {
  readonly isOpen = true;
  readonly ended = new Promise<void>(() => undefined);
  text = '';

  send(bytes: Buffer): void {
    this.text += bytes.toString();
  }

  get ids(): number[] {
    return [...this.text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  }
}

describe('the hub', () => {
  let server: TestNats;
  let nc: NatsConnection;
  const hub = new EventHub(createLogger('test', 'silent'), { countEvents: () => undefined });

  beforeAll(async () => {
    server = await TestNats.start();
    nc = await connectBroker({ servers: server.url, name: 'hub-spec' });
    await ensureStreams(nc);
    await tell(3);
    expect(hub.position).toBeUndefined();
    hub.run(nc);
    await waitFor(() => hub.position !== undefined);
  });
  afterAll(async () => {
    await hub.stop();
    await nc.close();
    await server.close();
  });

  const tell = async (count: number) => {
    for (let index = 0; index < count; index += 1) await jetstream(nc).publish(eventSubject('a', 'turn_failed'), '{}');
  };
  const join = (afterSeq: number, query = {}) => {
    const client = new FakeClient();
    return { client, joined: hub.join(client as unknown as SseClient, readEventFilter(query), afterSeq) };
  };

  test('begins at the end of the stream, and says when a client would miss something', async () => {
    expect(hub.position).toBe(3);
    expect(join(2).joined).toBe(false);
    expect(join(3).joined).toBe(true);
  });

  test('gives a client what came since, once, also if the client is ahead of it', async () => {
    const [level, ahead] = [join(3).client, join(5).client];
    const others = join(3, { agent_id: 'b' }).client;
    await tell(4);
    await waitFor(() => level.ids.length === 4 && ahead.ids.length === 2);
    expect(level.ids).toEqual([4, 5, 6, 7]);
    expect(ahead.ids).toEqual([6, 7]);
    expect(join(4).client.ids).toEqual([5, 6, 7]);
    expect(others.text).toBe('');
  });
});
