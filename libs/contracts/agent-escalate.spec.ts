import { AgentEscalateParams } from './agent-escalate.js';

const scope = { kind: 'conversation', agent_id: 'ana', channel: 'wa', account_id: 'a', contact_id: 'c' };

test.each([
  ['empty', '', false],
  ['one character', 'a', true],
  ['500 emoji', '🙂'.repeat(500), true],
  ['501 characters', 'a'.repeat(501), false],
])('the summary of an escalation is 1 to 500 characters: %s', (_, summary, accepted) => {
  expect(AgentEscalateParams.safeParse({ scope, summary, reason: 'other' }).success).toBe(accepted);
});
