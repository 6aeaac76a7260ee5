import fc from 'fast-check';
import { BUILT_IN_LABELS } from './built-in-rules.js';
import { parseRedactionRules } from './redaction-rules.js';
import { createRedactor } from './redactor.js';

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
const CARD = '4111 1111 1111 1111';
const PEM = `-----BEGIN PRIVATE KEY-----\n${'aB3dE6gH9j'.repeat(5)}\n-----END PRIVATE KEY-----`;

const withRules = (file: object) => createRedactor(parseRedactionRules(JSON.stringify(file)));

/** Texts of secrets, parts of secrets, markers and what lies between. */
const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(JWT, CARD, PEM, 'sk-', 'ghp_', 'a1B2c3D4e5F6'.repeat(4), 'AKIAIOSFODNN7EXAMPLE', 'secret', 'eyJ'),
      fc.constantFrom('-----BEGIN PRIVATE KEY-----', '-----END PRIVATE KEY-----', '[REDACTED:card]', '[REDACTED:', ']'),
      fc.constantFrom(
        '.',
        '-',
        '_',
        ' ',
        '\n',
        '+',
        '@',
        '4',
        '41',
        '4111111111111111',
        '😀',
        'AccountKey=',
        'EMP-1',
        'b',
      ),
      fc.string({ unit: 'binary', maxLength: 8 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

const RULE_SETS: [what: string, file: object][] = [
  ['the built-in rules', {}],
  ['all built-in rules', { enable: ['phone', 'email'] }],
  [
    'rules that see words, edges and markers',
    {
      rules: [
        { label: 'employee', pattern: 'EMP-\\d+' },
        { label: 'word', pattern: '\\b[a-e]\\b' },
        { label: 'edge', pattern: '^.|.$', flags: 'm' },
        { label: 'marker', pattern: 'REDACTED.{0,3}' },
        { label: 'odd', pattern: '[^a-z]{3}b' },
      ],
    },
  ],
  ['a rule that takes everything apart', { rules: [{ label: 'x', pattern: '\\b\\w' }] }],
  ['a rule that takes everything', { rules: [{ label: 'x', pattern: '.+' }], enable: ['email'] }],
];

describe.each(RULE_SETS)('Redaction by %s', (_what, file) => {
  const { redactText } = withRules(file);

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const once = redactText(text);
        expect(redactText(once)).toBe(once);
      }),
      { numRuns: 300 },
    );
  });

  it('gives well-formed text that is at most about twice as long', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const redacted = redactText(text);
        expect(redacted.isWellFormed()).toBe(true);
        expect(redacted.length).toBeLessThanOrEqual(2 * text.length + 64);
      }),
    );
  });
});

