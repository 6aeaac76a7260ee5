import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { processIdentity } from './running-process.js';
import { StartError } from './start-error.js';

/** A signal to try and how long to wait for the end before the next one. */
export interface StopSignal {
  signal: NodeJS.Signals;
  waitMs: number;
}

export interface ServerProcessOptions {
  /** As a person knows it: `PostgreSQL`. */
  title: string;
  command: string;
  args: string[];
  /** Gets all that the server writes; begun anew at each start. */
  logFile: string;
  /** In the order in which they are tried. */
  stopSignals: readonly StopSignal[];
  /** On top of PATH; nothing else is inherited. */
  env?: Record<string, string>;
  uid?: number;
  gid?: number;
}

/**
 * A server that runs beside this process, in a session of its own: Ctrl-C in a terminal reaches only us, so that we can
 * finish our work before its servers go away.
 */
export class ServerProcess {
  readonly pid: number;
  /** Settles with the exit code (`null` after a signal) once the process has ended. */
  readonly ended: Promise<number | null>;
  private hasEnded = false;
  /** However this process ends in the end, its servers do not outlive it. */
  private readonly killAtExit = () => this.kill('SIGKILL');

  private constructor(
    private readonly options: ServerProcessOptions,
    private readonly child: ChildProcess,
  ) {
    this.pid = child.pid as number;
    this.ended = new Promise((resolve) => {
      child.once('exit', (code) => {
        this.hasEnded = true;
        process.off('exit', this.killAtExit);
        resolve(code);
      });
    });
    process.on('exit', this.killAtExit);
  }

  /** @throws {StartError} when the command cannot be run. */
  static async spawn(options: ServerProcessOptions): Promise<ServerProcess> {
    const log = openSync(options.logFile, 'w', 0o600);
    try {
      const child = spawn(options.command, options.args, {
        cwd: '/',
        detached: true,
        stdio: ['ignore', log, log],
        // Nothing of the user's settings (PGDATA, PGPORT, …) is meant for our servers.
        env: { PATH: process.env['PATH'], LC_ALL: 'C', ...options.env },
        ...(options.uid === undefined ? {} : { uid: options.uid }),
        ...(options.gid === undefined ? {} : { gid: options.gid }),
      });
      await new Promise<void>((resolve, reject) => {
        child.once('spawn', resolve);
        child.once('error', reject);
      });
      return new ServerProcess(options, child);
    } catch (error) {
      throw new StartError(`${options.title} (${options.command}) cannot be run: ${(error as Error).message}.`);
    } finally {
      closeSync(log);
    }
  }

  /**
   * Waits for a program that ends by itself.
   * @throws {StartError} when it fails.
   * @throws the signal's reason when it aborts; the program is ended then.
   */
  async untilDone(signal: AbortSignal): Promise<void> {
    const abort = () => void this.stop();
    signal.addEventListener('abort', abort, { once: true });
    try {
      const code = await this.ended;
      signal.throwIfAborted();
      if (code !== 0) throw this.startError('failed');
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /**
   * Waits until `isReady` answers something, and gives that.
   * @throws {StartError} when the server ends, or is not ready within the time.
   * @throws the signal's reason when it aborts.
   */
  async untilReady<Result>(
    isReady: () => Promise<Result | undefined>,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<Result> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      signal.throwIfAborted();
      const result = await isReady();
      if (result !== undefined) return result;
      if (this.hasEnded) throw this.startError('ended while it was starting');
      if (Date.now() > deadline) throw this.startError(`was not ready within ${timeoutMs / 1000} s`);
      await sleep(20);
    }
  }

  /** Ends the process for certain; resolves once it is gone. */
  async stop(): Promise<void> {
    if (!this.hasEnded) await endProcess(this.pid, this.options.stopSignals, () => this.hasEnded);
    await this.ended;
  }

  /** Sends a signal as it is; does nothing once the process has ended. */
  kill(signal: NodeJS.Signals): void {
    if (!this.hasEnded) this.child.kill(signal);
  }

  /** Lets the server outlive this process. */
  unref(): void {
    process.off('exit', this.killAtExit);
    this.child.unref();
  }

  private startError(what: string): StartError {
    const lastLines = readFileSync(this.options.logFile, 'utf8').trim().split('\n').slice(-3).join(' | ');
    return new StartError(`${this.options.title} ${what} (${this.options.logFile}): ${lastLines}`);
  }
}

/** Sends the signals one after the other until the process is gone. The last one is expected to work. */
export async function endProcess(
  pid: number,
  stopSignals: readonly StopSignal[],
  isGone: () => boolean = goneCheck(pid),
): Promise<void> {
  for (const { signal, waitMs } of stopSignals) {
    if (isGone()) return;
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
      throw error;
    }
    const deadline = Date.now() + waitMs;
    while (!isGone() && Date.now() < deadline) await sleep(10);
  }
}

function goneCheck(pid: number): () => boolean {
  const identity = processIdentity(pid);
  return () => identity === undefined || processIdentity(pid) !== identity;
}
