import type { FastifyRequest } from 'fastify';

import { bearerTokenOf } from '#broker/bearer-token.js';
import { AUTHORIZATION_HEADER } from '#contracts/headers.js';

import type { EndedSessions } from './session/ended-sessions.js';
import type { Session, SessionSeal } from './session/session-seal.js';

export const SESSION_COOKIE = 'holdline_session';

/** Whom a request says it comes from; whether that is true is for Holdline to say. */
export interface Credentials {
  token?: string;
  /** If the token comes out of the console's cookie. */
  session?: Session;
}

/** What a request carries: a header goes before the cookie. */
export function credentialsOf(
  request: Pick<FastifyRequest, 'headers' | 'cookies'>,
  seal: SessionSeal,
  ended: EndedSessions,
): Credentials {
  const { authorization } = request.headers;
  if (authorization !== undefined) {
    const token = bearerTokenOf([[AUTHORIZATION_HEADER, [authorization]]]);
    return token === undefined ? {} : { token };
  }
  const sealed = request.cookies[SESSION_COOKIE];
  const session = sealed === undefined ? undefined : seal.open(sealed);
  return session === undefined || ended.has(session.id) ? {} : { token: session.token, session };
}
