import type { FastifyRequest } from 'fastify';

import { type Credentials, credentialsOf } from './credentials.js';
import type { Dependencies } from './dependencies.js';
import { foreignOrigin, tooManyRequests } from './http-refusal.js';

const READS = new Set(['GET', 'HEAD']);

/**
 * Whom a request comes from. A browser sends its cookie by itself, so that a write with it has to say which page it
 * comes from.
 * @throws HttpRefusal 403
 */
export function credentialsOfRequest(
  { seal, endedSessions }: Pick<Dependencies, 'seal' | 'endedSessions'>,
  request: FastifyRequest,
): Credentials {
  const credentials = credentialsOf(request, seal, endedSessions);
  if (credentials.session !== undefined && !READS.has(request.method) && request.headers.origin === undefined) {
    throw foreignOrigin('a write with a session must name its Origin');
  }
  return credentials;
}

/** @throws HttpRefusal 429 */
export function takeFromBudget(
  { seal, endedSessions, limiter, knownTokens, metrics }: Dependencies,
  request: FastifyRequest,
  count = 1,
): void {
  const { token } = credentialsOf(request, seal, endedSessions);
  const retryAfterMs = limiter.take(knownTokens.budgetOf(token, request.ip), count);
  if (retryAfterMs === 0) return;
  metrics.countLimited();
  throw tooManyRequests(retryAfterMs);
}
