import { randomUUID } from 'node:crypto';

import { decide } from '#domain/conversation/decide.js';
import { findDueAutoResumes } from '#store/queries/find-due-auto-resumes.js';
import { insertAuditRow } from '#store/queries/insert-audit-row.js';
import { lockConversation } from '#store/queries/lock-conversation.js';
import { readOnce } from '#store/read.js';
import { withTransaction } from '#store/transaction.js';

import { scopeOf } from '../control-state.js';
import type { Dependencies } from '../dependencies.js';
import { handBack } from '../hand-back.js';

const AT_ONCE = 50;

/**
 * Hands back the conversations whose `auto_resume_after_ms` is over. Safe with several processes: each conversation
 * is looked at again once it is locked.
 * @returns how many were handed back
 */
export async function autoResume(deps: Dependencies): Promise<number> {
  const due = await readOnce(deps.dataSource, (reader) => findDueAutoResumes(reader, AT_ONCE));
  let resumed = 0;
  for (const id of due) {
    const changed = await withTransaction(deps.dataSource, async (tx) => {
      const conversation = await lockConversation(tx, id);
      if (conversation === undefined) return false;
      const decision = decide(conversation.state, { kind: 'resume_when_due' }, conversation.nowMs);
      if (decision.kind !== 'resumed') return false;
      await handBack(tx, deps, conversation, decision.next, {
        by: 'system',
        sessionId: undefined,
        summary: undefined,
      });
      await insertAuditRow(tx, {
        operator: 'system',
        method: 'nexo/admin/processing/resume',
        scope: scopeOf(conversation),
        outcome: 'ok',
        changed: true,
        reason: 'auto_resume',
        correlationId: randomUUID(),
        paramsSha256: '',
      });
      return true;
    });
    if (!changed) continue;
    deps.relay.nudge([id]);
    resumed += 1;
  }
  return resumed;
}
