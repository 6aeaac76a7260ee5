import { randomUUID } from 'node:crypto';

import { newScope, type TestClient } from '../harness/client.js';
import { Harness } from '../harness/harness.js';
import { waitFor } from '../harness/wait-for.js';

const QUOTES = '"'.repeat(100 * 1_024);

describe('what an operator reads over NATS', () => {
  let harness: Harness;
  let client: TestClient;

  beforeAll(async () => {
    harness = await Harness.create();
    await harness.boot();
    client = await harness.connect();
  });
  afterAll(() => harness.close());

  const read = (agent_id: string, session_id: string) =>
    client.call('nexo/admin/agent_events/read', { agent_id, session_id });

  it('is the same conversation in every list, and the same lines as on the firehose', async () => {
    const scope = newScope('reader');
    const session_id = randomUUID();
    await client.publish(scope, 'Where is my order?', { session_id });
    await client.publish(scope, 'It is late.', { session_id });
    const { events } = await waitFor(async () => {
      const page = await read('reader', session_id);
      return page.events.length === 2 && page;
    });
    expect(events.map((event) => event.body)).toEqual(['Where is my order?', 'It is late.']);
    await waitFor(async () => (await client.events('reader')).length === 2);
    expect(await client.events('reader')).toEqual(events);
    const listed = await client.call('nexo/admin/agent_events/list', { agent_id: 'reader' });
    expect(listed.events).toEqual(expect.arrayContaining(events));
    const { hits } = await client.call('nexo/admin/agent_events/search', { agent_id: 'reader', query: '"my order"' });
    expect(hits).toMatchObject([{ session_id, snippet: 'Where is my order?' }]);

    await client.pause(scope, { reason: 'a look' });
    const { conversations } = await client.call('nexo/admin/conversations/list', { agent_id: 'reader' });
    const { state } = await client.call('nexo/admin/processing/state', { scope });
    expect(conversations).toMatchObject([{ scope, session_id, state, epoch: 1, last_entry: { body: 'It is late.' } }]);
    expect(state).toMatchObject({ state: 'paused_by_operator', reason: 'a look', operator_token_hash: 'ops' });
    const changes = await client.call('nexo/admin/agent_events/list', {
      agent_id: 'reader',
      kind: 'processing_state_changed',
    });
    await waitFor(async () => (await client.events('reader', 'processing_state_changed')).length === 1);
    expect(changes.events).toEqual(await client.events('reader', 'processing_state_changed'));
  });

  it('fits into a message however much there is', async () => {
    const scope = newScope('talker');
    const session_id = randomUUID();
    for (let index = 0; index < 10; index += 1) await client.publish(scope, QUOTES, { session_id });
    await waitFor(async () => (await client.turns(scope)).length === 10);
    await client.pause(scope);
    for (let index = 0; index < 10; index += 1) await client.publish(scope, QUOTES);
    const pending = await waitFor(async () => {
      const result = await client.call('nexo/admin/processing/pending', { scope, include_evicted: true });
      return result.depth === 10 && result;
    });
    expect(pending.inbounds.length).toBeGreaterThan(1);
    expect((await read('talker', session_id)).events.length).toBeGreaterThan(1);
    const listed = await client.call('nexo/admin/agent_events/list', { agent_id: 'talker', limit: 1_000 });
    expect(listed.events.length).toBeGreaterThan(1);
  });
});
