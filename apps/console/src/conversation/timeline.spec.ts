import type { Entry } from '#contracts/entry.js';
import type { PendingInbound } from '#contracts/pending-inbound.js';

import type { Line } from '../live/lines.js';
import { timeline, type TimelineParts } from './timeline.js';

function line(seq: number, sent_at_ms: number, more: Partial<Line> = {}): Line {
  const said = { role: 'assistant', body: `line ${seq}`, sent_at_ms, source_plugin: 'web' } as const;
  const event = { kind: 'transcript_appended', event_id: 'e', agent_id: 'ana', session_id: 's' } as const;
  return { ...event, seq, ...said, ...more };
}

function inbound(body: string, timestamp_ms: number): PendingInbound {
  return { from_contact_id: 'ada', body, timestamp_ms, source_plugin: 'web' };
}

const NOTHING: TimelineParts = { lines: [], waiting: [], evicted: [], previewed: [], pausedAtMs: undefined };

function bodies(parts: Partial<TimelineParts>): string[] {
  return timeline({ ...NOTHING, ...parts }).map((item) => (item.kind === 'line' ? item.entry.body : item.inbound.body));
}

describe('timeline', () => {
  it('puts what waits among the lines of the hold, by time', () => {
    const lines = [line(0, 10), line(1, 110), line(2, 130)];
    expect(bodies({ lines, waiting: [inbound('w', 120)], pausedAtMs: 100 })).toEqual([
      'line 0',
      'line 1',
      'w',
      'line 2',
    ]);
  });

  it('puts what waits after all that was said before the hold, whatever time the channel gives', () => {
    expect(bodies({ lines: [line(0, 50)], waiting: [inbound('early', 1)], pausedAtMs: 100 })).toEqual([
      'line 0',
      'early',
    ]);
  });

  it('keeps the order of what waits, also against the times', () => {
    const waiting = [inbound('first', 130), inbound('second', 120)];
    expect(bodies({ waiting, pausedAtMs: 100 })).toEqual(['first', 'second']);
  });

  it('shows what was pushed out of the buffer in its place', () => {
    const evicted = [{ inbound: inbound('gone', 110), evicted_at_ms: 140 }];
    const items = timeline({ ...NOTHING, evicted, waiting: [inbound('w', 120)], pausedAtMs: 100 });
    expect(items.map(({ kind }) => kind)).toEqual(['evicted', 'waiting']);
  });

  it('takes delivery and attachments from the preview', () => {
    const previewed: Entry[] = [{ ...line(0, 110), delivery: 'read', attachments: ['a'] }];
    const [item] = timeline({ ...NOTHING, lines: [line(0, 110)], previewed, pausedAtMs: 100 });
    expect(item).toMatchObject({ entry: { delivery: 'read', attachments: ['a'] } });
  });

  it('shows what an operator sent without its being stamped', () => {
    const previewed: Entry[] = [
      { role: 'assistant', body: 'sent', sent_at_ms: 115, source_plugin: 'intervention:web' },
    ];
    expect(bodies({ lines: [line(0, 110), line(1, 120)], previewed, pausedAtMs: 100 })).toEqual([
      'line 0',
      'sent',
      'line 1',
    ]);
  });

  it('gives every item an id of its own', () => {
    const waiting = [inbound('same', 120), inbound('same', 120)];
    const ids = timeline({ ...NOTHING, lines: [line(0, 1)], waiting, pausedAtMs: 100 }).map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
  });
});
