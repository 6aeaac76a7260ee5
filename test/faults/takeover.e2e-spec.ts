import { newScope, type TestClient } from '../harness/client.js';
import type { SpawnedConversations } from '../harness/conversations.js';
import { Harness } from '../harness/harness.js';
import { waitFor } from '../harness/wait-for.js';

describe('two processes on one partition', () => {
  let harness: Harness;
  let client: TestClient;
  const running: SpawnedConversations[] = [];

  beforeAll(async () => {
    harness = await Harness.create();
    client = await harness.connect();
    running.push(await harness.spawn(), await harness.spawn());
  }, 90_000);

  afterAll(() => harness.close(), 30_000);

  /** How often each process has become the owner. */
  const ownerships = () => running.map((each) => each.logs.filter((line) => line.msg === 'partition owned').length);

  async function owner(): Promise<SpawnedConversations> {
    const [row] = await harness.database.query<{ owner_epoch: string }>('SELECT owner_epoch FROM partitions');
    const found = running.find((each) =>
      each.logs.some((line) => line.msg === 'partition owned' && line['owner_epoch'] === Number(row?.owner_epoch)),
    );
    if (found === undefined) throw new Error('nobody logged this ownership');
    return found;
  }

  async function answered(body: string): Promise<number> {
    const scope = newScope();
    const startedAt = performance.now();
    await client.publish(scope, body);
    await client.turnsOf(scope, 1, 20_000);
    return performance.now() - startedAt;
  }

  it('never both own it', async () => {
    await answered('first');
    expect(ownerships().reduce((sum, count) => sum + count)).toBe(1);
  }, 30_000);

  it('hand it over within a second when the owner is told to stop', async () => {
    const former = await owner();
    const stopping = former.stop();
    await waitFor(async () => (await owner()) !== former, { timeoutMs: 20_000, what: 'Another owner' });
    expect(await stopping).toBe(0);
    const releasedAt = Date.parse(String(former.logs.find((line) => line.msg === 'partition released')?.['time']));
    const taken = (await owner()).logs.filter((line) => line.msg === 'partition owned').at(-1);
    expect(Date.parse(String(taken?.['time'])) - releasedAt).toBeLessThanOrEqual(1_000);
    await answered('after an orderly stop');
    running.splice(running.indexOf(former), 1, await harness.spawn());
  }, 90_000);

  it('take it over within seven seconds when the owner is killed', async () => {
    const former = await owner();
    await answered('before the kill');
    const killedAt = Date.now();
    await former.kill();
    await answered('after the kill');
    const taken = (await owner()).logs.filter((line) => line.msg === 'partition owned').at(-1);
    expect(Date.parse(String(taken?.['time'])) - killedAt).toBeLessThanOrEqual(7_000);
    running.splice(running.indexOf(former), 1, await harness.spawn());
  }, 90_000);

  it('leave an owner that was stopped and wakes up after the takeover nothing to change', async () => {
    const former = await owner();
    const scope = newScope();
    await client.publish(scope, 'line 0');
    await client.turnsOf(scope, 1);
    former.freeze();
    for (let index = 1; index <= 20; index += 1) await client.publish(scope, `line ${index}`);
    await client.turnsOf(scope, 21, 20_000);
    expect(await owner()).not.toBe(former);
    former.thaw();
    await waitFor(
      () => former.logs.some((line) => /another process owns|cannot be read|was not stored/.test(line.msg)),
      {
        timeoutMs: 15_000,
        what: 'The former owner to notice',
      },
    );
    await answered('after the former owner woke up');
    const turns = await client.turns(scope);
    expect(turns.map((turn) => turn.kind === 'turn' && turn.inbounds[0]?.body)).toEqual(
      Array.from({ length: 21 }, (_, index) => `line ${index}`),
    );
  }, 90_000);
});
