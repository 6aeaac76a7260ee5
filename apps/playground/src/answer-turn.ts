import type { NatsConnection } from '@nats-io/nats-core';

import type { Turn } from '#contracts/turn.js';
import type { Logger } from '#runtime/logger.js';

import { type Answer, askHoldline } from './ask-holdline.js';
import { keepTrying } from './keep-trying.js';
import { scriptedAnswer } from './scripted-answer.js';

export interface AnswerOptions {
  nc: NatsConnection;
  logger: Logger;
  /** Aborts when there is nothing to answer any more. */
  signal: AbortSignal;
}

/** Hands the scripted answer to Holdline, which passes it on to the contact; never throws. */
export async function answerTurn(turn: Turn, { nc, logger, signal }: AnswerOptions): Promise<void> {
  const text = scriptedAnswer(turn);
  const { turn_id, epoch, scope } = turn;
  const ask = (): Promise<Answer<unknown>> =>
    text === undefined
      ? askHoldline(nc, 'nexo/agent/done', { turn_id, outcome: 'nothing_to_say' })
      : askHoldline(nc, 'nexo/agent/reply', {
          turn_id,
          epoch,
          scope,
          action: {
            kind: 'reply',
            channel: scope.channel,
            account_id: scope.account_id,
            to: scope.contact_id,
            body: text,
            msg_kind: 'text',
          },
        });
  // The same turn and text are sent once, however often they are handed over.
  const answer = await keepTrying('answering a turn', ask, { logger, signal });
  if (answer === undefined) return;
  const about = { contact: scope.contact_id, turn_id, text };
  switch (answer.kind) {
    case 'result':
      return logger.debug({ ...about, outcome: answer.result }, 'the demo agent answered');
    case 'nobody':
      return logger.debug(about, 'the demo agent would have answered, but nobody takes replies');
    case 'error':
      return logger.debug({ ...about, error: answer.error }, 'the answer of the demo agent was refused');
  }
}
