import { BUILT_CONSOLE } from '../../gateway/src/console-files.js';
import { type GatewayOptions, type RunningGateway, startGateway } from '../../gateway/src/run.js';
import { StartError } from './start-error.js';

const DEFAULT_PORT = 8080;

/**
 * Serves HTTP to this machine alone: on the port that was asked for, else on 8080, else on any that is free.
 * @param askedFor HOLDLINE_HTTP_PORT, if it is set.
 * @throws {StartError} when the port that was asked for cannot be had.
 */
export async function startHttp(
  askedFor: number | undefined,
  options: Omit<GatewayOptions, 'host' | 'port' | 'consoleDirectory'>,
): Promise<RunningGateway> {
  const listen = (port: number) =>
    startGateway({ ...options, host: '127.0.0.1', port, consoleDirectory: BUILT_CONSOLE });
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
