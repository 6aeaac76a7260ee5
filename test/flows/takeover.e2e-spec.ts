import { randomUUID } from 'node:crypto';

import type { PendingInbound } from '#contracts/pending-inbound.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import type { Turn } from '#contracts/turn.js';

import { newScope, type TestClient } from '../harness/client.js';
import { Harness } from '../harness/harness.js';
import { publicStreamContents, tableContents } from './support/everything-kept.js';
import { settled } from './support/settled.js';

describe('a takeover', () => {
  let harness: Harness;
  let client: TestClient;

  beforeAll(async () => {
    harness = await Harness.create();
    await harness.boot();
    client = await harness.connect('0a1b2c3d4e5f6071');
  });
  afterAll(() => harness.close());

  /** Publishes lines one after the other, waits until they are stored, and gives them as the contract shows them. */
  async function say(scope: ConversationScope, ...lines: Partial<PendingInbound & { session_id: string }>[]) {
    const said: PendingInbound[] = [];
    for (const { body = 'hello', ...more } of lines) {
      await client.publish(scope, body, more);
      const { session_id: _, ...inbound } = more;
      const defaults = {
        from_contact_id: scope.contact_id,
        timestamp_ms: 1_700_000_000_000,
        source_plugin: 'whatsapp',
      };
      said.push({ ...defaults, body, ...inbound });
    }
    await settled(harness, client);
    return said;
  }

  const turnsOf = async (scope: ConversationScope) => {
    await settled(harness, client);
    return (await client.turns(scope)) as Turn[];
  };
  const linesOf = async (scope: ConversationScope, sessionId: string) => {
    const lines = await client.transcript(scope.agent_id, sessionId);
    return lines.map(({ seq, body }) => `${seq} ${body}`);
  };

  it('gives back what came meanwhile once, in order of arrival, with its own times, in one turn', async () => {
    const scope = newScope('takeover');
    const [before] = await say(scope, { body: 'before' });
    await client.done((await turnsOf(scope))[0] as Turn);
    await expect(client.pause(scope, { reason: 'a refund' })).resolves.toEqual({
      changed: true,
      correlation_id: expect.any(String),
      epoch: 1,
    });
    const waiting = await say(
      scope,
      { body: 'first', timestamp_ms: 1_600_000_300_000, message_id: randomUUID() },
      { body: 'second', timestamp_ms: 1_600_000_200_000, attachments: [{ kind: 'image', url: 'https://x.test/1' }] },
      { body: 'third', timestamp_ms: 1_600_000_100_000, message_id: randomUUID() },
    );
    expect(await client.pending(scope)).toEqual({ depth: 3, cap: 50, inbounds: waiting });
    const [active, hold, ...more] = await turnsOf(scope);
    expect(active).toMatchObject({ kind: 'turn', cause: 'inbound', epoch: 0, inbounds: [before] });
    expect(hold).toEqual({ kind: 'hold', agent_id: 'takeover', scope, epoch: 1 });
    expect(more).toEqual([]);

    await expect(client.resume(scope)).resolves.toEqual({
      changed: true,
      correlation_id: expect.any(String),
      epoch: 2,
      drained_pending: 3,
      transcript_stamped: true,
    });
    expect(await client.state(scope)).toEqual({ state: 'agent_active' });
    const [after] = await say(scope, { body: 'after' });
    const turns = await turnsOf(scope);
    expect(turns).toHaveLength(4);
    const sessionId = active?.session_id as string;
    expect(turns[2]).toEqual({
      kind: 'turn',
      turn_id: expect.any(String),
      agent_id: 'takeover',
      scope,
      session_id: sessionId,
      epoch: 2,
      cause: 'resume',
      inbounds: waiting,
      entries: waiting.map(({ from_contact_id, timestamp_ms, ...inbound }, index) => ({
        ...inbound,
        seq: 1 + index,
        role: 'user',
        sender_id: from_contact_id,
        sent_at_ms: timestamp_ms,
        replayed: true,
      })),
    });
    expect(turns[3]).toMatchObject({ kind: 'turn', cause: 'inbound', epoch: 2, inbounds: [after] });

    const lines = await client.transcript('takeover', sessionId);
    expect(lines.map((line) => line.seq)).toEqual([0, 1, 2, 3, 4]);
    const said = [before, ...waiting, after].map((inbound, index) => ({
      role: 'user',
      body: inbound?.body,
      sent_at_ms: inbound?.timestamp_ms,
      sender_id: scope.contact_id,
      source_plugin: 'whatsapp',
      ...(inbound?.message_id === undefined ? {} : { message_id: inbound.message_id }),
      ...(index >= 1 && index <= 3 ? { replayed: true } : {}),
    }));
    expect(lines).toEqual(said.map((line) => expect.objectContaining(line)));
    expect(lines.filter((line) => line.replayed === true)).toHaveLength(3);
  });

  it('hands over the operator’s summary as a line of the transcript and in the turn', async () => {
    const scope = newScope('summary');
    await client.pause(scope);
    const [waiting] = await say(scope, { body: 'is it settled?' });
    const session = randomUUID();
    const ack = await client.resume(scope, { session_id: session, summary_for_agent: '\n Refund agreed: 40 € 🙂 ' });
    expect(ack).toMatchObject({ drained_pending: 1, transcript_stamped: true });

    const summary = {
      seq: 1,
      role: 'system',
      body: '[operator_summary] Refund agreed: 40 € 🙂',
      source_plugin: 'intervention:summary',
      sender_id: 'operator:0a1b2c3d4e5f6071',
    };
    const [, turn] = await turnsOf(scope);
    expect(turn).toMatchObject({
      session_id: session,
      inbounds: [waiting],
      operator_summary: 'Refund agreed: 40 € 🙂',
    });
    expect(turn?.entries).toEqual([
      expect.objectContaining({ seq: 0, body: 'is it settled?', replayed: true }),
      { ...summary, sent_at_ms: expect.any(Number) },
    ]);
    const [, line] = await client.transcript('summary', session);
    expect(line).toMatchObject(summary);
    expect(line).not.toHaveProperty('replayed');
    expect(Math.abs(Date.now() - (line?.sent_at_ms ?? 0))).toBeLessThan(60_000);
  });

  it('gives no turn when nothing came meanwhile, with a summary too', async () => {
    const scope = newScope('quiet');
    await client.pause(scope);
    const ack = { changed: true, correlation_id: expect.any(String), drained_pending: 0 };
    await expect(client.resume(scope)).resolves.toEqual({ ...ack, epoch: 2 });
    await client.pause(scope);
    const session = randomUUID();
    await expect(client.resume(scope, { session_id: session, summary_for_agent: 'all said' })).resolves.toEqual({
      ...ack,
      epoch: 4,
      transcript_stamped: true,
    });
    expect((await turnsOf(scope)).map(({ kind }) => kind)).toEqual(['hold', 'hold']);
    expect(await linesOf(scope, session)).toEqual(['0 [operator_summary] all said']);
  });

  it('writes nothing when the conversation is active, or unknown', async () => {
    const [known, unknown] = [newScope('idle'), newScope('idle')];
    await say(known, { body: 'hello' });
    const before = [await tableContents(harness.database), await publicStreamContents(client)] as const;
    for (const scope of [known, unknown]) {
      for (const more of [{}, { session_id: randomUUID(), summary_for_agent: 'nothing happened' }]) {
        const ack = { changed: false, correlation_id: expect.any(String), drained_pending: 0, epoch: 0 };
        await expect(client.resume(scope, more)).resolves.toEqual(ack);
      }
    }
    await settled(harness, client);
    const [{ audit_log: audited, ...rest }, streams] = before;
    const { audit_log: auditedNow, ...restNow } = await tableContents(harness.database);
    expect(restNow).toEqual(rest);
    expect(await publicStreamContents(client)).toEqual(streams);
    expect(auditedNow).toHaveLength((audited?.length ?? 0) + 4);
  });

  describe('names a session that', () => {
    it('is the one that the operator names, for all that is handed back and from then on', async () => {
      const scope = newScope('named');
      const [named, older] = [randomUUID(), randomUUID()];
      await client.pause(scope);
      await say(scope, { body: 'one', session_id: older }, { body: 'two' });
      await client.resume(scope, { session_id: named, summary_for_agent: 'done' });
      await say(scope, { body: 'three' });
      expect(await linesOf(scope, named)).toEqual(['0 one', '1 two', '2 [operator_summary] done', '3 three']);
      expect(await linesOf(scope, older)).toEqual([]);
      expect((await turnsOf(scope)).slice(1).map(({ session_id }) => session_id)).toEqual([named, named]);
    });

    it('is otherwise the one that each inbound named, else the conversation’s, which the last name decides', async () => {
      const scope = newScope('by-inbound');
      const [first, second] = [randomUUID(), randomUUID()];
      await client.pause(scope);
      await say(
        scope,
        { body: 'unnamed' },
        { body: 'to the first', session_id: first },
        { body: 'to the second', session_id: second },
      );
      await client.resume(scope);
      await say(scope, { body: 'after' });
      expect(await linesOf(scope, first)).toEqual(['0 to the first']);
      expect(await linesOf(scope, second)).toEqual(['0 unnamed', '1 to the second', '2 after']);
      const [, resumed, after] = await turnsOf(scope);
      expect(resumed).toMatchObject({ session_id: second, cause: 'resume' });
      expect(resumed?.entries?.map(({ body }) => body)).toEqual(['unnamed', 'to the first', 'to the second']);
      expect(after?.session_id).toBe(second);
    });

    it('is one that Holdline makes when none was ever named, the same before and after', async () => {
      const scope = newScope('unnamed');
      await say(scope, { body: 'before' });
      await client.pause(scope);
      await say(scope, { body: 'during' });
      await client.resume(scope);
      const [before, , during] = await turnsOf(scope);
      expect(during?.session_id).toBe(before?.session_id);
      expect(await linesOf(scope, before?.session_id ?? '')).toEqual(['0 before', '1 during']);
    });

    it('may be shared by two conversations of one agent and not by two agents', async () => {
      const shared = randomUUID();
      const [one, other, ofAnother] = [newScope('sharing'), newScope('sharing'), newScope('apart')];
      for (const scope of [one, other, ofAnother]) await client.pause(scope);
      await say(one, { body: 'from one', session_id: shared });
      await say(other, { body: 'from the other', session_id: shared });
      await say(ofAnother, { body: 'of another agent', session_id: shared });
      for (const scope of [other, one, ofAnother]) await client.resume(scope);
      await settled(harness, client);
      expect(await linesOf(one, shared)).toEqual(['0 from the other', '1 from one']);
      expect(await linesOf(ofAnother, shared)).toEqual(['0 of another agent']);
      const [, turn] = await turnsOf(one);
      expect(turn?.entries?.map(({ body }) => body)).toEqual(['from one']);
    });
  });
});
