/** Every number that the contract fixes. Sizes are in bytes, times in milliseconds, texts in Unicode characters. */

/** An id, in bytes of UTF-8. */
export const MAX_ID_BYTES = 256;
/** A subject built from ids. */
export const MAX_SUBJECT_BYTES = 1_024;
/** How deep a JSON value of unknown shape may nest, counting itself. */
export const MAX_JSON_DEPTH = 128;

/** The payload of one inbound; a larger one is quarantined. */
export const MAX_INBOUND_BYTES = 256 * 1_024;
/** The JSON of one turn; what does not fit is named in `more`. */
export const MAX_TURN_BYTES = 512 * 1_024;
/** The payload of one JSON-RPC request. */
export const MAX_REQUEST_BYTES = 256 * 1_024;
/** Requests in one JSON-RPC batch over HTTP. */
export const MAX_BATCH = 50;

/** `summary_for_agent`, as given. */
export const MAX_SUMMARY_CHARACTERS = 4_096;
/** The summary of an escalation. */
export const MAX_ESCALATION_SUMMARY_CHARACTERS = 500;
/** The body of a conversation's `last_entry`. */
export const MAX_LAST_ENTRY_CHARACTERS = 200;

/** Inbounds that are kept for one paused conversation. */
export const DEFAULT_PENDING_QUEUE_CAP = 50;
/** Inbounds of open turns that a resume turn repeats. */
export const MAX_OPEN_INBOUNDS_IN_RESUME = 50;
/** How long an evicted inbound stays readable. */
export const EVICTED_RETENTION_MS = 30 * 24 * 3_600_000;
/** How long refused messages stay in the quarantine stream. */
export const QUARANTINE_RETENTION_MS = 7 * 24 * 3_600_000;

export const MIN_AUTO_RESUME_AFTER_MS = 1_000;
export const MAX_AUTO_RESUME_AFTER_MS = 7 * 24 * 3_600_000;
/** How long a pause waits for its Hold to reach the turn stream before it answers `unavailable`. */
export const HOLD_TIMEOUT_MS = 5_000;
/** How long the outcome of an `idempotency_key` is remembered. */
export const IDEMPOTENCY_KEY_TTL_MS = 24 * 3_600_000;
/** How long a channel may take to acknowledge a message. */
export const DEFAULT_CHANNEL_TIMEOUT_MS = 5_000;
/** Attachments of one reply to the contact. */
export const MAX_REPLY_ATTACHMENTS = 20;
/** All attachments of one reply together, as JSON. */
export const MAX_REPLY_ATTACHMENT_BYTES = 128 * 1_024;
/** What a channel answers to a message; more is no acknowledgement. Its own id of the message is part of it. */
export const MAX_CHANNEL_ANSWER_BYTES = 16 * 1_024;
/** Of a channel's words, such as the reason of a refusal, so many characters are kept and told. */
export const MAX_CHANNEL_WORDS = 1_000;
/** An echo that repeats text and recipient of a message this young is Holdline's own. */
export const OWN_ECHO_WINDOW_MS = 60_000;
/** How long an approval waits for its decision. */
export const DEFAULT_APPROVAL_TTL_MS = 3_600_000;
/** Escalations of one scope within {@link ESCALATION_WINDOW_MS}. */
export const MAX_ESCALATIONS_PER_WINDOW = 3;
export const ESCALATION_WINDOW_MS = 3_600_000;

/** How many rows a list gives: `fallback` when the request names no limit, never more than `maximum`. */
export interface PageLimit {
  readonly fallback: number;
  readonly maximum: number;
}

export const AGENT_EVENTS_LIST_LIMIT: PageLimit = { fallback: 500, maximum: 1_000 };
export const AGENT_EVENTS_READ_LIMIT: PageLimit = { fallback: 200, maximum: 1_000 };
export const AGENT_EVENTS_SEARCH_LIMIT: PageLimit = { fallback: 50, maximum: 500 };
export const AGENT_TRANSCRIPT_LIMIT: PageLimit = { fallback: 200, maximum: 1_000 };
/** Lists for which the contract names no limit. */
export const LIST_LIMIT: PageLimit = { fallback: 100, maximum: 1_000 };
