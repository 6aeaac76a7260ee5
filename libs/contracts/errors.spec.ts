import * as errors from './errors.js';

describe('errors', () => {
  test('have the codes of the contract', () => {
    expect(errors.ERROR_CODES).toStrictEqual({
      parse_error: -32700,
      invalid_request: -32600,
      method_not_found: -32601,
      not_implemented: -32601,
      invalid_params: -32602,
      session_id_required_with_summary: -32602,
      empty_summary: -32602,
      summary_too_long: -32602,
      scope_not_paused: -32602,
      target_mismatch: -32602,
      internal: -32603,
      unauthenticated: -32001,
      capability_not_granted: -32004,
      conflict: -32005,
      not_found: -32006,
      channel_unavailable: -32010,
      channel_rejected: -32011,
      channel_timeout: -32012,
      unavailable: -32013,
    });
  });

  test.each([
    [errors.parseError('x'), -32700, 'parse_error', {}],
    [errors.invalidRequest('x'), -32600, 'invalid_request', {}],
    [errors.methodNotFound('nexo/admin/x'), -32601, 'method_not_found', {}],
    [errors.notImplemented('agent'), -32601, 'not_implemented', {}],
    [errors.invalidParams('scope.agent_id', 'x'), -32602, 'invalid_params', { path: 'scope.agent_id' }],
    [errors.invalidParams('scope', 'x', 'scope_not_paused'), -32602, 'scope_not_paused', { path: 'scope' }],
    [errors.internal('id-1'), -32603, 'internal', { correlation_id: 'id-1' }],
    [errors.unauthenticated(), -32001, 'unauthenticated', {}],
    [
      errors.capabilityNotGranted('audit_read', 'nexo/admin/audit/list'),
      -32004,
      'capability_not_granted',
      { capability: 'audit_read', method: 'nexo/admin/audit/list' },
    ],
    [errors.channelUnavailable('x'), -32010, 'channel_unavailable', {}],
    [errors.channelRejected('window closed'), -32011, 'channel_rejected', { detail: 'window closed' }],
    [errors.channelTimeout('x'), -32012, 'channel_timeout', {}],
    [errors.unavailable('x'), -32013, 'unavailable', {}],
    [errors.unavailable('x', { committed: true }), -32013, 'unavailable', { committed: true }],
    [errors.unavailable('x', { committed: false }), -32013, 'unavailable', {}],
  ])('%s', (error, code, word, data) => {
    expect(error.toJson()).toStrictEqual({ code, message: error.message, data: { ...data, reason: word } });
    expect(error.message.startsWith(`${word}: `)).toBe(true);
    expect(error).toMatchObject({ code, word, reason: word });
  });

  test('a conflict says which one in data.reason and begins with conflict', () => {
    const error = errors.conflict('throttled', 'three an hour', { retry_after_ms: 5, reason: 'other' });
    expect(error.toJson()).toStrictEqual({
      code: -32005,
      message: 'conflict: throttled: three an hour',
      data: { retry_after_ms: 5, reason: 'throttled' },
    });
    expect(error.word).toBe('conflict');
  });

  test('a not_found says what is unknown', () => {
    expect(errors.notFound('unknown_turn', 'no such turn').toJson()).toStrictEqual({
      code: -32006,
      message: 'not_found: unknown_turn: no such turn',
      data: { reason: 'unknown_turn' },
    });
  });

  test('an internal error tells nothing of its cause', () => {
    expect(JSON.stringify(errors.internal('id-1').toJson())).not.toMatch(/stack|\.ts|at /);
  });
});
