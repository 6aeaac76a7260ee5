/** Conversations that the messages are spread over. */
export const CONVERSATIONS = 10_000;

/** Size of every inbound message, as JSON. */
export const PAYLOAD_BYTES = 262;

const FIRST_TIMESTAMP_MS = 1_764_460_800_000;

/** One inbound message on its way to whoever is measured. */
export interface Sample {
  /** Position among all messages of the run; the message's id, time and text are made from it. */
  index: number;
  /** 0 … `CONVERSATIONS` − 1 */
  conversation: number;
}

export interface SampleScope {
  kind: 'conversation';
  agent_id: string;
  channel: string;
  account_id: string;
  contact_id: string;
}

/** What a channel publishes: the contract's `InboundMessage`. */
export interface SampleMessage {
  scope: SampleScope;
  inbound: {
    message_id: string;
    from_contact_id: string;
    body: string;
    timestamp_ms: number;
    source_plugin: string;
  };
}

/** Hands out messages that never repeat within a run; the same seed gives the same run. */
export class Workload {
  private nextIndex = 0;
  private readonly random: () => number;

  constructor(seed = 1) {
    this.random = seededRandom(seed);
  }

  /** `count` messages, each to a conversation drawn at random. */
  spread(count: number): Sample[] {
    return Array.from({ length: count }, () => this.sample(Math.floor(this.random() * CONVERSATIONS)));
  }

  /** `counts[c]` messages to conversation `c`, in random order. */
  exactly(counts: readonly number[]): Sample[] {
    const order = counts.flatMap((count, conversation) => new Array<number>(count).fill(conversation));
    for (let last = order.length - 1; last > 0; last--) {
      const other = Math.floor(this.random() * (last + 1));
      [order[last], order[other]] = [order[other]!, order[last]!];
    }
    return order.map((conversation) => this.sample(conversation));
  }

  private sample(conversation: number): Sample {
    return { index: this.nextIndex++, conversation };
  }
}

export function scopeOf(conversation: number): SampleScope {
  return {
    kind: 'conversation',
    agent_id: 'ana',
    channel: 'wa',
    account_id: '5',
    contact_id: String(conversation).padStart(5, '0'),
  };
}

/** The conversation of a scope that `scopeOf` made. */
export function conversationOf(scope: { contact_id: string }): number {
  return Number(scope.contact_id);
}

export function messageOf(sample: Sample): SampleMessage {
  const scope = scopeOf(sample.conversation);
  return {
    scope,
    inbound: {
      message_id: messageId(sample.index),
      from_contact_id: scope.contact_id,
      body: `hey ${sample.index.toString(36).padStart(5, '0')}`,
      timestamp_ms: FIRST_TIMESTAMP_MS + sample.index,
      source_plugin: 'wa',
    },
  };
}

/** `messageOf` as the bytes on the wire. */
export function payloadOf(sample: Sample): string {
  const payload = JSON.stringify(messageOf(sample));
  if (payload.length !== PAYLOAD_BYTES) {
    throw new Error(`A message of the workload has ${payload.length} bytes in place of ${PAYLOAD_BYTES}: ${payload}`);
  }
  return payload;
}

/** A UUID whose last 12 digits are the index and whose others are scattered, as those of real messages are. */
export function messageId(index: number): string {
  const scattered = (Math.imul(index + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0');
  const tail = index.toString(16).padStart(12, '0');
  return `${scattered}-${scattered.slice(2, 6)}-4${scattered.slice(0, 3)}-8${scattered.slice(5, 8)}-${tail}`;
}

/** The index of an id that `messageId` made. */
export function indexOfMessage(id: string): number {
  return parseInt(id.slice(-12), 16);
}

/** mulberry32: numbers in [0, 1), the same ones for the same seed. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
