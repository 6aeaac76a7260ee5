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
  addRoutes(server, options);
  await server.listen({ host: options.host, port: options.port });
  const { port } = server.server.address() as AddressInfo;
  return { url: `http://${options.host}:${port}`, stop: () => server.close() };
}

function addRoutes(server: FastifyInstance, { readiness, registry }: HealthServerOptions): void {
  server.addHook('onSend', async (_request, reply) => {
    void reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff');
  });
  server.get('/healthz', () => ({ status: 'alive' }));
  server.get('/readyz', async (_request, reply) => {
    const checks = await readiness();
    const failed = failing(checks);
    return reply.status(failed.length === 0 ? 200 : 503).send({ ready: failed.length === 0, failing: failed, checks });
  });
  server.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()));
  server.get('/', (_request, reply) => reply.type('text/html; charset=utf-8').send(PAGE));
}

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
