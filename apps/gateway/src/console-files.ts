import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Where the build puts the console. */
export const BUILT_CONSOLE = fileURLToPath(new URL('../../console/', import.meta.url));

const INDEX = 'index.html';
/** Names of files in this directory hold a hash of what is in them. */
const HASHED_FILES = 'assets/';
const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mp3': 'audio/mpeg',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/**
 * Serves the console at `/`, or, where none was built, a page that says what else there is. Its few files are read once,
 * so that no address leads anywhere else.
 * @param directory of the console's files
 */
export function addConsole(server: FastifyInstance, directory: string | undefined): void {
  if (directory === undefined || !existsSync(join(directory, INDEX))) {
    server.get('/', (_request, reply) => reply.type('text/html; charset=utf-8').send(PAGE));
    return;
  }
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    const file = join(directory, name);
    const type = TYPES[extname(name)];
    if (type === undefined || !statSync(file).isFile()) continue;
    const path = name.split(sep).join('/');
    const serve = fileServer(readFileSync(file), type, path.startsWith(HASHED_FILES));
    server.get(`/${path}`, serve);
    if (path === INDEX) server.get('/', serve);
  }
}

function fileServer(bytes: Buffer, type: string, isHashed: boolean) {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  const caching = isHashed ? 'public, max-age=31536000, immutable' : 'no-cache';
  return (request: FastifyRequest, reply: FastifyReply) => {
    void reply.headers({ etag, 'cache-control': caching });
    if (request.headers['if-none-match'] === etag) return reply.status(304).send();
    return reply.type(type).send(bytes);
  };
}

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Holdline</title>
<h1>Holdline is running</h1>
<p>Its console was not built here. Programs find:</p>
<ul>
<li>POST /rpc: commands, as JSON-RPC 2.0 (<a href="/openapi.json">/openapi.json</a>)</li>
<li>GET /events: what happens, as server-sent events</li>
<li><a href="/asyncapi.json">/asyncapi.json</a>: what Holdline speaks over NATS</li>
<li><a href="/healthz">/healthz</a>: the process is alive</li>
<li><a href="/readyz">/readyz</a>: it can do its work</li>
<li><a href="/metrics">/metrics</a>: its figures, for Prometheus</li>
</ul>
</html>
`;
