import { AgentWorker } from '#sdk/agent-worker.js';
import { ChannelPlugin, SendRefused } from '#sdk/channel-plugin.js';
import { HumanTakeover } from '#sdk/human-takeover.js';
import { OperatorClient } from '#sdk/operator-client.js';
import type { OutboundMessage } from '#contracts/outbound-message.js';
import type { ConversationScope } from '#contracts/processing-scope.js';

import { newScope, type TestClient } from '../harness/client.js';
import { Harness } from '../harness/harness.js';
import { waitFor } from '../harness/wait-for.js';
import { age, escalate } from './support/escalations.js';
import { outboundsOf } from './support/replies.js';
import { settled } from './support/settled.js';

const ACK_TEXT = 'A colleague will be with you in a moment.';

describe('the contact of an escalated conversation', () => {
  let harness: Harness;
  let client: TestClient;
  let operator: OperatorClient;
  let channel: ChannelPlugin;
  let asked: OutboundMessage[];
  let send: (message: OutboundMessage) => string;

  beforeAll(async () => {
    harness = await Harness.create();
    const env = { HOLDLINE_ESCALATION_ACK_TEXT: ACK_TEXT };
    await Promise.all([harness.boot({ env }), harness.boot({ env })]);
    client = await harness.connect();
    operator = new OperatorClient({ nc: client.nc, operatorTokenHash: 'ops' });
  });

  beforeEach(async () => {
    asked = [];
    send = ({ outbound_id }) => `wamid.${outbound_id}`;
    const { channel: name, account_id } = newScope();
    channel = new ChannelPlugin({ nc: client.nc, channel: name, accountId: account_id });
    await channel.onSend((message) => {
      asked.push(message);
      return send(message);
    });
  });

  afterEach(() => channel.stop());

  afterAll(() => harness.close());

  const told = (scope: ConversationScope) => asked.filter(({ to }) => to === scope.contact_id);
  /** What was due is done: there is nothing more to acknowledge in the conversation. */
  const acknowledged = (scope: ConversationScope) =>
    waitFor(
      async () => {
        const due = await harness.database.query(
          `SELECT FROM escalations JOIN conversations USING (conversation_id)
           WHERE contact_id = $1 AND acknowledge_at_ms IS NOT NULL`,
          [scope.contact_id],
        );
        return due.length === 0;
      },
      { what: 'The end of what is to be acknowledged' },
    );
  const newConversation = async (agentId: string) => {
    const scope = newScope(agentId);
    await client.publish(scope, 'Hello?');
    const [turn] = await client.turnsOf(scope, 1);
    return { scope, sessionId: (turn as { session_id: string }).session_id };
  };

  it('is told once that a person was asked for, however often and by however many it was', async () => {
    const { scope, sessionId } = await newConversation('ack-once');
    await Promise.all(Array.from({ length: 10 }, () => escalate(client.nc, scope)));
    await acknowledged(scope);
    await escalate(client.nc, scope);
    await acknowledged(scope);
    expect(told(scope)).toEqual([
      expect.objectContaining({
        scope,
        to: scope.contact_id,
        body: ACK_TEXT,
        msg_kind: 'text',
        origin: 'agent',
        epoch: 0,
      }),
    ]);
    const lines = await client.transcript('ack-once', sessionId);
    expect(lines.map(({ role, body, sender_id }) => [role, body, sender_id])).toEqual([
      ['user', 'Hello?', scope.contact_id],
      ['assistant', ACK_TEXT, 'agent:ack-once'],
    ]);
    await settled(harness, client);
    const kinds = (await client.events('ack-once')).map(({ kind }) => kind);
    expect(kinds).toEqual(['transcript_appended', 'escalation_requested', 'transcript_appended']);
  });

  it('is told again when a person is asked for again', async () => {
    const { scope } = await newConversation('ack-again');
    await escalate(client.nc, scope);
    await acknowledged(scope);
    await operator.escalations.resolve({ scope, by: 'dismissed' });
    await escalate(client.nc, scope);
    await acknowledged(scope);
    expect(told(scope)).toHaveLength(2);
  });

  it('gets the agent’s closing line and the acknowledgement once each', async () => {
    const { scope } = await newConversation('ack-closing');
    let outcomes: unknown[] = [];
    const worker = new AgentWorker({ nc: client.nc, agentId: 'ack-closing' });
    worker.onTurn(async (turn) => {
      const closing = 'I have asked a colleague.';
      await turn.escalate({ summary: 'She wants a person.', reason: 'needs_human_judgment' });
      outcomes = [await turn.reply(closing), await turn.reply(closing)];
    });
    await waitFor(() => outcomes.length === 2);
    await acknowledged(scope);
    await worker.stop();
    expect(outcomes).toEqual([outcomes[0], outcomes[0]]);
    expect(
      told(scope)
        .map(({ body }) => body)
        .sort(),
    ).toEqual([ACK_TEXT, 'I have asked a colleague.']);
  });

  it('is told nothing while a person has the conversation', async () => {
    const { scope } = await newConversation('ack-held');
    const takeover = await HumanTakeover.engage(operator, scope);
    await escalate(client.nc, scope);
    await acknowledged(scope);
    await takeover.sendReply('Here I am.');
    expect(told(scope).map(({ body }) => body)).toEqual(['Here I am.']);
  });

  it('is told nothing after the pause, whenever that comes', async () => {
    const isAdmitted = async (scope: ConversationScope) => (await outboundsOf(harness.database, scope)).length > 0;
    for (let round = 0; round < 6; round++) {
      const { scope } = await newConversation('ack-race');
      await escalate(client.nc, scope);
      if (round % 3 === 1) await waitFor(() => isAdmitted(scope));
      if (round % 3 === 2) await waitFor(() => told(scope).length > 0);
      await client.pause(scope);
      const toldBefore = told(scope).length;
      await acknowledged(scope);
      await settled(harness, client);
      expect(told(scope)).toHaveLength(toldBefore);
    }
  });

  it('is told later if nobody was there to send it, and never if the channel refuses', async () => {
    const { scope } = await newConversation('ack-later');
    await channel.stop();
    await escalate(client.nc, scope);
    await waitFor(async () => (await outboundsOf(harness.database, scope))[0]?.status === 'unavailable');
    await channel.onSend((message) => {
      asked.push(message);
      return send(message);
    });
    await age(harness.database, scope, 60_000);
    await acknowledged(scope);
    expect(told(scope)).toHaveLength(1);

    const refused = await newConversation('ack-refused');
    send = () => {
      throw new SendRefused('blocked');
    };
    await escalate(client.nc, refused.scope);
    await acknowledged(refused.scope);
    await age(harness.database, refused.scope, 60_000);
    await settled(harness, client);
    expect(told(refused.scope)).toHaveLength(1);
  });
});
