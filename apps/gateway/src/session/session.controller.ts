import { Controller, Delete, Get, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';

import { ERROR_CODES, invalidParams, RpcError } from '#contracts/errors.js';
import { tokenHash } from '#domain/operators/token-hash.js';

import { SESSION_COOKIE } from '../credentials.js';
import { DEPENDENCIES, type Dependencies } from '../dependencies.js';
import { HttpRefusal, notLoggedIn, notNow } from '../http-refusal.js';
import { checkOperator } from '../operator-check.js';
import { credentialsOfRequest } from '../request-checks.js';
import type { Session } from './session-seal.js';

/** A cookie has room for 4,096 bytes. */
const MAX_TOKEN_BYTES = 2_048;
const LogIn = z.object({
  token: z
    .string()
    .min(1)
    .max(MAX_TOKEN_BYTES)
    .regex(/^[\x21-\x7e]+$/),
});

/** What the page may know of a session. */
export interface SessionView {
  operator_token_hash: string;
  expires_at_ms: number;
}

/** The console's log-in: the token is given once and kept in a cookie that no script can read. */
@Controller('session')
export class SessionController {
  constructor(@Inject(DEPENDENCIES) private readonly deps: Dependencies) {}

  @Post()
  async logIn(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { token } = readLogIn(request.body);
    await this.check(token);
    const { session, sealed } = this.deps.seal.begin(token);
    const maxAge = Math.ceil((session.expiresAtMs - Date.now()) / 1_000);
    void reply.setCookie(SESSION_COOKIE, sealed, { ...this.cookie(), maxAge });
    void reply.status(200).header('cache-control', 'no-store').send(viewOf(session));
  }

  @Get()
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { session } = credentialsOfRequest(this.deps, request);
    if (session === undefined) throw notLoggedIn();
    await this.check(session.token);
    void reply.header('cache-control', 'no-store').send(viewOf(session));
  }

  @Delete()
  logOut(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const { session } = credentialsOfRequest(this.deps, request);
    if (session !== undefined) this.deps.notices.sessionEnded(session);
    void reply.clearCookie(SESSION_COOKIE, this.cookie()).status(204).send();
  }

  private cookie() {
    const secure = this.deps.config.publicUrl?.protocol === 'https:';
    return { path: '/', httpOnly: true, sameSite: 'strict', secure } as const;
  }

  /** @throws HttpRefusal 401 or 503 */
  private async check(token: string): Promise<void> {
    try {
      await checkOperator(this.deps.link, token, 'any');
      this.deps.knownTokens.noteAccepted(token);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      throw error.code === ERROR_CODES.unauthenticated ? notLoggedIn(error) : notNow(error);
    }
  }
}

/** @throws HttpRefusal 400 */
function readLogIn(body: unknown): z.infer<typeof LogIn> {
  try {
    return LogIn.parse(JSON.parse(Buffer.isBuffer(body) ? body.toString('utf8') : ''));
  } catch {
    throw new HttpRefusal(400, invalidParams('token', 'the body must be {"token": "<the operator\'s token>"}'));
  }
}

function viewOf({ token, expiresAtMs }: Session): SessionView {
  return { operator_token_hash: tokenHash(token), expires_at_ms: expiresAtMs };
}
