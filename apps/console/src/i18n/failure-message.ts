import { reasonOf } from '../api/rpc-failure.js';
import { MESSAGES, type MessageKey } from './translate.js';

/** The sentence that tells an operator what a failure means and what to do. */
export function failureMessage(error: unknown): MessageKey {
  const key = `failure.${reasonOf(error)}`;
  return Object.hasOwn(MESSAGES.en, key) ? (key as MessageKey) : 'failure.internal';
}
