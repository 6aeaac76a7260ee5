import { Controller, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { ERROR_CODES, invalidRequest, parseError, RpcError, unavailable } from '#contracts/errors.js';
import { MAX_REQUEST_BYTES } from '#contracts/limits.js';

import { type Credentials } from '../credentials.js';
import { DEPENDENCIES, type Dependencies } from '../dependencies.js';
import { AUTHENTICATE, failureBody, HttpRefusal, RETRY_SOON } from '../http-refusal.js';
import { credentialsOfRequest, takeFromBudget } from '../request-checks.js';
import { batchResponse, callsOfBatch, forwardBatch } from './forward-batch.js';
import { type CallOutcome, forwardCall } from './forward-call.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The commands of operators over HTTP. */
@Controller()
export class RpcController {
  constructor(@Inject(DEPENDENCIES) private readonly deps: Dependencies) {}

  @Post('rpc')
  async rpc(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const credentials = credentialsOfRequest(this.deps, request);
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    void reply.header('cache-control', 'no-store');
    try {
      if (isBatch(body)) await this.answerBatch(request, reply, body, credentials);
      else await this.answerCall(reply, body, credentials);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      send(reply, 200, Buffer.from(failureBody(error)));
    }
  }

  private async answerCall(reply: FastifyReply, body: Buffer, { token }: Credentials): Promise<void> {
    if (body.length > MAX_REQUEST_BYTES) {
      throw new HttpRefusal(413, invalidRequest(`a request has at most ${MAX_REQUEST_BYTES} bytes`));
    }
    const outcome = await forwardCall(this.deps, body, token);
    send(reply, statusOf([outcome], token, reply), outcome.response);
  }

  private async answerBatch(
    request: FastifyRequest,
    reply: FastifyReply,
    body: Buffer,
    { token }: Credentials,
  ): Promise<void> {
    const calls = callsOfBatch(body);
    takeFromBudget(this.deps, request, calls.length - 1);
    const outcomes = await forwardBatch(this.deps, calls, token);
    const status = statusOf(outcomes, token, reply);
    send(reply, status, batchResponse(outcomes));
  }
}

/** Whoever names nobody and is refused everything for that has to log in: that is HTTP's own 401. */
function statusOf(outcomes: readonly CallOutcome[], token: string | undefined, reply: FastifyReply): number {
  if (outcomes.every(({ undelivered }) => undelivered)) {
    void reply.headers(RETRY_SOON);
    return 503;
  }
  if (token === undefined && outcomes.every(({ code }) => code === ERROR_CODES.unauthenticated)) {
    void reply.headers(AUTHENTICATE);
    return 401;
  }
  return 200;
}

/** @throws RpcError `parse_error` */
function isBatch(body: Buffer): boolean {
  try {
    return Array.isArray(JSON.parse(utf8.decode(body)));
  } catch {
    throw parseError('the request is not JSON in UTF-8');
  }
}

function send(reply: FastifyReply, status: number, response: Uint8Array | undefined): void {
  if (response === undefined && status === 200) {
    void reply.status(204).send();
    return;
  }
  const body = response ?? failureBody(unavailable('nobody is there to carry it out; ask again'));
  void reply.status(status).type('application/json; charset=utf-8').send(body);
}