describe('Redaction', () => {
  it('leaves no card, token or key of a text, wherever they stand', () => {
    const secrets = fc.constantFrom(JWT, CARD, PEM);
    const between = fc.constantFrom(' ', '\n', '; ', ' is ', ' 😀 ', '"');
    fc.assert(
      fc.property(fc.array(fc.tuple(between, secrets), { minLength: 1 }), between, (parts, last) => {
        const redacted = createRedactor().redactText(parts.flat().join('') + last);
        for (const secret of [JWT, CARD, PEM]) expect(redacted).not.toContain(secret);
        for (const [text] of parts) expect(redacted).toContain(text);
        expect(redacted.match(/\[REDACTED:/g)).toHaveLength(parts.length);
      }),
    );
  });

  it('by rules that overlap gives one marker, of the rule that begins first', () => {
    const { redactText } = withRules({
      rules: [
        { label: 'tail', pattern: 'world.*' },
        { label: 'head', pattern: 'hello world' },
      ],
    });
    expect(redactText('say hello world again')).toBe('say [REDACTED:head]');
  });

  it('joins what stands side by side under one label', () => {
    const { redactText } = withRules({ rules: [{ label: 'digit', pattern: '\\d' }] });
    expect(redactText('pin 1234 or so, I think')).toBe('pin [REDACTED:digit] or so, I think');
  });

  it('takes a marker in when a rule needs what is beside it', () => {
    const { redactText } = withRules({ rules: [{ label: 'rest', pattern: '\\]: .*' }] });
    expect(redactText(`card ${CARD}: mine`)).toBe('card [REDACTED:rest]');
  });

  it('replaces a text whole when it would grow beyond twice its length', () => {
    const { redactText } = withRules({ rules: [{ label: 'digit', pattern: '\\d' }] });
    expect(redactText('1 a '.repeat(40))).toBe('[REDACTED:digit]');
  });

  it('replaces a text whole when it is not done after a few rounds', () => {
    const { redactText } = withRules({ rules: [{ label: 'first', pattern: '\\b[a-z]' }] });
    expect(redactText('abcdefghijklmnopqrstuvwxyz')).toBe('[REDACTED:first]');
  });

  it('leaves a marker alone when a rule sees a secret in the marker itself', () => {
    const { redactText } = withRules({ rules: [{ label: 'own', pattern: 'REDACTED|card' }] });
    expect(redactText(`mine is ${CARD}`)).toBe('mine is [REDACTED:card]');
    expect(redactText('a [REDACTED:card]')).toBe('a [REDACTED:card]');
  });

  it('leaves a text alone that is nothing but a marker, however many matches a rule has in it', () => {
    const dense = `[A-Za-z]|x+${'(?:y?)'.repeat(40)}`;
    const long = 'l'.repeat(32);
    const rules = [
      { label: 'dense', pattern: dense },
      { label: long, pattern: 'z{9}' },
    ];
    const { redactText } = withRules({ rules });
    expect(redactText(`[REDACTED:${long}]`)).toBe(`[REDACTED:${long}]`);
    expect(redactText(`[REDACTED:${long}] `)).toBe('[REDACTED:dense]');
  });

  it('takes labels that are off as text', () => {
    const { redactText } = withRules({ disable: ['card'] });
    expect(redactText(`${CARD} ${JWT}`)).toBe(`${CARD} [REDACTED:jwt]`);
  });

  it('knows no other labels than safe ones', () => {
    for (const label of BUILT_IN_LABELS) expect(label).toMatch(/^[a-z0-9_-]+$/);
  });
});

describe('Redaction of a JSON value', () => {
  const { redactJson } = createRedactor();

  it('reaches strings at every depth and leaves the rest', () => {
    const given = { [CARD]: [{ note: `my card is ${CARD}`, size: 7, tags: [JWT, null, true] }] };
    expect(redactJson(given)).toEqual({
      [CARD]: [{ note: 'my card is [REDACTED:card]', size: 7, tags: ['[REDACTED:jwt]', null, true] }],
    });
  });

  it('knows a secret by the key that it stands under', () => {
    const secret = 'aB3dE6gH9jK2mN5pQ8rS'.repeat(2);
    const given = { SecretAccessKey: secret, AccountKey: `${'aB3dE6gH9jK2'.repeat(7)}==`, digest: secret };
    expect(redactJson(given)).toEqual({
      SecretAccessKey: '[REDACTED:aws-secret-key]',
      AccountKey: '[REDACTED:azure-key]',
      digest: secret,
    });
  });

  it('gives the very same value when there is nothing to redact', () => {
    const given = [{ kind: 'image', caption: '😀' }];
    expect(redactJson(given)).toBe(given);
  });

  it('changes nothing the second time, and never what it is given', () => {
    fc.assert(
      fc.property(fc.object({ values: [hostileText, fc.integer(), fc.constant(null)], maxDepth: 3 }), (given) => {
        const before = JSON.stringify(given);
        const once = redactJson(given);
        expect(JSON.stringify(given)).toBe(before);
        expect(redactJson(once)).toEqual(once);
      }),
    );
  });
});
