import { randomUUID } from 'node:crypto';

import { ALL_CAPABILITIES } from '#contracts/capabilities.js';
import type { PendingInbound } from '#contracts/pending-inbound.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import { ProcessingPendingResult } from '#contracts/processing-pending.js';
import { conversationId } from '#domain/conversation/conversation-id.js';
import type { PartitionLease } from '#store/queries/move-cursor.js';
import { acquireLease, ensurePartition } from '#store/queries/partition-lease.js';
import { withTransaction } from '#store/transaction.js';

import { newScope } from '../../../../test/harness/client.js';
import { CommandHarness } from '../../../../test/harness/commands.js';
import { inboundRecord } from '../../../../test/harness/records.js';
import { CommandContext } from '../commands/command-context.js';
import { MAX_RESULT_BYTES } from '../commands/result-size.js';
import type { Dependencies } from '../dependencies.js';
import { readBatch } from '../inbound-reader.js';
import { pause } from './pause.js';
import { processingPending } from './processing-pending.js';
import { processingState } from './processing-state.js';
import { receiveInbounds } from './receive-inbounds.js';
import { resume } from './resume.js';

const OPERATOR = 'abcdef0123456789';

describe('what a read tells of a paused conversation', () => {
  let harness: CommandHarness;
  let deps: Dependencies;
  let lease: PartitionLease;
  let seq = 0;

  beforeAll(async () => {
    harness = await CommandHarness.create();
    deps = {
      ...harness.dependencies(),
      pendingQueueCap: 3,
      now: () => 1_700_000_200_000,
      redactor: { redactText: (text: string) => text, redactJson: (json: unknown) => json },
      relay: { nudge: () => undefined, publishNow: () => Promise.resolve(true) },
    } as unknown as Dependencies;
    const owned = await withTransaction(harness.dataSource, async (tx) => {
      await ensurePartition(tx, 0);
      return acquireLease(tx, 0, randomUUID(), 600_000);
    });
    if (owned === undefined) throw new Error('the partition of a new database is free');
    lease = owned;
  });
  afterAll(() => harness.close());

  const command = (method: 'nexo/admin/processing/pause' | 'nexo/admin/processing/resume') =>
    new CommandContext(method, randomUUID(), { tokenHash: OPERATOR, capabilities: ALL_CAPABILITIES }, {});
  const hold = (scope: ConversationScope, more = {}) =>
    pause(deps, { scope, operator_token_hash: OPERATOR, ...more }, command('nexo/admin/processing/pause'));
  const handBack = (scope: ConversationScope) =>
    resume(deps, { scope, operator_token_hash: OPERATOR }, command('nexo/admin/processing/resume'));
  const receiveAll = (scope: ConversationScope, inbounds: Partial<PendingInbound>[], pendingQueueCap = 3) => {
    const records = inbounds.map((inbound) => inboundRecord((seq += 1), scope, inbound));
    return receiveInbounds({ ...deps, pendingQueueCap }, lease, readBatch(records, deps.redactor));
  };
  const receive = (scope: ConversationScope, ...bodies: string[]) =>
    receiveAll(
      scope,
      bodies.map((body) => ({ body })),
    );

  async function pending(scope: ConversationScope, include_evicted?: boolean) {
    const result = await processingPending(deps, {
      scope,
      ...(include_evicted === undefined ? {} : { include_evicted }),
    });
    expect(ProcessingPendingResult.parse(structuredClone(result))).toEqual(result);
    return {
      ...result,
      inbounds: result.inbounds.map(({ body }) => body),
      ...(result.evicted === undefined ? {} : { evicted: result.evicted.map(({ inbound }) => inbound.body) }),
    };
  }

  it('of one that was never seen: active, and nothing waits', async () => {
    const scope = newScope();
    expect(await processingState(deps, { scope })).toEqual({ state: { state: 'agent_active' } });
    expect(await pending(scope, true)).toEqual({ depth: 0, cap: 3, inbounds: [], evicted: [] });
  });

  it('who holds it, since when, why, and until when', async () => {
    const scope = { ...newScope(), mcp_channel_source: 'slack' };
    const before = Date.now();
    await hold(scope, { reason: 'a complaint', auto_resume_after_ms: 60_000 });
    const { state } = await processingState(deps, { scope });
    expect(state).toEqual({
      state: 'paused_by_operator',
      scope,
      paused_at_ms: expect.any(Number),
      operator_token_hash: OPERATOR,
      reason: 'a complaint',
      auto_resume_at_ms: expect.any(Number),
    });
    if (state.state !== 'paused_by_operator') throw new Error('it is paused');
    expect(state.paused_at_ms).toBeGreaterThanOrEqual(before - 1_000);
    expect((state.auto_resume_at_ms as number) - state.paused_at_ms).toBe(60_000);
    await handBack(scope);
    expect(await processingState(deps, { scope })).toEqual({ state: { state: 'agent_active' } });
  });

  it('no reason and no time where none was given', async () => {
    const scope = newScope();
    await hold(scope);
    const { state } = await processingState(deps, { scope });
    expect(Object.keys(state)).toEqual(['state', 'scope', 'paused_at_ms', 'operator_token_hash']);
  });

  it('what waits, in order of arrival, as the channel gave it', async () => {
    const scope = newScope();
    await hold(scope);
    const message_id = randomUUID();
    const attachments = [{ kind: 'audio', url: 'https://x' }];
    await receive(scope, 'one');
    await receiveAll(scope, [{ message_id, body: '', attachments }]);
    const { inbounds, depth } = await processingPending(deps, { scope });
    expect(depth).toBe(2);
    expect(inbounds).toEqual([
      {
        from_contact_id: scope.contact_id,
        body: 'one',
        timestamp_ms: 1_700_000_000_000 + seq - 1,
        source_plugin: 'whatsapp',
      },
      {
        message_id,
        from_contact_id: scope.contact_id,
        body: '',
        timestamp_ms: 1_700_000_000_000 + seq,
        source_plugin: 'whatsapp',
        attachments,
      },
    ]);
  });

  it('what was evicted, only when asked, oldest first', async () => {
    const scope = newScope();
    await hold(scope);
    await receive(scope, '1', '2', '3', '4');
    await receive(scope, '5');
    expect(await pending(scope)).toEqual({ depth: 3, cap: 3, inbounds: ['3', '4', '5'] });
    expect(await pending(scope, true)).toMatchObject({ inbounds: ['3', '4', '5'], evicted: ['1', '2'] });
  });

  it('what was taken back from the agent, before what came later, beside the cap and never evicted', async () => {
    const scope = newScope();
    await receive(scope, 'a', 'b');
    await hold(scope);
    await receive(scope, '1', '2', '3', '4');
    expect(await pending(scope, true)).toEqual({
      depth: 5,
      cap: 3,
      inbounds: ['a', 'b', '2', '3', '4'],
      evicted: ['1'],
    });
  });

  it('when each was evicted, also after what evicted it was handed back, and after another pause', async () => {
    const scope = newScope();
    await hold(scope);
    const times: number[] = [];
    for (const body of ['1', '2', '3', '4', '5', '6', '7', '8']) {
      await receive(scope, body);
      times.push(await bufferedAt(scope, body));
    }
    const evictedTimes = async () => {
      const { evicted = [] } = await processingPending(deps, { scope, include_evicted: true });
      return evicted.map(({ inbound, evicted_at_ms }) => [inbound.body, evicted_at_ms]);
    };
    const expected = ['1', '2', '3', '4', '5'].map((body, index) => [body, times[index + 3]]);
    expect(await evictedTimes()).toEqual(expected);
    await handBack(scope);
    expect(await pending(scope, true)).toMatchObject({ depth: 0, inbounds: [], evicted: ['1', '2', '3', '4', '5'] });
    expect(await evictedTimes()).toEqual(expected);
    await harness.database.query('DELETE FROM outbox');
    await hold(scope);
    await receive(scope, 'later');
    expect(await evictedTimes()).toEqual(expected);
    expect(await pending(scope)).toMatchObject({ depth: 1, inbounds: ['later'] });
  });

  it('with a cap of 0, that everything was evicted as it came', async () => {
    const scope = newScope();
    await hold(scope);
    await receiveAll(scope, [{ body: 'gone' }], 0);
    const result = await processingPending({ ...deps, pendingQueueCap: 0 }, { scope, include_evicted: true });
    expect(result).toMatchObject({ depth: 0, cap: 0, inbounds: [], evicted: [{ inbound: { body: 'gone' } }] });
    expect(result.evicted?.[0]?.evicted_at_ms).toBe(await bufferedAt(scope, 'gone'));
  });

  it('the newest that fit into one answer, and how many there are in all', async () => {
    const scope = newScope();
    await hold(scope);
    const bodies = Array.from({ length: 8 }, (_, index) => ({ body: `${index}`.padEnd(120 * 1_024, '"') }));
    await receiveAll(scope, bodies, 50);
    const result = await processingPending(deps, { scope, include_evicted: true });
    expect(result.depth).toBe(8);
    expect(result.inbounds.map(({ body }) => body[0])).toEqual(['6', '7']);
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(MAX_RESULT_BYTES + 1_024);
  });

  async function bufferedAt(scope: ConversationScope, body: string): Promise<number> {
    const [row] = await harness.database.query<{ at: string }>(
      'SELECT buffered_at_ms AS at FROM buffered_inbounds WHERE conversation_id = $1 AND body = $2',
      [conversationId(scope), body],
    );
    return Number(row?.at);
  }
});
