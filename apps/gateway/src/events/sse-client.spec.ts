import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { waitFor } from '../../../../test/harness/wait-for.js';
import { SseClient, type SseClientOptions } from './sse-client.js';

describe('an open event stream', () => {
  let server: Server;
  let opened: (response: ServerResponse) => void;
  beforeAll(async () => {
    server = createServer((_, response) => opened(response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());

  async function open(options: Partial<SseClientOptions> = {}) {
    const ends: string[] = [];
    const response = new Promise<ServerResponse>((resolve) => (opened = resolve));
    const sent = request({ port: (server.address() as AddressInfo).port, agent: false });
    sent.on('error', () => undefined).end();
    const raw = await response;
    raw.writeHead(200);
    const limits = { maxBacklogBytes: 1_000_000, heartbeatMs: 60_000, drainLimitMs: 60_000 };
    const client = new SseClient(raw, { ...limits, onEnd: (reason) => void ends.push(reason), ...options });
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return { client, raw, sent, answer, ends };
  }

  test('sends a comment again and again', async () => {
    const { client, answer } = await open({ heartbeatMs: 5 });
    let text = '';
    answer.setEncoding('utf8').on('data', (part: string) => (text += part));
    await waitFor(() => (text.match(/^: heartbeat\n\n/gm)?.length ?? 0) >= 3);
    expect(text).toMatch(/^retry: 1000\n\n/);
    client.end('stopping');
    await once(answer, 'end');
  });

  test('is over, once, when the client goes, and nothing is written to it any more', async () => {
    const { client, sent, ends } = await open();
    sent.destroy();
    await client.ended;
    client.send(Buffer.from('late'));
    client.end('slow');
    expect({ ends, open: client.isOpen, aborted: client.signal.aborted }).toEqual({
      ends: ['client'],
      open: false,
      aborted: true,
    });
  });

  test('is over when its response fails', async () => {
    const { client, raw, ends } = await open();
    raw.destroy(new Error('broken'));
    await client.ended;
    expect(ends).toEqual(['client']);
  });

  test('of a client that was gone before it was opened is over from the beginning', async () => {
    const { raw } = await open();
    raw.destroy();
    await once(raw, 'close');
    const ends: string[] = [];
    const limits = { maxBacklogBytes: 1, heartbeatMs: 60_000, drainLimitMs: 60_000 };
    const late = new SseClient(raw, { ...limits, onEnd: (reason) => void ends.push(reason) });
    await late.ended;
    expect(ends).toEqual(['client']);
  });

  test('is cut off when too much waits, and not by one large event', async () => {
    const { client, answer, ends } = await open({ maxBacklogBytes: 10 });
    answer.on('error', () => undefined);
    client.send(Buffer.alloc(2_000_000, 'x'));
    expect(client.isOpen).toBe(true);
    await waitFor(() => {
      client.send(Buffer.alloc(8_000_000, 'x'));
      return !client.isOpen;
    });
    expect(ends).toEqual(['slow']);
  });

  test('that is being caught up is cut off when it makes no room', async () => {
    const { client, answer, ends } = await open({ drainLimitMs: 20 });
    answer.on('error', () => undefined);
    while (!(await full(client))) client.send(Buffer.alloc(500_000, 'x'));
    await client.drained();
    expect(ends).toEqual(['slow']);
  });

  async function full(client: SseClient): Promise<boolean> {
    const drained = client.drained().then(() => false);
    return Promise.race([drained, new Promise<true>((resolve) => setTimeout(() => resolve(true), 10))]);
  }
});
