import { join } from 'node:path';

import { tamper } from '../harness/audit-log.js';
import { newScope } from '../harness/client.js';
import { TestProcess } from '../harness/child-process.js';
import { Harness } from '../harness/harness.js';
import { PROJECT_ROOT } from '../harness/project-root.js';
import { makeTestDirectory } from '../harness/run.js';
import { TestStandalone } from '../harness/standalone.js';

async function verify(env: Record<string, string>, ...args: string[]) {
  const script = join(PROJECT_ROOT, 'dist/apps/standalone/src/verify-audit.js');
  const running = await TestProcess.start({ command: process.execPath, args: [script, ...args], env });
  const { code } = await running.ended;
  return { code, lines: running.stdout.trim().split('\n'), stderr: running.stderr };
}

describe('npm run audit:verify', () => {
  it('tells of the database that DATABASE_URL names', async () => {
    const harness = await Harness.create();
    try {
      const env = { DATABASE_URL: harness.database.url };
      await harness.boot();
      const client = await harness.connect();
      for (let count = 0; count < 3; count += 1) await client.pause(newScope());

      const whole = await verify(env);
      expect(whole).toMatchObject({ code: 0, stderr: '' });
      expect(whole.lines).toEqual([
        '3 rows were read; the audit log is whole.',
        expect.stringMatching(/^3:[0-9a-f]{64}$/),
      ]);
      const kept = whole.lines[1] as string;
      await client.pause(newScope());
      expect(await verify(env, kept)).toMatchObject({ code: 0 });
      expect(
        await verify(
          env,
          kept.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
        ),
      ).toMatchObject({
        code: 3,
        lines: expect.arrayContaining(['The log was written anew: row 3 is not the one that was given.']),
      });

      await tamper(harness.database, `UPDATE audit_log SET operator = 'eve' WHERE position = 2`);
      await tamper(harness.database, 'DELETE FROM audit_log WHERE position = 4');
      const broken = await verify(env);
      expect(broken.code).toBe(3);
      expect(broken.lines.slice(0, 3)).toEqual([
        "Row 2 was changed, or its neighbour and that one's hash were.",
        'Row 4 is missing.',
        '3 rows were read; the audit log is NOT whole.',
      ]);
    } finally {
      await harness.close();
    }
  });

  it('tells of the database of npm start, whether it runs or not', async () => {
    const standalone = await TestStandalone.start();
    const env = { HOLDLINE_DATA_DIR: standalone.dataDirectory };
    await standalone.ready();
    const whileRunning = await verify(env);
    expect(whileRunning).toMatchObject({ code: 0 });
    standalone.process.kill('SIGTERM');
    expect((await standalone.process.ended).code).toBe(0);
    const afterwards = await verify(env);
    expect(afterwards).toMatchObject({ code: 0, lines: whileRunning.lines });
    expect(whileRunning.lines[0]).toMatch(/^[1-9]\d* rows were read; the audit log is whole\.$/);
    expect(standalone.servers()).toEqual([]);
  });

  it('says what is wrong with the settings, and that there is nothing to read', async () => {
    expect(await verify({ DATABASE_URL: 'mysql://x' })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^DATABASE_URL/),
    });
    const env = { HOLDLINE_DATA_DIR: join(makeTestDirectory('none'), 'data') };
    expect(await verify(env, 'x')).toMatchObject({ code: 2 });
    expect(await verify(env)).toMatchObject({ code: 1, stderr: expect.stringMatching(/^There is no database/) });
    expect(await verify({ DATABASE_URL: 'postgres://x:y@127.0.0.1:1/z' })).toMatchObject({ code: 1 });
  });
});
