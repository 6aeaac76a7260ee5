import { type Detector, NO_SPANS, type Span } from './span.js';

/**
 * One form of key: text that a key always holds (`sign`, any of them), its literal `prefix` and the `body` after it.
 * The search is linear because nothing follows a body that is unbounded: what has matched so far is always accepted.
 */
interface KeyForm {
  label: string;
  sign: string[];
  prefix: string;
  body: string;
}

const ENDS_HERE = '(?![A-Za-z0-9])';

const KEY_FORMS: readonly KeyForm[] = [
  { label: 'anthropic-key', sign: ['-'], prefix: 'sk-ant-', body: '[\\w-]{16,}' },
  { label: 'openai-key', sign: ['-'], prefix: 'sk-(?:proj|svcacct|admin|None|or-v1)-', body: '[\\w-]{20,}' },
  { label: 'openai-key', sign: ['-'], prefix: 'sk-', body: '(?:[a-z0-9]{1,12}-){0,2}[A-Za-z0-9]{20}[\\w-]*' },
  { label: 'github-token', sign: ['_'], prefix: 'gh[pousr]_', body: '[A-Za-z0-9]{20,}' },
  { label: 'github-token', sign: ['_'], prefix: 'github_pat_', body: '\\w{22,}' },
  {
    label: 'gitlab-token',
    sign: ['-'],
    prefix: 'gl(?:pat|oas|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat|ffct)-',
    body: '[\\w-]{20,}(?:\\.[\\w-]+)*',
  },
  { label: 'slack-token', sign: ['-'], prefix: 'xox[abcdeprs]-', body: '[\\w%+/-]{10,}' },
  { label: 'slack-token', sign: ['-'], prefix: 'xapp-', body: '\\d-[\\w-]{10,}' },
  { label: 'google-api-key', sign: ['AIza'], prefix: 'AIza', body: '[\\w-]{30,}' },
  { label: 'google-oauth-token', sign: ['ya29.'], prefix: 'ya29\\.', body: '[\\w-]{20,}' },
  { label: 'google-oauth-token', sign: ['-'], prefix: 'GOCSPX-', body: '[\\w-]{20,}' },
  // The beginning of a service account's key file in base64.
  {
    label: 'gcp-service-account-key',
    sign: ['ewogICJ0eXBlIjogInNlcnZpY2VfYWNjb3VudC', 'eyJ0eXBlIjoic2VydmljZV9hY2NvdW50'],
    prefix: '(?:ewogICJ0eXBlIjogInNlcnZpY2VfYWNjb3VudC|eyJ0eXBlIjoic2VydmljZV9hY2NvdW50)',
    body: '[A-Za-z0-9+/=_-]{20,}',
  },
  { label: 'npm-token', sign: ['_'], prefix: 'npm_', body: '[A-Za-z0-9]{30,}' },
  { label: 'pypi-token', sign: ['-'], prefix: 'pypi-', body: '[\\w-]{50,}' },
  { label: 'stripe-key', sign: ['_'], prefix: '[sr]k_(?:live|test)_', body: '[A-Za-z0-9]{16,}' },
  { label: 'stripe-key', sign: ['_'], prefix: 'whsec_', body: '[A-Za-z0-9+/=]{24,}' },
  { label: 'sendgrid-key', sign: ['SG.'], prefix: 'SG\\.', body: '[\\w-]{16,32}\\.[\\w-]{32,}' },
  { label: 'twilio-key', sign: ['SK'], prefix: 'SK', body: `[0-9a-f]{32}${ENDS_HERE}` },
  { label: 'huggingface-token', sign: ['_'], prefix: 'hf_', body: '[A-Za-z0-9]{30,}' },
  { label: 'groq-key', sign: ['_'], prefix: 'gsk_', body: '[A-Za-z0-9]{40,}' },
  { label: 'xai-key', sign: ['-'], prefix: 'xai-', body: '[A-Za-z0-9]{40,}' },
  { label: 'shopify-token', sign: ['_'], prefix: 'shp(?:at|ca|pa|ss)_', body: '[0-9a-fA-F]{32,}' },
  { label: 'digitalocean-token', sign: ['_'], prefix: 'do[opr]_v1_', body: '[0-9a-f]{40,}' },
  { label: 'aws-access-key', sign: ['AKIA', 'ASIA'], prefix: 'A[KS]IA', body: `[A-Z0-9]{16}${ENDS_HERE}` },
  { label: 'aws-session-token', sign: ['IQoJb3JpZ2luX2Vj'], prefix: 'IQoJb3JpZ2luX2Vj', body: '[A-Za-z0-9+/=]{60,}' },
];

/** The kinds of key that are known by a prefix of their own. */
export const API_KEY_LABELS: readonly string[] = [...new Set(KEY_FORMS.map(({ label }) => label))];

// A key may follow an escaped control character ("\n") or a percent-encoded one ("%3D") as well as a space.
// Looked at only behind a prefix that is there, which costs far less than at every place.
const startsWith = (prefix: string) => String.raw`${prefix}(?<=(?:^|[^A-Za-z0-9]|\\[nrt]|%[0-9A-Fa-f]{2})${prefix})`;

/** Finds keys and tokens of the given labels. */
export function apiKeyDetector(labels: ReadonlySet<string>): Detector {
  const forms = KEY_FORMS.filter(({ label }) => labels.has(label));
  const signs = [...new Set(forms.flatMap(({ sign }) => sign))];
  const anyForm = new RegExp(forms.map(({ prefix, body }) => `(${startsWith(prefix)}${body})`).join('|'), 'g');

  return (text) => {
    if (!signs.some((sign) => text.includes(sign))) return NO_SPANS;
    let spans: Span[] | undefined;
    anyForm.lastIndex = 0;
    for (let match = anyForm.exec(text); match; match = anyForm.exec(text)) {
      const found = match;
      const label = forms.find((_form, index) => found[index + 1] !== undefined)?.label;
      if (label !== undefined) (spans ??= []).push({ start: match.index, end: anyForm.lastIndex, label });
    }
    return spans ?? NO_SPANS;
  };
}
