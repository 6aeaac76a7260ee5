import { NoRespondersError, RequestError, type NatsConnection } from '@nats-io/nats-core';

/** What came back from a channel that was asked to send. */
export type ChannelAnswer =
  | { kind: 'answer'; payload: Uint8Array }
  /** Nobody was there; nothing was sent. */
  | { kind: 'nobody' }
  /** The broker's limit forbids a message of this size; nothing was sent. */
  | { kind: 'too_large' }
  /** No answer within the time; whether something was sent is unknown. */
  | { kind: 'silence' };

/** A request that is under way. Neither promise rejects. */
export interface ChannelRequest {
  /** True once the broker has the request; false if it did not say so in time. */
  flushed: Promise<boolean>;
  answer: Promise<ChannelAnswer>;
}

const FLUSH_TIMEOUT_MS = 1_500;

/** Asks channels to send, each request with a deadline. */
export class ChannelRequests {
  constructor(
    private readonly nc: NatsConnection,
    /** How long a channel may take to answer. */
    readonly timeoutMs: number,
  ) {}

  /** True if the broker answers: what is written while it is away is lost, or arrives when nobody expects it. */
  brokerResponds(): Promise<boolean> {
    return this.flush();
  }

  /** Writes the request out at once; the answer is to be waited for by itself. */
  ask(subject: string, payload: string): ChannelRequest {
    const answer = this.nc
      .request(subject, payload, { timeout: this.timeoutMs })
      .then((reply): ChannelAnswer => ({ kind: 'answer', payload: reply.data }), failure);
    return { flushed: this.flush(), answer };
  }

  private async flush(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), FLUSH_TIMEOUT_MS);
    });
    const flushed = Promise.resolve()
      .then(() => this.nc.flush())
      .then(
        () => true,
        () => false,
      );
    const result = await Promise.race([flushed, late]);
    clearTimeout(timer);
    return result;
  }
}

function failure(error: unknown): ChannelAnswer {
  if (error instanceof NoRespondersError) return { kind: 'nobody' };
  if (error instanceof RequestError && error.isNoResponders()) return { kind: 'nobody' };
  if (error instanceof Error && error.message.includes('max_payload')) return { kind: 'too_large' };
  return { kind: 'silence' };
}
