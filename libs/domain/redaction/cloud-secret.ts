import { BASE64, endOfRun } from './characters.js';
import { type Detector, NO_SPANS, type Span } from './span.js';

export const AWS_SECRET_LABEL = 'aws-secret-key';
export const AZURE_KEY_LABEL = 'azure-key';

const AWS_CONTEXT = /secret|A[KS]IA[A-Z0-9]{16}/gi;
const AWS_CONTEXT_KEY = /secret/i;
const AWS_SECRET_LENGTH = 40;
/** How far behind the word or the key id a secret is looked for, in characters. */
const AWS_CONTEXT_REACH = 64;

/** Finds the secret half of an AWS key pair, which only its neighbourhood tells from other base64. */
export const detectAwsSecrets: Detector = (text, key) => {
  let spans: Span[] | undefined;
  const take = (from: number) => {
    const start = findAwsSecret(text, from);
    if (start === undefined) return from;
    const end = start + AWS_SECRET_LENGTH;
    (spans ??= []).push({ start, end, label: AWS_SECRET_LABEL });
    return end;
  };
  AWS_CONTEXT.lastIndex = key !== undefined && AWS_CONTEXT_KEY.test(key) ? take(0) : 0;
  while (AWS_CONTEXT.test(text)) AWS_CONTEXT.lastIndex = take(AWS_CONTEXT.lastIndex);
  return spans ?? NO_SPANS;
};

function findAwsSecret(text: string, from: number): number | undefined {
  const limit = Math.min(text.length, from + AWS_CONTEXT_REACH);
  for (let start = from; start < limit; start++) {
    const end = endOfRun(text, start, BASE64, Math.min(text.length, limit + AWS_SECRET_LENGTH));
    if (end - start === AWS_SECRET_LENGTH && isMixed(text.slice(start, end))) return start;
    start = end;
  }
  return undefined;
}

/** A secret holds letters of both cases and digits; a hash in hexadecimal or a path in lower case does not. */
function isMixed(text: string): boolean {
  return /[a-z]/.test(text) && /[A-Z]/.test(text) && /[0-9]/.test(text);
}

const AZURE_KEY =
  /(?:(?:account|shared_?access)_?key["'\s\\]{0,4}[=:]["'\s\\]{0,4}|[?&;]sig=)([A-Za-z0-9+/%=_-]{40,})/gi;
const AZURE_KEY_NAME = /(?:account|shared_?access)_?key$/i;
const AZURE_KEY_VALUE = /^[A-Za-z0-9+/=]{40,}$/;

/** Finds keys of Azure storage accounts and service buses and the signatures of shared access. */
export const detectAzureKeys: Detector = (text, key) => {
  if (key !== undefined && AZURE_KEY_NAME.test(key) && AZURE_KEY_VALUE.test(text)) {
    return [{ start: 0, end: text.length, label: AZURE_KEY_LABEL }];
  }
  let spans: Span[] | undefined;
  AZURE_KEY.lastIndex = 0;
  for (let match = AZURE_KEY.exec(text); match; match = AZURE_KEY.exec(text)) {
    const end = AZURE_KEY.lastIndex;
    (spans ??= []).push({ start: end - (match[1] ?? '').length, end, label: AZURE_KEY_LABEL });
  }
  return spans ?? NO_SPANS;
};
