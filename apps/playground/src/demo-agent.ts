import type { NatsConnection } from '@nats-io/nats-core';

import type { Logger } from '#runtime/logger.js';
import type { AgentTurn } from '#sdk/agent-turn.js';
import { AgentWorker } from '#sdk/agent-worker.js';

import type { Pace } from './pace.js';
import { pause } from './pause.js';
import { scriptedAnswer } from './scripted-answer.js';
import type { SeededRandom } from './seeded-random.js';

export interface DemoAgentOptions {
  nc: NatsConnection;
  agentId: string;
  random: SeededRandom;
  pace: Pace;
  logger: Logger;
}

/** Answers each turn of one agent after a while, with what its script says. */
export function startDemoAgent({ nc, agentId, random, pace, logger }: DemoAgentOptions): AgentWorker {
  const worker = new AgentWorker({
    nc,
    agentId,
    onProblem: (what, error) => logger.warn({ err: error }, what),
  });
  worker.onTurn(async (turn: AgentTurn) => {
    if (!(await pause(random.between(pace.answer), turn.signal))) return;
    const text = scriptedAnswer(turn.message);
    const outcome = await (text === undefined ? turn.done() : turn.reply(text));
    logger.debug({ contact: turn.scope.contact_id, turn_id: turn.id, text, outcome }, 'the demo agent answered');
  });
  return worker;
}
