import { MAX_SUBJECT_BYTES } from './limits.js';
import { decodeToken, encodeToken } from './subject-token.js';

export { decodeToken, encodeToken } from './subject-token.js';

/** The ids that tell a conversation from every other one. */
export interface ConversationIds {
  readonly agent_id: string;
  readonly channel: string;
  readonly account_id: string;
  readonly contact_id: string;
  readonly mcp_channel_source?: string;
}

/** The JetStream streams, by what they hold. */
export const STREAMS = {
  inbound: 'NEXO_INBOUND',
  turns: 'NEXO_TURNS',
  events: 'NEXO_AGENT_EVENTS',
  quarantine: 'NEXO_QUARANTINE',
} as const;

/** The subjects that each stream takes. */
export const STREAM_SUBJECTS = {
  inbound: ['nexo.inbound.>'],
  turns: ['nexo.turns.>'],
  events: ['nexo.agent_events.>', 'nexo.notify.>'],
  quarantine: ['nexo.quarantine.>'],
} as const;

/** The agent of events that belong to none. */
export const SYSTEM_AGENT = 'system';

export const NOTIFY_STATE_CHANGED_SUBJECT = 'nexo.notify.processing_state_changed';
/** What gateways tell each other: a session was ended, operators have changed. */
export const GATEWAY_NOTICES_SUBJECT = 'nexo.gateway.notices';
export const CHANNEL_STATUS_SUBJECTS = 'nexo.channel.*.*.status';
export const CHANNEL_ECHO_SUBJECTS = 'nexo.channel.*.*.echo';

const INBOUND_PREFIX = 'nexo.inbound.';
const TURN_PREFIX = 'nexo.turns.';

/** Where the channel publishes the inbounds of a conversation. Throws a RangeError above 1,024 bytes. */
export function inboundSubject(conversation: ConversationIds): string {
  return withinLimit(INBOUND_PREFIX + conversationTokens(conversation));
}

/** Where the turns of a conversation are published. Throws a RangeError above 1,024 bytes. */
export function turnSubject(conversation: ConversationIds): string {
  return withinLimit(TURN_PREFIX + conversationTokens(conversation));
}

/** Where an event is published; without an agent the token is `system`. Throws a RangeError above 1,024 bytes. */
export function eventSubject(agentId: string | undefined, kind: string): string {
  return withinLimit(`nexo.agent_events.${encodeToken(agentId ?? SYSTEM_AGENT)}.${encodeToken(kind)}`);
}

/** Where refused messages go. */
export function quarantineSubject(reason: string): string {
  return withinLimit(`nexo.quarantine.${encodeToken(reason)}`);
}

/** Where a channel account is asked to send. Throws a RangeError above 1,024 bytes. */
export function channelSendSubject(channel: string, accountId: string): string {
  return channelSubject(channel, accountId, 'send');
}

/** Where a channel account reports what became of a message. Throws a RangeError above 1,024 bytes. */
export function channelStatusSubject(channel: string, accountId: string): string {
  return channelSubject(channel, accountId, 'status');
}

/** Where a channel account reports a message that left it. Throws a RangeError above 1,024 bytes. */
export function channelEchoSubject(channel: string, accountId: string): string {
  return channelSubject(channel, accountId, 'echo');
}

/** The channel account that a `nexo.channel.<channel>.<account>.<verb>` subject names, or undefined for another one. */
export function channelOfSubject(subject: string): { channel: string; account_id: string } | undefined {
  const [nexo, domain, channelToken, accountToken, verb, ...rest] = subject.split('.');
  if (nexo !== 'nexo' || domain !== 'channel' || !channelToken || !accountToken || !verb || rest.length > 0) {
    return undefined;
  }
  const channel = decodeToken(channelToken);
  const accountId = decodeToken(accountToken);
  return channel === undefined || accountId === undefined ? undefined : { channel, account_id: accountId };
}

/** The agent's token in `nexo.inbound.<agent>.…`, as it stands there; empty when the subject has none. */
export function agentTokenOf(inboundSubject: string): string {
  return inboundSubject.split('.', 3)[2] ?? '';
}

/** True when the agent's token of the inbound subject stands for this agent. */
export function namesAgent(inboundSubject: string, agentId: string): boolean {
  return decodeToken(agentTokenOf(inboundSubject)) === agentId;
}

/** The `Nats-Msg-Id` of the notification about an event. */
export function notificationMessageId(eventId: string): string {
  return `notify:${eventId}`;
}

const LONGEST_TOKEN_PER_UNIT = 9;
const SEPARATORS = 4;

/** True when every subject built from the ids is at most 1,024 bytes. */
export function conversationSubjectFits(conversation: ConversationIds): boolean {
  const units =
    conversation.agent_id.length +
    conversation.channel.length +
    conversation.account_id.length +
    conversation.contact_id.length +
    (conversation.mcp_channel_source?.length ?? 0);
  if (INBOUND_PREFIX.length + SEPARATORS + units * LONGEST_TOKEN_PER_UNIT <= MAX_SUBJECT_BYTES) return true;
  return INBOUND_PREFIX.length + conversationTokens(conversation).length <= MAX_SUBJECT_BYTES;
}

function conversationTokens(conversation: ConversationIds): string {
  const tokens = `${encodeToken(conversation.agent_id)}.${encodeToken(conversation.channel)}.${encodeToken(conversation.account_id)}.${encodeToken(conversation.contact_id)}`;
  return conversation.mcp_channel_source === undefined
    ? tokens
    : `${tokens}.${encodeToken(conversation.mcp_channel_source)}`;
}

function channelSubject(channel: string, accountId: string, verb: 'send' | 'status' | 'echo'): string {
  return withinLimit(`nexo.channel.${encodeToken(channel)}.${encodeToken(accountId)}.${verb}`);
}

/** Subjects are ASCII after encoding, so their length is their size in bytes. */
function withinLimit(subject: string): string {
  if (subject.length <= MAX_SUBJECT_BYTES) return subject;
  throw new RangeError(`A subject is at most ${MAX_SUBJECT_BYTES} bytes; this one would be ${subject.length}.`);
}
