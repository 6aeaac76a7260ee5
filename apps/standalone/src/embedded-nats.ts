import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { processArguments } from './running-process.js';
import { endProcess, ServerProcess, type StopSignal } from './server-process.js';

const READY_WITHIN_MS = 30_000;
const STOP_SIGNALS: readonly StopSignal[] = [
  { signal: 'SIGTERM', waitMs: 2_000 },
  { signal: 'SIGKILL', waitMs: 1_000 },
];
const Urls = z.tuple([z.string()], z.string());
const PortsFile = z.object({ nats: Urls, monitoring: Urls.optional() });
type PortsFile = z.infer<typeof PortsFile>;

export interface EmbeddedNatsOptions {
  /** Path of nats-server. */
  binary: string;
  /** Absolute; holds the streams. This process is its only user. */
  directory: string;
  logFile: string;
  /** On the loopback interface; a free one if absent. */
  port?: number;
  /** Settings, JetStream's `store_dir` among them; `$NAMES` in it are taken from `env`. By default there is only JetStream. */
  configFile?: string;
  env?: Record<string, string>;
  /** With the server's own HTTP endpoints (`/connz`, …) on a free port. */
  monitoring?: boolean;
  /** Gives up the start. */
  signal: AbortSignal;
}

/** A nats-server of our own with JetStream, on the loopback interface. */
export interface EmbeddedNats {
  server: ServerProcess;
  /** `nats://127.0.0.1:port` */
  url: string;
  /** `http://127.0.0.1:port`, if it was asked for. */
  monitoringUrl?: string;
}

/**
 * Starts nats-server. One of this directory that a killed process has left behind is stopped first.
 * @throws {StartError} when it cannot be run.
 */
export async function startEmbeddedNats(options: EmbeddedNatsOptions): Promise<EmbeddedNats> {
  mkdirSync(options.directory, { recursive: true, mode: 0o700 });
  const pidFile = join(options.directory, 'server.pid');
  await stopLeftBehind(pidFile, options.directory);
  const server = await ServerProcess.spawn({
    title: 'nats-server',
    command: options.binary,
    args: [
      ...['--addr', '127.0.0.1', '--port', String(options.port ?? -1)],
      ...['--ports_file_dir', options.directory],
      ...(options.configFile === undefined
        ? ['--jetstream', '--store_dir', options.directory]
        : ['--config', options.configFile]),
      ...(options.monitoring ? ['--http_port', '-1'] : []),
    ],
    logFile: options.logFile,
    ...(options.env === undefined ? {} : { env: options.env }),
    stopSignals: STOP_SIGNALS,
  });
  writeFileSync(pidFile, String(server.pid));
  const portsFile = join(options.directory, `nats-server_${server.pid}.ports`);
  try {
    const ports = await server.untilReady(() => readPorts(portsFile), READY_WITHIN_MS, options.signal);
    const [monitoringUrl] = ports.monitoring ?? [];
    return { server, url: ports.nats[0], ...(monitoringUrl === undefined ? {} : { monitoringUrl }) };
  } catch (error) {
    await server.stop();
    throw error;
  } finally {
    rmSync(portsFile, { force: true });
  }
}

async function stopLeftBehind(pidFile: string, directory: string): Promise<void> {
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8'));
  if (processArguments(pid)?.includes(directory) === true) await endProcess(pid, STOP_SIGNALS);
}

/** The server writes its ports once it listens on them; until the file is whole there is no answer. */
async function readPorts(portsFile: string): Promise<PortsFile | undefined> {
  if (!existsSync(portsFile)) return undefined;
  try {
    return PortsFile.parse(JSON.parse(readFileSync(portsFile, 'utf8')));
  } catch {
    return undefined;
  }
}
