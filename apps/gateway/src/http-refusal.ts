import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { invalidRequest, RpcError, unauthenticated, unavailable } from '#contracts/errors.js';
import type { Logger } from '#runtime/logger.js';

/** HTTP itself refuses a request: a status, and an error of the contract in the body. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';

  constructor(
    readonly status: number,
    readonly error: RpcError,
    readonly headers: Record<string, string> = {},
  ) {
    super(error.message);
  }
}

/** 401 */
export function notLoggedIn(error = unauthenticated()): HttpRefusal {
  return new HttpRefusal(401, error, AUTHENTICATE);
}

/** 403 for a page of another site. */
export function foreignOrigin(detail: string): HttpRefusal {
  return new HttpRefusal(403, invalidRequest(detail));
}

/** 429 */
export function tooManyRequests(retryAfterMs: number): HttpRefusal {
  const error = new RpcError('unavailable', 'too many requests; nothing was changed', { retry_after_ms: retryAfterMs });
  return new HttpRefusal(429, error, { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) });
}

/** 503 */
export function notNow(error: RpcError): HttpRefusal {
  return new HttpRefusal(503, error, RETRY_SOON);
}

export const AUTHENTICATE = { 'www-authenticate': 'Bearer' };
export const RETRY_SOON = { 'retry-after': '1' };

/** The body of an answer that belongs to no request with an id. */
export function failureBody(error: RpcError): string {
  return JSON.stringify({ jsonrpc: '2.0', id: null, error: error.toJson() });
}

/** Answers whatever goes wrong in HTTP in the shape of a JSON-RPC failure, without anything of the cause. */
@Catch()
export class HttpRefusalFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const { status, error: told, headers } = this.refusalOf(error);
    if (reply.raw.headersSent) return;
    void reply.status(status).headers(headers).type('application/json; charset=utf-8').send(failureBody(told));
  }

  private refusalOf(error: unknown): HttpRefusal {
    if (error instanceof HttpRefusal) return error;
    const status = statusOf(error);
    const known = status === undefined ? undefined : KNOWN[status];
    if (status !== undefined && known !== undefined) return new HttpRefusal(status, known());
    this.logger.error({ err: error }, 'an HTTP request failed');
    return notNow(unavailable('something failed here; ask again'));
  }
}

/** Of an error that Fastify or Nest has made. */
function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  const { statusCode } = (error ?? {}) as { statusCode?: unknown };
  return typeof statusCode === 'number' ? statusCode : undefined;
}

const KNOWN: Record<number, () => RpcError> = {
  400: () => invalidRequest('the HTTP request cannot be read'),
  404: () => new RpcError('not_found', 'there is nothing at this address'),
  413: () => invalidRequest('the body is too large'),
  414: () => invalidRequest('the address is too long'),
  415: () => invalidRequest('the body must be application/json in UTF-8, not compressed'),
};
