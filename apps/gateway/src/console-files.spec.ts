import { once } from 'node:events';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import Fastify, { type FastifyInstance } from 'fastify';

import { addConsole } from './console-files.js';

describe('the console', () => {
  const directory = mkdtempSync(join(tmpdir(), 'console-'));
  mkdirSync(join(directory, 'assets'));
  writeFileSync(join(directory, 'index.html'), '<!doctype html><title>console</title>');
  writeFileSync(join(directory, 'assets', 'index-abc.js'), 'run()');
  writeFileSync(join(directory, 'secret.key'), 'secret');

  const servers: FastifyInstance[] = [];
  afterAll(() => Promise.all(servers.map((server) => server.close())));

  const serve = async (from: string | undefined) => {
    const server = Fastify({ forceCloseConnections: true });
    servers.push(server);
    addConsole(server, from);
    const url = await server.listen({ port: 0 });
    return async (path: string, headers: Record<string, string> = {}) => {
      const sent = get({ port: new URL(url).port, path, headers });
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
    };
  };

  test('is served from memory, its page asked for anew each time and what it loads kept', async () => {
    const request = await serve(directory);
    const page = await request('/');
    expect(page.body).toContain('<title>console</title>');
    expect(page.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
    const again = await request('/', { 'if-none-match': String(page.headers['etag']) });
    expect(again.status).toBe(304);
    const script = await request('/assets/index-abc.js');
    expect(script.body).toBe('run()');
    expect(script.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
  });

  test('has nothing else', async () => {
    symlinkSync('/etc/hostname', join(directory, 'assets', 'hostname'));
    const request = await serve(directory);
    const elsewhere = [
      '/secret.key',
      '/assets/hostname',
      '/assets',
      '/../package.json',
      '/%2e%2e/package.json',
      '/x.js',
    ];
    for (const path of elsewhere) expect((await request(path)).status).toBe(404);
  });

  test('that was not built is a page that says where programs find what they need', async () => {
    for (const from of [undefined, join(directory, 'assets')]) {
      const { body, status } = await (await serve(from))('/');
      expect(status).toBe(200);
      for (const path of ['/rpc', '/events', '/openapi.json', '/asyncapi.json', '/readyz'])
        expect(body).toContain(path);
    }
  });
});
