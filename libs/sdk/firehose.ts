import { setTimeout as delay } from 'node:timers/promises';

import { DeliverPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';

import { AgentEvent, type AgentEventKind } from '#contracts/agent-event.js';
import { encodeToken, STREAMS } from '#contracts/subjects.js';

const RETRY_MS = 1_000;
const PREFETCHED_EVENTS = 500;

export interface FirehoseOptions<Kind extends AgentEventKind> {
  nc: NatsConnection;
  /** Only this agent's events; `system` for those of none. */
  agentId?: string;
  /** Only these kinds. */
  kinds?: readonly Kind[];
  /** Go on behind this place: the `seq` of the last event that was handled. 0: from the beginning; absent: from now. */
  afterSeq?: number;
  /** Ends the iteration. */
  signal?: AbortSignal;
  /** Events between `afterSeq` and `firstSeq` are not in the stream any more: read the state anew. */
  onGap?: (firstSeq: number) => void;
  /** Is told when the stream cannot be read; it is tried again. */
  onProblem?: (error: unknown) => void;
}

/** An event and its place in the stream, to go on from. */
export interface FirehoseEvent<Kind extends AgentEventKind = AgentEventKind> {
  seq: number;
  event: Extract<AgentEvent, { kind: Kind }>;
}

/**
 * The events of Holdline in order, each once: `for await (const { seq, event } of new Firehose({ nc }))`. Kinds that
 * this SDK does not know are passed over.
 */
export class Firehose<Kind extends AgentEventKind = AgentEventKind> implements AsyncIterable<FirehoseEvent<Kind>> {
  constructor(private readonly options: FirehoseOptions<Kind>) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<FirehoseEvent<Kind>, void, undefined> {
    const { signal, onProblem } = this.options;
    let after = this.options.afterSeq;
    while (!signal?.aborted) {
      try {
        after = await this.firstPlace(after);
        for await (const message of await this.consume(after)) {
          after = message.seq;
          const event = AgentEvent.safeParse(parsed(message));
          if (event.success && this.isWanted(event.data)) yield { seq: message.seq, event: event.data };
        }
      } catch (error) {
        if (!signal?.aborted) onProblem?.(error);
      }
      await delay(RETRY_MS, undefined, signal ? { signal } : {}).catch(() => undefined);
    }
  }

  /** What is kept of the stream may begin later, or, after a loss of the stream, end earlier than the place asked for. */
  private async firstPlace(after: number | undefined): Promise<number> {
    const manager = await jetstreamManager(this.options.nc, { checkAPI: false });
    const { first_seq, last_seq } = (await manager.streams.info(STREAMS.events)).state;
    if (after === undefined) return last_seq;
    if (after === 0 || (after >= first_seq - 1 && after <= last_seq)) return after;
    this.options.onGap?.(first_seq);
    return first_seq - 1;
  }

  private async consume(after: number) {
    const { nc, agentId, kinds, signal } = this.options;
    const kind = kinds?.length === 1 ? encodeToken(kinds[0] as string) : '*';
    const consumer = await jetstream(nc).consumers.get(STREAMS.events, {
      filter_subjects: `nexo.agent_events.${agentId === undefined ? '*' : encodeToken(agentId)}.${kind}`,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: after + 1,
    });
    const messages = await consumer.consume({ max_messages: PREFETCHED_EVENTS });
    const close = () => void messages.close();
    if (signal?.aborted) close();
    else signal?.addEventListener('abort', close, { once: true });
    void messages.closed().then(() => signal?.removeEventListener('abort', close));
    return messages;
  }

  private isWanted(event: AgentEvent): event is Extract<AgentEvent, { kind: Kind }> {
    return this.options.kinds === undefined || this.options.kinds.includes(event.kind as Kind);
  }
}

function parsed(message: { json(): unknown }): unknown {
  try {
    return message.json();
  } catch {
    return undefined;
  }
}
