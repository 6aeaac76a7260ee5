import { compileExtraRule } from './extra-rule.js';
import { findExtraMatches } from './extra-search.js';
import { parseRedactionRules } from './redaction-rules.js';
import { createRedactor } from './redactor.js';

const LARGEST_TEXT = 256 * 1024;
/** A hundred times what it takes; a search that is quadratic takes many times longer. */
const TIME_LIMIT_MS = 2000;

function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const filledWith = (part: string, length = LARGEST_TEXT) =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length);

const HOSTILE_PARTS = [
  'a',
  '-',
  '4',
  '4 ',
  '4111 - ',
  '411111111111111 ',
  '4111111111111111 ',
  '+4',
  '00',
  '(555) ',
  '@',
  'a@',
  'a@a.',
  'a.b@',
  '@a-.',
  'eyJ',
  '-eyJ',
  '-eyJ.',
  '.eyJaaaaaaaaaaaaaaa',
  '-eyJaaaaaaaaaaaaaaa',
  'eyJaaaaaaaaaaaaaaa.a.',
  'sk-',
  '-sk-a',
  'xsk-proj-',
  'sk-a-a-',
  'glpat-',
  'glpat-aaaaaaaaaaaaaaaaaaaaaa.',
  'xoxb-',
  'SG.aaaaaaaaaaaaaaaa.',
  'AKIA',
  'secret',
  'secretaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  'AccountKey=',
  'accountkey"\' ',
  'BEGIN PRIVATE KEY-----',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN PRIVATE KEY-----aaaaaaaaaaaaaaaaaaaa',
  '-----BEGIN AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  '-----END PRIVATE KEY-----',
  '[REDACTED:',
  '[REDACTED:card]',
  '4[REDACTED:card]',
  '\\n%3D',
  '😀',
];

describe('The built-in rules', () => {
  const redactor = createRedactor({ enable: ['phone', 'email'] });

  it.each(HOSTILE_PARTS)('take a text of 256 KiB that repeats %j', (part) => {
    const text = filledWith(part);
    expect(cpuMsOf(() => redactor.redactText(text))).toBeLessThan(TIME_LIMIT_MS);
    expect(cpuMsOf(() => redactor.redactJson({ secret: text }))).toBeLessThan(TIME_LIMIT_MS);
  });
});

/** Deterministic, without a pattern that an engine could remember. */
function scrambled(alphabet: string, length: number): string {
  let state = 1;
  const next = () => (state = (state * 48_271) % 2_147_483_647);
  return Array.from({ length }, () => alphabet.charAt(next() % alphabet.length)).join('');
}

const HOSTILE_RULES: [pattern: string, text: (length: number) => string][] = [
  ['[ab].*[xy]|[ab]', (length) => filledWith('a', length)],
  ['[ab].*[xy]|[ab]', (length) => filledWith('ab\n', length)],
  ['a.{0,60}b|a', (length) => filledWith('a', length)],
  ['[ab]', (length) => filledWith('a', length)],
  ['a.*', (length) => filledWith('a', length)],
  ['a[^\\n]*', (length) => filledWith(`${'a'.repeat(1100)}\n`, length)],
  ['(?:[ab]?){60}[xy]', (length) => scrambled('ab', length)],
  ['(?:a?){40}a{40}', (length) => filledWith('a', length)],
  ['[a-h]*a.{60}[xy]', (length) => scrambled('abcdefgh', length)],
  ['(?:a|aa|aaa)+[xy]', (length) => filledWith('a', length)],
  ['(?:a+)+$', (length) => filledWith(`${'a'.repeat(99)}b`, length)],
  ['\\b', (length) => filledWith('a ', length)],
];

describe('A rule of the operator’s own', () => {
  const STEPS_PER_CHARACTER = 2 * 128 + 2 * 256;
  const STEPS_TO_BEGIN_WITH = 65_536 + 2 * 1024 * 128;

  it.each(HOSTILE_RULES)('takes steps in proportion to a hostile text: %s', (pattern, textOf) => {
    const rule = compileUnchecked(pattern);
    for (const length of [1024, LARGEST_TEXT / 4, LARGEST_TEXT]) {
      const { steps } = findExtraMatches(rule, textOf(length));
      expect(steps).toBeLessThan(STEPS_TO_BEGIN_WITH + STEPS_PER_CHARACTER * length);
    }
  });

  it.each(HOSTILE_RULES)('is done with a hostile text of 256 KiB in time: %s', (pattern, textOf) => {
    const { redactText } = createRedactor({ rules: [compileUnchecked(pattern)] });
    const text = textOf(LARGEST_TEXT);
    expect(cpuMsOf(() => redactText(text))).toBeLessThan(TIME_LIMIT_MS);
  });

  it('finds what a plain search finds, in texts that take many windows', () => {
    const rule = compileExtraRule('id', '\\bEMP-\\d{6}\\b|^start|end$', '', 'rules[0]');
    const text = `start ${'EMP-123456 xEMP-123456 EMP-12345 😀 start end '.repeat(400)}end`;
    const expected = Array.from(text.matchAll(/\bEMP-\d{6}\b|^start|end$/g), ({ 0: match, index }) => ({
      start: index,
      end: index + match.length,
    }));
    expect(findExtraMatches(rule, text)).toMatchObject({ matches: expected, exhausted: false });
  });

  it('finds a long match wherever it stands, and follows one without end', () => {
    const token = compileExtraRule('token', 'tok_[a-z]{100}', '', 'rules[0]');
    const line = compileExtraRule('line', 'key: .*', '', 'rules[0]');
    for (const before of [0, 900, 1000, 1023, 1024, 5000]) {
      const long = `${'.'.repeat(before)}tok_${'a'.repeat(100)}.`;
      expect(findExtraMatches(token, long).matches).toEqual([{ start: before, end: before + 104 }]);
      const endless = `${'.'.repeat(before)}key: ${'a'.repeat(20_000)}\n.`;
      expect(findExtraMatches(line, endless).matches).toEqual([{ start: before, end: before + 20_005 }]);
    }
  });

  it('prefers the longer way to match wherever it stands', () => {
    const rule = compileUnchecked('a.{50}b|a');
    for (let before = 700; before < 1100; before += 20) {
      const text = `${'.'.repeat(before)}a${'x'.repeat(50)}b${'.'.repeat(3000)}`;
      expect(findExtraMatches(rule, text).matches).toEqual([{ start: before, end: before + 52 }]);
    }
  });

  it('never begins in the middle of a surrogate pair', () => {
    const notEmoji = compileUnchecked('[^😀a]b');
    for (let before = 760; before < 776; before++) {
      const text = `${'a'.repeat(before)}😀b${'a'.repeat(2000)}`;
      expect(findExtraMatches(notEmoji, text).matches).toEqual([]);
    }
    expect(findExtraMatches(compileUnchecked('\\b|[^😀a]'), 'a😀').matches).toEqual([]);
  });

  it('gives up when its matches lie too densely to be found in linear time', () => {
    const { redactText } = createRedactor(
      parseRedactionRules(JSON.stringify({ rules: [{ label: 'dense', pattern: 'a.*b|a' }] })),
    );
    expect(redactText(filledWith('a', 20_000))).toBe('[REDACTED:dense]');
  });
});

function compileUnchecked(pattern: string) {
  return compileExtraRule('own', pattern, '', 'rules[0]');
}
