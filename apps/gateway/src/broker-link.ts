import { headers, type NatsConnection, RequestError } from '@nats-io/nats-core';

import { watchStatus } from '#broker/connection-status.js';
import { AUTHORIZATION_HEADER } from '#contracts/headers.js';

/**
 * A request got no answer. `away`: it was not sent, because there is no connection. `nobody`: the broker knows of
 * nobody who would carry it out. `silent`: it was sent, and whether it was carried out is not known.
 */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';

  constructor(readonly kind: 'away' | 'nobody' | 'silent') {
    super(`no answer: ${kind}`);
  }
}

/** The gateway's way to Holdline. HTTP is served before there is a connection, and while it is broken. */
export class BrokerLink {
  private nc: NatsConnection | undefined;
  private connected = false;
  private stopWatching: () => void = () => undefined;
  private readonly waiting = new Set<() => void>();

  attach(nc: NatsConnection): void {
    this.nc = nc;
    this.connected = true;
    this.stopWatching = watchStatus(nc, ({ type }) => {
      if (type === 'reconnect') this.connected = true;
      else if (type === 'disconnect' || type === 'close') this.disconnect();
    });
  }

  /** Waits for the requests that are under way; the connection stays its owner's. */
  async detach(): Promise<void> {
    this.nc = undefined;
    this.connected = false;
    this.stopWatching();
    await new Promise<void>((resolve) => {
      const check = () => (this.waiting.size === 0 ? resolve() : void setTimeout(check, 10));
      check();
    });
  }

  /** @throws NoAnswerError `away` while there is none */
  get connection(): NatsConnection {
    if (this.nc === undefined || !this.connected) throw new NoAnswerError('away');
    return this.nc;
  }

  /** Requests under way. */
  get inFlight(): number {
    return this.waiting.size;
  }

  /**
   * Sends a request with a token in its header, and gives the answer as it came.
   * @throws NoAnswerError
   */
  async request(
    subject: string,
    payload: Uint8Array | string,
    token: string | undefined,
    timeoutMs: number,
  ): Promise<Uint8Array> {
    const nc = this.connection;
    let giveUp: () => void = () => undefined;
    const broken = new Promise<never>((_, reject) => {
      giveUp = () => reject(new NoAnswerError('silent'));
      this.waiting.add(giveUp);
    });
    try {
      const answer = nc.request(subject, payload, { timeout: timeoutMs, headers: authorization(token) });
      return (await Promise.race([answer, broken])).data;
    } catch (error) {
      if (error instanceof NoAnswerError) throw error;
      throw new NoAnswerError(error instanceof RequestError && error.isNoResponders() ? 'nobody' : 'silent');
    } finally {
      this.waiting.delete(giveUp);
    }
  }

  /**
   * Sends what nobody answers, and waits until the broker has it.
   * @throws NoAnswerError
   */
  async send(subject: string, payload: Uint8Array | string, token?: string): Promise<void> {
    const nc = this.connection;
    try {
      nc.publish(subject, payload, { headers: authorization(token) });
      await nc.flush();
    } catch {
      throw new NoAnswerError('silent');
    }
  }

  private disconnect(): void {
    this.connected = false;
    for (const giveUp of this.waiting) giveUp();
  }
}

function authorization(token: string | undefined) {
  const fields = headers();
  if (token !== undefined) fields.set(AUTHORIZATION_HEADER, `Bearer ${token}`);
  return fields;
}
