import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { ERROR_CODES, RpcError, unavailable } from '#contracts/errors.js';

import { DEPENDENCIES, type Dependencies } from '../dependencies.js';
import { HttpRefusal, notLoggedIn, notNow } from '../http-refusal.js';
import { checkOperator } from '../operator-check.js';
import { credentialsOfRequest } from '../request-checks.js';
import { catchUp } from './catch-up.js';
import { readEventFilter, readLastEventId } from './event-filter.js';
import { Slots } from './slots.js';
import { SseClient } from './sse-client.js';

const MAX_CLIENTS = 5_000;
const CONCURRENT_PAGES = 16;
const CLIENT_LIMITS = { maxBacklogBytes: 1024 * 1024, heartbeatMs: 15_000, drainLimitMs: 30_000 };

/** The firehose over HTTP. Events hold what people write, so that they are for operators who may read transcripts. */
@Controller()
export class EventsController {
  private readonly pages = new Slots(CONCURRENT_PAGES);

  constructor(@Inject(DEPENDENCIES) private readonly deps: Dependencies) {}

  @Get('events')
  async events(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { filter, lastSeq } = readRequest(request);
    const credentials = credentialsOfRequest(this.deps, request);
    await this.admit(credentials.token);
    reply.hijack();
    const { raw } = reply;
    raw.useChunkedEncodingByDefault = false;
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      connection: 'close',
    });
    const client = this.open(raw);
    this.deps.streams.add(client, credentials);
    try {
      await catchUp({ ...this.deps, pages: this.pages }, client, filter, lastSeq);
    } catch (error) {
      this.deps.logger.warn({ err: error }, 'a client could not be sent what it has missed');
      client.end('failed');
    }
  }

  private open(raw: FastifyReply['raw']): SseClient {
    const { metrics } = this.deps;
    metrics.clientOpened();
    return new SseClient(raw, {
      ...CLIENT_LIMITS,
      onEnd: (reason) => {
        metrics.clientClosed();
        if (reason !== 'client') metrics.countEnded(reason);
      },
    });
  }

  /** @throws HttpRefusal 401, 403 or 503 */
  private async admit(token: string | undefined): Promise<void> {
    const { hub, streams, link, knownTokens } = this.deps;
    try {
      await checkOperator(link, token, 'transcripts_read');
      if (token !== undefined) knownTokens.noteAccepted(token);
      if (hub.position === undefined) throw unavailable('events cannot be read now; ask again');
      if (streams.count >= MAX_CLIENTS) throw unavailable('too many event streams are open; ask again later');
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      if (error.code === ERROR_CODES.unauthenticated) throw notLoggedIn(error);
      throw error.code === ERROR_CODES.unavailable ? notNow(error) : new HttpRefusal(403, error);
    }
  }
}

/** @throws HttpRefusal 400 */
function readRequest({ query, headers }: FastifyRequest) {
  try {
    return { filter: readEventFilter(query), lastSeq: readLastEventId(headers['last-event-id']) };
  } catch (error) {
    throw error instanceof RpcError ? new HttpRefusal(400, error) : error;
  }
}
