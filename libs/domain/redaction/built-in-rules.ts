import { API_KEY_LABELS, apiKeyDetector } from './api-key.js';
import { CARD_NUMBER_LABEL, detectCardNumbers } from './card-number.js';
import { AWS_SECRET_LABEL, AZURE_KEY_LABEL, detectAwsSecrets, detectAzureKeys } from './cloud-secret.js';
import { detectEmails, detectPhoneNumbers, EMAIL_LABEL, PHONE_LABEL } from './contact-details.js';
import { detectJsonWebTokens, JSON_WEB_TOKEN_LABEL } from './json-web-token.js';
import { detectPrivateKeys, PRIVATE_KEY_LABEL } from './private-key.js';
import type { Detector } from './span.js';

const DETECTORS: readonly [label: string, detector: Detector][] = [
  [PRIVATE_KEY_LABEL, detectPrivateKeys],
  [JSON_WEB_TOKEN_LABEL, detectJsonWebTokens],
  [AWS_SECRET_LABEL, detectAwsSecrets],
  [AZURE_KEY_LABEL, detectAzureKeys],
  [CARD_NUMBER_LABEL, detectCardNumbers],
  [PHONE_LABEL, detectPhoneNumbers],
  [EMAIL_LABEL, detectEmails],
];

const OFF_BY_DEFAULT: readonly string[] = [PHONE_LABEL, EMAIL_LABEL];

/** The labels of all rules that Holdline brings along. */
export const BUILT_IN_LABELS: readonly string[] = [...API_KEY_LABELS, ...DETECTORS.map(([label]) => label)];

/** The labels of the built-in rules that are on: the secrets, unless disabled, and whatever is enabled. */
export function activeLabels(enable: readonly string[], disable: readonly string[]): Set<string> {
  const active = BUILT_IN_LABELS.filter((label) => !OFF_BY_DEFAULT.includes(label) || enable.includes(label));
  return new Set(active.filter((label) => !disable.includes(label)));
}

/** The detectors of the built-in rules with these labels. */
export function builtInDetectors(labels: ReadonlySet<string>): Detector[] {
  const keys = API_KEY_LABELS.some((label) => labels.has(label)) ? [apiKeyDetector(labels)] : [];
  return [...keys, ...DETECTORS.flatMap(([label, detector]) => (labels.has(label) ? [detector] : []))];
}
