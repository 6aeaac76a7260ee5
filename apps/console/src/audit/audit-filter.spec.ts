import { auditParams, EVERYTHING, shortMethod } from './audit-filter.js';

const NOW_MS = 1_000_000_000;

describe('auditParams', () => {
  it('names only what was chosen', () => {
    expect(auditParams(EVERYTHING, NOW_MS)).toEqual({ limit: 100 });
  });

  it('completes a method and counts the span back from now', () => {
    const filter = { method: ' processing/pause ', operator: 'ab ', outcome: 'refused', span: 'hour' } as const;
    expect(auditParams(filter, NOW_MS)).toEqual({
      limit: 100,
      method: 'nexo/admin/processing/pause',
      operator: 'ab',
      outcome: 'refused',
      since_ms: NOW_MS - 3_600_000,
    });
  });

  it('shortens methods for the table', () => {
    expect([shortMethod('nexo/admin/processing/pause'), shortMethod('nexo/agent/reply')]).toEqual([
      'processing/pause',
      'nexo/agent/reply',
    ]);
  });
});
