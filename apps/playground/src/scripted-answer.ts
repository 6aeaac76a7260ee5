import type { Turn, TurnInbound } from '#contracts/turn.js';

const ANSWERS: readonly [RegExp, string][] = [
  [/\border\b|promised|courier/i, 'Order 4711 is on the van and will be with you before six.'],
  [/broken|refund/i, 'I am sorry about that. The refund is on its way; please keep the broken part for the courier.'],
  [/\bopen\b/i, 'We are open from nine to six, on Saturdays until two.'],
  [/repair|inspection/i, 'Yes, we do. An inspection takes two days; bring the bike in whenever you like.'],
  [/stock|size|try/i, 'The blue one is here in size M. Come by for a ride!'],
];
const DEFAULT_ANSWER = 'Thank you, I have made a note of it.';

/** What the demo agent says to a turn; undefined if an operator has answered all of it. */
export function scriptedAnswer(turn: Turn): string | undefined {
  const open = turn.inbounds.filter((inbound) => inbound.answered === undefined);
  const answers = new Set(open.map(answerTo));
  if (answers.size === 0) return undefined;
  const text = [...answers].join(' ');
  return turn.cause === 'resume' ? `Thank you for waiting. ${text}` : text;
}

function answerTo({ body }: TurnInbound): string {
  return ANSWERS.find(([question]) => question.test(body))?.[1] ?? DEFAULT_ANSWER;
}
