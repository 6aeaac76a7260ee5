import { age, fullTime, machineTime, shortTime, utcTime } from './times.js';

const AT_MS = Date.UTC(2026, 10, 3, 23, 5, 9);
const MADRID = { language: 'es', timeZone: 'Europe/Madrid' };
const BOGOTA = { language: 'en', timeZone: 'America/Bogota' };

describe('times', () => {
  it('are written in the zone of the operator', () => {
    expect(shortTime(AT_MS, AT_MS + 60_000, MADRID)).toBe('00:05');
    expect(fullTime(AT_MS, MADRID)).toBe('4 nov 2026, 0:05:09');
    expect(fullTime(AT_MS, BOGOTA)).toMatch(/^Nov 3, 2026, 6:05:09.PM$/);
  });

  it('name the day when it was another one there', () => {
    expect(shortTime(AT_MS, AT_MS + 2 * 3_600_000, MADRID)).toBe('00:05');
    expect(shortTime(AT_MS, AT_MS + 24 * 3_600_000, BOGOTA)).toMatch(/^Tue/);
    expect(shortTime(AT_MS, AT_MS + 30 * 24 * 3_600_000, BOGOTA)).toBe('Nov 3, 2026');
  });

  it('are there in UTC as well, for people and machines', () => {
    expect(utcTime(AT_MS)).toBe('2026-11-03 23:05:09 UTC');
    expect(machineTime(AT_MS)).toBe('2026-11-03T23:05:09.000Z');
  });

  it('are numbers where no calendar reaches', () => {
    expect([utcTime(2 ** 53 - 1), fullTime(2 ** 53 - 1, BOGOTA)]).toEqual(['9007199254740991', '9007199254740991']);
    expect(machineTime(2 ** 53 - 1)).toBeUndefined();
  });

  it('have ages in the largest whole unit', () => {
    const ages = [-5, 59_000, 61_000, 3_600_000, 47 * 3_600_000, 49 * 3_600_000].map((ms) => age(ms, 'en'));
    expect(ages).toEqual(['0 sec', '59 sec', '1 min', '1 hr', '47 hr', '2 days']);
  });
});
