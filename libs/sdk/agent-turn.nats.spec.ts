import { randomUUID } from 'node:crypto';

import { unavailable } from '#contracts/errors.js';

import { AgentBench, scopeOf } from '../../test/harness/agent-bench.js';
import type { TestBroker } from '../../test/harness/broker.js';
import { waitFor } from '../../test/harness/wait-for.js';
import type { AgentTurn } from './agent-turn.js';
import type { TurnHandler } from './agent-worker.js';

const ada = scopeOf('ada');

describe('a turn in the hands of an agent', () => {
  let bench: AgentBench;

  beforeAll(async () => {
    bench = await AgentBench.create();
  });

  afterEach(() => bench.clear());

  afterAll(() => bench.close());

  const inHand = async (handler: TurnHandler, method: Parameters<TestBroker['answer']>[0], answers: object[]) => {
    const { received, stop } = await bench.broker.answer(method, () => answers.shift());
    await bench.start(handler);
    const sent = await bench.say(ada, 'When do you open?');
    await waitFor(() => received.length > 0 && answers.length === 0);
    await bench.allAcknowledged();
    stop();
    return { sent, received };
  };

  test('is replied to, again if Holdline was away', async () => {
    const results: unknown[] = [];
    const { sent, received } = await inHand(
      async (each) => {
        results.push(await each.reply('At nine.'));
      },
      'nexo/agent/reply',
      [{ error: unavailable('away').toJson() }, { status: 'sent', outbound_message_id: 'm1' }],
    );
    expect(results).toEqual([{ status: 'sent', outbound_message_id: 'm1' }]);
    expect(received).toHaveLength(2);
    expect(received[1]?.params).toEqual({
      turn_id: sent.turn_id,
      epoch: 0,
      scope: ada,
      action: {
        kind: 'reply',
        channel: 'whatsapp',
        account_id: '55',
        to: 'ada',
        body: 'At nine.',
        msg_kind: 'text',
      },
    });
  });

  test('is told to have nothing to say', async () => {
    const { sent, received } = await inHand((each) => void each.done(), 'nexo/agent/done', [{ changed: true }]);
    expect(received[0]?.params).toEqual({ turn_id: sent.turn_id, outcome: 'nothing_to_say' });
  });

  test('is told to have failed when the handler throws, without the text of the error', async () => {
    const handler = () => Promise.reject(new RangeError('card 4111 1111 1111 1111'));
    const { sent, received } = await inHand(handler, 'nexo/agent/done', [{ changed: true }]);
    expect(received[0]?.params).toEqual({ turn_id: sent.turn_id, outcome: 'failed', detail: 'RangeError' });
    expect(bench.problems).toEqual([`the handler failed at turn ${sent.turn_id}`]);
  });

  test('asks for a person', async () => {
    const escalation = { summary: 'She is angry.', reason: 'complaint', urgency: 'high' } as const;
    const answer = { changed: true, correlation_id: randomUUID() };
    const { received } = await inHand((each) => void each.escalate(escalation), 'nexo/agent/escalate', [answer]);
    expect(received[0]?.params).toEqual({ scope: ada, ...escalation });
  });

  test('reads what it had no room for', async () => {
    const line = (seq: number) => ({ seq, role: 'user', body: `line ${seq}`, sent_at_ms: 1, source_plugin: 't' });
    const pages = [
      { entries: [line(3), line(4)], next_seq: 4 },
      { entries: [line(5), line(6)], next_seq: 6 },
    ];
    const lines: unknown[] = [];
    const range = { session_id: randomUUID(), from_seq: 3, to_seq: 5 };
    const read = async (each: AgentTurn) => void lines.push(...(await each.linesOf(range)));
    const { received } = await inHand(read, 'nexo/agent/transcript', pages);
    expect(lines).toEqual([line(3), line(4), line(5)]);
    expect(received.map(({ params }) => params['since_seq'])).toEqual([2, 4]);
  });
});
