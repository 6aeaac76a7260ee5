import type { AgentEvent } from '#contracts/agent-event.js';

import { keyOf } from '../conversation-key.js';
import { queryKeys } from './query-keys.js';
import { staleQueries } from './stale-queries.js';

const scope = { kind: 'conversation', agent_id: 'ana', channel: 'web', account_id: 'main', contact_id: 'ada' } as const;
const about = (kind: AgentEvent['kind']) => staleQueries({ kind, scope } as unknown as AgentEvent);

describe('staleQueries', () => {
  it('has buffer, drafts and preview read again when somebody else has the conversation', () => {
    const key = keyOf(scope);
    expect(about('processing_state_changed')).toEqual([
      queryKeys.buffer(key),
      queryKeys.drafts(key),
      queryKeys.previews(key),
    ]);
  });

  it('has the drafts read again when a reply was kept back', () => {
    expect(about('agent_reply_suppressed')).toEqual([queryKeys.drafts(keyOf(scope))]);
  });

  it('has the queue read again with every escalation', () => {
    for (const kind of ['escalation_requested', 'escalation_resolved', 'escalation_overdue'] as const) {
      expect(about(kind)).toEqual([queryKeys.escalations]);
    }
  });

  it('has nothing read for lines, which tell all of themselves', () => {
    expect(about('transcript_appended')).toEqual([]);
  });
});
