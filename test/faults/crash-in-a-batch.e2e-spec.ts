import { join } from 'node:path';

import { conversationId } from '#domain/conversation/conversation-id.js';

import { newScope, type TestClient } from '../harness/client.js';
import type { SpawnedConversations } from '../harness/conversations.js';
import { Harness } from '../harness/harness.js';
import { PROJECT_ROOT } from '../harness/project-root.js';
import { FAULT_POINTS, faultEnvironment } from './fault-points.js';

const PRELOAD = join(PROJECT_ROOT, 'dist/test/faults/preload.js');
const MESSAGES = 6;

describe('a process that dies in the middle of a batch', () => {
  let harness: Harness;
  let client: TestClient;

  beforeAll(async () => {
    harness = await Harness.create();
    client = await harness.connect();
  }, 60_000);

  afterAll(() => harness.close(), 30_000);

  for (const point of FAULT_POINTS) {
    it(`loses nothing and does nothing twice when it dies ${point}`, async () => {
      const [one, other] = [newScope(), newScope()];
      const bodies = Array.from({ length: MESSAGES }, (_, index) => `line ${index}`);
      for (const body of bodies) {
        await client.publish(one, body);
        await client.publish(other, body);
      }

      const dying = await spawnDying(point);
      await dying.process.ended;
      // The lease of a dead owner runs out by itself; takeover.e2e-spec.ts measures that. Here it is cut short.
      await harness.database.query('UPDATE partitions SET lease_until = NULL');
      const next = await harness.boot();

      for (const scope of [one, other]) {
        await client.turnsOf(scope, MESSAGES);
        const turns = await client.turns(scope);
        expect(turns.map((turn) => turn.kind === 'turn' && turn.inbounds[0]?.body)).toEqual(bodies);
        const entries = await harness.database.query<{ body: string; seq: string; event_id: string }>(
          'SELECT body, seq, event_id FROM entries WHERE conversation_id = $1 ORDER BY seq',
          [conversationId(scope)],
        );
        expect(entries.map((entry) => entry.body)).toEqual(bodies);
        expect(entries.map((entry) => Number(entry.seq))).toEqual(bodies.map((_, index) => index));
        const ids = new Set(entries.map((entry) => entry.event_id));
        const events = (await client.events('ana', 'transcript_appended')).filter((e) =>
          ids.has(e['event_id'] as string),
        );
        expect(events.map((event) => event['body'])).toEqual(bodies);
      }
      await next.stop();
    }, 60_000);
  }

  async function spawnDying(point: (typeof FAULT_POINTS)[number]): Promise<SpawnedConversations> {
    return harness.spawn({ env: faultEnvironment(point, 'SIGKILL', PRELOAD), dontWait: true });
  }
});
