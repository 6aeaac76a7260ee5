import type { AgentReplyResult } from '#contracts/agent-reply.js';
import type { OutboundMessage } from '#contracts/outbound-message.js';
import type { AgentTurn } from '#sdk/agent-turn.js';
import { AgentWorker } from '#sdk/agent-worker.js';
import { ChannelPlugin } from '#sdk/channel-plugin.js';
import { Conflict } from '#sdk/errors.js';
import { Firehose } from '#sdk/firehose.js';
import { HumanTakeover } from '#sdk/human-takeover.js';
import { OperatorClient } from '#sdk/operator-client.js';

import { newScope, type TestClient } from '../harness/client.js';
import { Harness } from '../harness/harness.js';
import { waitFor } from '../harness/wait-for.js';

describe('with the SDK alone', () => {
  let harness: Harness;
  let client: TestClient;
  let ann: OperatorClient;
  let bob: OperatorClient;

  beforeAll(async () => {
    harness = await Harness.create();
    await harness.boot({ env: { HOLDLINE_ADMIN_AUTH: 'token' } });
    client = await harness.connect();
    const connect = async () => new OperatorClient({ nc: client.nc, token: (await harness.createOperator()).token });
    [ann, bob] = [await connect(), await connect()];
  });

  afterAll(() => harness.close());

  it('a conversation is taken from an agent at work, answered, and handed back whole', async () => {
    const scope = newScope('sdk-whole');
    const sent: OutboundMessage[] = [];
    const channel = new ChannelPlugin({ nc: client.nc, channel: scope.channel, accountId: scope.account_id });
    await channel.onSend((message) => void sent.push(message));
    const writes = (body: string) =>
      channel.publishInbound({ agentId: scope.agent_id, contactId: scope.contact_id, body });
    const late: AgentReplyResult[] = [];
    const resumed: AgentTurn[] = [];
    const worker = new AgentWorker({ nc: client.nc, agentId: scope.agent_id });
    worker.onTurn(async (turn) => {
      if (turn.message.cause === 'resume') return void resumed.push(turn);
      await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
      late.push(await turn.reply('An answer that comes too late.'));
    });
    const ending = new AbortController();
    const watched: string[] = [];
    const watching = (async () => {
      const kinds = ['processing_state_changed', 'agent_reply_suppressed'] as const;
      for await (const { event } of new Firehose({ nc: client.nc, kinds, afterSeq: 0, signal: ending.signal })) {
        watched.push(event.kind === 'processing_state_changed' ? event.new_state.state : event.kind);
      }
    })();

    await writes('What does it cost?');
    await client.turnsOf(scope, 1);
    const takeover = await HumanTakeover.engage(ann, scope, { reason: 'I know her.' });
    await waitFor(() => late.length === 1, { what: 'The late reply' });
    expect(late[0]).toMatchObject({ status: 'suppressed', reason: 'paused' });
    await writes('Hello?');
    await waitFor(async () => (await ann.processing.pending({ scope })).depth === 1);
    expect(await takeover.sendReply('It costs 40.')).toMatchObject({ changed: true, transcript_stamped: true });
    await writes('Can I pay by card?');
    await waitFor(async () => (await ann.processing.pending({ scope })).depth === 2);
    expect(await takeover.release('I gave her the price.')).toMatchObject({ drained_pending: 2 });

    const [turn] = await waitFor(() => resumed.length === 1 && resumed);
    expect(turn?.operatorSummary).toBe('I gave her the price.');
    expect(turn?.inbounds.filter(({ answered }) => !answered).map(({ body }) => body)).toEqual(['Can I pay by card?']);
    const spoken = turn?.entries.map(({ body, sender_id }) => [body, sender_id]);
    expect(spoken).toContainEqual(['It costs 40.', `operator:${ann.operatorTokenHash}`]);
    expect(sent.map(({ body }) => body)).toEqual(['It costs 40.']);
    await waitFor(() => watched.length === 3);
    expect(watched).toEqual(['paused_by_operator', 'agent_reply_suppressed', 'agent_active']);

    ending.abort();
    await Promise.all([watching, worker.stop(), channel.stop()]);
  });

  it('two operators who take a conversation at once are one who has it and one who is told by whom', async () => {
    for (let round = 0; round < 5; round++) {
      const scope = newScope('sdk-two');
      const tries = await Promise.allSettled([ann, bob].map((each) => HumanTakeover.engage(each, scope)));
      const [refused, ...others] = tries.filter((each) => each.status === 'rejected');
      expect(others).toEqual([]);
      expect(refused?.reason).toBeInstanceOf(Conflict);
      const winner = tries[0]?.status === 'fulfilled' ? ann : bob;
      const loser = winner === ann ? bob : ann;
      expect(refused?.reason).toMatchObject({
        reason: 'held_by_other_operator',
        data: { operator_token_hash: winner.operatorTokenHash },
      });
      const taken = await HumanTakeover.engage(loser, scope, { takeOver: true });
      expect((await ann.processing.state({ scope })).state).toMatchObject({
        operator_token_hash: loser.operatorTokenHash,
      });
      await taken.release();
    }
  });

  it('a slow reader of the firehose gets each event once, in order, and goes on where it was', async () => {
    const scope = newScope('sdk-slow');
    for (let count = 0; count < 20; count++) await client.publish(scope, `line ${count}`);
    await client.turnsOf(scope, 20);
    const options = { nc: client.nc, agentId: 'sdk-slow', kinds: ['transcript_appended'] as const };
    const lines: number[] = [];
    let place = 0;
    for (let reads = 0; lines.length < 20; reads++) {
      for await (const { seq, event } of new Firehose({ ...options, afterSeq: place })) {
        place = seq;
        lines.push(event.seq);
        await new Promise((resolve) => setImmediate(resolve));
        if (lines.length === 20 || lines.length % 6 === 0) break;
      }
    }
    expect(lines).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });
});
