import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

import { TestNats } from '../../test/harness/nats.js';
import { connectBroker } from './connection.js';
import { readStreamPage, type StreamPageOptions } from './stream-page.js';

describe('a page of a stream', () => {
  let server: TestNats;
  let nc: NatsConnection;

  beforeAll(async () => {
    server = await TestNats.start();
    nc = await connectBroker({ servers: server.url, name: 'page-spec' });
    const jsm = await jetstreamManager(nc);
    await jsm.streams.add({ name: 'P', subjects: ['p.>'] });
    for (let count = 1; count <= 40; count += 1) {
      await jetstream(nc).publish(count % 2 === 0 ? 'p.even' : 'p.odd', 'x'.repeat(count === 20 ? 900_000 : 10));
    }
  });

  afterAll(async () => {
    await nc.close();
    await server.close();
  });

  const read = async (more: Partial<StreamPageOptions>) => {
    const page = await readStreamPage({
      ...{ nc, stream: 'P', filterSubject: 'p.>', afterSeq: 0, throughSeq: 40 },
      ...{ maxMessages: 100, maxBytes: 1_200_000, ...more },
    });
    return { seqs: page.records.map(({ seq }) => seq), through: page.readThroughSeq };
  };
  const range = (from: number, to: number, step = 1) =>
    Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);

  test('has everything after its begin, in order', async () => {
    expect(await read({})).toEqual({ seqs: range(1, 40), through: 40 });
    expect(await read({ afterSeq: 37 })).toEqual({ seqs: [38, 39, 40], through: 40 });
    expect(await read({ filterSubject: 'p.even', afterSeq: 30 })).toEqual({ seqs: range(32, 40, 2), through: 40 });
  });

  test('ends at its limits, and says up to where it was read', async () => {
    expect(await read({ maxMessages: 5, afterSeq: 2 })).toEqual({ seqs: range(3, 7), through: 7 });
    expect(await read({ maxMessages: 5, filterSubject: 'p.odd' })).toEqual({ seqs: range(1, 9, 2), through: 9 });
    const limitedBySize = await read({ maxBytes: 900_400, afterSeq: 15 });
    expect(limitedBySize.seqs).toEqual(range(16, limitedBySize.through));
    expect(limitedBySize.through).toBeLessThan(30);
  });

  test('without anything that matches was read to its end all the same', async () => {
    expect(await read({ filterSubject: 'p.odd', afterSeq: 39 })).toEqual({ seqs: [], through: 40 });
    expect(await read({ filterSubject: 'p.none' })).toEqual({ seqs: [], through: 40 });
  });

  test('leaves no consumer behind', async () => {
    await read({});
    const jsm = await jetstreamManager(nc);
    expect((await jsm.streams.info('P')).state.consumer_count).toBe(0);
  });
});
