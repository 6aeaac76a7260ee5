import { type HealthServer, type HealthServerOptions, startHealthServer } from '#runtime/health-server.js';

import { StartError } from './start-error.js';

const DEFAULT_PORT = 8080;

/**
 * Serves HTTP to this machine alone: on the port that was asked for, else on 8080, else on any that is free.
 * @param askedFor HOLDLINE_HTTP_PORT, if it is set.
 * @throws {StartError} when the port that was asked for cannot be had.
 */
export async function startHttp(
  askedFor: number | undefined,
  options: Pick<HealthServerOptions, 'readiness' | 'registry'>,
): Promise<HealthServer> {
  const listen = (port: number) => startHealthServer({ ...options, host: '127.0.0.1', port });
  try {
    return await listen(askedFor ?? DEFAULT_PORT);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (askedFor !== undefined) {
      const why = code === 'EADDRINUSE' ? 'another program listens on it' : message;
      throw new StartError(`Port ${askedFor} of HOLDLINE_HTTP_PORT cannot be used: ${why}.`);
    }
    if (code !== 'EADDRINUSE') throw error;
    return listen(0);
  }
}
