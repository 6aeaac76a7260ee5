import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../apps/conversations/src/main.js', import.meta.url));
const STOP_WITHIN_MS = 15_000;

export interface GateProcessOptions {
  databaseUrl: string;
  natsUrl: string;
  pendingQueueCap: number;
  logFile: string;
  /** Where a CPU profile is written when the process ends; none if absent. */
  profileDirectory?: string;
}

/** The `conversations` service as it runs in production: a process with its configuration in the environment. */
export class GateProcess {
  /** Rejects if the process ends before it is told to; never resolves. */
  readonly failure: Promise<never>;
  private readonly exited: Promise<unknown>;
  private stopping = false;

  private constructor(
    private readonly child: ChildProcess,
    private readonly options: GateProcessOptions,
  ) {
    const killWithUs = () => void child.kill('SIGKILL');
    process.once('exit', killWithUs);
    this.exited = once(child, 'exit').finally(() => process.off('exit', killWithUs));
    this.failure = this.exited.then(() => {
      if (this.stopping) return new Promise<never>(() => undefined);
      throw new Error(`The conversations service ended by itself.\n${this.lastLogLines()}`);
    });
    // Whoever waits for the service sees the failure; nobody has to.
    this.failure.catch(() => undefined);
  }

  static start(options: GateProcessOptions): GateProcess {
    const profiling =
      options.profileDirectory === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', options.profileDirectory];
    const log = openSync(options.logFile, 'a');
    const child = spawn(process.execPath, [...profiling, MAIN], {
      env: {
        ...process.env,
        DATABASE_URL: options.databaseUrl,
        NATS_URL: options.natsUrl,
        HOLDLINE_ADMIN_AUTH: 'trusted',
        HOLDLINE_HTTP_PORT: '0',
        NEXO_PROCESSING_PENDING_QUEUE_CAP: String(options.pendingQueueCap),
      },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    return new GateProcess(child, options);
  }

  /** Asks the process to end; throws if it had ended before, or does not end in time. */
  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) await this.failure;
    this.stopping = true;
    this.child.kill('SIGTERM');
    const lastResort = setTimeout(() => this.child.kill('SIGKILL'), STOP_WITHIN_MS);
    await this.exited;
    clearTimeout(lastResort);
    if (this.child.exitCode !== 0) {
      throw new Error(`The conversations service did not end properly on SIGTERM.\n${this.lastLogLines()}`);
    }
  }

  lastLogLines(): string {
    return readFileSync(this.options.logFile, 'utf8').trimEnd().split('\n').slice(-15).join('\n');
  }
}
