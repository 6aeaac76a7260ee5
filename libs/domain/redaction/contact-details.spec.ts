import { parseRedactionRules } from './redaction-rules.js';
import { createRedactor } from './redactor.js';

const { redactText } = createRedactor(parseRedactionRules('{"enable": ["phone", "email"]}'));

describe('An e-mail address', () => {
  it.each(['ada@example.com', 'ada.lovelace+shop@mail.example.co.uk', "o'neil_1@ex-ample.museum", 'a@b.io'])(
    'is found: %s',
    (address) => {
      expect(redactText(`write to ${address}, please`)).toBe('write to [REDACTED:email], please');
      expect(redactText(`<${address}>.`)).toBe('<[REDACTED:email]>.');
    },
  );

  it.each(['@ada', 'ada@', 'meet @ 10', 'ada@localhost', 'a@1.2', 'user@@example', '@example.com'])(
    'is not seen in %s',
    (text) => {
      expect(redactText(text)).toBe(text);
    },
  );

  it('is found beside another', () => {
    expect(redactText('a@b.co@c.de')).toBe('[REDACTED:email]@c.de');
    expect(redactText('ada@example.com,bob@example.com')).toBe('[REDACTED:email],[REDACTED:email]');
  });
});

describe('A telephone number', () => {
  it.each([
    '+49 151 23456789',
    '+1 (555) 123-4567',
    '+4915123456789',
    '0049 151 2345678',
    '0151 23456789',
    '030/1234567',
    '(555) 123-4567',
    '555-123-4567',
    '555.123.4567',
  ])('is found: %s', (number) => {
    expect(redactText(`call ${number}, please`)).toBe('call [REDACTED:phone], please');
  });

  it.each([
    'order 12345',
    'order 1234567890',
    '2024-11-30 10:30',
    '30.11.2024',
    '192.168.100.200',
    '1.234.567,89',
    '3.0151234567',
    'a0151234567',
    '12+34=46',
  ])('is not seen in %s', (text) => {
    expect(redactText(text)).toBe(text);
  });
});
