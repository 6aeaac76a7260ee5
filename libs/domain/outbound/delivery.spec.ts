import fc from 'fast-check';

import { type ReportedDelivery, saysMore } from './delivery.js';

const after = (reports: ReportedDelivery[]) =>
  reports.reduce<ReportedDelivery | null>((known, report) => (saysMore(known, report) ? report : known), null);

describe('what is known of a message after reports of its channel', () => {
  it.each([
    [['delivered', 'read'], 'read'],
    [['read', 'delivered'], 'read'],
    [['failed', 'delivered'], 'delivered'],
    [['delivered', 'failed'], 'delivered'],
    [['failed', 'failed'], 'failed'],
  ] as const)('%j: %s', (reports, known) => {
    expect(after([...reports])).toBe(known);
  });

  it('does not depend on their order, nor on how often each comes', () => {
    const reports = fc.array(fc.constantFrom<ReportedDelivery>('delivered', 'read', 'failed'));
    fc.assert(
      fc.property(
        reports.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([all, shuffled]) => after([...all, ...all]) === after(shuffled),
      ),
    );
  });
});
