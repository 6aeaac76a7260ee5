import { invalidParams } from '#contracts/errors.js';
import type { ReplyAction } from '#contracts/intervention-action.js';
import type { ConversationScope } from '#contracts/processing-scope.js';

/**
 * A message goes to the contact of the conversation that it is sent in, and to nobody else.
 * @throws RpcError `target_mismatch`
 */
export function checkTarget(action: ReplyAction, scope: ConversationScope): void {
  const targets = [
    ['action.channel', action.channel, scope.channel],
    ['action.account_id', action.account_id, scope.account_id],
    ['action.to', action.to, scope.contact_id],
  ] as const;
  const other = targets.find(([, named, own]) => named !== own);
  if (other !== undefined) throw invalidParams(other[0], `${other[0]} is not the scope's`, 'target_mismatch');
}
