import { eventFrame, resyncFrame } from './event-frame.js';
import { readEventFilter, readLastEventId } from './event-filter.js';

const record = (json: string) => ({
  seq: 7,
  subject: 'nexo.agent_events.a.k',
  data: Buffer.from(json),
  receivedAtMs: 1,
});

describe('an event on the wire', () => {
  test('is a JSON-RPC notification on one line with its sequence as id', () => {
    const { bytes, seq } = eventFrame(record('{"kind":"x","body":"a\\nb\u2028é"}'));
    expect(seq).toBe(7);
    expect(bytes.toString()).toBe(
      'id: 7\ndata: {"jsonrpc":"2.0","method":"nexo/notify/agent_event","params":{"kind":"x","body":"a\\nb\u2028é"}}\n\n',
    );
  });

  test('cannot break out of its line', () => {
    const text = eventFrame(record('{\n"a":1,\r\n"b":2}')).bytes.toString();
    expect(text.match(/[\r\n]/g)).toHaveLength(3);
    expect(JSON.parse(text.slice(text.indexOf('{'))).params).toEqual({ a: 1, b: 2 });
  });

  test('tells where a stream begins', () => {
    expect(resyncFrame(9).toString()).toBe('event: resync\ndata: {"first_id":9}\n\n');
  });
});

describe('what a client asks for', () => {
  const matches = (query: unknown, agent: string, kind: string) =>
    readEventFilter(query).matches(`nexo.agent_events.${agent}.${kind}`);

  test('is everything, an agent, a kind, or both', () => {
    for (const all of [{}, { agent_id: '', kind: '' }, { other: 'x' }]) {
      expect(readEventFilter(all).subject).toBe('nexo.agent_events.*.*');
      expect(matches(all, 'a', 'turn_failed')).toBe(true);
    }
    expect(readEventFilter({ agent_id: 'a.*>é' }).subject).toBe('nexo.agent_events.a%2E%2A%3E%C3%A9.*');
    expect(matches({ agent_id: '*' }, 'a', 'turn_failed')).toBe(false);
    expect(matches({ agent_id: 'a' }, 'b', 'turn_failed')).toBe(false);
    expect(matches({ agent_id: 'a', kind: 'turn_failed' }, 'a', 'turn_failed')).toBe(true);
    expect(matches({ kind: 'turn_failed' }, 'a', 'outbound_failed')).toBe(false);
  });

  test.each([{ kind: 'x' }, { kind: '*' }, { agent_id: 'x'.repeat(257) }, { agent_id: ['a', 'b'] }])(
    'is not %j',
    (query) => {
      expect(() => readEventFilter(query)).toThrow(/^invalid_params: /);
    },
  );

  test('may be what follows an event', () => {
    expect([undefined, '', '0', '17', '9007199254740991'].map(readLastEventId)).toEqual([
      undefined,
      undefined,
      0,
      17,
      9_007_199_254_740_991,
    ]);
    for (const header of ['x', '-1', '1.5', '1e3', '9007199254740993', ' 1', ['1', '2']]) {
      expect(() => readLastEventId(header)).toThrow(/^invalid_params: /);
    }
  });
});
