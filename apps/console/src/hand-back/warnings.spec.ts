import type { Turn } from '#contracts/turn.js';

import { countOldMessages, summaryLength } from './warnings.js';

const NOW_MS = 10_000_000;
const inbound = (timestamp_ms: number) => ({ from_contact_id: 'ada', body: 'x', timestamp_ms, source_plugin: 'web' });

describe('countOldMessages', () => {
  it('counts what is older than an hour and not answered yet', () => {
    const old = NOW_MS - 3_600_001;
    const inbounds = [inbound(old), { ...inbound(old), answered: true as const }, inbound(NOW_MS - 3_600_000)];
    expect(countOldMessages({ inbounds } as Turn, NOW_MS)).toBe(1);
    expect(countOldMessages(undefined, NOW_MS)).toBe(0);
  });
});

describe('summaryLength', () => {
  it('counts Unicode characters, up to 4,096', () => {
    expect(summaryLength('😀'.repeat(4_096))).toEqual({ characters: 4_096, isTooLong: false });
    expect(summaryLength('a'.repeat(4_097))).toEqual({ characters: 4_097, isTooLong: true });
  });
});
