import { randomUUID } from 'node:crypto';

import type { ConversationScope } from '#contracts/processing-scope.js';

import { newScope, type TestClient } from '../harness/client.js';
import { Harness } from '../harness/harness.js';
import { settled } from './support/settled.js';

const MAX_ANSWER_BYTES = 1024 ** 2;

describe('the transcript as the agent reads it', () => {
  let harness: Harness;
  let client: TestClient;

  beforeAll(async () => {
    harness = await Harness.create();
    await harness.boot();
    client = await harness.connect();
  });
  afterAll(() => harness.close());

  async function say(scope: ConversationScope, session_id: string, bodies: string[], more = {}): Promise<void> {
    for (const body of bodies) await client.publish(scope, body, { session_id, ...more });
    await settled(harness, client);
  }

  const page = (session_id: string, more: { since_seq?: number; limit?: number } = {}) =>
    client.ask('nexo/agent/transcript', { agent_id: 'reader', session_id, ...more });

  it('has every line once, oldest first, page by page', async () => {
    const session = randomUUID();
    await say(newScope('reader'), session, ['0', '1', '2', '3', '4']);
    const first = await page(session, { limit: 2 });
    expect(first.entries.map(({ seq, body }) => `${seq} ${body}`)).toEqual(['0 0', '1 1']);
    expect(first.next_seq).toBe(1);
    const last = await page(session, { since_seq: 1, limit: 3 });
    expect(last.entries.map(({ body }) => body)).toEqual(['2', '3', '4']);
    expect(last).not.toHaveProperty('next_seq');
    expect(await page(session, { since_seq: 4 })).toEqual({ entries: [] });
  });

  it('has lines whole, with attachments, and those of a hold marked as replayed', async () => {
    const session = randomUUID();
    const scope = newScope('reader');
    const attachments = [{ kind: 'image', url: 'https://media.test/1.png' }];
    const message_id = randomUUID();
    await client.pause(scope);
    await say(scope, session, ['look'], { attachments, message_id });
    await client.resume(scope, { session_id: session, summary_for_agent: 'They sent a picture.' });
    expect((await page(session)).entries).toEqual([
      {
        seq: 0,
        role: 'user',
        body: 'look',
        sent_at_ms: 1_700_000_000_000,
        sender_id: scope.contact_id,
        source_plugin: 'whatsapp',
        message_id,
        attachments,
        replayed: true,
      },
      {
        seq: 1,
        role: 'system',
        body: '[operator_summary] They sent a picture.',
        sent_at_ms: expect.any(Number),
        sender_id: 'operator:ops',
        source_plugin: 'intervention:summary',
      },
    ]);
  });

  it('comes in answers that the broker can carry, however large the lines', async () => {
    const session = randomUUID();
    const bodies = Array.from({ length: 8 }, (_, line) => `${line} `.padEnd(120_000, 'x'));
    await say(newScope('reader'), session, bodies, { attachments: ['y'.repeat(100_000)] });
    const first = await page(session);
    expect(first.entries.length).toBeGreaterThan(0);
    expect(first.next_seq).toBe(first.entries.length - 1);
    expect(Buffer.byteLength(JSON.stringify(first))).toBeLessThan(MAX_ANSWER_BYTES);
    expect((await client.agentTranscript('reader', session)).map(({ body }) => body)).toEqual(bodies);
  });

  it('is that of one agent', async () => {
    const session = randomUUID();
    await say(newScope('somebody-else'), session, ['not yours']);
    expect(await page(session)).toEqual({ entries: [] });
  });

  it.each([
    [{ agent_id: 'reader' }, 'session_id'],
    [{ agent_id: 'reader', session_id: randomUUID(), limit: 1_001 }, 'limit'],
    [{ agent_id: '', session_id: randomUUID() }, 'agent_id'],
  ])('is refused for %j', async (params, path) => {
    const asked = client.ask('nexo/agent/transcript', params as never);
    await expect(asked).rejects.toMatchObject({ error: { code: -32602, data: { reason: 'invalid_params', path } } });
  });
});
