import type { ConversationScope } from '#contracts/processing-scope.js';
import { STREAMS } from '#contracts/subjects.js';
import { conversationId } from '#domain/conversation/conversation-id.js';

import { type CommandRefused, newScope, type TestClient } from '../harness/client.js';
import type { BootedConversations } from '../harness/conversations.js';
import { Harness } from '../harness/harness.js';
import { waitFor } from '../harness/wait-for.js';
import { HeldRow } from './support/held-row.js';
import { recordOf } from './support/record.js';
import { settled } from './support/settled.js';
import { setStreamFull } from './support/full-stream.js';

const UNAVAILABLE = -32013;
const COMMITTED = { code: UNAVAILABLE, data: { reason: 'unavailable', committed: true } };

describe('while the broker takes nothing', () => {
  let harness: Harness;
  let running: BootedConversations;
  let client: TestClient;

  beforeAll(async () => {
    harness = await Harness.create();
    running = await harness.boot();
    client = await harness.connect();
  });
  afterAll(() => harness.close());

  const rowsOf = async (scope: ConversationScope) => {
    const rows = await harness.database.query<{ kind: string }>(
      'SELECT kind FROM outbox WHERE ordering_key = $1 ORDER BY id',
      [conversationId(scope)],
    );
    return rows.map(({ kind }) => kind);
  };

  /** Runs `work` once `begin` has been carried out up to the conversation's lock and the broker hangs. */
  async function withBrokerFrozen(scope: ConversationScope, begin: () => Promise<unknown>, work: () => Promise<void>) {
    const row = await HeldRow.of(harness.database, scope);
    const begun = begin();
    await row.untilWaitedFor(1);
    harness.nats.freeze();
    try {
      await row.release();
      await work();
    } finally {
      harness.nats.thaw();
    }
    return begun;
  }

  it('a pause is committed, says so after 5 s, and is answered as no change once its Hold is out', async () => {
    const scope = newScope('hanging');
    await client.publish(scope, 'before');
    await settled(harness, client);
    const answer = await withBrokerFrozen(
      scope,
      () => client.pause(scope).catch((refusal: unknown) => refusal),
      async () => {
        await waitFor(async () => (await rowsOf(scope)).includes('hold'));
        const committedAt = Date.now();
        await waitFor(pauseIsAnsweredUnavailable, { timeoutMs: 8_000 });
        expect(Date.now() - committedAt).toBeGreaterThan(4_000);
      },
    );
    expect((answer as CommandRefused).error).toMatchObject(COMMITTED);

    await expect(client.pause(scope)).resolves.toMatchObject({ changed: false, epoch: 1 });
    expect((await client.turns(scope)).map(({ kind }) => kind)).toEqual(['turn', 'hold']);
    await settled(harness, client);
    expect(await client.events('hanging', 'processing_state_changed')).toHaveLength(1);
  });

  async function pauseIsAnsweredUnavailable(): Promise<boolean> {
    const figures = await running.metrics.registry.getMetricsAsJSON();
    return figures.some(({ values }) => values.some(({ labels }) => labels['code'] === String(UNAVAILABLE)));
  }

  it('every pause waits for the same Hold, and a resume waits for nothing', async () => {
    const [scope, resumed] = [newScope('full'), newScope('full')];
    await client.publish(scope, 'before');
    await client.pause(resumed);
    await client.publish(resumed, 'waiting');
    await settled(harness, client);
    await setStreamFull(client, STREAMS.turns, true);

    const startedAt = Date.now();
    const pauses = await Promise.allSettled([client.pause(scope), client.pause(scope)]);
    for (const pause of pauses) expect(pause).toMatchObject({ status: 'rejected', reason: { error: COMMITTED } });
    expect(Date.now() - startedAt).toBeGreaterThan(4_900);
    expect(await client.state(scope)).toMatchObject({ state: 'paused_by_operator', operator_token_hash: 'ops' });
    await expect(client.resume(resumed)).resolves.toMatchObject({ changed: true, drained_pending: 1 });
    expect(await rowsOf(scope)).toContain('hold');
    expect(await rowsOf(resumed)).toContain('turn');

    const asked = client.pause(scope);
    await setStreamFull(client, STREAMS.turns, false);
    await expect(asked).resolves.toMatchObject({ changed: false, epoch: 1 });
    await settled(harness, client);
    expect((await client.turns(scope)).map(({ kind, epoch }) => `${kind} ${epoch}`)).toEqual(['turn 0', 'hold 1']);
    expect((await client.turns(resumed)).map(({ kind, epoch }) => `${kind} ${epoch}`)).toEqual(['hold 1', 'turn 2']);
    expect(await client.events('full', 'processing_state_changed')).toHaveLength(3);
  });

  it('inbounds that were fetched and pauses that end by themselves wait, and come once and in order', async () => {
    const scope = newScope('gone');
    const timed = newScope('gone');
    await client.publish(scope, 'line 0');
    await client.pause(timed, { auto_resume_after_ms: 1_000 });
    await client.publish(timed, 'waiting');
    await settled(harness, client);

    const row = await HeldRow.of(harness.database, scope);
    for (let line = 1; line <= 20; line += 1) await client.publish(scope, `line ${line}`);
    await row.untilWaitedFor(1);
    await harness.nats.kill();
    await row.release();
    await waitFor(async () => (await rowsOf(scope)).length > 0 && (await rowsOf(timed)).includes('turn'));
    await harness.nats.restart();

    await settled(harness, client, 30_000);
    const { asked, stamped } = await recordOf(client, scope);
    const lines = Array.from({ length: 21 }, (_, line) => `line ${line}`);
    expect(asked).toEqual(lines);
    expect(stamped).toEqual(lines);
    expect((await client.turns(timed)).map(({ kind, epoch }) => `${kind} ${epoch}`)).toEqual(['hold 1', 'turn 2']);
    expect((await client.events('gone', 'processing_state_changed')).map(({ by }) => by)).toEqual(['ops', 'system']);
    await expect(client.pause(scope)).resolves.toMatchObject({ changed: true, epoch: 1 });
  });
});
