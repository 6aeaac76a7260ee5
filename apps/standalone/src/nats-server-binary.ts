import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

import { StartError } from './start-error.js';

const HOW_TO_GET_IT =
  'install nats-server 2.9 or later (Debian and Ubuntu: "apt-get install nats-server" as root; macOS: "brew install nats-server"; else https://nats.io/download), or set HOLDLINE_NATS_SERVER to its path, or NATS_URL to a running server with JetStream';

/**
 * The path of nats-server: from the PATH, else HOLDLINE_NATS_SERVER, else installed with apt where root may do so.
 * @throws {StartError} when there is none.
 */
export async function findNatsServer(env: NodeJS.ProcessEnv, signal?: AbortSignal): Promise<string> {
  const onPath = findOnPath('nats-server', env);
  if (onPath !== undefined) return onPath;
  const named = env['HOLDLINE_NATS_SERVER'];
  if (named !== undefined && named !== '') {
    if (isExecutable(named)) return named;
    throw new StartError(`HOLDLINE_NATS_SERVER is no program that can be run (${named}): ${HOW_TO_GET_IT}.`);
  }
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version') || findOnPath('apt-get', env) === undefined) {
    throw new StartError(`There is no nats-server on the PATH: ${HOW_TO_GET_IT}.`);
  }
  await installWithApt(env, signal);
  const installed = findOnPath('nats-server', env);
  if (installed !== undefined) return installed;
  throw new StartError(`apt-get could not install nats-server (its output is above): ${HOW_TO_GET_IT}.`);
}

async function installWithApt(env: NodeJS.ProcessEnv, signal?: AbortSignal): Promise<void> {
  process.stderr.write('There is no nats-server on the PATH: installing it with apt-get.\n');
  for (const args of [['update'], ['install', '--yes', '--no-install-recommends', 'nats-server']]) {
    const apt = spawn('apt-get', args, {
      // Standard output is for the ready line alone.
      stdio: ['ignore', process.stderr, process.stderr],
      env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
      detached: true,
    });
    const stop = () => apt.kill('SIGTERM');
    signal?.addEventListener('abort', stop, { once: true });
    await new Promise<void>((resolve) => apt.once('close', () => resolve()));
    signal?.removeEventListener('abort', stop);
    signal?.throwIfAborted();
  }
}

/** Looks into the directories of servers as well, which Debian leaves out of an ordinary user's PATH. */
function findOnPath(program: string, env: NodeJS.ProcessEnv): string | undefined {
  const directories = [...(env['PATH'] ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin'];
  return directories
    .filter(isAbsolute)
    .map((directory) => join(directory, program))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
