import type { Turn, TurnInbound } from '#contracts/turn.js';

import { DEMO_CONTACTS } from './demo-contacts.js';
import { scriptedAnswer } from './scripted-answer.js';

const turn = (cause: Turn['cause'], ...inbounds: Pick<TurnInbound, 'body' | 'answered'>[]): Turn => {
  const { scope } = DEMO_CONTACTS[0] as (typeof DEMO_CONTACTS)[number];
  const rest = { from_contact_id: scope.contact_id, timestamp_ms: 1, source_plugin: 'demo' };
  return {
    kind: 'turn',
    turn_id: '00000000-0000-4000-8000-000000000001',
    agent_id: scope.agent_id,
    scope,
    session_id: '00000000-0000-4000-8000-000000000002',
    epoch: 0,
    cause,
    inbounds: inbounds.map((inbound) => ({ ...rest, ...inbound })),
  };
};

describe('the scripted answer', () => {
  test('fits what was asked', () => {
    expect(scriptedAnswer(turn('inbound', { body: 'When do you open?' }))).toMatch(/nine to six/);
    expect(scriptedAnswer(turn('inbound', { body: '' }))).toMatch(/made a note/);
  });

  test('says the same only once when several messages waited', () => {
    const answer = scriptedAnswer(
      turn('resume', { body: 'My order?' }, { body: 'Order 4711!' }, { body: 'Open today?' }),
    );
    expect(answer).toBe(
      'Thank you for waiting. Order 4711 is on the van and will be with you before six. We are open from nine to six, on Saturdays until two.',
    );
  });

  test('leaves out what an operator has answered, down to nothing', () => {
    expect(scriptedAnswer(turn('resume', { body: 'My order?', answered: true }, { body: 'Open today?' }))).not.toMatch(
      /4711/,
    );
    expect(scriptedAnswer(turn('resume', { body: 'My order?', answered: true }))).toBeUndefined();
  });
});
