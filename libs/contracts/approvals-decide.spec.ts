import { ApprovalTarget } from './approval.js';
import { ApprovalsDecideParams } from './approvals-decide.js';

const denial = {
  approval_id: '018f4e2a-0000-7abc-8def-0123456789ab',
  decision: 'denied',
  operator_token_hash: 'abcdef0123456789',
};

describe('ApprovalsDecideParams', () => {
  test.each([undefined, null, '', ' \n'])('a denial with the reason %j is refused', (reason) => {
    const error = ApprovalsDecideParams.safeParse({ ...denial, reason }).error;
    expect(error?.issues[0]?.path).toStrictEqual(['reason']);
  });

  test('a denial with a reason and an approval without one are fine', () => {
    expect(ApprovalsDecideParams.safeParse({ ...denial, reason: 'no' }).success).toBe(true);
    expect(ApprovalsDecideParams.safeParse({ ...denial, decision: 'approved' }).success).toBe(true);
  });
});

test('the target of an invitation may be its two ids alone', () => {
  const target = { provider: 'wa', user_id: 'u2' };
  expect(ApprovalTarget.parse(target)).toStrictEqual(target);
});
