import { notFound } from '#contracts/errors.js';
import type { EscalationResolution } from '#contracts/escalation-state.js';
import type { EscalationsResolveParams, EscalationsResolveResult } from '#contracts/escalations-resolve.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import { conversationId } from '#domain/conversation/conversation-id.js';
import { wasEscalated } from '#store/queries/find-escalation.js';
import { lockConversation } from '#store/queries/lock-conversation.js';
import { withTransaction } from '#store/transaction.js';

import type { CommandContext } from '../commands/command-context.js';
import type { Dependencies } from '../dependencies.js';
import { endEscalation } from '../escalations/end-escalation.js';

/**
 * An operator sees to an escalation, or says that nobody needs to. Neither pauses the conversation. One that is
 * resolved already stays as it is.
 * @throws RpcError `not_found: unknown_escalation` if the conversation was never escalated
 */
export async function escalationsResolve(
  deps: Dependencies,
  params: EscalationsResolveParams & { scope: ConversationScope },
  command: CommandContext,
): Promise<EscalationsResolveResult> {
  const { scope } = params;
  const id = conversationId(scope);
  const by = resolution(deps, params);
  const changed = await withTransaction(deps.dataSource, async (tx) => {
    const conversation = await lockConversation(tx, id);
    if (conversation === undefined || !(await wasEscalated(tx, id))) {
      throw notFound('unknown_escalation', 'this conversation was never escalated');
    }
    const ended = await endEscalation(tx, conversation, by);
    await command.audit(tx, { scope, changed: ended });
    return ended;
  });
  if (changed) deps.relay.nudge([id]);
  return { changed, correlation_id: command.correlationId };
}

function resolution({ redactor }: Dependencies, params: EscalationsResolveParams): EscalationResolution {
  const { by, dismiss_reason: reason } = params;
  switch (by) {
    case 'takeover':
      return { kind: 'operator_takeover' };
    case 'dismissed':
      return {
        kind: 'operator_dismissed',
        ...(reason === undefined ? {} : { reason: redactor.redactText(reason) }),
      };
    default:
      return by satisfies never;
  }
}
