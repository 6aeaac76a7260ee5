import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

import { inboundSubject } from '#contracts/subjects.js';
import { ConfiguredNats } from '../../test/harness/configured-nats.js';
import { TestNats } from '../../test/harness/nats.js';
import { makeTestDirectory } from '../../test/harness/run.js';
import { connectBroker } from './connection.js';
import { consumePartition, type StreamRecord } from './partition-consumer.js';
import { partitionFilter, subjectBeforeMapping } from './partitions.js';
import { StreamPublisher } from './stream-publisher.js';
import { ensureStreams } from './topology.js';

const CONFIGURATION = 'nats/nats-server.conf';
const PARTITIONS = 'nats/partitions.conf';

describe('partitions.conf', () => {
  let opened: { close(): Promise<void> }[];
  let server: { url: string; stop(): Promise<void> };

  beforeEach(() => {
    opened = [];
  });

  afterEach(async () => {
    await Promise.all(opened.map((connection) => connection.close()));
    await server.stop();
  });

  const scopes = Array.from({ length: 40 }, (_, index) => ({
    agent_id: 'support',
    channel: 'whatsapp',
    account_id: 'acc.1',
    contact_id: `contact ${index}`,
    ...(index % 2 === 1 && { mcp_channel_source: 'slack' }),
  }));

  test('by itself it splits the inbound stream by conversation; nothing is lost, doubled or reordered', async () => {
    server = await ConfiguredNats.start(PARTITIONS);
    const nc = await connect();
    await expectFourPartitions(nc, nc);
  });

  test('included where nats-server.conf says so it does the same for channels with their permissions', async () => {
    const configuration = readFileSync(CONFIGURATION, 'utf8');
    const included = configuration.replace('# include "partitions.conf"', `include "partitions.conf"`);
    expect(included).not.toBe(configuration);
    const directory = makeTestDirectory('nats-conf');
    writeFileSync(join(directory, 'nats-server.conf'), included);
    writeFileSync(join(directory, 'partitions.conf'), readFileSync(PARTITIONS));
    const configured = await ConfiguredNats.start(join(directory, 'nats-server.conf'));
    server = configured;
    const [service, channel] = [await configured.connect('service'), await configured.connect('channel')];
    opened.push(service, channel);
    await expectFourPartitions(service, channel);
  });

  test('where the mapping is missing a publisher is told instead of writing what nobody reads', async () => {
    server = await TestNats.start();
    const nc = await connect();
    await ensureStreams(nc, { partitions: 4 });
    const publisher = new StreamPublisher(nc);
    const [outcome] = await publisher.publish([{ subject: 'nexo.inbound.a.b.c.d', payload: '{}' }], {
      timeoutMs: 5_000,
    });
    expect(outcome).toMatchObject({ ok: false, reason: 'no_stream' });
    publisher.close();
  });

  async function connect(): Promise<NatsConnection> {
    const nc = await connectBroker({ servers: server.url, name: 'partitions-spec' });
    opened.push(nc);
    return nc;
  }

  async function expectFourPartitions(service: NatsConnection, channel: NatsConnection): Promise<void> {
    await ensureStreams(service, { partitions: 4 });
    const publisher = new StreamPublisher(channel);
    const messages = [1, 2, 3].flatMap((round) =>
      scopes.map((scope, index) => ({
        subject: inboundSubject(scope),
        payload: `${round}`,
        msgId: `${round}-${index}`,
      })),
    );
    const outcomes = await publisher.publish(messages, { timeoutMs: 10_000 });
    expect(outcomes.filter(({ ok }) => !ok)).toEqual([]);
    publisher.close();

    const partitionOf = new Map<string, number>();
    const rounds = new Map<string, string[]>();
    for (const partition of [0, 1, 2, 3]) {
      for (const record of await readPartition(service, partition)) {
        const subject = subjectBeforeMapping(record.subject);
        expect(partitionOf.get(subject) ?? partition).toBe(partition);
        partitionOf.set(subject, partition);
        rounds.set(subject, [...(rounds.get(subject) ?? []), Buffer.from(record.data).toString()]);
      }
    }
    expect([...rounds.keys()].toSorted()).toEqual(scopes.map(inboundSubject).toSorted());
    for (const seen of rounds.values()) expect(seen).toEqual(['1', '2', '3']);
    expect(new Set(partitionOf.values()).size).toBe(4);
  }
});

/** Everything of the partition that is in the stream now. */
async function readPartition(nc: NatsConnection, partition: number): Promise<StreamRecord[]> {
  const filterSubject = partitionFilter(partition, 4);
  const info = await (await jetstreamManager(nc)).streams.info('NEXO_INBOUND', { subjects_filter: filterSubject });
  const expected = Object.values(info.state.subjects ?? {}).reduce((sum, count) => sum + count, 0);
  const records: StreamRecord[] = [];
  const options = { maxMessages: 100, maxBytes: 1_000_000, maxWaitMs: 5, signal: new AbortController().signal };
  for await (const batch of consumePartition({ nc, stream: 'NEXO_INBOUND', filterSubject, fromSeq: 1, ...options })) {
    records.push(...batch);
    if (records.length >= expected) break;
  }
  return records;
}
