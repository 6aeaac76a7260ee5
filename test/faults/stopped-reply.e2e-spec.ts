import { join } from 'node:path';

import type { Turn } from '#contracts/turn.js';

import { type CommandRefused, newScope, type TestClient } from '../harness/client.js';
import { FakeChannel } from '../harness/fake-channel.js';
import { Harness } from '../harness/harness.js';
import { PROJECT_ROOT } from '../harness/project-root.js';
import { waitFor } from '../harness/wait-for.js';
import { answer, outboundsOf } from '../flows/support/replies.js';
import { faultEnvironment, REPLY_FAULT_POINTS } from './fault-points.js';

/** Any replica may get a command, the one that stands still too: with so many, one that answers gets one. */
const PAUSES = 16;
const PRELOAD = join(PROJECT_ROOT, 'dist/test/faults/preload.js');

describe('a process that stands still while it sends a reply of the agent', () => {
  let harness: Harness;
  let client: TestClient;
  let channel: FakeChannel;

  beforeAll(async () => {
    harness = await Harness.create();
    client = await harness.connect();
    channel = await FakeChannel.of(client.nc, newScope());
  }, 60_000);

  afterAll(() => harness.close(), 30_000);

  for (const point of REPLY_FAULT_POINTS) {
    it(`hands nothing to the channel behind a pause when it wakes up ${point}`, async () => {
      const scope = newScope();
      const setUp = await harness.boot();
      await client.publish(scope, 'hello');
      const [turn] = (await client.turnsOf(scope, 1)) as [Turn];
      await setUp.stop();

      const stopped = await harness.spawn({ env: faultEnvironment(point, 'SIGSTOP', PRELOAD) });
      const replying = answer(client, turn).catch((error: unknown) => error);
      await waitFor(() => stopped.process.isStopped, { what: 'The process to stand still' });
      const next = await harness.boot({ dontWait: true });
      const pauses = Array.from({ length: PAUSES }, () =>
        client.call('nexo/admin/processing/pause', { scope }, 40_000),
      );
      const settled = Promise.allSettled(pauses);
      await Promise.any(pauses);
      const asked = channel.asked.filter(({ to }) => to === scope.contact_id).length;

      stopped.thaw();
      await Promise.all([settled, replying]);
      const again = await answer(client, turn).then(
        ({ status }) => status,
        (error: CommandRefused) => error.error.data.reason,
      );
      expect(channel.asked.filter(({ to }) => to === scope.contact_id)).toHaveLength(asked);
      const { drafts } = await client.call('nexo/admin/drafts/list', { scope });
      expect(drafts.map(({ status }) => status)).toEqual(asked === 0 ? ['open'] : []);
      // What a process had handed over and could not record in time counts as unknown.
      expect(asked === 0 ? ['suppressed'] : ['sent', 'channel_timeout']).toContain(again);
      const kept = await outboundsOf(harness.database, scope);
      expect(kept.filter(({ status }) => status === 'sending' || status === 'handed_over')).toEqual([]);
      await stopped.stop();
      await next.stop();
    }, 90_000);
  }
});
