import { InboundMessage } from './inbound-message.js';

const scope = { kind: 'conversation', agent_id: 'ana', channel: 'whatsapp', account_id: 'a', contact_id: 'c' };
const inbound = { from_contact_id: 'c', body: 'hola', timestamp_ms: 1_700_000_000_000, source_plugin: 'whatsapp' };

const pathOf = (value: unknown) => InboundMessage.safeParse(value).error?.issues[0]?.path.join('.');

describe('InboundMessage', () => {
  test('is read with all its fields', () => {
    const full = {
      scope: { ...scope, mcp_channel_source: 'slack' },
      inbound: {
        message_id: '018f4e2a-0000-7abc-8def-0123456789ab',
        ...inbound,
        attachments: [{ url: 'https://x' }, 1],
      },
      session_id: '00000000-0000-0000-0000-000000000000',
    };
    expect(InboundMessage.parse(full)).toStrictEqual(full);
  });

  test('reads null as absent at every level', () => {
    const withNulls = {
      scope: { ...scope, mcp_channel_source: null },
      inbound: { ...inbound, message_id: null, attachments: null },
      session_id: null,
    };
    expect(InboundMessage.parse(withNulls)).toStrictEqual({ scope, inbound });
  });

  test('may have an empty body only with attachments', () => {
    const empty = { ...inbound, body: '' };
    expect(pathOf({ scope, inbound: empty })).toBe('inbound.body');
    expect(pathOf({ scope, inbound: { ...empty, attachments: [] } })).toBe('inbound.body');
    expect(
      InboundMessage.parse({ scope, inbound: { ...empty, attachments: [null] } }).inbound.attachments,
    ).toStrictEqual([null]);
  });

  test('takes only a conversation', () => {
    expect(pathOf({ scope: { kind: 'agent', agent_id: 'ana' }, inbound })).toBe('scope.kind');
  });

  test('has U+FFFD for what Postgres cannot hold, in the body and in attachments', () => {
    const parsed = InboundMessage.parse({
      scope,
      inbound: { ...inbound, body: 'a\0\uD83D🙂', attachments: [{ 'k\0': '\uDE42' }] },
    });
    expect(parsed.inbound.body).toBe('a\uFFFD\uFFFD🙂');
    expect(parsed.inbound.attachments).toStrictEqual([{ 'k\uFFFD': '\uFFFD' }]);
  });

  test('is not polluted by __proto__ keys', () => {
    const json = `{"__proto__":{"session_id":"00000000-0000-0000-0000-000000000000"},"scope":${JSON.stringify(scope)},"inbound":${JSON.stringify(inbound)}}`;
    const parsed = InboundMessage.parse(JSON.parse(json));
    expect(parsed).toStrictEqual({ scope, inbound });
    expect(parsed.session_id).toBeUndefined();
  });

  test.each([null, 'text', 7, [], {}, { scope, inbound: [] }])('is not %j', (value) => {
    expect(InboundMessage.safeParse(value).success).toBe(false);
  });
});
