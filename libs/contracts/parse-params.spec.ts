import * as z from 'zod';
import { RpcError } from './errors.js';
import { Text } from './fields.js';
import { message, optional } from './message.js';
import { OutboundAck } from './outbound-ack.js';
import { parseParams } from './parse-params.js';
import { ProcessingPauseParams } from './processing-pause.js';

function refusal(schema: z.ZodType, value: unknown): RpcError {
  try {
    parseParams(schema, value);
  } catch (error) {
    if (error instanceof RpcError) return error;
  }
  throw new Error('was accepted');
}

const scope = { kind: 'conversation', agent_id: 'ana', channel: 'wa', account_id: 'a', contact_id: 'c' };

describe('parseParams', () => {
  test('gives the parsed params', () => {
    expect(
      parseParams(ProcessingPauseParams, { scope, operator_token_hash: 'h', reason: null, later: 1 }),
    ).toStrictEqual({
      scope,
      operator_token_hash: 'h',
    });
  });

  test.each([
    ['a wrong id', { scope: { ...scope, agent_id: 5 }, operator_token_hash: 'h' }, 'scope.agent_id'],
    ['a missing id', { scope: { ...scope, contact_id: undefined }, operator_token_hash: 'h' }, 'scope.contact_id'],
    ['an unknown kind', { scope: { ...scope, kind: 'planet' }, operator_token_hash: 'h' }, 'scope.kind'],
    ['a missing scope', { operator_token_hash: 'h' }, 'scope'],
    ['a missing hash', { scope }, 'operator_token_hash'],
    ['a number for the hash', { scope, operator_token_hash: 1 }, 'operator_token_hash'],
    ['a timer below a second', { scope, operator_token_hash: 'h', auto_resume_after_ms: 999 }, 'auto_resume_after_ms'],
    [
      'a timer above seven days',
      { scope, operator_token_hash: 'h', auto_resume_after_ms: 604_800_001 },
      'auto_resume_after_ms',
    ],
    ['no params', undefined, 'scope'],
    ['null params', null, 'scope'],
    ['positional params', [scope, 'h'], 'params'],
    ['a text', 'x', 'params'],
  ])('%s: invalid_params with its path', (_, params, path) => {
    const error = refusal(ProcessingPauseParams, params);
    expect(error.code).toBe(-32602);
    expect(error.data).toStrictEqual({ reason: 'invalid_params', path });
    expect(error.message.startsWith(`invalid_params: ${path}: `)).toBe(true);
  });

  test('an unknown kind is told which there are', () => {
    expect(refusal(ProcessingPauseParams, { scope: { kind: 'planet' } }).message).toMatch(
      /must be one of conversation,/,
    );
  });

  test('the place within a list is told by its index', () => {
    expect(refusal(message({ list: z.array(Text) }), { list: ['a', 1] }).data['path']).toBe('list.1');
  });

  test('within a union the place that got furthest is told', () => {
    expect(refusal(OutboundAck, { error: { detail: 'x' } }).data['path']).toBe('error.reason');
  });

  test('absent params are read as an empty object', () => {
    expect(parseParams(message({ a: optional(Text) }), undefined)).toStrictEqual({});
  });

  test('the bounds of the timer are within', () => {
    for (const auto_resume_after_ms of [1_000, 604_800_000]) {
      const params = { scope, operator_token_hash: '', auto_resume_after_ms };
      expect(parseParams(ProcessingPauseParams, params)).toStrictEqual(params);
    }
  });
});
