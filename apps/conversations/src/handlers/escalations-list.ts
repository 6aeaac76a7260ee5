import type { EscalationState } from '#contracts/escalation-state.js';
import type { EscalationEntry, EscalationsListParams, EscalationsListResult } from '#contracts/escalations-list.js';
import { LIST_LIMIT } from '#contracts/limits.js';
import { type ListedEscalation, listEscalations } from '#store/queries/list-escalations.js';
import { readOnce } from '#store/read.js';

import { firstThatFit, MAX_RESULT_BYTES } from '../commands/result-size.js';
import { scopeOf } from '../control-state.js';
import type { Dependencies } from '../dependencies.js';

/**
 * The newest escalation of each conversation, by default those that wait, the longest waiting first. A list that
 * would be too large for one answer ends earlier. To look at an escalation is not to see to it: its alarms go on.
 */
export async function escalationsList(
  { dataSource }: Pick<Dependencies, 'dataSource'>,
  { filter = 'pending', agent_id, scope_kind = 'conversation', limit = LIST_LIMIT.fallback }: EscalationsListParams,
): Promise<EscalationsListResult> {
  if (scope_kind !== 'conversation') return { entries: [] };
  const page = { filter, agentId: agent_id, limit, maxBytes: MAX_RESULT_BYTES };
  const listed = await readOnce(dataSource, (reader) => listEscalations(reader, page));
  return { entries: firstThatFit(listed.map(toEntry)) };
}

function toEntry(escalation: ListedEscalation): EscalationEntry {
  return { agent_id: escalation.agentId, scope: scopeOf(escalation), state: stateOf(escalation) };
}

function stateOf(escalation: ListedEscalation): EscalationState {
  const scope = scopeOf(escalation);
  const { resolved, summary, reason, urgency, context } = escalation;
  if (resolved === undefined) {
    return {
      state: 'pending',
      scope,
      summary,
      reason,
      urgency,
      ...(context === null ? {} : { context: JSON.parse(context) as unknown }),
      requested_at_ms: escalation.requestedAtMs,
    };
  }
  const { atMs, by, dismissReason } = resolved;
  return {
    state: 'resolved',
    scope,
    resolved_at_ms: atMs,
    by: by === 'operator_dismissed' && dismissReason !== null ? { kind: by, reason: dismissReason } : { kind: by },
  };
}
