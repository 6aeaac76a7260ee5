import type { ReplyAction } from '#contracts/intervention-action.js';
import type { Redactor } from '#domain/redaction/redactor.js';

/** A reply as it is kept once it is not to be sent any more. */
export function redactedAction(redactor: Redactor, action: ReplyAction): ReplyAction {
  const { body, attachments } = action;
  return {
    ...action,
    body: redactor.redactText(body),
    ...(attachments === undefined ? {} : { attachments: redactor.redactJson(attachments) as unknown[] }),
  };
}
