import { readConversationsConfig } from '../../apps/conversations/src/config.js';
import { runConversations, type RunningConversations } from '../../apps/conversations/src/run.js';
import { createLogger } from '#runtime/logger.js';
import { Metrics } from '#runtime/metrics.js';
import { failing, type Readiness, runChecks } from '#runtime/readiness.js';

import { TestProcess } from './child-process.js';
import { compiledMain } from './project-root.js';
import { waitFor } from './wait-for.js';

const CHECK_LIMIT_MS = 2_000;
const READY_WITHIN_MS = 20_000;

export interface ConversationsOptions {
  databaseUrl: string;
  natsUrl: string;
  /** Settings by the names of their variables; HOLDLINE_ADMIN_AUTH is `trusted` by default. */
  env?: Record<string, string>;
  /** Return at once rather than when every readiness check is well. */
  dontWait?: boolean;
}

/** A log line, decoded. */
export type LogLine = { level: string; msg: string } & Record<string, unknown>;

/** The conversations process inside this test's process: quick to start, and its log and figures can be read. */
export interface BootedConversations {
  logs: LogLine[];
  metrics: Metrics;
  readiness(): Promise<Readiness>;
  /** Once only counts. */
  stop(): Promise<void>;
}

export async function bootConversations(options: ConversationsOptions): Promise<BootedConversations> {
  const logs: LogLine[] = [];
  const logger = createLogger('conversations', 'debug', {
    write: (line) => void logs.push(JSON.parse(line) as LogLine),
  });
  const metrics = new Metrics();
  const config = readConversationsConfig({ HOLDLINE_ADMIN_AUTH: 'trusted', ...options.env }, options);
  const running: RunningConversations = await runConversations(config, logger, metrics);
  const readiness = () => runChecks(running.checks, CHECK_LIMIT_MS);
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= running.stop());
  if (!options.dontWait) {
    const ready = async () => failing(await readiness()).length === 0;
    await waitFor(ready, { timeoutMs: READY_WITHIN_MS, what: 'Readiness' }).catch(async (error: unknown) => {
      await stop();
      throw error;
    });
  }
  return { logs, metrics, readiness, stop };
}

/** The conversations process as it runs in production, to be killed, stopped and woken up. */
export class SpawnedConversations {
  private constructor(readonly process: TestProcess) {}

  static async start(options: ConversationsOptions): Promise<SpawnedConversations> {
    const spawned = new SpawnedConversations(
      await TestProcess.start({
        command: process.execPath,
        args: [compiledMain('conversations')],
        env: {
          DATABASE_URL: options.databaseUrl,
          NATS_URL: options.natsUrl,
          HOLDLINE_ADMIN_AUTH: 'trusted',
          HOLDLINE_HTTP_PORT: '0',
          ...options.env,
        },
      }),
    );
    if (!options.dontWait) {
      const ready = waitFor(() => spawned.isReady(), { timeoutMs: READY_WITHIN_MS, what: 'Readiness' });
      await ready.catch(async (error: unknown) => {
        await spawned.kill();
        throw error;
      });
    }
    return spawned;
  }

  /** Its log so far; what is no JSON is left out. */
  get logs(): LogLine[] {
    const lines = this.process.stderr.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'));
    return lines.map((line) => JSON.parse(line) as LogLine);
  }

  /** `http://127.0.0.1:port`, once it serves HTTP. */
  get http(): string | undefined {
    return this.logs.find(({ http }) => http !== undefined)?.['http'] as string | undefined;
  }

  async isReady(): Promise<boolean> {
    if (this.process.hasEnded) throw new Error(`It has ended by itself: ${this.process.stderr}`);
    return this.http !== undefined && (await fetch(`${this.http}/readyz`)).ok;
  }

  /** SIGTERM; resolves with the exit code once it is gone. */
  async stop(): Promise<number | null> {
    this.process.kill('SIGCONT');
    this.process.kill('SIGTERM');
    return (await this.process.ended).code;
  }

  /** SIGKILL; resolves once it is gone. */
  kill(): Promise<void> {
    return this.process.destroy();
  }

  /** Stops it in the middle of whatever it does; its connections stay. */
  freeze(): void {
    this.process.kill('SIGSTOP');
  }

  thaw(): void {
    this.process.kill('SIGCONT');
  }
}
