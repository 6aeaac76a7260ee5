import type { FastifyRequest } from 'fastify';

import { foreignOrigin } from './http-refusal.js';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;
const READS = new Set(['GET', 'HEAD']);

/**
 * Refuses what comes from a page of another site: a browser names the page's origin with every write. Where HTTP is
 * served on the loopback interface only, requests to another name are refused too, since a name of somebody else's that
 * leads there (DNS rebinding) would make its page one of ours.
 * @throws HttpRefusal 403
 */
export function checkOrigin(
  request: Pick<FastifyRequest, 'method' | 'headers'>,
  { publicUrl, loopbackOnly }: { publicUrl: URL | undefined; loopbackOnly: boolean },
): void {
  const { host = '', origin } = request.headers;
  const isPublic = (name: string) => publicUrl !== undefined && name.toLowerCase() === publicUrl.host;
  if (loopbackOnly && !LOOPBACK.test(host) && !isPublic(host)) {
    throw foreignOrigin('HTTP is served to this machine under its own name; HOLDLINE_PUBLIC_URL allows another one');
  }
  if (READS.has(request.method) || origin === undefined) return;
  const from = URL.canParse(origin) ? new URL(origin).host : '';
  if (from === '' || (from !== host.toLowerCase() && !isPublic(from))) {
    throw foreignOrigin('writes are taken from pages of this address only; HOLDLINE_PUBLIC_URL allows another one');
  }
}

/** True for an address that only this machine can reach. */
export function isLoopback(listenHost: string): boolean {
  return LOOPBACK.test(listenHost) || listenHost === '::1';
}
