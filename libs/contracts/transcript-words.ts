/** What the body of a stamped operator summary begins with. */
export const OPERATOR_SUMMARY_PREFIX = '[operator_summary] ';
/** The `source_plugin` of a stamped operator summary. */
export const SUMMARY_SOURCE_PLUGIN = 'intervention:summary';
/** The `by` of what Holdline does by itself. */
export const SYSTEM_OPERATOR = 'system';
/** The holder of a pause that an answer outside Holdline caused; any operator may answer for it. */
export const EXTERNAL_OPERATOR = 'external';
/** The reason of a pause that an answer outside Holdline caused. */
export const EXTERNAL_REPLY_REASON = 'external_reply';

/** The `sender_id` of what an operator said. */
export function operatorSenderId(operatorTokenHash: string): string {
  return `operator:${operatorTokenHash}`;
}

/** The `source_plugin` of an operator's reply. */
export function interventionSourcePlugin(channel: string): string {
  return `intervention:${channel}`;
}

/** The `source_plugin` of an answer that was given outside Holdline. */
export function echoSourcePlugin(channel: string): string {
  return `echo:${channel}`;
}
