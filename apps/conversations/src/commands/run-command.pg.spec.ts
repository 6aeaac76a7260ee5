import { createHash, randomBytes } from 'node:crypto';

import { jest } from '@jest/globals';
import pg from 'pg';

import type { RpcError } from '#contracts/errors.js';
import { conflict, invalidParams, unavailable } from '#contracts/errors.js';
import type { AdminMethod } from '#contracts/methods.js';
import { withTransaction } from '#store/transaction.js';

import { newScope } from '../../../../test/harness/client.js';
import { CommandHarness, requestOf } from '../../../../test/harness/commands.js';
import type { TestOperator } from '../../../../test/harness/harness.js';
import type { CommandContext } from './command-context.js';
import type { CommandDependencies } from './command-dependencies.js';
import { runCommand } from './run-command.js';

const PAUSE = 'nexo/admin/processing/pause';
const STATE = 'nexo/admin/processing/state';

describe('running an operator’s command', () => {
  let harness: CommandHarness;
  let deps: CommandDependencies;
  let operator: TestOperator;

  beforeAll(async () => {
    harness = await CommandHarness.create();
    operator = await harness.createOperator();
  });
  beforeEach(() => {
    deps = harness.dependencies();
  });
  afterAll(() => harness.close());

  /** Runs a pause whose handler does `work`, and gives its outcome with the audit rows that it left. */
  async function run(
    rawParams: unknown,
    {
      by = operator,
      method = PAUSE,
      work = async () => undefined,
    }: { by?: TestOperator; method?: AdminMethod; work?: (command: CommandContext) => Promise<unknown> } = {},
  ) {
    const request = requestOf(by);
    const handler = jest.fn((_deps: unknown, _params: unknown, command: CommandContext) => work(command));
    const run = runCommand(deps, method, handler as never, rawParams, request);
    const error = await run.then(
      () => undefined,
      (thrown: unknown) => thrown as RpcError,
    );
    return { error, handler, request, audit: await harness.audit(request.correlationId) };
  }

  const pauseOf = (scope: unknown, by = operator) => ({ scope, operator_token_hash: by.hash, reason: 'private words' });

  describe('refuses, in this order,', () => {
    const wrongInEveryWay = { scope: { kind: 'conversation' }, operator_token_hash: 'somebody else' };
    let powerless: TestOperator;

    beforeAll(async () => {
      powerless = await harness.createOperator(['transcripts_read']);
    });

    it('a token that is missing or unknown', async () => {
      const unknown = { token: randomBytes(32).toString('base64url'), hash: 'somebody else' };
      for (const request of [requestOf(), requestOf(unknown)]) {
        const handler = jest.fn();
        const run = runCommand(deps, PAUSE, handler as never, wrongInEveryWay, request);
        await expect(run).rejects.toMatchObject({ code: -32001, reason: 'unauthenticated' });
        expect(handler).not.toHaveBeenCalled();
      }
    });

    it('an operator_token_hash that is not the token’s', async () => {
      const { error, handler, audit } = await run(wrongInEveryWay, { by: powerless });
      expect(error).toMatchObject({ code: -32001, data: { reason: 'unauthenticated' } });
      expect(handler).not.toHaveBeenCalled();
      expect(audit).toMatchObject([{ operator: powerless.hash, outcome: 'refused', reason: 'unauthenticated' }]);
    });

    it('an operator without the capability', async () => {
      const { error, handler, audit } = await run(
        { ...wrongInEveryWay, operator_token_hash: powerless.hash },
        { by: powerless },
      );
      expect(error).toMatchObject({
        code: -32004,
        data: { reason: 'capability_not_granted', capability: 'operator_intervention', method: PAUSE },
      });
      expect(handler).not.toHaveBeenCalled();
      expect(audit).toMatchObject([{ operator: powerless.hash, outcome: 'refused', reason: 'capability_not_granted' }]);
    });

    it('params that do not fit, with the place', async () => {
      const { error, handler, audit } = await run({ ...wrongInEveryWay, operator_token_hash: operator.hash });
      expect(error).toMatchObject({ code: -32602, data: { reason: 'invalid_params', path: 'scope.agent_id' } });
      expect(handler).not.toHaveBeenCalled();
      expect(audit).toMatchObject([{ outcome: 'refused', reason: 'invalid_params', scope: null, changed: false }]);
    });

    it('a scope whose subject would be too long', async () => {
      const scope = { ...newScope(), account_id: 'ø'.repeat(128), contact_id: 'ø'.repeat(128) };
      const { error, handler } = await run(pauseOf(scope));
      expect(error).toMatchObject({ code: -32602, data: { path: 'scope' } });
      expect(handler).not.toHaveBeenCalled();
    });

    it('a scope that is reserved', async () => {
      const scope = { kind: 'agent', agent_id: 'ana' };
      const { error, handler, audit } = await run(pauseOf(scope));
      expect(error).toMatchObject({ code: -32601, data: { reason: 'not_implemented' } });
      expect(handler).not.toHaveBeenCalled();
      expect(audit).toMatchObject([{ scope: JSON.stringify(scope), agent_id: 'ana', reason: 'not_implemented' }]);
    });

    it('what the handler refuses, by its particular word', async () => {
      const scope = newScope();
      const work = async () => Promise.reject(conflict('stale_epoch', 'the conversation is at epoch 4'));
      const { error, audit } = await run(pauseOf(scope), { work });
      expect(error).toMatchObject({ code: -32005, data: { reason: 'stale_epoch' } });
      expect(audit).toMatchObject([{ outcome: 'refused', reason: 'stale_epoch', agent_id: scope.agent_id }]);
    });
  });

  it('tells of a refused command whose params cannot be read at all', async () => {
    for (const params of [undefined, null, 7, 'text', [], { scope: 5, operator_token_hash: 9 }]) {
      const { error, audit } = await run(params);
      expect(error).toMatchObject({ code: -32602 });
      expect(audit).toMatchObject([{ operator: operator.hash, outcome: 'refused', scope: null }]);
    }
  });

  it('gives the handler who commands, and leaves its audit row with its effect', async () => {
    const scope = newScope();
    const params = pauseOf(scope);
    const { error, handler, request, audit } = await run(params, {
      work: (command) => withTransaction(deps.dataSource, (tx) => command.audit(tx, { scope, changed: true })),
    });
    expect(error).toBeUndefined();
    const { operator: caller, correlationId } = handler.mock.calls[0]?.[2] as CommandContext;
    expect(caller).toMatchObject({ tokenHash: operator.hash, name: 'a test operator' });
    expect(caller.capabilities).toContain('operator_intervention');
    expect(correlationId).toBe(request.correlationId);
    expect(audit).toEqual([
      {
        operator: operator.hash,
        method: PAUSE,
        scope: JSON.stringify(scope),
        agent_id: scope.agent_id,
        outcome: 'ok',
        changed: true,
        reason: null,
        correlation_id: request.correlationId,
        params_sha256: createHash('sha256').update(JSON.stringify(params)).digest('hex'),
      },
    ]);
  });

  it('takes the audit row of an effect back together with the effect', async () => {
    const { audit } = await run(pauseOf(newScope()), {
      work: (command) =>
        withTransaction(deps.dataSource, async (tx) => {
          await command.audit(tx, { changed: true });
          throw invalidParams('reason', 'no');
        }),
    });
    expect(audit).toMatchObject([{ outcome: 'refused', changed: false }]);
  });

  it('does not audit a read that was answered, and does audit one that was refused', async () => {
    const answered = await run({ scope: newScope() }, { method: STATE });
    expect(answered).toMatchObject({ error: undefined, audit: [] });
    const refused = await run({ scope: { kind: 'planet' } }, { method: STATE });
    expect(refused.audit).toMatchObject([{ method: STATE, outcome: 'refused', reason: 'invalid_params' }]);
  });

  it('ignores an operator_token_hash that the method does not have', async () => {
    const { error } = await run({ scope: newScope(), operator_token_hash: 'somebody else' }, { method: STATE });
    expect(error).toBeUndefined();
  });

  it('refuses a revoked token from the next request on', async () => {
    const leaving = await harness.createOperator();
    const before = await run(pauseOf(newScope(), leaving), { by: leaving });
    expect(before.error).toBeUndefined();
    await harness.database.query('UPDATE operators SET revoked_at_ms = 1 WHERE token_hash = $1', [leaving.hash]);
    const after = await run(pauseOf(newScope(), leaving), { by: leaving });
    expect(after.error).toMatchObject({ code: -32001 });
    expect(after.handler).not.toHaveBeenCalled();
  });

  it('compares the whole token, not only what its hash shows', async () => {
    const victim = await harness.createOperator();
    await harness.database.query('UPDATE operators SET token_sha256 = $2 WHERE token_hash = $1', [
      victim.hash,
      randomBytes(32),
    ]);
    const { error } = await run(pauseOf(newScope(), victim), { by: victim });
    expect(error).toMatchObject({ code: -32001 });
  });

  it('asks the database once for the token', async () => {
    const statements = jest.spyOn(pg.Client.prototype, 'query');
    try {
      await runCommand(deps, STATE, (async () => ({})) as never, { scope: newScope() }, requestOf(operator));
      expect(statements).toHaveBeenCalledTimes(1);
    } finally {
      statements.mockRestore();
    }
  });

  it('answers unavailable with what was committed, and leaves no second audit row', async () => {
    const { error, audit } = await run(pauseOf(newScope()), {
      work: async (command) => {
        await withTransaction(deps.dataSource, (tx) => command.audit(tx, { changed: true }));
        throw unavailable('the Hold is not out', { committed: true });
      },
    });
    expect(error).toMatchObject({ code: -32013, data: { committed: true } });
    expect(audit).toMatchObject([{ outcome: 'ok', changed: true }]);
  });

  it('tells the caller of a defect no more than where the log has it, and the log nothing that people wrote', async () => {
    const { error, request, audit } = await run(pauseOf(newScope()), {
      work: () =>
        withTransaction(deps.dataSource, (tx) => tx.rows({ name: 'x', text: 'SELECT $1::uuid' }, ['private words'])),
    });
    expect(error).toMatchObject({ code: -32603, data: { correlation_id: request.correlationId } });
    expect(JSON.stringify(error?.toJson())).not.toMatch(/uuid|private words| at /);
    expect(audit).toMatchObject([{ outcome: 'error', reason: 'internal', changed: false }]);
    const line = harness.logs.find((each) => each['correlation_id'] === request.correlationId);
    expect(line).toMatchObject({ level: 'error', method: PAUSE, failure: { code: '22P02' } });
    expect(JSON.stringify(line)).toContain('run-command.pg.spec.ts');
    expect(JSON.stringify([harness.logs, await harness.audit()])).not.toContain('private words');
    expect(JSON.stringify([harness.logs, await harness.audit()])).not.toContain(operator.token);
  });

  it('counts every command by method and code', async () => {
    await run(pauseOf(newScope()));
    await run({});
    const figures = await harness.metrics.registry.metrics();
    expect(figures).toMatch(/holdline_rpc_seconds_count\{method="nexo\/admin\/processing\/pause",code="ok"\} [1-9]/);
    expect(figures).toMatch(
      /holdline_rpc_seconds_count\{method="nexo\/admin\/processing\/pause",code="-32602"\} [1-9]/,
    );
  });

  describe('with HOLDLINE_ADMIN_AUTH=trusted', () => {
    beforeEach(() => {
      deps = { ...harness.dependencies(), adminAuth: 'trusted' };
    });

    it.each([
      [{ operator_token_hash: 'ana' }, 'ana'],
      [{ operator_token_hash: 'a\0b' }, 'a\uFFFDb'],
    ])('believes the hash in the params, with every capability: %j', async (claim, believed) => {
      const { error, handler, audit } = await run(
        { ...claim, scope: newScope() },
        { work: (command) => withTransaction(deps.dataSource, (tx) => command.audit(tx, { changed: false })) },
      );
      expect(error).toBeUndefined();
      expect(handler.mock.calls[0]?.[2]).toMatchObject({ operator: { tokenHash: believed } });
      expect(audit).toMatchObject([{ operator: believed }]);
    });

    it('calls the caller of a method without a hash trusted', async () => {
      const { handler } = await run({ scope: newScope() }, { method: STATE });
      expect(handler.mock.calls[0]?.[2]).toMatchObject({ operator: { tokenHash: 'trusted' } });
    });

    it('refuses a hash that is too long to be kept', async () => {
      const { error, audit } = await run({ scope: newScope(), operator_token_hash: 'x'.repeat(257) });
      expect(error).toMatchObject({ code: -32602, data: { path: 'operator_token_hash' } });
      expect(audit).toMatchObject([{ operator: 'trusted', outcome: 'refused' }]);
    });
  });
});
