import fc from 'fast-check';
import { Id } from './fields.js';
import { isRouted, ProcessingScope, ScopeKind } from './processing-scope.js';

const id = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((text) => Id.safeParse(text).success);
const conversation = fc.record(
  {
    kind: fc.constant('conversation' as const),
    agent_id: id,
    channel: id,
    account_id: id,
    contact_id: id,
    mcp_channel_source: id,
  },
  { requiredKeys: ['kind', 'agent_id', 'channel', 'account_id', 'contact_id'] },
);
const scope = fc.oneof(
  conversation,
  fc.record({ kind: fc.constant('agent_binding' as const), agent_id: id, channel: id, account_id: id }),
  fc.record({ kind: fc.constant('agent' as const), agent_id: id }),
  fc.record({ kind: fc.constant('event_stream' as const), agent_id: id, subject_pattern: id }),
  fc.record({ kind: fc.constant('batch_queue' as const), agent_id: id, queue_name: id }),
  fc.record({ kind: fc.constant('custom' as const), agent_id: id, scope_kind: id, scope_id: id }),
);
const plain = { kind: 'conversation', agent_id: 'ana', channel: 'whatsapp', account_id: 'a', contact_id: 'c' };

describe('ProcessingScope', () => {
  test('any scope survives the wire', () => {
    fc.assert(
      fc.property(scope, (given) => {
        expect(ProcessingScope.parse(JSON.parse(JSON.stringify(given)))).toStrictEqual({ ...given });
      }),
    );
  });

  test('no field of a conversation may be missing', () => {
    for (const key of Object.keys(plain)) {
      const missing = Object.fromEntries(Object.entries(plain).filter(([name]) => name !== key));
      expect(ProcessingScope.safeParse(missing).success).toBe(false);
    }
  });

  test('a conversation whose subject would be longer than 1,024 bytes is refused', () => {
    const long = 'c'.repeat(256);
    const four = { ...plain, agent_id: long, channel: long, account_id: long };
    expect(ProcessingScope.safeParse(four).success).toBe(true);
    expect(ProcessingScope.safeParse({ ...four, contact_id: long }).success).toBe(false);
    expect(ProcessingScope.safeParse({ ...four, contact_id: '\u3000'.repeat(85) }).success).toBe(false);
  });

  test('only a conversation is routed', () => {
    const routed = ProcessingScope.options
      .map((option) => option.shape.kind.value)
      .filter((kind) => isRouted({ ...plain, kind } as ProcessingScope));
    expect(routed).toStrictEqual(['conversation']);
  });

  test('its kinds are those of ScopeKind', () => {
    expect(ProcessingScope.options.map((option) => option.shape.kind.value)).toStrictEqual(ScopeKind.options);
  });
});
