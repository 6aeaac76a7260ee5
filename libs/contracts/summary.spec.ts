import { RpcError } from './errors.js';
import { checkSummary } from './summary.js';

const session_id = '00000000-0000-0000-0000-000000000000';

function reasonOf(params: Parameters<typeof checkSummary>[0]): string | undefined {
  try {
    checkSummary(params);
    return undefined;
  } catch (error) {
    if (!(error instanceof RpcError) || error.code !== -32602) throw error;
    return error.reason;
  }
}

describe('checkSummary', () => {
  test.each([
    ['no summary', {}, undefined],
    ['a session alone', { session_id }, undefined],
    ['a summary with its session', { session_id, summary_for_agent: 'x' }, undefined],
    ['a summary without a session', { summary_for_agent: 'x' }, 'session_id_required_with_summary'],
    ['a blank summary without a session', { summary_for_agent: ' ' }, 'session_id_required_with_summary'],
    ['an empty summary', { session_id, summary_for_agent: '' }, 'empty_summary'],
    ['a blank summary', { session_id, summary_for_agent: ' \u00a0\u3000\n\t' }, 'empty_summary'],
    ['4,096 characters', { session_id, summary_for_agent: 'a'.repeat(4096) }, undefined],
    ['4,097 characters', { session_id, summary_for_agent: 'a'.repeat(4097) }, 'summary_too_long'],
    ['4,096 emoji', { session_id, summary_for_agent: '🙂'.repeat(4096) }, undefined],
    ['4,097 emoji', { session_id, summary_for_agent: '🙂'.repeat(4097) }, 'summary_too_long'],
    [
      'blanks around 4,090 characters',
      { session_id, summary_for_agent: `    ${'a'.repeat(4090)}    ` },
      'summary_too_long',
    ],
  ])('%s', (_, params, reason) => {
    expect(reasonOf(params)).toBe(reason);
  });
});
