import fastifyCookie from '@fastify/cookie';
import fastifyHelmet from '@fastify/helmet';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';

import { addHealthRoutes } from '#runtime/health-server.js';
import type { Readiness } from '#runtime/readiness.js';

import { addConsole } from './console-files.js';
import type { Dependencies } from './dependencies.js';
import { GatewayModule } from './gateway.module.js';
import { HttpRefusal, HttpRefusalFilter } from './http-refusal.js';
import { checkOrigin } from './origin.js';
import { takeFromBudget } from './request-checks.js';
import { invalidRequest } from '#contracts/errors.js';

/** A batch, or one request. */
const MAX_BODY_BYTES = 1024 * 1024;
const REQUEST_TIMEOUT_MS = 10_000;
const LIMITED = /^\/(rpc|events|session)(\?|$)/;
const UTF8_JSON = /^application\/json\s*(;\s*charset="?utf-?8"?\s*)?$/i;

export interface HttpOptions {
  readiness: () => Promise<Readiness>;
  registry: Registry;
  consoleDirectory: string | undefined;
}

/** Everything that the gateway serves, not listening yet. */
export async function createHttpServer(deps: Dependencies, options: HttpOptions): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: 'idle',
  });
  const app = await NestFactory.create<NestFastifyApplication>(GatewayModule.with(deps), adapter, {
    bodyParser: false,
    logger: ['error', 'warn'],
  });
  app.useGlobalFilters(new HttpRefusalFilter(deps.logger));
  const server = adapter.getInstance<FastifyInstance>();
  await server.register(fastifyHelmet, securityHeaders(deps.config.publicUrl));
  await server.register(fastifyCookie);
  takeJsonOnly(server);
  server.addHook('onRequest', async (request) => {
    checkOrigin(request, { publicUrl: deps.config.publicUrl, loopbackOnly: deps.loopbackOnly });
    if (LIMITED.test(request.url)) takeFromBudget(deps, request);
    checkBodyType(request);
  });
  addHealthRoutes(server, options);
  addConsole(server, options.consoleDirectory);
  return app.init();
}

/** Bodies stay bytes: they are passed on as they came. */
function takeJsonOnly(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

/** @throws HttpRefusal 415 for a body in another encoding than UTF-8, or a compressed one */
function checkBodyType({ headers }: FastifyRequest): void {
  const { 'content-type': type, 'content-encoding': encoding = 'identity' } = headers;
  if ((type === undefined || UTF8_JSON.test(type)) && encoding === 'identity') return;
  throw new HttpRefusal(415, invalidRequest('the body must be application/json in UTF-8, not compressed'));
}

function securityHeaders(publicUrl: URL | undefined) {
  const none = ["'none'"];
  const self = ["'self'"];
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: none,
        scriptSrc: self,
        styleSrc: self,
        imgSrc: [...self, 'data:'],
        fontSrc: self,
        connectSrc: self,
        manifestSrc: self,
        formAction: self,
        baseUri: none,
        objectSrc: none,
        frameAncestors: none,
      },
    },
    strictTransportSecurity: publicUrl?.protocol === 'https:' && { maxAge: 31_536_000, includeSubDomains: false },
    referrerPolicy: { policy: 'no-referrer' as const },
    xFrameOptions: { action: 'deny' as const },
  };
}
