import { join } from 'node:path';

import { newScope, type TestClient } from '../harness/client.js';
import { Harness } from '../harness/harness.js';
import { PROJECT_ROOT } from '../harness/project-root.js';
import { waitFor } from '../harness/wait-for.js';
import { faultEnvironment } from './fault-points.js';

/** Any replica may get a command, the one that stands still too: with so many, one that answers gets one. */
const PAUSES = 16;

describe('a process that stands still right before it publishes a turn', () => {
  let harness: Harness;
  let client: TestClient;

  beforeAll(async () => {
    harness = await Harness.create();
    client = await harness.connect();
  }, 60_000);

  afterAll(() => harness.close(), 30_000);

  it('cannot publish it behind a pause when it wakes up, and the resume brings the message once', async () => {
    const scope = newScope();
    const preload = join(PROJECT_ROOT, 'dist/test/faults/preload.js');
    const stopped = await harness.spawn({ env: faultEnvironment('before publish', 'SIGSTOP', preload) });
    await harness.boot();
    await client.publish(scope, 'in its hand');
    const isStored = async () => (await harness.database.query('SELECT FROM entries')).length === 1;
    await waitFor(isStored, { what: 'The commit of the batch' });

    const pauses = Array.from({ length: PAUSES }, () => client.call('nexo/admin/processing/pause', { scope }, 40_000));
    const settled = Promise.allSettled(pauses);
    await Promise.any(pauses);
    expect((await client.turns(scope)).map((message) => message.kind)).toEqual(['hold']);

    stopped.thaw();
    const noticed = () => stopped.logs.some((line) => /could not be relayed/.test(line.msg));
    await waitFor(noticed, { timeoutMs: 15_000, what: 'The stopped process to notice' });
    const answers = (await settled).flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(answers.filter((answer) => answer.changed)).toHaveLength(1);
    expect((await client.turns(scope)).map((message) => message.kind)).toEqual(['hold']);

    await expect(client.resume(scope)).resolves.toMatchObject({ changed: true, drained_pending: 1 });
    const [, turn] = await client.turnsOf(scope, 2);
    expect(turn).toMatchObject({ kind: 'turn', cause: 'resume', inbounds: [{ body: 'in its hand' }] });
    expect(await harness.database.query('SELECT FROM entries')).toHaveLength(1);
    expect(await client.events('ana', 'transcript_appended')).toHaveLength(1);
    expect(await client.turns(scope)).toHaveLength(2);
  }, 90_000);
});
