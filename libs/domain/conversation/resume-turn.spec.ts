import fc from 'fast-check';

import { type PlacedEntry, type PlacedInbound, resumeTurn, type ResumeTurnParts } from './resume-turn.js';

const SESSION = '00000000-0000-4000-8000-000000000001';
const OTHER_SESSION = '00000000-0000-4000-8000-000000000002';

function inboundAt(seq: number, body: string, sessionId = SESSION): PlacedInbound {
  return { sessionId, seq, inbound: { from_contact_id: 'c', body, timestamp_ms: seq, source_plugin: 'whatsapp' } };
}

function entryAt(seq: number, body: string, sessionId = SESSION): PlacedEntry {
  return {
    place: { sessionId, seq },
    entry: { seq, role: 'user', body, sent_at_ms: seq, source_plugin: 'whatsapp' },
  };
}

/** A line that was said and stands in no transcript. */
function unstampedAt(time: number, body: string): PlacedEntry {
  return {
    place: undefined,
    entry: { role: 'assistant', body, sent_at_ms: time, source_plugin: 'intervention:whatsapp' },
  };
}

function parts(inbounds: PlacedInbound[], entries: PlacedEntry[], operatorSummary?: string): ResumeTurnParts {
  return {
    turnId: '00000000-0000-4000-8000-00000000000a',
    scope: { kind: 'conversation', agent_id: 'ana', channel: 'whatsapp', account_id: 'a', contact_id: 'c' },
    sessionId: SESSION,
    epoch: 2,
    inbounds,
    entries,
    operatorSummary,
  };
}

describe('the resume turn', () => {
  it('holds everything in order when it fits, and then names nothing more', () => {
    const turn = resumeTurn(parts([inboundAt(0, 'a'), inboundAt(1, 'b')], [entryAt(0, 'a'), entryAt(1, 'b')], 'done'));
    expect(turn.inbounds.map((inbound) => inbound.body)).toEqual(['a', 'b']);
    expect(turn.entries?.map((entry) => entry.seq)).toEqual([0, 1]);
    expect(turn).toMatchObject({ cause: 'resume', epoch: 2, session_id: SESSION, operator_summary: 'done' });
    expect(turn).not.toHaveProperty('more');
  });

  it('keeps the newest that fit and names a range of each session that holds the rest', () => {
    const big = 'x'.repeat(200);
    const inbounds = [inboundAt(0, big), inboundAt(5, big, OTHER_SESSION), inboundAt(1, big), inboundAt(2, 'last')];
    const turn = resumeTurn(parts(inbounds, []), 1_000);
    expect(turn.inbounds.map((inbound) => inbound.timestamp_ms)).toEqual([1, 2]);
    expect(turn.more).toEqual([
      { session_id: SESSION, from_seq: 0, to_seq: 0 },
      { session_id: OTHER_SESSION, from_seq: 5, to_seq: 5 },
    ]);
  });

  it('gives inbounds their room before entries', () => {
    const big = 'x'.repeat(150_000);
    const lines = [0, 1, 2].map((seq) => ({ seq, body: big }));
    const turn = resumeTurn(
      parts(
        lines.map(({ seq, body }) => inboundAt(seq, body)),
        lines.map(({ seq, body }) => entryAt(seq, body)),
      ),
    );
    expect(turn.inbounds).toHaveLength(3);
    expect(turn.entries).toEqual([]);
    expect(turn.more).toEqual([{ session_id: SESSION, from_seq: 0, to_seq: 2 }]);
  });

  it('keeps what stands in no transcript rather than what can be read there, in its place', () => {
    const big = 'x'.repeat(300);
    const entries = [
      entryAt(0, big),
      unstampedAt(1, 'price is 40'),
      entryAt(1, big),
      unstampedAt(3, 'sent'),
      entryAt(2, 'so?'),
    ];
    const turn = resumeTurn(parts([inboundAt(2, 'so?')], entries), 1_150);
    expect(turn.entries?.map(({ body }) => body)).toEqual(['price is 40', 'sent', 'so?']);
    expect(turn.more).toEqual([{ session_id: SESSION, from_seq: 0, to_seq: 1 }]);
  });

  it('is never larger than the limit, and leaves no line out that no range holds', () => {
    const body = fc.string({ unit: 'binary', maxLength: 300 }).map((text) => text.toWellFormed());
    const session = fc.constantFrom(SESSION, OTHER_SESSION);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(body, session), { maxLength: 40 }),
        fc.integer({ min: 1_200, max: 6_000 }),
        (lines, limit) => {
          const inbounds = lines.map(([text, id], seq) => inboundAt(seq, text, id));
          const entries = lines.map(([text, id], seq) => entryAt(seq, text, id));
          const turn = resumeTurn(parts(inbounds, entries, 'summary'), limit);
          expect(Buffer.byteLength(JSON.stringify(turn))).toBeLessThanOrEqual(limit);
          const left = [
            ...inbounds.slice(0, inbounds.length - turn.inbounds.length),
            ...entries.slice(0, entries.length - (turn.entries?.length ?? 0)).flatMap(({ place }) => place ?? []),
          ];
          expect(turn.inbounds).toEqual(inbounds.slice(inbounds.length - turn.inbounds.length).map((i) => i.inbound));
          for (const { sessionId, seq } of left) {
            const holds = turn.more?.some((r) => r.session_id === sessionId && r.from_seq <= seq && seq <= r.to_seq);
            expect(holds).toBe(true);
          }
        },
      ),
    );
  });
});
