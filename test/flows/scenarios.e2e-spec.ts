import { randomUUID } from 'node:crypto';

import { MAX_TURN_BYTES } from '#contracts/limits.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import type { Turn } from '#contracts/turn.js';
import { conversationId } from '#domain/conversation/conversation-id.js';

import { newScope, type TestClient } from '../harness/client.js';
import type { BootedConversations } from '../harness/conversations.js';
import { Harness } from '../harness/harness.js';
import { tableContents } from './support/everything-kept.js';
import { HeldRow } from './support/held-row.js';
import { settled } from './support/settled.js';

/** Failures that users of other systems met, where no other file of this folder has them already. */
describe('what goes wrong elsewhere', () => {
  let harness: Harness;
  let running: BootedConversations;
  let client: TestClient;

  beforeAll(async () => {
    harness = await Harness.create();
    running = await harness.boot();
    client = await harness.connect();
  });
  afterAll(() => harness.close());

  async function say(scope: ConversationScope, bodies: string[], more: { session_id?: string } = {}): Promise<void> {
    for (const body of bodies) await client.publish(scope, body, { message_id: randomUUID(), ...more });
    await settled(harness, client);
  }

  const turnsOf = async (scope: ConversationScope) => {
    await settled(harness, client);
    return (await client.turns(scope)).filter((message): message is Turn => message.kind === 'turn');
  };
  const bodiesOf = (turn: Turn | undefined) => turn?.inbounds.map(({ body }) => body);

  it('one chat is held and another on the same number is still answered', async () => {
    const held = newScope('number');
    const others = [
      newScope('number'),
      { ...held, agent_id: 'other-agent' },
      { ...held, mcp_channel_source: 'instance-2' },
      { ...held, account_id: '55-9999' },
      { ...held, channel: 'sms' },
    ];
    await client.pause(held);
    for (const scope of [held, ...others]) await say(scope, ['hello']);
    expect(await turnsOf(held)).toEqual([]);
    for (const scope of others) expect(await turnsOf(scope)).toHaveLength(1);
  });

  it('a resume that fails in the middle leaves everything buffered, and the next one gives it once', async () => {
    const scope = newScope('fails');
    const bodies = ['1', '2', '3', 'not this one', '5'];
    await client.pause(scope);
    await say(scope, bodies);
    await harness.database.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.body = 'not this one' THEN RAISE 'refused by the test'; END IF;
        RETURN NEW;
      END $$`);
    await harness.database.query(
      'CREATE TRIGGER refuse BEFORE INSERT ON entries FOR EACH ROW EXECUTE FUNCTION refuse()',
    );
    const { audit_log: _, ...kept } = await tableContents(harness.database);
    const session_id = randomUUID();
    const resume = () => client.resume(scope, { session_id, summary_for_agent: 'done' });
    await expect(resume()).rejects.toMatchObject({ error: { code: -32603 } });
    const { audit_log: __, ...keptNow } = await tableContents(harness.database);
    expect(keptNow).toEqual(kept);
    expect(await client.state(scope)).toMatchObject({ state: 'paused_by_operator' });
    expect(await client.pending(scope)).toMatchObject({ depth: 5 });
    expect(await turnsOf(scope)).toEqual([]);

    await harness.database.query('DROP FUNCTION refuse CASCADE');
    await expect(resume()).resolves.toMatchObject({ changed: true, drained_pending: 5 });
    const turns = await turnsOf(scope);
    expect(turns.map(bodiesOf)).toEqual([bodies]);
    const lines = await client.transcript('fails', session_id);
    expect(lines.map(({ body }) => body)).toEqual([...bodies, '[operator_summary] done']);
  });

  it('a resume whose connection dies in the middle is as if it had not been', async () => {
    const scope = newScope('dies');
    const session_id = randomUUID();
    await say(scope, ['before'], { session_id });
    await client.pause(scope);
    await say(scope, ['1', '2', '3']);
    const { audit_log: _, ...kept } = await tableContents(harness.database);
    const row = await HeldRow.ofTranscript(harness.database, 'dies', session_id);
    const resumed = client.resume(scope);
    const refused = expect(resumed).rejects.toMatchObject({ error: { code: -32013, data: { reason: 'unavailable' } } });
    await row.untilWaitedFor(1);
    await row.breakWaiting();
    await refused;
    await row.release();
    const { audit_log: __, ...keptNow } = await tableContents(harness.database);
    expect(keptNow).toEqual(kept);
    await expect(client.resume(scope)).resolves.toMatchObject({ changed: true, drained_pending: 3 });
    expect((await turnsOf(scope)).map(bodiesOf)).toEqual([['before'], ['before', '1', '2', '3']]);
  });

  it('of 50 messages of 64 KB the newest are in the turn, and all others where it says', async () => {
    const scope = newScope('large');
    const bodies = Array.from({ length: 50 }, (_, index) => `${index} `.padEnd(64_000, 'x'));
    await client.pause(scope);
    await say(scope, bodies);
    await expect(client.resume(scope)).resolves.toMatchObject({ drained_pending: 50 });
    const [turn, ...others] = await turnsOf(scope);
    expect(others).toEqual([]);
    expect(Buffer.byteLength(JSON.stringify(turn))).toBeLessThanOrEqual(MAX_TURN_BYTES);
    const inTurn = bodiesOf(turn) ?? [];
    expect(inTurn.length).toBeGreaterThan(0);
    expect(inTurn).toEqual(bodies.slice(-inTurn.length));

    const elsewhere: string[] = [];
    for (const { session_id, from_seq, to_seq } of turn?.more ?? []) {
      const lines = await client.transcript('large', session_id);
      elsewhere.push(...lines.filter(({ seq }) => seq >= from_seq && seq <= to_seq).map(({ body }) => body));
    }
    expect(elsewhere).toEqual(expect.arrayContaining(bodies.slice(0, -inTurn.length)));
    const inEntries = turn?.entries?.map(({ body }) => body) ?? [];
    expect(elsewhere).toEqual(expect.arrayContaining(bodies.slice(0, bodies.length - inEntries.length)));
    await say(scope, ['and then']);
    expect((await turnsOf(scope)).map(({ cause }) => cause)).toEqual(['resume', 'inbound']);
  });

  it('a session that begins anew during a hold leaves it held, and a resume ends it', async () => {
    const scope = newScope('anew');
    const [before, anew] = [randomUUID(), randomUUID()];
    await say(scope, ['hello'], { session_id: before });
    await client.pause(scope, { reason: 'mine' });
    const held = await client.state(scope);
    await say(scope, ['begin anew'], { session_id: anew });
    await running.stop();
    running = await harness.boot();
    expect(await client.state(scope)).toEqual(held);
    expect(await client.pending(scope)).toMatchObject({ depth: 1 });
    await client.resume(scope);
    await say(scope, ['still there?']);
    const turns = await turnsOf(scope);
    expect(turns.map((turn) => [turn.session_id, bodiesOf(turn)])).toEqual([
      [before, ['hello']],
      [anew, ['hello', 'begin anew']],
      [anew, ['still there?']],
    ]);
  });

  it('who takes a hold over is on record, and so is whose it was', async () => {
    const scope = newScope('forced');
    const bob = await harness.connect('bob');
    await client.pause(scope);
    const taken = await bob.pause(scope, { take_over: true });
    const [, row] = await harness.database.query<Record<string, unknown>>(
      `SELECT operator, changed, correlation_id FROM audit_log WHERE agent_id = 'forced' ORDER BY id`,
    );
    expect(row).toEqual({ operator: 'bob', changed: true, correlation_id: taken.correlation_id });
    await settled(harness, client);
    const [, change] = await client.events('forced', 'processing_state_changed');
    expect(change).toMatchObject({ by: 'bob', prev_state: { operator_token_hash: 'ops' } });
  });

  it('what was fetched before a pause and is stored after it waits, like what comes later', async () => {
    const scope = newScope('fetched');
    await say(scope, ['before']);
    const row = await HeldRow.of(harness.database, scope);
    const paused = client.pause(scope);
    await row.untilWaitedFor(1);
    await client.publish(scope, 'fetched');
    await row.untilWaitedFor(2);
    await row.release();
    await expect(paused).resolves.toMatchObject({ changed: true });
    await settled(harness, client);
    expect(await client.pending(scope)).toMatchObject({ depth: 1, inbounds: [{ body: 'fetched' }] });
    expect((await turnsOf(scope)).map(bodiesOf)).toEqual([['before']]);
    const [stored] = await harness.database.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM inbounds WHERE conversation_id = $1',
      [conversationId(scope)],
    );
    expect(stored).toEqual({ count: 2 });
  });
});
