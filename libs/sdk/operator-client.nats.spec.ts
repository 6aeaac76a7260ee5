import { conflict, unauthenticated } from '#contracts/errors.js';
import { ADMIN_METHODS, type AdminMethod } from '#contracts/methods.js';
import type { ConversationScope } from '#contracts/processing-scope.js';

import { TestBroker } from '../../test/harness/broker.js';
import { Conflict, NoAnswer, Unauthenticated, Unavailable, UnexpectedAnswer } from './errors.js';
import { OperatorClient } from './operator-client.js';

const scope: ConversationScope = {
  kind: 'conversation',
  agent_id: 'ana',
  channel: 'whatsapp',
  account_id: '55',
  contact_id: 'c.1@s.whatsapp.net',
};
const ACK = { changed: true, correlation_id: '00000000-0000-4000-8000-000000000001', epoch: 1 };

describe('OperatorClient', () => {
  let broker: TestBroker;
  let operator: OperatorClient;

  beforeAll(async () => {
    broker = await TestBroker.start();
    operator = new OperatorClient({ nc: await broker.connect(), token: 'my-token', timeoutMs: 500 });
  });

  afterAll(() => broker.close());

  test('has a function for every command of the contract', () => {
    for (const method of Object.keys(ADMIN_METHODS) as AdminMethod[]) {
      const [, , domain, verb] = method.split('/') as [string, string, keyof OperatorClient, string];
      expect(operator[domain]).toHaveProperty(verb, expect.any(Function));
    }
  });

  test('sends token and hash, and reads the answer by the contract', async () => {
    const { received, stop } = await broker.answer('nexo/admin/processing/pause', () => ({ ...ACK, extra: null }));
    expect(await operator.processing.pause({ scope, reason: 'mine' })).toEqual(ACK);
    expect(received).toEqual([
      {
        jsonrpc: '2.0',
        method: 'nexo/admin/processing/pause',
        params: { scope, reason: 'mine', operator_token_hash: operator.operatorTokenHash },
        authorization: 'Bearer my-token',
      },
    ]);
    expect(operator.operatorTokenHash).toMatch(/^[0-9a-f]{16}$/);
    stop();
  });

  test('leaves the hash out where a command has none, and params that are all optional', async () => {
    const { received, stop } = await broker.answer('nexo/admin/conversations/list', () => ({ conversations: [] }));
    expect(await operator.conversations.list()).toEqual({ conversations: [] });
    expect(received[0]?.params).toEqual({});
    stop();
  });

  test('names an operator without a token, and wants one of both', async () => {
    const { received, stop } = await broker.answer('nexo/admin/processing/resume', () => ACK);
    const trusted = new OperatorClient({ nc: await broker.connect(), operatorTokenHash: 'ops' });
    await trusted.processing.resume({ scope });
    expect(received[0]).toMatchObject({ params: { operator_token_hash: 'ops' }, authorization: '' });
    const nc = await broker.connect();
    expect(() => new OperatorClient({ nc })).toThrow(TypeError);
    stop();
  });

  test('throws the classes of what Holdline answers', async () => {
    const refusals = [unauthenticated(), conflict('stale_epoch', 'another epoch')];
    const { stop } = await broker.answer('nexo/admin/processing/resume', () => ({ error: refusals.shift()?.toJson() }));
    await expect(operator.processing.resume({ scope })).rejects.toThrow(Unauthenticated);
    const refused = await operator.processing.resume({ scope }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Conflict);
    expect(refused).toMatchObject({ reason: 'stale_epoch' });
    stop();
  });

  test('tells nobody there, no answer and nonsense apart', async () => {
    await expect(operator.processing.state({ scope })).rejects.toThrow(Unavailable);
    const silent = await broker.answer('nexo/admin/processing/state', () => undefined);
    await expect(operator.processing.state({ scope })).rejects.toThrow(NoAnswer);
    silent.stop();
    const { stop } = await broker.answer('nexo/admin/processing/state', () => ({ state: 'asleep' }));
    await expect(operator.processing.state({ scope })).rejects.toThrow(UnexpectedAnswer);
    stop();
  });
});
