import { type EventStreamOptions, followEvents } from './event-stream.js';

interface Attempt {
  headers: Record<string, string>;
  send(text: string): void;
  end(): void;
}

/** A gateway whose answers the test writes piece by piece. */
function fakeGateway() {
  const attempts: Attempt[] = [];
  let arrived = () => {};
  const answer = (_url: unknown, init: RequestInit) => {
    let controller: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) });
    init.signal?.addEventListener('abort', () => controller.error(new Error('aborted')));
    attempts.push({
      headers: init.headers as Record<string, string>,
      send: (text) => controller.enqueue(new TextEncoder().encode(text)),
      end: () => controller.close(),
    });
    arrived();
    return Promise.resolve(new Response(body));
  };
  const attempt = async (number: number): Promise<Attempt> => {
    while (attempts[number] === undefined) await new Promise<void>((resolve) => (arrived = resolve));
    return attempts[number];
  };
  return { fetch: answer as unknown as typeof fetch, attempt };
}

function follow(fetch: typeof globalThis.fetch) {
  const told: string[] = [];
  let changed = () => {};
  const tell = (what: string) => {
    told.push(what);
    changed();
  };
  const options: EventStreamOptions = {
    fetch,
    network: new EventTarget(),
    onEvent: ({ event_id }) => tell(event_id),
    onGap: () => tell('gap'),
    onStatus: ({ kind }) => tell(kind),
    onUnauthenticated: () => tell('unauthenticated'),
  };
  const stop = new AbortController();
  const ended = followEvents(options, stop.signal);
  const until = async (count: number) => {
    while (told.length < count) await new Promise<void>((resolve) => (changed = resolve));
    return told;
  };
  return { until, stop: () => (stop.abort(), ended) };
}

const message = (id: number) => `id: ${id}\ndata: {"params":{"event_id":"event ${id}"}}\n\n`;

describe('followEvents', () => {
  it('goes on after the last event that it has seen when the connection is lost, without a gap', async () => {
    const gateway = fakeGateway();
    const follower = follow(gateway.fetch);
    const first = await gateway.attempt(0);
    first.send(message(5));
    await follower.until(2);
    first.end();
    const second = await gateway.attempt(1);
    second.send(message(6));
    expect(await follower.until(5)).toEqual(['live', 'event 5', 'down', 'live', 'event 6']);
    expect(first.headers).not.toHaveProperty('last-event-id');
    expect(second.headers['last-event-id']).toBe('5');
    await follower.stop();
  });

  it('tells a gap when it reconnects without knowing where it was', async () => {
    const gateway = fakeGateway();
    const follower = follow(gateway.fetch);
    (await gateway.attempt(0)).end();
    await gateway.attempt(1);
    expect(await follower.until(4)).toEqual(['live', 'down', 'gap', 'live']);
    await follower.stop();
  });

  it('tells a gap when the gateway says that events are gone', async () => {
    const gateway = fakeGateway();
    const follower = follow(gateway.fetch);
    (await gateway.attempt(0)).send('event: resync\ndata: {"first_id":9}\n\n');
    expect(await follower.until(2)).toEqual(['live', 'gap']);
    await follower.stop();
  });

  it('says that the session is over', async () => {
    const fetch = (() => Promise.resolve(new Response(null, { status: 401 }))) as unknown as typeof globalThis.fetch;
    const follower = follow(fetch);
    expect((await follower.until(2)).slice(0, 2)).toEqual(['unauthenticated', 'down']);
    await follower.stop();
  });
});
