import type { AddressInfo } from 'node:net';

import Fastify, { type FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';

import { type Readiness, failing } from './readiness.js';

export interface HealthServerOptions {
  /** `127.0.0.1` for this machine alone, `0.0.0.0` in a container. */
  host: string;
  /** 0 = any free one. */
  port: number;
  /** Asked anew at each `/readyz`. */
  readiness: () => Promise<Readiness>;
  registry: Registry;
}

export interface HealthServer {
  /** `http://host:port` */
  url: string;
  /** Finishes the requests that are under way. */
  stop(): Promise<void>;
}

/**
 * Serves `/healthz` (the process is alive), `/readyz` (it can do its work; 503 with what fails), `/metrics`, and a page
 * at `/` that names them.
 * @throws the error of the operating system (`EADDRINUSE`, …) when it cannot listen.
 */
export async function startHealthServer(options: HealthServerOptions): Promise<HealthServer> {
  const server = Fastify({ forceCloseConnections: 'idle', requestTimeout: 10_000 });
  addHealthRoutes(server, options);
  server.get('/', (_request, reply) => reply.headers(HEADERS).type('text/html; charset=utf-8').send(PAGE));
  await server.listen({ host: options.host, port: options.port });
  const { port } = server.server.address() as AddressInfo;
  return { url: `http://${options.host}:${port}`, stop: () => server.close() };
}

/** Adds `/healthz`, `/readyz` and `/metrics` to a server. */
export function addHealthRoutes(
  server: FastifyInstance,
  { readiness, registry }: Pick<HealthServerOptions, 'readiness' | 'registry'>,
): void {
  server.get('/healthz', (_request, reply) => reply.headers(HEADERS).send({ status: 'alive' }));
  server.get('/readyz', async (_request, reply) => {
    const checks = await readiness();
    const failed = failing(checks);
    const answer = { ready: failed.length === 0, failing: failed, checks };
    return reply
      .status(answer.ready ? 200 : 503)
      .headers(HEADERS)
      .send(answer);
  });
  server.get('/metrics', async (_request, reply) =>
    reply
      .headers(HEADERS)
      .type(registry.contentType)
      .send(await registry.metrics()),
  );
}

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Holdline</title>
<h1>Holdline is running</h1>
<ul>
<li><a href="/healthz">/healthz</a>: the process is alive</li>
<li><a href="/readyz">/readyz</a>: it can do its work</li>
<li><a href="/metrics">/metrics</a>: its figures, for Prometheus</li>
</ul>
</html>
`;
