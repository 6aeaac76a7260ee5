import type { Entry } from '#contracts/entry.js';
import { EXTERNAL_OPERATOR, operatorSenderId, SUMMARY_SOURCE_PLUGIN } from '#contracts/transcript-words.js';

/** Who said a line. */
export type Speaker =
  | { kind: 'contact' }
  | { kind: 'agent' }
  | { kind: 'operator'; hash: string }
  /** An operator's answer that did not come through Holdline. */
  | { kind: 'outside' }
  /** What an operator told the agent when handing back. */
  | { kind: 'summary'; hash: string }
  | { kind: 'tool' }
  | { kind: 'system' };

const OPERATOR_PREFIX = operatorSenderId('');

export function speakerOf({
  role,
  sender_id,
  source_plugin,
}: Pick<Entry, 'role' | 'sender_id' | 'source_plugin'>): Speaker {
  const hash = sender_id?.startsWith(OPERATOR_PREFIX) ? sender_id.slice(OPERATOR_PREFIX.length) : undefined;
  switch (role) {
    case 'user':
      return { kind: 'contact' };
    case 'assistant':
      if (hash === undefined) return { kind: 'agent' };
      return hash === EXTERNAL_OPERATOR ? { kind: 'outside' } : { kind: 'operator', hash };
    case 'system':
      return source_plugin === SUMMARY_SOURCE_PLUGIN && hash !== undefined
        ? { kind: 'summary', hash }
        : { kind: 'system' };
    case 'tool':
      return { kind: 'tool' };
  }
}
