import type { ProcessingStateParams, ProcessingStateResult } from '#contracts/processing-state.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import { conversationId } from '#domain/conversation/conversation-id.js';
import { findConversationState } from '#store/queries/find-conversation-state.js';
import { readOnce } from '#store/read.js';

import { controlState } from '../control-state.js';
import type { Dependencies } from '../dependencies.js';

/** Who has a conversation. One that Holdline has never seen is active. */
export async function processingState(
  { dataSource }: Pick<Dependencies, 'dataSource'>,
  { scope }: ProcessingStateParams & { scope: ConversationScope },
): Promise<ProcessingStateResult> {
  const state = await readOnce(dataSource, (reader) => findConversationState(reader, conversationId(scope)));
  return { state: controlState(state ?? { state: 'agent_active', epoch: 0 }, scope) };
}
