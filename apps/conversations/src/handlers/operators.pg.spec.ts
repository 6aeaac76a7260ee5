import pg from 'pg';

import { ALL_CAPABILITIES, type Capability } from '#contracts/capabilities.js';
import type { AdminMethod, ParamsOf, ResultOf } from '#contracts/methods.js';
import { tokenHash } from '#domain/operators/token-hash.js';
import { ensureFirstOperator } from '#store/operators.js';

import { emptyAuditLog } from '../../../../test/harness/audit-log.js';
import { CommandHarness, requestOf } from '../../../../test/harness/commands.js';
import type { TestOperator } from '../../../../test/harness/harness.js';
import { waitFor } from '../../../../test/harness/wait-for.js';
import { type CommandHandler, runCommand } from '../commands/run-command.js';
import type { CommandDependencies } from '../commands/command-dependencies.js';
import { operatorsCreate } from './operators-create.js';
import { operatorsList } from './operators-list.js';
import { operatorsRevoke } from './operators-revoke.js';
import { operatorsRotate } from './operators-rotate.js';

const CREATE = 'nexo/admin/operators/create';
const LIST = 'nexo/admin/operators/list';
const REVOKE = 'nexo/admin/operators/revoke';
const ROTATE = 'nexo/admin/operators/rotate';
const HANDLERS: { [Name in AdminMethod]?: unknown } = {
  [CREATE]: operatorsCreate,
  [LIST]: operatorsList,
  [REVOKE]: operatorsRevoke,
  [ROTATE]: operatorsRotate,
};

const UNAUTHENTICATED = { code: -32001 };
const LAST_ADMIN = { code: -32005, data: { reason: 'last_admin' } };
const UNKNOWN_OPERATOR = { code: -32006, data: { reason: 'unknown_operator' } };
const notGranted = (capability: string, method: string) => ({
  code: -32004,
  data: { reason: 'capability_not_granted', capability, method },
});

