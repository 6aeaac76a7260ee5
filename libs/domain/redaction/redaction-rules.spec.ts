import { parseRedactionRules } from './redaction-rules.js';
import { RedactionRulesError } from './redaction-rules-error.js';
import { createRedactor } from './redactor.js';

const parse = (file: unknown) => parseRedactionRules(JSON.stringify(file));
const rule = (pattern: string, flags?: string) => ({ rules: [{ label: 'own', pattern, ...(flags && { flags }) }] });

describe('A file of redaction rules', () => {
  it('adds rules in RE2 syntax, with flags', () => {
    const { redactText } = createRedactor(parse(rule('emp-\\d{6}', 'i')));
    expect(redactText('ask EMP-123456 or EMP-1234')).toBe('ask [REDACTED:own] or EMP-1234');
  });

  it('may lay ^ and $ at lines, and let a dot match their ends', () => {
    expect(createRedactor(parse(rule('^pin.*$', 'm'))).redactText('a\npin 1234\nb')).toBe('a\n[REDACTED:own]\nb');
    expect(createRedactor(parse(rule('pin.*', 's'))).redactText('a\npin 1234\nb')).toBe('a\n[REDACTED:own]');
  });

  it('turns built-in rules on and off', () => {
    const { redactText } = createRedactor(parse({ enable: ['phone', 'email'], disable: ['card'] }));
    const given = 'ada@example.com, +49 151 23456789, 4111111111111111';
    expect(redactText(given)).toBe('[REDACTED:email], [REDACTED:phone], 4111111111111111');
  });

  it('may be empty', () => {
    expect(createRedactor(parse({})).redactText('4111111111111111')).toBe('[REDACTED:card]');
  });

  it.each([
    ['{', 'The redaction rules are not JSON: '],
    ['[]', 'The file must be an object with rules, enable, disable'],
    ['{"rule": []}', 'The file has an unknown field "rule"; there are rules, enable, disable'],
    ['{"rules": {}}', 'rules must be a list'],
    ['{"rules": ["a"]}', 'rules[0] must be an object with label, pattern, flags'],
    ['{"rules": [{"label": "a"}]}', 'rules[0].pattern must be a text'],
    ['{"rules": [{"label": "a", "pattern": "x", "flag": "i"}]}', 'rules[0] has an unknown field "flag"'],
    ['{"rules": [{"label": "A b", "pattern": "x"}]}', 'rules[0].label must be 1 to 32 of the characters a-z'],
    [`{"rules": [{"label": "${'a'.repeat(33)}", "pattern": "x"}]}`, 'rules[0].label must be 1 to 32'],
    ['{"rules": [{"label": "", "pattern": "x"}]}', 'rules[0].label must be 1 to 32'],
    ['{"rules": [{"label": "a", "pattern": "x", "flags": "g"}]}', 'rules[0].flags may hold only "i", "m" and "s"'],
    [
      '{"rules": [{"label": "a", "pattern": "x"}, {"label": "b", "pattern": "(x"}]}',
      'rules[1].pattern cannot be used: ',
    ],
    ['{"enable": ["phones"]}', 'enable[0] "phones" is no built-in rule; there are '],
    ['{"disable": [1]}', 'disable[0] must be a text'],
  ])('is refused with a reason: %s', (text, reason) => {
    expect(() => parseRedactionRules(text)).toThrow(RedactionRulesError);
    expect(() => parseRedactionRules(text)).toThrow(reason);
  });

  it.each([
    ['looks ahead', 'a(?=b)', 'cannot be used'],
    ['looks behind', '(?<=a)b', 'cannot be used'],
    ['refers back', '(a)\\1', 'cannot be used'],
    ['repeats too often', '[ab]{200}', 'is too complex: it needs 202 steps, at most 128 are allowed'],
    ['repeats a repetition', '(?:[ab]{20}){20}', 'is too complex'],
    ['repeats beyond all measure', '(?:(?:[a-z]{100}){100}){100}', 'cannot be used'],
    ['is too long', 'a'.repeat(257), 'is longer than 256 characters'],
    ['matches nothing at all', 'a*', 'matches the empty text'],
    ['is empty', '', 'matches the empty text'],
  ])('is refused with a pattern that %s', (_how, pattern, reason) => {
    expect(() => parse(rule(pattern))).toThrow(`rules[0].pattern ${reason}`);
  });

  it('is refused when it is too large, has too many rules, or rules that are too complex together', () => {
    const small = { label: 'a', pattern: 'x' };
    const large = { label: 'a', pattern: '[ab]{100}' };
    expect(() => parseRedactionRules(' '.repeat(65_537))).toThrow('longer than 65536 characters');
    expect(() => parse({ rules: Array.from({ length: 65 }, () => small) })).toThrow('more than 64 rules');
    expect(() => parse({ rules: [large, large, large] })).toThrow('need 306 steps, at most 256 are allowed');
    expect(parse({ rules: [large, large] }).rules).toHaveLength(2);
  });
});
