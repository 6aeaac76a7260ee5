import { classifyDatabaseError } from './database-errors.js';

const failure = (code: string) => Object.assign(new Error('any words'), { code });

describe('failures that a test cannot make a database have', () => {
  it.each([
    ['08006', 'away', 'the connection failed'],
    ['53100', 'away', 'the disk is full'],
    ['57P02', 'away', 'another session crashed the server'],
    ['57P03', 'away', 'the server is starting or stopping'],
    ['58030', 'away', 'the disk does not answer'],
    ['EPIPE', 'away', 'the socket was closed'],
    ['EAI_AGAIN', 'away', 'names are not resolved'],
    ['XX000', 'fatal', 'PostgreSQL has a defect'],
    ['42501', 'fatal', 'the role may not do this'],
  ])('%s means %s: %s', (code, means) => {
    expect(classifyDatabaseError(failure(code))).toBe(means);
    expect(classifyDatabaseError(Object.assign(new Error('wrapped'), { driverError: failure(code) }))).toBe(means);
  });

  it.each([undefined, null, 'Connection terminated', { code: '40001' }, new Error('any words')])(
    'is a defect of ours if it is nothing that a driver throws: %p',
    (thrown) => {
      expect(classifyDatabaseError(thrown)).toBe('fatal');
    },
  );
});
