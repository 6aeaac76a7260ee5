import { setTimeout as delay } from 'node:timers/promises';

import type { ConversationScope } from '#contracts/processing-scope.js';
import { STREAMS } from '#contracts/subjects.js';

import { newScope, type TestClient } from '../harness/client.js';
import { Harness } from '../harness/harness.js';
import { lastSequence, recordOf } from './support/record.js';
import { settled } from './support/settled.js';

const PUBLISHERS = 8;
const OPERATORS = 4;
const RACE_MS = 4_000;
/** Of each operator, however slow the machine is. */
const LEAST_ROUNDS = 4;
/** So that nothing is evicted: every inbound is accounted for. */
const NO_CAP = '100000';

interface AcknowledgedPause {
  scope: ConversationScope;
  epoch: number;
  /** The newest of the turn stream once the ack was there. */
  turnSeq: number;
}

describe('between the ack of a pause and the next resume', () => {
  let harness: Harness;
  let client: TestClient;
  const scopes = [newScope('race'), newScope('race'), newScope('race')];

  beforeAll(async () => {
    harness = await Harness.create();
    await harness.boot({ env: { NEXO_PROCESSING_PENDING_QUEUE_CAP: NO_CAP } });
    await harness.boot({ env: { NEXO_PROCESSING_PENDING_QUEUE_CAP: NO_CAP } });
    client = await harness.connect();
  });
  afterAll(() => harness.close());

  const published: { seq: number; scope: ConversationScope; body: string }[] = [];
  const pauses: AcknowledgedPause[] = [];

  async function publishWhile(isRacing: () => boolean, publisher: number): Promise<void> {
    const channel = await harness.connect();
    for (let count = 0; isRacing(); count += 1) {
      const scope = scopes[(publisher + count) % scopes.length] as ConversationScope;
      const body = `${publisher}-${count}`;
      published.push({ seq: await channel.publish(scope, body), scope, body });
      await delay(2);
    }
  }

  async function pauseAndResumeUntil(endsAt: number, name: string): Promise<void> {
    const operator = await harness.connect(name);
    for (let round = 0; round < LEAST_ROUNDS || Date.now() < endsAt; round += 1) {
      const scope = scopes[Math.floor(Math.random() * scopes.length)] as ConversationScope;
      const { epoch = 0 } = await operator.pause(scope);
      pauses.push({ scope, epoch, turnSeq: await lastSequence(operator, STREAMS.turns) });
      await delay(Math.random() * 20);
      await operator.resume(scope);
    }
  }

  it('no turn comes, and nothing is lost, doubled or out of order, whoever races', async () => {
    const endsAt = Date.now() + RACE_MS;
    let racing = true;
    const publishers = Array.from({ length: PUBLISHERS }, (_, publisher) => publishWhile(() => racing, publisher));
    const operators = Array.from({ length: OPERATORS }, (_, operator) =>
      pauseAndResumeUntil(endsAt, `operator-${operator}`),
    );
    await Promise.all(operators);
    racing = false;
    await Promise.all(publishers);
    for (const scope of scopes) await client.resume(scope);
    await settled(harness, client, 30_000);
    expect(published.length).toBeGreaterThan(PUBLISHERS * 10);

    for (const scope of scopes) {
      const { messages, askedInEffect, stamped } = await recordOf(client, scope);
      const inOrder = published.filter((each) => each.scope === scope).sort((a, b) => a.seq - b.seq);
      const bodies = inOrder.map(({ body }) => body);
      expect(askedInEffect).toEqual(bodies);
      expect(stamped).toEqual(bodies);
      expect(messages.filter(({ message }) => message.kind === 'turn' && message.cause === 'resume')).not.toEqual([]);

      for (const { message } of messages) expect(message.epoch % 2).toBe(message.kind === 'hold' ? 1 : 0);
      const epochs = messages.map(({ message }) => message.epoch);
      expect(epochs).toEqual(epochs.toSorted((a, b) => a - b));

      const holds = new Map(
        messages.flatMap(({ seq, message }) => (message.kind === 'hold' ? [[message.epoch, seq]] : [])),
      );
      for (const { epoch, turnSeq } of pauses.filter((each) => each.scope === scope)) {
        expect(holds.get(epoch)).toBeLessThanOrEqual(turnSeq);
        const late = messages.filter(({ seq, message }) => seq > turnSeq && message.epoch <= epoch);
        expect(late).toEqual([]);
      }
    }
  }, 60_000);
});
