import type { ProcessingPreviewParams, ProcessingPreviewResult } from '#contracts/processing-preview.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import { checkSummary } from '#contracts/summary.js';
import { conversationId } from '#domain/conversation/conversation-id.js';
import { decide } from '#domain/conversation/decide.js';
import { lockConversation } from '#store/queries/lock-conversation.js';
import { withRolledBackTransaction } from '#store/transaction.js';

import type { CommandContext } from '../commands/command-context.js';
import type { Dependencies } from '../dependencies.js';
import { handBack } from '../hand-back.js';

/** The turn that a resume would give the agent now: a resume that is not committed. */
export async function preview(
  deps: Dependencies,
  params: ProcessingPreviewParams & { scope: ConversationScope },
  command: CommandContext,
): Promise<ProcessingPreviewResult> {
  checkSummary(params);
  return withRolledBackTransaction(deps.dataSource, async (tx) => {
    const conversation = await lockConversation(tx, conversationId(params.scope));
    if (conversation === undefined) return {};
    const decision = decide(conversation.state, { kind: 'resume', expectedEpoch: undefined }, conversation.nowMs);
    if (decision.kind !== 'resumed') return {};
    const { turn } = await handBack(tx, deps, conversation, decision.next, {
      by: command.operator.tokenHash,
      sessionId: params.session_id,
      summary: params.summary_for_agent,
    });
    return turn === undefined ? {} : { turn };
  });
}
