import { randomUUID } from 'node:crypto';

import type { Subscription } from '@nats-io/nats-core';
import { z } from 'zod';

import { GATEWAY_NOTICES_SUBJECT } from '#contracts/subjects.js';
import type { Logger } from '#runtime/logger.js';

import type { BrokerLink } from './broker-link.js';
import type { Session } from './session/session-seal.js';

const Notice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('session_ended'), from: z.string(), id: z.string(), expiresAtMs: z.int() }),
  z.object({ kind: z.literal('operators_changed'), from: z.string() }),
]);
type Notice = z.infer<typeof Notice>;

/** What is to be done about a notice, this gateway's own ones included. */
export interface NoticeHandlers {
  sessionEnded: (session: Pick<Session, 'id' | 'expiresAtMs'>) => void;
  operatorsChanged: () => void;
}

/** What gateways of one installation tell each other, so that a log-out or a revocation works in all of them at once. */
export class GatewayNotices {
  private readonly from = randomUUID();
  private subscription: Subscription | undefined;

  constructor(
    private readonly link: BrokerLink,
    private readonly handlers: NoticeHandlers,
    private readonly logger: Logger,
  ) {}

  run(): void {
    this.subscription = this.link.connection.subscribe(GATEWAY_NOTICES_SUBJECT, {
      callback: (error, message) => {
        if (error === null) this.receive(message.data);
      },
    });
  }

  stop(): void {
    this.subscription?.unsubscribe();
  }

  sessionEnded({ id, expiresAtMs }: Session): void {
    this.handlers.sessionEnded({ id, expiresAtMs });
    this.tell({ kind: 'session_ended', from: this.from, id, expiresAtMs });
  }

  operatorsChanged(): void {
    this.handlers.operatorsChanged();
    this.tell({ kind: 'operators_changed', from: this.from });
  }

  private tell(notice: Notice): void {
    this.link.send(GATEWAY_NOTICES_SUBJECT, JSON.stringify(notice)).catch((error: unknown) => {
      this.logger.warn({ err: error, kind: notice.kind }, 'the other gateways could not be told');
    });
  }

  private receive(data: Uint8Array): void {
    const notice = Notice.safeParse(parseJson(data)).data;
    if (notice === undefined || notice.from === this.from) return;
    if (notice.kind === 'session_ended') this.handlers.sessionEnded(notice);
    else this.handlers.operatorsChanged();
  }
}

function parseJson(data: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(data).toString('utf8'));
  } catch {
    return undefined;
  }
}
