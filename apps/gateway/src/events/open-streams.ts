import { ERROR_CODES, RpcError } from '#contracts/errors.js';
import type { Logger } from '#runtime/logger.js';

import type { Credentials } from '../credentials.js';
import type { StreamEnd } from '../gateway-metrics.js';
import type { Session } from '../session/session-seal.js';
import type { SseClient } from './sse-client.js';

const CONCURRENT_CHECKS = 8;

export interface OpenStreamsOptions {
  /** @throws RpcError when a token may not read events any more, or when that cannot be found out */
  check: (token: string | undefined) => Promise<void>;
  checkEveryMs: number;
  /** A stream whose operator could not be checked for so long is ended. */
  maxUncheckedMs: number;
  logger: Logger;
  now?: () => number;
}

interface Holder {
  token: string | undefined;
  clients: Map<SseClient, Session | undefined>;
  checkedAt: number;
}

/** Who reads the firehose, to end what was opened by somebody who may not any more. */
export class OpenStreams {
  private readonly holders = new Map<string, Holder>();
  private readonly now: () => number;
  private timer: NodeJS.Timeout | undefined;
  private checking: Promise<void> | undefined;
  private checkAgain = false;

  constructor(private readonly options: OpenStreamsOptions) {
    this.now = options.now ?? Date.now;
  }

  run(): void {
    this.timer = setInterval(() => this.recheck(), this.options.checkEveryMs);
  }

  /** Ends them all. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    for (const { clients } of this.holders.values()) for (const client of clients.keys()) client.end('stopping');
    await this.checking;
  }

  get count(): number {
    return [...this.holders.values()].reduce((count, { clients }) => count + clients.size, 0);
  }

  /** Of somebody who was just checked. */
  add(client: SseClient, { token, session }: Credentials): void {
    const key = token ?? '';
    const holder = this.holders.get(key) ?? { token, clients: new Map<SseClient, Session>(), checkedAt: 0 };
    holder.checkedAt = this.now();
    holder.clients.set(client, session);
    this.holders.set(key, holder);
    void client.ended.then(() => {
      holder.clients.delete(client);
      if (holder.clients.size === 0 && this.holders.get(key) === holder) this.holders.delete(key);
    });
  }

  endSession(id: string): void {
    this.endWhere(({ id: other }) => other === id, 'logged_out');
  }

  /** Asks about everybody soon; a call while that is being done has it done once more. */
  recheck(): void {
    if (this.checking !== undefined) {
      this.checkAgain = true;
      return;
    }
    this.checkAgain = false;
    this.checking = this.checkAll()
      .catch((error: unknown) => this.options.logger.error({ err: error }, 'open streams could not be checked'))
      .finally(() => {
        this.checking = undefined;
        if (this.checkAgain) this.recheck();
      });
  }

  private async checkAll(): Promise<void> {
    const now = this.now();
    this.endWhere(({ expiresAtMs }) => expiresAtMs <= now, 'logged_out');
    const queue = [...this.holders.values()];
    const worker = async () => {
      for (let holder = queue.pop(); holder !== undefined; holder = queue.pop()) await this.checkHolder(holder);
    };
    await Promise.all(Array.from({ length: CONCURRENT_CHECKS }, worker));
  }

  private async checkHolder(holder: Holder): Promise<void> {
    try {
      await this.options.check(holder.token);
      holder.checkedAt = this.now();
    } catch (error) {
      const away = error instanceof RpcError && error.code === ERROR_CODES.unavailable;
      if (away && this.now() - holder.checkedAt < this.options.maxUncheckedMs) return;
      for (const client of [...holder.clients.keys()]) client.end('revoked');
    }
  }

  private endWhere(ends: (session: Session) => boolean, reason: StreamEnd): void {
    for (const { clients } of this.holders.values()) {
      for (const [client, session] of clients) if (session !== undefined && ends(session)) client.end(reason);
    }
  }
}