describe('operators', () => {
  let harness: CommandHarness;
  let root: TestOperator;

  beforeAll(async () => {
    harness = await CommandHarness.create();
  });
  beforeEach(async () => {
    await harness.database.query('TRUNCATE operators');
    await emptyAuditLog(harness.database);
    root = await harness.createOperator();
  });
  afterAll(() => harness.close());

  async function call<Name extends AdminMethod>(
    method: Name,
    by: TestOperator,
    params: Omit<ParamsOf<Name>, 'operator_token_hash'>,
  ): Promise<ResultOf<Name>> {
    const handler = HANDLERS[method] as CommandHandler<Name, CommandDependencies>;
    const given = { operator_token_hash: by.hash, ...params };
    return runCommand(harness.dependencies(), method, handler, given, requestOf(by));
  }
  const make = async (by: TestOperator, capabilities: Capability[], name = 'somebody'): Promise<TestOperator> => {
    const { operator, token } = await call(CREATE, by, { name, capabilities });
    return { token, hash: operator.token_hash };
  };
  const list = async (by: TestOperator = root) => (await call(LIST, by, {})).operators;
  const activeManagers = () =>
    harness.database.query(
      `SELECT FROM operators WHERE revoked_at_ms IS NULL AND 'operators_manage' = ANY (capabilities)`,
    );

  describe('create', () => {
    it('makes an operator whose token is shown this once and works at once, and of which only hashes are kept', async () => {
      const { operator, token } = await call(CREATE, root, { name: 'Ana', capabilities: ['operators_manage'] });
      expect(operator).toEqual({
        token_hash: tokenHash(token),
        name: 'Ana',
        capabilities: ['operators_manage'],
        created_at_ms: expect.any(Number),
      });
      expect(Buffer.from(token, 'base64url')).toHaveLength(32);
      expect(await list({ token, hash: operator.token_hash })).toContainEqual(operator);
      const [kept] = await harness.database.query<{ all: string }>(
        `SELECT (SELECT string_agg(operators::text, '') FROM operators)
           || (SELECT string_agg(audit_log::text, '') FROM audit_log) AS all`,
      );
      expect(kept?.all).toContain(operator.token_hash);
      for (const shown of [kept?.all, JSON.stringify(harness.logs)]) expect(shown).not.toContain(token);
    });

    it('gives each capability once, in the order of the contract, and none if none is asked for', async () => {
      const capabilities: Capability[] = ['audit_read', 'operator_intervention', 'audit_read'];
      const { operator } = await call(CREATE, root, { name: 'x', capabilities });
      expect(operator.capabilities).toEqual(['operator_intervention', 'audit_read']);
      const nobody = await make(root, []);
      await expect(call(LIST, nobody, {})).rejects.toMatchObject(notGranted('operators_manage', LIST));
    });

    it('gives nobody more than the caller has', async () => {
      const manager = await make(root, ['operators_manage', 'audit_read']);
      await expect(make(manager, ['audit_read', 'transcripts_read'])).rejects.toMatchObject(
        notGranted('transcripts_read', CREATE),
      );
      await expect(make(manager, ['audit_read'])).resolves.toBeDefined();
      expect(await harness.audit()).toMatchObject([
        { operator: root.hash },
        { operator: manager.hash, method: CREATE, outcome: 'refused', reason: 'capability_not_granted' },
        { operator: manager.hash, method: CREATE, outcome: 'ok', changed: true },
      ]);
    });

    it.each([
      { name: '' },
      { name: 'x'.repeat(257) },
      { capabilities: ['everything'] },
      { capabilities: 'audit_read' },
    ])('refuses %j and makes nobody', async (wrong) => {
      const params = { name: 'x', capabilities: [], ...wrong } as { name: string; capabilities: Capability[] };
      await expect(call(CREATE, root, params)).rejects.toMatchObject({ code: -32602 });
      expect(await list()).toHaveLength(1);
    });

    it('needs operators_manage, as everything here does', async () => {
      const reader = await make(root, ['audit_read']);
      const token_hash = root.hash;
      await expect(make(reader, [])).rejects.toMatchObject(notGranted('operators_manage', CREATE));
      await expect(call(LIST, reader, {})).rejects.toMatchObject(notGranted('operators_manage', LIST));
      await expect(call(REVOKE, reader, { token_hash })).rejects.toMatchObject(notGranted('operators_manage', REVOKE));
      await expect(call(ROTATE, reader, { token_hash })).rejects.toMatchObject(notGranted('operators_manage', ROTATE));
    });

    it('keeps nobody whose making cannot be audited', async () => {
      await harness.database.query('ALTER TABLE audit_log RENAME TO audit_log_away');
      try {
        await expect(make(root, [])).rejects.toMatchObject({ code: -32603 });
      } finally {
        await harness.database.query('ALTER TABLE audit_log_away RENAME TO audit_log');
      }
      expect(await list()).toHaveLength(1);
    });
  });

  it('list shows who was revoked after those who may command, last revoked first', async () => {
    const [first, second, third] = [await make(root, []), await make(root, []), await make(root, [])];
    await call(REVOKE, root, { token_hash: first.hash });
    await harness.database.query('UPDATE operators SET revoked_at_ms = 5 WHERE token_hash = $1', [first.hash]);
    await call(REVOKE, root, { token_hash: third.hash });
    const hashes = (await list()).map((operator) => operator.token_hash);
    expect(hashes).toEqual([root.hash, second.hash, third.hash, first.hash]);
    expect((await list())[3]).toMatchObject({ revoked_at_ms: 5 });
  });

  describe('revoke', () => {
    it('makes a token worthless, once', async () => {
      const leaver = await make(root, ['operators_manage']);
      await expect(call(REVOKE, root, { token_hash: leaver.hash })).resolves.toMatchObject({ changed: true });
      await expect(list(leaver)).rejects.toMatchObject(UNAUTHENTICATED);
      await expect(call(REVOKE, root, { token_hash: leaver.hash })).resolves.toMatchObject({ changed: false });
      await expect(call(REVOKE, root, { token_hash: '0000000000000000' })).rejects.toMatchObject(UNKNOWN_OPERATOR);
      const reason = `operator:${leaver.hash}`;
      expect((await harness.audit()).filter(({ method }) => method === REVOKE)).toMatchObject([
        { operator: root.hash, outcome: 'ok', changed: true, reason },
        { operator: root.hash, outcome: 'ok', changed: false, reason },
        { operator: root.hash, outcome: 'refused', changed: false, reason: 'unknown_operator' },
      ]);
    });

    it('is refused for the last one who may manage operators, oneself too', async () => {
      const manager = await make(root, ['operators_manage']);
      await make(root, ['audit_read']);
      await expect(call(REVOKE, manager, { token_hash: root.hash })).resolves.toMatchObject({ changed: true });
      await expect(call(REVOKE, manager, { token_hash: manager.hash })).rejects.toMatchObject(LAST_ADMIN);
      expect(await activeManagers()).toHaveLength(1);
      const other = await make(manager, ['operators_manage']);
      await expect(call(REVOKE, manager, { token_hash: manager.hash })).resolves.toMatchObject({ changed: true });
      await expect(list(other)).resolves.toHaveLength(4);
    });

    it('leaves one of the last two who revoke each other, or themselves, at once', async () => {
      const { length } = await list();
      for (let round = 0; round < 12; round += 1) {
        const pair = [await make(root, ['operators_manage']), await make(root, ['operators_manage'])];
        const [one, other] = pair as [TestOperator, TestOperator];
        await harness.database.query('UPDATE operators SET revoked_at_ms = 1 WHERE token_hash = $1', [root.hash]);
        const targets = round % 2 === 0 ? [other, one] : [one, other];
        const outcomes = await Promise.allSettled(
          [one, other].map((by, index) => call(REVOKE, by, { token_hash: (targets[index] as TestOperator).hash })),
        );
        expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
        expect(await activeManagers()).toHaveLength(1);
        await harness.database.query('UPDATE operators SET revoked_at_ms = NULL WHERE token_hash = $1', [root.hash]);
        await harness.database.query(`DELETE FROM operators WHERE token_hash <> $1`, [root.hash]);
      }
      expect(length).toBe(1);
    });

    it('ends what the revoked one has begun and not done', async () => {
      const leaver = await make(root, ['operators_manage']);
      const holder = new pg.Client({ connectionString: harness.database.url });
      await holder.connect();
      try {
        await holder.query('BEGIN');
        await holder.query('LOCK TABLE operators IN SHARE ROW EXCLUSIVE MODE');
        const making = make(leaver, ['operators_manage']);
        const refused = expect(making).rejects.toMatchObject(UNAUTHENTICATED);
        await waitFor(async () => {
          const waiting = await harness.database.query(
            `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
          );
          return waiting.length === 1;
        });
        await holder.query('UPDATE operators SET revoked_at_ms = 1 WHERE token_hash = $1', [leaver.hash]);
        await holder.query('COMMIT');
        await refused;
      } finally {
        await holder.end();
      }
      expect(await list()).toHaveLength(2);
    });
  });

  describe('rotate', () => {
    it('gives the operator a new token and makes the old one worthless', async () => {
      const ana = await make(root, ['operators_manage', 'audit_read'], 'Ana');
      const { operator, token } = await call(ROTATE, root, { token_hash: ana.hash });
      expect(operator).toMatchObject({ name: 'Ana', capabilities: ['operators_manage', 'audit_read'] });
      expect(operator).not.toHaveProperty('revoked_at_ms');
      expect(operator.token_hash).toBe(tokenHash(token));
      await expect(list(ana)).rejects.toMatchObject(UNAUTHENTICATED);
      const operators = await list({ token, hash: operator.token_hash });
      expect(operators).toMatchObject([
        { token_hash: root.hash },
        operator,
        { token_hash: ana.hash, revoked_at_ms: expect.any(Number) },
      ]);
      const rotations = (await harness.audit()).filter(({ method }) => method === ROTATE);
      expect(rotations).toMatchObject([
        { changed: true, reason: `operator:${ana.hash},operator:${operator.token_hash}` },
      ]);
    });

    it('works for oneself, for the last manager too', async () => {
      const { operator, token } = await call(ROTATE, root, { token_hash: root.hash });
      expect(operator.capabilities).toEqual(ALL_CAPABILITIES);
      await expect(list(root)).rejects.toMatchObject(UNAUTHENTICATED);
      await expect(list({ token, hash: operator.token_hash })).resolves.toHaveLength(2);
    });

    it('gives nobody a token that may do more than the caller', async () => {
      const manager = await make(root, ['operators_manage']);
      await expect(call(ROTATE, manager, { token_hash: root.hash })).rejects.toMatchObject(
        notGranted('operator_intervention', ROTATE),
      );
      await expect(list(root)).resolves.toHaveLength(2);
    });

    it('refuses an operator who is unknown or revoked', async () => {
      const leaver = await make(root, []);
      await call(REVOKE, root, { token_hash: leaver.hash });
      for (const token_hash of [leaver.hash, 'nobody']) {
        await expect(call(ROTATE, root, { token_hash })).rejects.toMatchObject(UNKNOWN_OPERATOR);
      }
      expect(await list()).toHaveLength(2);
    });

    it('makes one new token of two rotations at once', async () => {
      const ana = await make(root, []);
      const rotations = [1, 2, 3].map(() => call(ROTATE, root, { token_hash: ana.hash }));
      const outcomes = await Promise.allSettled(rotations);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect((await list()).filter((operator) => operator.revoked_at_ms === undefined)).toHaveLength(2);
    });
  });

  it('tells in the audit log of the operator whom the set-up has made', async () => {
    await harness.database.query('TRUNCATE operators');
    const token = (await ensureFirstOperator(harness.dataSource)) as string;
    await ensureFirstOperator(harness.dataSource);
    const made = { operator: 'system', method: CREATE, changed: true, reason: `operator:${tokenHash(token)}` };
    expect(await harness.audit()).toMatchObject([made]);
  });
});
