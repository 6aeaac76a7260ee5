import { createRedactor } from './redactor.js';

const { redactText } = createRedactor();

const made = (length: number) => 'aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA'.repeat(8).slice(0, length);

const SURVIVE: [what: string, text: string][] = [
  ['an ordinary message', 'Hello, where is my order 12345? It should have come on 2024-11-30 at 10:30.'],
  ['a link', 'https://shop.example.com/orders/2024-11-30/98765?utm_source=mail&ref=a-b_c'],
  ['emoji and other scripts', '👩🏽‍🚀 спасибо, 谢谢, ありがとう ١٢٣٤٥٦٧٨٩٠١٢٣٤٥٦'],
  ['a word that ends as a key begins', `task-${made(30)} risk-${made(30)} xghp_${made(36)}`],
  ['a key that is too short', 'sk-abc123 ghp_abc hf_short npm_config_registry xoxb-1 glpat-x AIzaSy SG.a.b'],
  ['class names', 'sk-folding-cube sk-chasing-dots-animation-wrapper'],
  ['a publishable Stripe key', `pk_live_${made(24)}`],
  ['a key id in lower case', 'akiaiosfodnn7example'],
  ['a longer word that begins like a key id', 'AKIAIOSFODNN7EXAMPLES'],
  ['a hash after SK', `SK${'0a1b2c3d'.repeat(5)}`],
  ['base64 that begins like a token', 'eyJhIjoxfQ=='],
  ['a token of one part and a file name', 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.png'],
  ['a token whose header is too short', 'eyJhIjoxfQ.e30.c2ln'],
  ['a token inside a word', `Xx${'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc'}`],
  ['an order number whose check digit is wrong', '4111111111111112'],
  ['a number in groups whose check digit is wrong', '4111-1111-1111-1112'],
  ['a number inside more digits', '41111111111111111115'],
  ['a number of 12 digits', '411111111117'],
  ['a number inside a word', 'INV4111111111111111 and 4111111111111111x'],
  ['a fraction', '0.4111111111111111'],
  ['an amount', '4111111111111111.25'],
  ['an international phone number', '+4222222222222'],
  ['a contact id', '4222222222222@s.whatsapp.net'],
  ['a UUID of digits', '41111111-1111-1111-a000-000000000000'],
  ['dates and times whose digits happen to check out', '2024-11-30 12-09-30, then 2024-11-30 12-17-30'],
  ['two short numbers whose digits together check out', '1234567 7654308'],
  ['phone numbers and addresses, which are off by default', '+49 151 23456789, mail me at ada@example.com'],
  ['somebody else’s markers', '[REDACTED:unknown] [REDACTED:] [redacted]'],
];

describe('What only looks like a secret', () => {
  it.each(SURVIVE)('survives: %s', (_what, text) => {
    expect(redactText(text)).toBe(text);
  });

  it('survives as each of the numbers that miss the check digit of a card', () => {
    for (let last = 0; last <= 9; last++) {
      const number = `411111111111111${last}`;
      expect(redactText(number)).toBe(last === 1 ? '[REDACTED:card]' : number);
    }
  });
});

describe('A marker that a sender made up', () => {
  it('hides no secret', () => {
    expect(redactText('[REDACTED:4111111111111111]')).toBe('[REDACTED:[REDACTED:card]]');
    expect(redactText(`[REDACTED:sk-${'a1'.repeat(12)}]`)).toBe('[REDACTED:[REDACTED:openai-key]]');
  });
});
