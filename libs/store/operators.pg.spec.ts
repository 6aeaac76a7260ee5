import type { DataSource } from 'typeorm';

import { ALL_CAPABILITIES } from '#contracts/capabilities.js';
import { tokenHash } from '#domain/operators/token-hash.js';

import { TestDatabase } from '../../test/harness/postgres.js';
import { createDataSource } from './data-source.js';
import { OperatorRow } from './entities/operator-row.js';
import { ensureFirstOperator, newToken } from './operators.js';
import { findOperator } from './queries/find-operator.js';
import { readOnce } from './read.js';

describe('the first operator', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await TestDatabase.create();
    dataSource = createDataSource({ url: database.url, poolSize: 8, applicationName: 'test' });
    await dataSource.initialize();
  });
  beforeEach(() => database.query('TRUNCATE operators'));
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const operators = () => dataSource.manager.find(OperatorRow);
  const find = (token: string) => readOnce(dataSource, (reader) => findOperator(reader, tokenHash(token)));

  it('is made once, with all capabilities and a token that is shown once, however many processes start', async () => {
    const tokens = await Promise.all(Array.from({ length: 8 }, () => ensureFirstOperator(dataSource)));
    const [token] = tokens.filter((each) => each !== undefined);
    expect(tokens.filter((each) => each !== undefined)).toHaveLength(1);
    expect(await operators()).toMatchObject([{ tokenHash: tokenHash(token as string), revokedAtMs: null }]);
    expect(await find(token as string)).toMatchObject({ capabilities: ALL_CAPABILITIES, revoked: false });
    expect(await ensureFirstOperator(dataSource)).toBeUndefined();
  });

  it('is the holder of the bootstrap token where one is given, once for all processes', async () => {
    const given = { bootstrapToken: 'a-token-of-the-deployment' };
    const tokens = await Promise.all(Array.from({ length: 8 }, () => ensureFirstOperator(dataSource, given)));
    expect(new Set(tokens)).toEqual(new Set([undefined]));
    expect(await operators()).toMatchObject([
      { tokenHash: tokenHash(given.bootstrapToken), name: 'bootstrap', capabilities: ALL_CAPABILITIES },
    ]);
  });

  it('is added for a bootstrap token that nobody has yet, beside those who are there', async () => {
    await ensureFirstOperator(dataSource);
    await ensureFirstOperator(dataSource, { bootstrapToken: 'later' });
    expect(await operators()).toHaveLength(2);
  });

  it('keeps name, capabilities and revocation of the one who has the bootstrap token', async () => {
    await ensureFirstOperator(dataSource, { bootstrapToken: 'x' });
    await database.query(`UPDATE operators SET name = 'Ana', capabilities = '{audit_read}', revoked_at_ms = 5`);
    await ensureFirstOperator(dataSource, { bootstrapToken: 'x' });
    expect(await operators()).toMatchObject([{ name: 'Ana', capabilities: ['audit_read'], revokedAtMs: 5 }]);
  });

  it('is not made anew when the only one was revoked', async () => {
    await ensureFirstOperator(dataSource, { bootstrapToken: 'x' });
    await database.query('UPDATE operators SET revoked_at_ms = 5');
    expect(await ensureFirstOperator(dataSource)).toBeUndefined();
  });

  it('takes a bootstrap token of no characters for none', async () => {
    expect(await ensureFirstOperator(dataSource, { bootstrapToken: '' })).toEqual(expect.any(String));
  });

  it.each(['two words', 'line\n', 'schlüssel'])(
    'refuses a bootstrap token that no header carries: %j',
    async (token) => {
      await expect(ensureFirstOperator(dataSource, { bootstrapToken: token })).rejects.toThrow(
        'HOLDLINE_BOOTSTRAP_TOKEN',
      );
      expect(await operators()).toEqual([]);
    },
  );

  it('leaves nothing in the database from which the token could be had', async () => {
    const token = (await ensureFirstOperator(dataSource)) as string;
    const [row] = await database.query<{ row: string }>('SELECT operators::text AS row FROM operators');
    expect(row?.row).not.toContain(token);
  });

  it('gets a token of 256 random bits that a URL carries as it is', () => {
    expect(newToken()).toMatch(/^[\w-]{43}$/);
    expect(newToken()).not.toBe(newToken());
  });
});
