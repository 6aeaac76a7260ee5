import { TestProcess } from '../harness/child-process.js';
import { TestNats } from '../harness/nats.js';
import { TestDatabase } from '../harness/postgres.js';
import { compiledMain } from '../harness/project-root.js';

async function setUp(env: Record<string, string>): Promise<{ code: number | null; stderr: string }> {
  const process = await TestProcess.start({ command: globalThis.process.execPath, args: [compiledMain('setup')], env });
  const { code } = await process.ended;
  return { code, stderr: process.stderr };
}

describe('the set-up of database and broker', () => {
  let database: TestDatabase;
  let nats: TestNats;
  let servers: Record<string, string>;
  beforeAll(async () => {
    [database, nats] = await Promise.all([TestDatabase.create(), TestNats.start()]);
    servers = { DATABASE_URL: database.url, NATS_URL: nats.url };
  });
  afterAll(() => Promise.all([database.drop(), nats.close()]));

  test('makes tables, streams and the first operator, and shows their token', async () => {
    await database.query('DROP SCHEMA public CASCADE');
    await database.query('CREATE SCHEMA public');
    const { code, stderr } = await setUp(servers);
    expect(code).toBe(0);
    expect(stderr).toMatch(/first operator's token, shown this once: \S{40,}/);
    expect(await database.query('SELECT count(*)::int AS count FROM operators')).toEqual([{ count: 1 }]);
  });

  test('changes nothing when it runs again', async () => {
    const { code, stderr } = await setUp(servers);
    expect(code).toBe(0);
    expect(stderr).not.toContain('token');
    expect(await database.query('SELECT count(*)::int AS count FROM operators')).toEqual([{ count: 1 }]);
  });

  test('adds the operator that it is given', async () => {
    const { code, stderr } = await setUp({ ...servers, HOLDLINE_BOOTSTRAP_TOKEN: 'a-token-of-our-own' });
    expect(code).toBe(0);
    expect(stderr).not.toContain('a-token-of-our-own');
    expect(await database.query('SELECT count(*)::int AS count FROM operators')).toEqual([{ count: 2 }]);
  });

  test('has exit code 1 when the database is away, to be tried again', async () => {
    const { code } = await setUp({ ...servers, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' });
    expect(code).toBe(1);
  });

  test('has exit code 2 and a sentence a setting when the settings are wrong', async () => {
    expect(await setUp({ DATABASE_URL: 'mysql://host/database' })).toEqual({
      code: 2,
      stderr: 'DATABASE_URL must be a URL that begins with postgres:// or postgresql://. NATS_URL must be set.\n',
    });
  });
});
