import { setTimeout as delay } from 'node:timers/promises';

import type { Msg, NatsConnection, Subscription } from '@nats-io/nats-core';
import type * as z from 'zod';

import { ChannelEcho } from '#contracts/channel-echo.js';
import { ChannelStatus } from '#contracts/channel-status.js';
import { MAX_INBOUND_BYTES } from '#contracts/limits.js';
import { CHANNEL_ECHO_SUBJECTS, CHANNEL_STATUS_SUBJECTS, channelOfSubject } from '#contracts/subjects.js';
import { classifyDatabaseError } from '#store/database-errors.js';

import { describeFailure } from './commands/describe-failure.js';
import type { Dependencies } from './dependencies.js';
import { receiveEcho } from './handlers/receive-echo.js';
import { receiveStatus } from './handlers/receive-status.js';

/** By the subject of a report, which the broker's permissions guard. */
export interface ChannelAccount {
  channel: string;
  account_id: string;
}

const QUEUE = 'holdline-conversations';
const AT_ONCE = 16;
/** Reports that wait in this process; the broker keeps none of them. */
const MOST_WAITING = 10_000;
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 2_000;
const DRAIN_WITHIN_MS = 1_000;
const FINISH_WITHIN_MS = 6_000;

interface Kind<Report> {
  name: 'status' | 'echo';
  schema: z.ZodType<Report>;
  /** Reports with the same key are taken in their order. */
  keyOf: (report: Report) => string;
  handle: (deps: Dependencies, account: ChannelAccount, report: Report, signal: AbortSignal) => Promise<string>;
}

const STATUS: Kind<ChannelStatus> = {
  name: 'status',
  schema: ChannelStatus,
  keyOf: ({ outbound_id }) => outbound_id,
  handle: receiveStatus,
};
const ECHO: Kind<ChannelEcho> = { name: 'echo', schema: ChannelEcho, keyOf: ({ to }) => to, handle: receiveEcho };

/** Takes what channels report of themselves; of all processes one gets each report. */
export class ChannelReports {
  private readonly stopped = new AbortController();
  private readonly subscriptions: Subscription[] = [];
  private running: Promise<unknown> | undefined;

  constructor(
    private readonly deps: Dependencies,
    private readonly nc: NatsConnection,
  ) {}

  run(): void {
    const statuses = this.subscribe(CHANNEL_STATUS_SUBJECTS);
    const echoes = this.subscribe(CHANNEL_ECHO_SUBJECTS);
    this.running ??= Promise.all([this.consume(statuses, STATUS), this.consume(echoes, ECHO)]);
  }

  /** Takes no more reports and finishes those that it has. */
  async stop(): Promise<void> {
    await within(DRAIN_WITHIN_MS, Promise.all(this.subscriptions.map((each) => each.drain())));
    for (const each of this.subscriptions) each.unsubscribe();
    await within(FINISH_WITHIN_MS, this.running);
    this.stopped.abort(new Error('the process is being stopped'));
    await this.running;
  }

  private subscribe(subjects: string): Subscription {
    const subscription = this.nc.subscribe(subjects, { queue: QUEUE });
    this.subscriptions.push(subscription);
    return subscription;
  }

  private async consume<Report>(subscription: Subscription, kind: Kind<Report>): Promise<void> {
    const last = new Map<string, Promise<void>>();
    const running = new Set<Promise<void>>();
    for await (const message of subscription) {
      if (subscription.getPending() > MOST_WAITING) {
        this.deps.metrics.countChannelReport(kind.name, 'too_many');
        continue;
      }
      const account = channelOfSubject(message.subject);
      const report = read(kind.schema, message);
      if (account === undefined || report === undefined) {
        this.deps.metrics.countChannelReport(kind.name, 'not_understood');
        continue;
      }
      const key = `${message.subject} ${kind.keyOf(report)}`;
      const handled = (last.get(key) ?? Promise.resolve()).then(() => this.handle(kind, account, report));
      last.set(key, handled);
      running.add(handled);
      void handled.then(() => {
        running.delete(handled);
        if (last.get(key) === handled) last.delete(key);
      });
      if (running.size >= AT_ONCE) await Promise.race(running);
    }
    await Promise.all(running);
  }

  /** Never throws. Nobody sends a report again, so that it is tried until the database is back. */
  private async handle<Report>(kind: Kind<Report>, account: ChannelAccount, report: Report): Promise<void> {
    for (let retryMs = FIRST_RETRY_MS; ; retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)) {
      try {
        const outcome = await kind.handle(this.deps, account, report, this.stopped.signal);
        return this.deps.metrics.countChannelReport(kind.name, outcome);
      } catch (error) {
        const details = { kind: kind.name, channel: account.channel, failure: describeFailure(error) };
        if (classifyDatabaseError(error) === 'fatal' || this.stopped.signal.aborted) {
          this.deps.metrics.countChannelReport(kind.name, 'failed');
          return this.deps.logger.error(details, 'a report of a channel could not be taken');
        }
        this.deps.logger.warn(details, 'a report of a channel found the database away or busy; it is tried again');
      }
      await delay(retryMs, undefined, { signal: this.stopped.signal }).catch(() => undefined);
    }
  }
}

function read<Report>(schema: z.ZodType<Report>, message: Msg): Report | undefined {
  if (message.data.length > MAX_INBOUND_BYTES) return undefined;
  try {
    return schema.safeParse(message.json()).data;
  } catch {
    return undefined;
  }
}

async function within(ms: number, work: Promise<unknown> | undefined): Promise<void> {
  const late = new AbortController();
  const done = work?.catch(() => undefined).finally(() => late.abort());
  await Promise.race([done, delay(ms, undefined, { signal: late.signal }).catch(() => undefined)]);
}
