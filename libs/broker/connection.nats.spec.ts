import type { NatsConnection } from '@nats-io/transport-node';

import { TestNats } from '../../test/harness/nats.js';
import { waitFor } from '../../test/harness/wait-for.js';
import { type BrokerLogger } from './broker-logger.js';
import { connectBroker } from './connection.js';

describe('connecting to the broker', () => {
  let server: TestNats;
  let messages: string[];
  let logger: BrokerLogger;
  let nc: NatsConnection | undefined;

  beforeAll(async () => {
    server = await TestNats.start();
  });

  beforeEach(() => {
    messages = [];
    const keep = (_fields: object, message: string) => void messages.push(message);
    logger = { info: keep, warn: keep, error: keep };
  });

  afterEach(async () => {
    await nc?.close();
    nc = undefined;
  });

  afterAll(async () => {
    await server.stop();
  });

  test('a broker that is not there yet is waited for', async () => {
    await server.stop();
    const connecting = connectBroker({ servers: server.url, name: 'early', logger });
    await waitFor(() => messages.includes('waiting for the broker'));
    await server.restart();
    nc = await connecting;
    expect((await nc.request('$JS.API.INFO', '', { timeout: 5_000 })).json()).toMatchObject({ streams: 0 });
  });

  test('the wait ends when the signal says so', async () => {
    await server.stop();
    const given = new AbortController();
    const connecting = connectBroker({ servers: server.url, name: 'given up', logger, signal: given.signal });
    await waitFor(() => messages.length > 0);
    given.abort(new Error('enough'));
    await expect(connecting).rejects.toThrow();
    await server.restart();
  });

  test('a broken connection comes back by itself, with its subscriptions, and both are logged', async () => {
    nc = await connectBroker({ servers: server.url, name: 'patient', logger });
    const received: string[] = [];
    nc.subscribe('greeting', { callback: (_error, message) => void received.push(message.string()) });
    await server.kill();
    await waitFor(() => messages.includes('disconnected from the broker'));
    await server.restart();
    await waitFor(() => messages.includes('reconnected to the broker'));
    nc.publish('greeting', 'hello again');
    await waitFor(() => received.includes('hello again'));
  });

  test('a user receives answers under a prefix of its own', async () => {
    nc = await connectBroker({ servers: server.url, name: 'private', user: 'operator', pass: 'x' });
    const inboxes: string[] = [];
    nc.subscribe('ask', {
      callback: (_error, message) => {
        inboxes.push(message.reply!);
        message.respond('answer');
      },
    });
    await nc.request('ask', '', { timeout: 5_000 });
    expect(inboxes).toEqual([expect.stringMatching(/^_INBOX\.operator\./)]);
  });
});
