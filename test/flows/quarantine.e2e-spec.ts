import { jetstreamManager } from '@nats-io/jetstream';

import { MAX_INBOUND_BYTES } from '#contracts/limits.js';
import { inboundSubject, STREAMS } from '#contracts/subjects.js';
import type { Turn } from '#contracts/turn.js';

import { newScope, type TestClient } from '../harness/client.js';
import { Harness } from '../harness/harness.js';
import { settled } from './support/settled.js';

const utf8 = (text: string) => new TextEncoder().encode(text);

describe('an inbound that cannot be read', () => {
  let harness: Harness;
  let client: TestClient;

  beforeAll(async () => {
    harness = await Harness.create();
    await harness.boot();
    client = await harness.connect();
  });
  afterAll(() => harness.close());

  const scope = newScope('reader');
  const inbound = { from_contact_id: 'c', body: 'hello', timestamp_ms: 1, source_plugin: 'whatsapp' };
  const message = (more: object) => utf8(JSON.stringify({ scope, inbound, ...more }));
  const sized = (bytes: number) => {
    const empty = message({ inbound: { ...inbound, body: '' } }).length;
    return message({ inbound: { ...inbound, body: 'x'.repeat(bytes - empty) } });
  };
  const subject = inboundSubject(scope);

  const REFUSED: [reason: string, what: string, payload: Uint8Array, subject: string][] = [
    ['not_json', 'is no JSON', utf8('{"scope": '), subject],
    ['not_json', 'is empty', utf8(''), subject],
    ['not_json', 'is no UTF-8', new Uint8Array([0x22, 0xff, 0xfe, 0x22]), subject],
    ['wrong_shape', 'is a list', utf8('[]'), subject],
    ['wrong_shape', 'is null', utf8('null'), subject],
    ['wrong_shape', 'has no inbound', utf8(JSON.stringify({ scope })), subject],
    ['wrong_shape', 'has neither body nor attachments', message({ inbound: { ...inbound, body: '' } }), subject],
    [
      'wrong_shape',
      'has an empty list of attachments only',
      message({ inbound: { ...inbound, body: '', attachments: [] } }),
      subject,
    ],
    ['wrong_shape', 'has a time that is no integer', message({ inbound: { ...inbound, timestamp_ms: 1.5 } }), subject],
    ['wrong_shape', 'has a message id that is no UUID', message({ inbound: { ...inbound, message_id: '7' } }), subject],
    ['wrong_shape', 'has a session that is no UUID', message({ session_id: 'mine' }), subject],
    ['wrong_shape', 'is of an unknown kind of scope', message({ scope: { kind: 'planet' } }), subject],
    [
      'wrong_scope',
      'is of a scope that is no conversation',
      message({ scope: { kind: 'agent', agent_id: 'reader' } }),
      subject,
    ],
    [
      'agent_mismatch',
      'is of another agent than its subject',
      message({ scope: { ...scope, agent_id: 'other' } }),
      subject,
    ],
    [
      'agent_mismatch',
      'comes on the subject of another agent',
      message({}),
      inboundSubject({ ...scope, agent_id: 'other' }),
    ],
    ['too_large', 'is over 256 KiB', sized(MAX_INBOUND_BYTES + 1), subject],
  ];

  it.each(REFUSED)(
    'goes to quarantine as it came (%s: it %s), and the stream moves on',
    async (reason, _, payload, on) => {
      const seq = await client.publishRaw(on, payload);
      const next = newScope('reader');
      await client.publish(next, 'after');
      await settled(harness, client);
      expect(await client.turns(next)).toMatchObject([{ kind: 'turn', inbounds: [{ body: 'after' }] }]);
      expect(await client.turns(scope)).toEqual([]);

      const manager = await jetstreamManager(client.nc, { checkAPI: false });
      const found = await manager.streams.getMessage(STREAMS.quarantine, { last_by_subj: 'nexo.quarantine.>' });
      expect(found?.subject).toBe(`nexo.quarantine.${reason}`);
      expect(Buffer.from(found?.data ?? []).equals(payload)).toBe(true);
      expect(found?.header.get('Holdline-Reason')).toBe(reason);
      expect(found?.header.get('Holdline-Subject')).toBe(on);
      expect(found?.header.get('Holdline-Seq')).toBe(String(seq));

      const agentId = on === subject ? 'reader' : 'other';
      const told = (await client.events(agentId, 'inbound_quarantined')).filter((event) => event['stream_seq'] === seq);
      expect(told).toEqual([
        {
          kind: 'inbound_quarantined',
          event_id: expect.any(String),
          agent_id: agentId,
          at_ms: expect.any(Number),
          subject: on,
          reason,
          stream_seq: seq,
        },
      ]);
    },
  );

  it('is one that is only just too large: 256 KiB are taken', async () => {
    const large = newScope('reader');
    const payload = (body: string) => JSON.stringify({ scope: large, inbound: { ...inbound, body } });
    const body = 'x'.repeat(MAX_INBOUND_BYTES - payload('').length);
    await client.publishRaw(inboundSubject(large), payload(body));
    const [turn] = (await client.turnsOf(large, 1)) as Turn[];
    expect(turn?.inbounds[0]?.body).toBe(body);
  });

  it('is told once, however often the process that reads begins anew', async () => {
    const before = (await client.stored(STREAMS.quarantine)).length;
    await client.publishRaw(subject, 'no JSON');
    await settled(harness, client);
    const second = await harness.boot();
    await second.stop();
    expect(await client.stored(STREAMS.quarantine)).toHaveLength(before + 1);
  });
});

describe('text that cannot be stored as it is', () => {
  let harness: Harness;
  let client: TestClient;

  beforeAll(async () => {
    harness = await Harness.create();
    await harness.boot();
    client = await harness.connect();
  });
  afterAll(() => harness.close());

  const GIVEN = 'a\u0000b \ud83d c \udc4d 🙂 👩‍👩‍👧 é 漢';
  const STORED = 'a\ufffdb \ufffd c \ufffd 🙂 👩‍👩‍👧 é 漢';

  it.each([true, false])('is repaired and not refused, and emoji survive (while paused: %s)', async (paused) => {
    const scope = newScope(`repair-${paused}`);
    if (paused) await client.pause(scope, { reason: GIVEN });
    await client.publish(scope, GIVEN, { attachments: [{ text: GIVEN, [GIVEN]: [GIVEN] }] });
    await settled(harness, client);
    if (paused) {
      expect(await client.state(scope)).toMatchObject({ reason: STORED });
      await client.resume(scope);
      await settled(harness, client);
    }
    const turns = (await client.turns(scope)).filter((each): each is Turn => each.kind === 'turn');
    const attachments = [{ text: STORED, [STORED]: [STORED] }];
    expect(turns[0]?.inbounds).toMatchObject([{ body: STORED, attachments }]);
    const lines = await client.transcript(scope.agent_id, turns[0]?.session_id ?? '');
    expect(lines.map(({ body }) => body)).toEqual([STORED]);
    expect(await client.stored(STREAMS.quarantine)).toEqual([]);
  });
});
