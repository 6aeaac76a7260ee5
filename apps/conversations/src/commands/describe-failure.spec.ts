import { describeFailure } from './describe-failure.js';

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe('what is logged of a failure', () => {
  it('is where it came from and, of a defect of ours, what it was', () => {
    const failure = describeFailure(thrownBy(() => (undefined as unknown as string).length));
    expect(failure).toMatchObject({ name: 'TypeError', message: expect.stringContaining('undefined') });
    expect(failure.frames?.[0]).toContain('describe-failure.spec.ts');
  });

  it('is nothing that PostgreSQL or a parser quotes', () => {
    const fromDatabase = Object.assign(new Error('invalid input: "a secret"'), {
      code: '22P02',
      detail: 'Failing row contains (a secret).',
      constraint: 'things_pkey',
      parameters: ['a secret'],
    });
    const fromParser = thrownBy(() => JSON.parse('a secret'));
    expect(describeFailure(fromDatabase)).toMatchObject({ code: '22P02', constraint: 'things_pkey' });
    for (const failure of [fromDatabase, fromParser, 'a secret', { secret: 'a secret' }]) {
      expect(JSON.stringify(describeFailure(failure))).not.toContain('a secret');
    }
  });

  it('keeps the words of a socket, which quote nothing', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
    expect(describeFailure(refused)).toMatchObject({ code: 'ECONNREFUSED', message: refused.message });
  });
});
