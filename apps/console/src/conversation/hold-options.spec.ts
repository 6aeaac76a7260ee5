import { holdOptions } from './hold-options.js';

describe('holdOptions', () => {
  it('leaves out what was not filled in', () => {
    expect(holdOptions({ reason: '  ', after: 'never', minutes: '' })).toEqual({});
  });

  it('has the reason without the space around it, and the time in milliseconds', () => {
    const options = holdOptions({ reason: ' a friend ', after: '1h', minutes: '' });
    expect(options).toEqual({ reason: 'a friend', auto_resume_after_ms: 3_600_000 });
    expect(holdOptions({ reason: '', after: 'custom', minutes: '2.5' })).toEqual({ auto_resume_after_ms: 150_000 });
  });

  it.each(['', '0', '-1', 'soon', '10081'])('refuses %j minutes', (minutes) => {
    expect(holdOptions({ reason: '', after: 'custom', minutes })).toBeUndefined();
  });
});
