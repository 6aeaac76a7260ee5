import { OutboundAck } from './outbound-ack.js';

describe('OutboundAck', () => {
  test.each([
    [{}, {}],
    [{ outbound_message_id: 'wamid.1', error: null }, { outbound_message_id: 'wamid.1' }],
    [{ error: { reason: 'closed', detail: null } }, { error: { reason: 'closed' } }],
    [{ outbound_message_id: 'x', error: { reason: 'closed' } }, { error: { reason: 'closed' } }],
  ])('%j is read as %j', (given, read) => {
    expect(OutboundAck.parse(given)).toStrictEqual(read);
  });

  test.each([{ error: {} }, { error: 'closed' }, { error: { reason: 1 } }, null, 'ok', { outbound_message_id: 1 }])(
    '%j is no acknowledgement, least of all an acceptance',
    (given) => {
      expect(OutboundAck.safeParse(given).success).toBe(false);
    },
  );
});
