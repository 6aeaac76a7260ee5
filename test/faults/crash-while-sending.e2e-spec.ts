import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import type { ConversationScope } from '#contracts/processing-scope.js';

import { auditedReplies, intervene, outboundsOf } from '../flows/support/replies.js';
import { type CommandRefused, newScope, type TestClient } from '../harness/client.js';
import type { BootedConversations } from '../harness/conversations.js';
import { FakeChannel } from '../harness/fake-channel.js';
import { Harness } from '../harness/harness.js';
import { PROJECT_ROOT } from '../harness/project-root.js';
import { waitFor } from '../harness/wait-for.js';
import { faultEnvironment, OUTBOUND_FAULT_POINTS } from './fault-points.js';

const PRELOAD = join(PROJECT_ROOT, 'dist/test/faults/preload.js');
const NOT_YET_COMMITTED: readonly string[] = ['before insert-outbound', 'before admit-commit'];

describe('a process that ends while an operator’s reply is on its way', () => {
  let harness: Harness;
  let client: TestClient;
  let channel: FakeChannel;
  let next: BootedConversations | undefined;

  beforeAll(async () => {
    harness = await Harness.create();
    client = await harness.connect();
    channel = await FakeChannel.of(client.nc, newScope());
  });
  afterEach(() => next?.stop());
  afterAll(() => harness.close());

  /** What stands in the database for a process that is gone would be found some seconds later. */
  const letTimePass = () =>
    harness.database.query('UPDATE outbounds SET expires_at_ms = 0 WHERE expires_at_ms IS NOT NULL');
  const asked = (scope: ConversationScope) => channel.asked.filter(({ to }) => to === scope.contact_id).length;

  async function paused(): Promise<ConversationScope> {
    const scope = newScope();
    const helper = await harness.boot();
    await client.pause(scope);
    await helper.stop();
    return scope;
  }

  for (const point of OUTBOUND_FAULT_POINTS) {
    it(`leaves a reply with an honest outcome that nobody sends again: ${point}`, async () => {
      const scope = await paused();
      const params = { session_id: randomUUID(), idempotency_key: 'once' };
      const dying = await harness.spawn({ env: faultEnvironment(point, 'SIGKILL', PRELOAD) });
      const lost = intervene(client, scope, params, 3_000).catch(() => undefined);
      await dying.process.ended;
      const askedBefore = asked(scope);
      const isCommitted = !NOT_YET_COMMITTED.includes(point);
      const isRecorded = point === 'after settle-commit';
      expect(await outboundsOf(harness.database, scope)).toHaveLength(isCommitted ? 1 : 0);

      next = await harness.boot();
      await letTimePass();
      const again = intervene(client, scope, params);
      if (isCommitted && !isRecorded) {
        await expect(again).rejects.toMatchObject({ error: { code: -32012 } });
        expect(await outboundsOf(harness.database, scope)).toMatchObject([
          { status: 'unknown', reason: 'sender_ended' },
        ]);
        expect(asked(scope)).toBe(askedBefore);
        const audited = { outcome: 'error', changed: false, reason: 'channel_timeout' };
        expect(await auditedReplies(harness.database, scope)).toContainEqual(audited);
        expect(await client.transcript('ana', params.session_id)).toEqual([]);
      } else {
        expect(await again).toMatchObject({ changed: true, transcript_stamped: true });
        expect(asked(scope)).toBe(1);
        expect(await client.transcript('ana', params.session_id)).toHaveLength(1);
      }
      await lost;
    }, 90_000);
  }

  it('or stands still right before it asks the channel, does not do so when it wakes up', async () => {
    const scope = await paused();
    const stopped = await harness.spawn({
      env: faultEnvironment('after hand-over-outbound', 'SIGSTOP', PRELOAD),
    });
    const lost = intervene(client, scope).catch((error: unknown) => error);
    const lostItsLocks = async () => {
      const sessions = await harness.database.query(
        `SELECT FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'holdline conversations' AND state LIKE 'idle in%'`,
      );
      return (await outboundsOf(harness.database, scope)).length === 1 && sessions.length === 0;
    };
    await waitFor(async () => (await outboundsOf(harness.database, scope)).length === 1);
    next = await harness.boot();
    await waitFor(lostItsLocks, { timeoutMs: 20_000 });
    await letTimePass();
    await waitFor(async () => (await outboundsOf(harness.database, scope))[0]?.status === 'unknown');

    stopped.thaw();
    const { error } = (await lost) as CommandRefused;
    expect(['channel_timeout', 'unavailable']).toContain(error.data.reason);
    expect(asked(scope)).toBe(0);
  }, 90_000);
});
