import { createRedactor } from './redactor.js';

const { redactText } = createRedactor();

const LETTERS = 'aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA';
/** Letters and digits that no service has ever issued; put together here so that no scanner takes them for real. */
const made = (length: number) => LETTERS.repeat(8).slice(0, length);
const hex = (length: number) => '0a1b2c3d4e5f6789'.repeat(8).slice(0, length);

const HEADER = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9';
const CLAIMS = 'eyJzdWIiOiIxMjM0NTY3ODkwIn0';
const SIGNATURE = 'SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c';
const JWT = `${HEADER}.${CLAIMS}.${SIGNATURE}`;

const CAUGHT: [label: string, what: string, secret: string][] = [
  ['jwt', 'a signed token', JWT],
  ['jwt', 'a token with a short payload', `${HEADER}.e30.${SIGNATURE}`],
  ['jwt', 'an unsigned token', `${HEADER}.${CLAIMS}.`],
  ['jwt', 'a token that was cut', `${HEADER}.${CLAIMS}`],
  ['jwt', 'an encrypted token', `${HEADER}.${made(40)}.${made(16)}.${made(60)}.${made(22)}`],
  ['jwt', 'a directly encrypted token', `${HEADER}..${made(16)}.${made(60)}.${made(22)}`],
  ['anthropic-key', 'an Anthropic key', `sk-ant-api03-${made(40)}-${made(40)}_AA`],
  ['openai-key', 'a classic OpenAI key', `sk-${made(48)}`],
  ['openai-key', 'an OpenAI project key', `sk-proj-${made(30)}-_${made(30)}`],
  ['openai-key', 'a key in the same style', `sk-or-v1-${hex(64)}`],
  ['github-token', 'a personal GitHub token', `ghp_${made(36)}`],
  ['github-token', 'a GitHub server token', `ghs_${made(36)}`],
  ['github-token', 'a fine-grained GitHub token', `github_pat_${made(22)}_${made(59)}`],
  ['gitlab-token', 'a GitLab token', `glpat-${made(20)}`],
  ['gitlab-token', 'a routable GitLab token', `glpat-${made(27)}.01.${made(9)}`],
  ['slack-token', 'a Slack bot token', `xoxb-123456789012-123456789012-${made(24)}`],
  ['slack-token', 'a Slack app token', `xapp-1-A0123456789-1234567890123-${hex(64)}`],
  ['google-api-key', 'a Google key', `AIza${made(35)}`],
  ['google-oauth-token', 'a Google access token', `ya29.${made(60)}`],
  ['npm-token', 'an npm token', `npm_${made(36)}`],
  ['pypi-token', 'a PyPI token', `pypi-${made(90)}`],
  ['stripe-key', 'a Stripe secret key', `sk_live_${made(24)}`],
  ['stripe-key', 'a restricted Stripe key', `rk_live_${made(24)}`],
  ['sendgrid-key', 'a SendGrid key', `SG.${made(22)}.${made(43)}`],
  ['twilio-key', 'a Twilio key', `SK${hex(32)}`],
  ['huggingface-token', 'a Hugging Face token', `hf_${made(34)}`],
  ['aws-access-key', 'an AWS key id', `AKIA${'IOSFODNN7EXAMPLE'}`],
  ['aws-access-key', 'a temporary AWS key id', `ASIA${'IOSFODNN7EXAMPLE'}`],
  ['aws-session-token', 'an AWS session token', `IQoJb3JpZ2luX2Vj${made(200)}==`],
  [
    'gcp-service-account-key',
    'a service account file in base64',
    `ewogICJ0eXBlIjogInNlcnZpY2VfYWNjb3VudCIs${made(90)}=`,
  ],
  ['card', 'a Visa number', '4111111111111111'],
  ['card', 'a Visa number in groups', '4111 1111 1111 1111'],
  ['card', 'a number with dashes', '5555-5555-5555-4444'],
  ['card', 'a number with spaced dashes', '5555 - 5555 - 5555 - 4444'],
  ['card', 'a number with no-break spaces', '4111\u00A01111\u00A01111\u00A01111'],
  ['card', 'an American Express number', '3782 822463 10005'],
  ['card', 'an unbroken American Express number', '378282246310005'],
  ['card', 'a Diners number', '3056 930902 5904'],
  ['card', 'a number of 13 digits', '4222222222222'],
  ['card', 'a number of 19 digits', '6304000000000000000'],
  ['card', 'a number in odd groups', '41 11 11 11 11 11 11 11'],
];

const AROUND: [before: string, after: string][] = [
  ['', ''],
  ['my secretary says ', ' is it'],
  ['key=', ';'],
  ['{"k":"', '"}'],
  ['(', ')'],
  ['\n', '\n'],
  ['línea\\n', '\\n'],
  ['https://example.com/?token%3D', '&x=1'],
  ['密钥', '。'],
  ['😀', '😀'],
];

