import { ALARM_STEPS, alarmsDue } from '#domain/escalation/alarm-steps.js';
import { findOverdueEscalations, setEscalationAlarms } from '#store/queries/escalation-alarms.js';
import { findPendingEscalation } from '#store/queries/find-escalation.js';
import { insertEvents } from '#store/queries/insert-events.js';
import { insertOutbox } from '#store/queries/insert-outbox.js';
import { lockConversation } from '#store/queries/lock-conversation.js';
import { readOnce } from '#store/read.js';
import { withTransaction } from '#store/transaction.js';

import { scopeOf } from '../control-state.js';
import type { Dependencies } from '../dependencies.js';
import { eventMessages } from '../outbox-messages.js';

const AT_ONCE = 50;

/**
 * Tells of escalations that nobody has taken, once each step. Safe with several processes: each escalation is looked
 * at again once its conversation is locked.
 * @returns how many alarms were raised
 */
export async function raiseAlarms(deps: Dependencies): Promise<number> {
  const { alarmAfterMs } = deps.escalations;
  if (alarmAfterMs === 0) return 0;
  const stepsMs = ALARM_STEPS.map((step) => step * alarmAfterMs);
  const overdue = await readOnce(deps.dataSource, (reader) => findOverdueEscalations(reader, stepsMs, AT_ONCE));
  let raised = 0;
  for (const id of overdue) {
    if (!(await raiseAlarm(deps, id, alarmAfterMs))) continue;
    deps.relay.nudge([id]);
    raised += 1;
  }
  return raised;
}

function raiseAlarm(deps: Dependencies, id: string, alarmAfterMs: number): Promise<boolean> {
  return withTransaction(deps.dataSource, async (tx) => {
    const conversation = await lockConversation(tx, id);
    const escalation = await findPendingEscalation(tx, id);
    if (conversation === undefined || escalation === undefined) return false;
    const { nowMs, agentId } = conversation;
    const { escalationId, requestedAtMs, alarms } = escalation;
    const due = alarmsDue(requestedAtMs, nowMs, alarmAfterMs);
    if (due <= alarms) return false;
    const { stored, rows } = eventMessages(id, {
      kind: 'escalation_overdue',
      agent_id: agentId,
      at_ms: nowMs,
      scope: scopeOf(conversation),
      waited_ms: nowMs - requestedAtMs,
    });
    await Promise.all([setEscalationAlarms(tx, escalationId, due), insertEvents(tx, [stored]), insertOutbox(tx, rows)]);
    return true;
  });
}
