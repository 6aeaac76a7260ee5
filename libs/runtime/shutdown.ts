import { ConfigError } from './config.js';
import type { Logger } from './logger.js';

export interface ShutdownOptions {
  logger: Logger;
  /** Everything must have stopped within this time; what has not is abandoned. */
  totalLimitMs: number;
  /** Says why a part has failed; by default a plain sentence for wrong settings, else a `fatal` log line. */
  reportFailure?: (error: unknown) => void;
  /** How the process ends; `process.exit` by default. */
  exit?: (code: number) => void;
}

interface StopStep {
  name: string;
  limitMs: number;
  stop: () => Promise<void> | void;
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** How long a start that was told to give up may take to do so. */
const START_ABORT_LIMIT_MS = 1_000;

/**
 * Runs a process from its start to its end. What has been started is stopped in reverse order, once, whatever ends the
 * process: a signal (also during the start, also twice), a failed start, or a part that fails later.
 */
export class ShutdownCoordinator {
  private readonly aborter = new AbortController();
  private readonly steps: StopStep[] = [];
  private readonly options: ShutdownOptions;
  private starting: Promise<void> = Promise.resolve();
  private stopping: Promise<void> | undefined;

  constructor(options: ShutdownOptions) {
    this.options = options;
  }

  /** Aborts when the process begins to stop: the start gives up, loops end. */
  get signal(): AbortSignal {
    return this.aborter.signal;
  }

  /**
   * Answers SIGTERM, SIGINT and SIGHUP, and runs `start`. A start that throws stops the process with exit code 1.
   * Resolves when the start has ended, however it did.
   */
  async run(start: () => Promise<void>): Promise<void> {
    for (const name of SIGNALS) process.on(name, () => void this.stop(`received ${name}`, 0));
    process.on('uncaughtException', (error) => this.fail(error));
    this.starting = start();
    try {
      await this.starting;
    } catch (error) {
      if (!this.signal.aborted) this.fail(error);
    }
  }

  /**
   * Registers how to stop a part that has just been started.
   * @param limitMs how long it may take before it is abandoned.
   */
  onStop(name: string, limitMs: number, stop: StopStep['stop']): void {
    this.steps.push({ name, limitMs, stop });
  }

  /** Stops everything and ends the process with exit code 1, saying why. */
  fail(error: unknown): void {
    if (this.stopping === undefined) this.report(error);
    void this.stop('a part has failed', 1);
  }

  /** Stops everything and ends the process. Only the first call counts; all of them wait for the end. */
  stop(why: string, exitCode: number): Promise<void> {
    this.stopping ??= this.stopAll(why, exitCode);
    return this.stopping;
  }

  private report(error: unknown): void {
    const { reportFailure, logger } = this.options;
    if (reportFailure !== undefined) reportFailure(error);
    else if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
    else logger.fatal({ err: error }, error instanceof Error ? error.message : String(error));
  }

  private async stopAll(why: string, exitCode: number): Promise<void> {
    const { logger, totalLimitMs, exit = (code) => process.exit(code) } = this.options;
    // A failure has been told already.
    const level = exitCode === 0 ? 'info' : 'debug';
    logger[level]({ why }, 'stopping');
    const deadline = Date.now() + totalLimitMs;
    this.aborter.abort(new Error(`Stopping: ${why}.`));
    await within(START_ABORT_LIMIT_MS, this.starting).catch(() => undefined);
    for (let step = this.steps.pop(); step !== undefined; step = this.steps.pop()) {
      const limitMs = Math.max(0, Math.min(step.limitMs, deadline - Date.now()));
      try {
        await within(limitMs, Promise.resolve(step.stop()));
      } catch (error) {
        logger.error({ err: error, step: step.name }, `${step.name} did not stop in order`);
      }
    }
    logger[level]('stopped');
    exit(exitCode);
  }
}

async function within(limitMs: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It took longer than ${limitMs} ms.`)), limitMs);
  });
  try {
    await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