describe('A secret', () => {
  it.each(CAUGHT)('%s is found in %s', (label, _what, secret) => {
    for (const [before, after] of AROUND) {
      if (label === 'card' && before.endsWith('\\n')) continue;
      if (label === 'card' && before.endsWith('%3D')) continue;
      expect(redactText(before + secret + after)).toBe(`${before}[REDACTED:${label}]${after}`);
    }
  });

  it('leaves the word before it and the sentence after it', () => {
    expect(redactText(`Authorization: Bearer ${JWT}. Thanks`)).toBe('Authorization: Bearer [REDACTED:jwt]. Thanks');
    expect(redactText(`use ghp_${made(36)}, please`)).toBe('use [REDACTED:github-token], please');
  });

  it('is found beside others of its kind and of other kinds', () => {
    const two = `ghp_${made(36)} 4111111111111111 ghp_${made(36)}`;
    expect(redactText(two)).toBe('[REDACTED:github-token] [REDACTED:card] [REDACTED:github-token]');
  });
});

describe('A private key', () => {
  const body = `${made(64)}\n${made(64)}\n${made(20)}==`;
  const block = (kind: string, text = body) => `-----BEGIN ${kind}-----\n${text}\n-----END ${kind}-----`;

  it.each(['PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY', 'OPENSSH PRIVATE KEY', 'ENCRYPTED PRIVATE KEY'])(
    'in a block of kind %s is taken out whole',
    (kind) => {
      expect(redactText(`here: ${block(kind)}\nthanks`)).toBe('here: [REDACTED:private-key]\nthanks');
    },
  );

  it('of PGP, with headers, or with escaped line ends is taken out whole', () => {
    expect(redactText(block('PGP PRIVATE KEY BLOCK', `Version: 1\n\n${body}`))).toBe('[REDACTED:private-key]');
    const encrypted = block('RSA PRIVATE KEY', `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B\n\n${body}`);
    expect(redactText(encrypted)).toBe('[REDACTED:private-key]');
    const inJson = JSON.stringify({ type: 'service_account', private_key: block('PRIVATE KEY') });
    expect(redactText(inJson)).toBe('{"type":"service_account","private_key":"[REDACTED:private-key]"}');
  });

  it('without an end is taken out as far as there is key material', () => {
    const cut = `-----BEGIN PRIVATE KEY-----\n${body}`;
    expect(redactText(cut)).toBe('[REDACTED:private-key]');
    expect(redactText(`${cut}; what now?`)).toBe('[REDACTED:private-key]; what now?');
    expect(redactText(`${cut}; ${block('EC PRIVATE KEY')}`)).toBe('[REDACTED:private-key]; [REDACTED:private-key]');
  });

  it.each([
    ['a public key', block('PUBLIC KEY')],
    ['a certificate', block('CERTIFICATE')],
    ['a question about the header', 'Does it begin with -----BEGIN PRIVATE KEY----- or not?'],
    ['the words alone', 'I lost my PRIVATE KEY yesterday'],
  ])('is not seen in %s', (_what, text) => {
    expect(redactText(text)).toBe(text);
  });
});

describe('A cloud secret', () => {
  const secret = made(40);

  it.each([
    ['an environment file', `AWS_SECRET_ACCESS_KEY=${secret}`, 'AWS_SECRET_ACCESS_KEY='],
    ['a profile', `aws_secret_access_key = ${secret}\nregion=eu`, 'aws_secret_access_key = ', '\nregion=eu'],
    ['JSON', `{"SecretAccessKey": "${secret}"}`, '{"SecretAccessKey": "', '"}'],
    ['a sentence', `the secret is ${secret}.`, 'the secret is ', '.'],
  ])('of AWS is known by its neighbourhood in %s', (_where, text, before, after = '') => {
    expect(redactText(text)).toBe(`${before}[REDACTED:aws-secret-key]${after}`);
  });

  it('of AWS is known by the key id before it', () => {
    const pair = `AKIAIOSFODNN7EXAMPLE,${secret}\n`;
    expect(redactText(pair)).toBe('[REDACTED:aws-access-key],[REDACTED:aws-secret-key]\n');
  });

  it.each([
    ['without a neighbour', `the build is ${secret}`],
    ['as a hash after the word', `secret santa ${hex(40)}`],
    ['of another length', `secret: ${made(39)} or ${made(41)}`],
    ['far from the word', `secret${' '.repeat(80)}${secret}`],
  ])('of AWS is not seen %s', (_how, text) => {
    expect(redactText(text)).toBe(text);
  });

  it('of Azure is known by the name before it', () => {
    const connection = `AccountName=shop;AccountKey=${made(86)}==;EndpointSuffix=core.windows.net`;
    expect(redactText(connection)).toBe(
      'AccountName=shop;AccountKey=[REDACTED:azure-key];EndpointSuffix=core.windows.net',
    );
    const signed = `https://shop.blob.core.windows.net/a?sp=r&sig=${made(43)}%3D`;
    expect(redactText(signed)).toBe('https://shop.blob.core.windows.net/a?sp=r&sig=[REDACTED:azure-key]');
    expect(redactText('AccountKey=yours;')).toBe('AccountKey=yours;');
  });
});
