import { randomUUID } from 'node:crypto';

import { newScope, type TestClient } from '../harness/client.js';
import { FakeChannel } from '../harness/fake-channel.js';
import { Harness } from '../harness/harness.js';
import { auditedReplies, intervene, outboundsOf, reply } from './support/replies.js';
import { settled } from './support/settled.js';

const OPERATOR = '0a1b2c3d4e5f6071';

describe('a reply that the channel does not take', () => {
  let harness: Harness;
  let client: TestClient;
  let channel: FakeChannel;

  beforeAll(async () => {
    harness = await Harness.create();
    await harness.boot({ env: { HOLDLINE_CHANNEL_TIMEOUT_MS: '400' } });
    client = await harness.connect(OPERATOR);
    channel = await FakeChannel.of(client.nc, newScope());
  });
  afterAll(() => harness.close());
  beforeEach(() => {
    channel.answer = ({ outbound_id }) => ({ outbound_message_id: `wamid.${outbound_id}` });
  });

  it('is reported with the channel’s words, and is neither stamped nor told', async () => {
    const scope = newScope('rejected');
    const session = randomUUID();
    await client.pause(scope);
    channel.answer = () => ({ error: { reason: 'outside_window', detail: 'the last message is 25 h old' } });
    await expect(intervene(client, scope, { session_id: session })).rejects.toMatchObject({
      error: {
        code: -32011,
        message: expect.stringMatching(/^channel_rejected/) as string,
        data: {
          reason: 'channel_rejected',
          detail: 'the last message is 25 h old',
          channel_reason: 'outside_window',
        },
      },
    });
    expect(await outboundsOf(harness.database, scope)).toMatchObject([
      { status: 'rejected', reason: 'outside_window' },
    ]);
    expect(await client.transcript('rejected', session)).toEqual([]);
    await settled(harness, client);
    expect(await client.events('rejected', 'transcript_appended')).toEqual([]);
    expect(await auditedReplies(harness.database, scope)).toEqual([
      { outcome: 'refused', changed: false, reason: 'channel_rejected' },
    ]);
  });

  it('is channel_unavailable when nobody serves the account, and leaves the key to be used again', async () => {
    const scope = { ...newScope('nobody'), account_id: '55-0000' };
    await client.pause(scope);
    const params = { idempotency_key: 'k', session_id: randomUUID() };
    await expect(intervene(client, scope, params)).rejects.toMatchObject({
      error: { code: -32010, data: { reason: 'channel_unavailable' } },
    });
    expect(await auditedReplies(harness.database, scope)).toEqual([
      { outcome: 'refused', changed: false, reason: 'channel_unavailable' },
    ]);
    const late = await FakeChannel.of(client.nc, scope);
    const another = reply(scope, { body: 'something else' });
    expect(await intervene(client, scope, { ...params, action: another })).toMatchObject({ changed: true });
    expect(late.asked).toHaveLength(1);
    await late.leave();
  });

  const malformed: [string, string | Uint8Array][] = [
    ['no JSON', 'ok'],
    ['another shape', '{"error":"closed"}'],
    ['a list', '[]'],
    ['nothing', ''],
    ['no UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
    ['far too much', `{"outbound_message_id":"${'x'.repeat(900_000)}"}`],
  ];
  it.each([['silence', 'silence' as const], ...malformed])('has an unknown outcome after %s', async (_, answer) => {
    const scope = newScope('unknown');
    const session = randomUUID();
    await client.pause(scope);
    channel.answer = () => answer;
    await expect(intervene(client, scope, { session_id: session, idempotency_key: 'k' })).rejects.toMatchObject({
      error: { code: -32012, data: { reason: 'channel_timeout' } },
    });
    expect(await outboundsOf(harness.database, scope)).toMatchObject([{ status: 'unknown' }]);
    expect(await client.transcript('unknown', session)).toEqual([]);
    expect(await auditedReplies(harness.database, scope)).toEqual([
      { outcome: 'error', changed: false, reason: 'channel_timeout' },
    ]);

    channel.answer = () => ({});
    await expect(intervene(client, scope, { session_id: session, idempotency_key: 'k' })).rejects.toMatchObject({
      error: { code: -32012 },
    });
    expect(channel.asked.filter(({ to }) => to === scope.contact_id)).toHaveLength(1);
  });
});
