import { randomUUID } from 'node:crypto';

import { MAX_TURN_BYTES } from '#contracts/limits.js';
import { Turn } from '#contracts/turn.js';

import { lineMessage, type StampedTurn, turnMessage } from './stamped-turn.js';

const scope = { kind: 'conversation', agent_id: 'ana', channel: 'wa', account_id: '5', contact_id: 'c.1' } as const;

function stamped(body: string, attachments?: unknown[]): StampedTurn {
  const inbound = { from_contact_id: 'c.1', body, timestamp_ms: 7, source_plugin: 'wa' };
  return {
    seq: 41,
    eventId: randomUUID(),
    turn: {
      kind: 'turn',
      turn_id: randomUUID(),
      agent_id: 'ana',
      scope,
      session_id: randomUUID(),
      epoch: 3,
      cause: 'inbound',
      inbounds: [attachments === undefined ? inbound : { ...inbound, attachments }],
    },
  };
}

describe('the messages of an active inbound', () => {
  it('are its turn and the event of its line', () => {
    const hello = stamped('hello');
    const { turn, eventId } = hello;
    const sent = turnMessage(hello);
    expect(JSON.parse(sent.payload ?? '')).toEqual(turn);
    expect(sent).toMatchObject({ subject: 'nexo.turns.ana.wa.5.c%2E1', msgId: turn.turn_id });
    const event = lineMessage(hello);
    expect(event).toMatchObject({ subject: 'nexo.agent_events.ana.transcript_appended', msgId: eventId });
    expect(JSON.parse(event.payload ?? '')).toMatchObject({ event_id: eventId, seq: 41, role: 'user' });
  });

  it('name an inbound that has grown over the limit in place of holding it', () => {
    const large = stamped('see these', new Array<number>(50_000).fill(1e20));
    const { payload } = turnMessage(large);
    expect(Buffer.byteLength(payload ?? '')).toBeLessThan(MAX_TURN_BYTES);
    expect(Turn.parse(JSON.parse(payload ?? ''))).toMatchObject({
      inbounds: [],
      more: [{ session_id: large.turn.session_id, from_seq: 41, to_seq: 41 }],
    });
  });

  it('measure bytes and not characters', () => {
    const { payload } = turnMessage(stamped('€'.repeat(MAX_TURN_BYTES / 3)));
    expect(JSON.parse(payload ?? '')).toMatchObject({ inbounds: [] });
    const fits = turnMessage(stamped('x'.repeat(MAX_TURN_BYTES / 3 + 1_000)));
    expect(JSON.parse(fits.payload ?? '')).not.toHaveProperty('more');
  });
});
