import { capabilityNotGranted, unauthenticated, unavailable } from '#contracts/errors.js';
import { createLogger } from '#runtime/logger.js';

import { waitFor } from '../../../../test/harness/wait-for.js';
import { OpenStreams } from './open-streams.js';
import type { SseClient } from './sse-client.js';

/** What the registry needs of a client. */
class FakeClient {
  reason: string | undefined;
  readonly ended: Promise<void>;
  private resolve: () => void = () => undefined;

  constructor() {
    this.ended = new Promise((resolve) => (this.resolve = resolve));
  }

  end(reason: string): void {
    this.reason ??= reason;
    this.resolve();
  }
}

describe('the open streams', () => {
  let now = 0;
  let answers: Record<string, Error | undefined> = {};
  const asked: (string | undefined)[] = [];
  const streams = new OpenStreams({
    check: (token) => {
      asked.push(token);
      const answer = answers[token ?? ''];
      return answer === undefined ? Promise.resolve() : Promise.reject(answer);
    },
    checkEveryMs: 60_000,
    maxUncheckedMs: 1_000,
    logger: createLogger('test', 'silent'),
    now: () => now,
  });
  const open = (token?: string, session?: { id: string; expiresAtMs: number }) => {
    const client = new FakeClient();
    const credentials = { ...(token && { token }), ...(session && { session: { ...session, token: String(token) } }) };
    streams.add(client as unknown as SseClient, credentials);
    return client;
  };
  const recheck = async () => {
    asked.length = 0;
    streams.recheck();
    await waitFor(() => asked.length > 0);
    await new Promise(setImmediate);
  };

  beforeEach(() => {
    now = 0;
    answers = {};
  });
  afterEach(() => streams.stop());

  test('are asked about once a token, and those of one who may not read any more are ended', async () => {
    const [one, other, kept, anonymous] = [open('leaver'), open('leaver'), open('stayer'), open()];
    const demoted = open('demoted');
    answers = { leaver: unauthenticated(), demoted: capabilityNotGranted('transcripts_read', 'm') };
    await recheck();
    expect(asked.map(String).sort()).toEqual(['demoted', 'leaver', 'stayer', 'undefined']);
    expect([one, other, demoted, kept, anonymous].map(({ reason }) => reason)).toEqual([
      'revoked',
      'revoked',
      'revoked',
      undefined,
      undefined,
    ]);
    expect(streams.count).toBe(2);
  });

  test('are left open for a while when nobody can be asked, and not for ever', async () => {
    const client = open('t');
    answers = { t: unavailable('away') };
    now = 999;
    await recheck();
    expect(client.reason).toBeUndefined();
    now = 1_000;
    await recheck();
    expect(client.reason).toBe('revoked');
  });

  test('end with their session: logged out, or expired', async () => {
    const [out, old, kept] = [
      open('t', { id: 'a', expiresAtMs: 500 }),
      open('t', { id: 'b', expiresAtMs: 100 }),
      open('t', { id: 'c', expiresAtMs: 500 }),
    ];
    streams.endSession('a');
    expect(out.reason).toBe('logged_out');
    now = 100;
    await recheck();
    expect([old.reason, kept.reason]).toEqual(['logged_out', undefined]);
  });

  test('end when the gateway stops', async () => {
    const client = open('t');
    await streams.stop();
    expect(client.reason).toBe('stopping');
  });
});
