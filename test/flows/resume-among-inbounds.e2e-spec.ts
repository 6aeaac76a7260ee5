import type { ConversationScope } from '#contracts/processing-scope.js';

import { newScope, type TestClient } from '../harness/client.js';
import { Harness } from '../harness/harness.js';
import { HeldRow } from './support/held-row.js';
import { recordOf } from './support/record.js';
import { settled } from './support/settled.js';

const ROUNDS = 12;
const WAITING = 5;
const MEANWHILE = 10;

describe('a resume among inbounds that come in', () => {
  let harness: Harness;
  let client: TestClient;

  beforeAll(async () => {
    harness = await Harness.create();
    await Promise.all([harness.boot(), harness.boot()]);
    client = await harness.connect();
  });
  afterAll(() => harness.close());

  it('keeps their order, and loses and repeats none', async () => {
    const scope = newScope();
    const bodies: string[] = [];
    const publish = async (count: number) => {
      for (let line = 0; line < count; line += 1) {
        bodies.push(`line ${bodies.length}`);
        await client.publish(scope, bodies.at(-1) as string);
      }
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      await client.pause(scope);
      await publish(WAITING);
      await Promise.all([client.resume(scope), publish(MEANWHILE)]);
    }
    await settled(harness, client);
    const { messages, askedInEffect, stamped } = await recordOf(client, scope);
    expect(askedInEffect).toEqual(bodies);
    expect(stamped).toEqual(bodies);
    expect(messages.filter(({ message }) => message.kind === 'hold')).toHaveLength(ROUNDS);
  });

  it.each([
    ['before a batch', ['resume', 'inbound'], [['before', 'waiting'], ['meanwhile']]],
    ['after a batch', ['inbound', 'resume'], [['before', 'waiting', 'meanwhile']]],
  ] as const)('that has the conversation %s drains what was buffered then', async (_, order, turns) => {
    const scope = newScope();
    await client.publish(scope, 'before');
    await settled(harness, client);
    await client.pause(scope);
    await client.publish(scope, 'waiting');
    await settled(harness, client);

    const row = await HeldRow.of(harness.database, scope);
    const begin = {
      resume: () => client.resume(scope),
      inbound: async () => void (await client.publish(scope, 'meanwhile')),
    };
    const begun: Promise<unknown>[] = [];
    for (const [index, kind] of order.entries()) {
      begun.push(begin[kind]());
      await row.untilWaitedFor(index + 1);
    }
    await row.release();
    await Promise.all(begun);
    await settled(harness, client);

    expect(await turnsAfterHold(scope)).toEqual(turns);
    expect((await recordOf(client, scope)).stamped).toEqual(['before', 'waiting', 'meanwhile']);
  });

  async function turnsAfterHold(scope: ConversationScope): Promise<string[][]> {
    const messages = await client.turns(scope);
    const hold = messages.findIndex(({ kind }) => kind === 'hold');
    return messages.slice(hold + 1).map((turn) => (turn.kind === 'turn' ? turn.inbounds.map(({ body }) => body) : []));
  }
});
