import { Harness } from '../harness/harness.js';
import { waitFor } from '../harness/wait-for.js';

interface Answer {
  status: number;
  failing: string[];
}

describe('health', () => {
  let harness: Harness;
  let http: string;
  beforeAll(async () => {
    harness = await Harness.create();
    http = (await harness.spawn()).http as string;
  });
  afterAll(() => harness.close());

  async function readiness(): Promise<Answer> {
    const response = await fetch(`${http}/readyz`);
    return { status: response.status, failing: ((await response.json()) as Answer).failing };
  }

  async function isAlive(): Promise<boolean> {
    return (await fetch(`${http}/healthz`)).status === 200;
  }

  test('is good while database and broker are there', async () => {
    expect(await readiness()).toEqual({ status: 200, failing: [] });
    expect(await isAlive()).toBe(true);
  });

  test('says while the database is away that the process lives and cannot work, and recovers by itself', async () => {
    await harness.database.cutOff();
    const away = await readiness();
    expect(away.status).toBe(503);
    expect(away.failing).toContain('database');
    expect(away.failing).not.toContain('broker');
    expect(await isAlive()).toBe(true);
    await harness.database.bringBack();
    await waitFor(async () => (await readiness()).status === 200, { timeoutMs: 20_000 });
  });

  test('says while the broker is away that the process lives and cannot work, and recovers by itself', async () => {
    await harness.nats.stop();
    const away = await readiness();
    expect(away.status).toBe(503);
    expect(away.failing).toContain('broker');
    expect(away.failing).not.toContain('database');
    expect(await isAlive()).toBe(true);
    await harness.nats.restart();
    await waitFor(async () => (await readiness()).status === 200, { timeoutMs: 20_000 });
  });

  test('is not good while the broker hangs', async () => {
    harness.nats.freeze();
    const { status, failing } = await readiness();
    harness.nats.thaw();
    expect(status).toBe(503);
    expect(failing).toContain('broker');
    await waitFor(async () => (await readiness()).status === 200, { timeoutMs: 20_000 });
  });
});
