import { join } from 'node:path';

import type { ReadyLine } from '../../apps/standalone/src/run.js';
import { commandLinesWith, TestProcess } from './child-process.js';
import { compiledMain } from './project-root.js';
import { makeTestDirectory } from './run.js';
import { waitFor } from './wait-for.js';

export interface StandaloneOptions {
  /** A new one by default. */
  dataDirectory?: string;
  /** HOLDLINE_HTTP_PORT is 0 by default. */
  env?: Record<string, string>;
  /** Through `npm start`, as people do, rather than directly. */
  throughNpm?: boolean;
}

/** All of Holdline as `npm start` runs it, on a data directory of its own, without the demo. */
export class TestStandalone {
  private constructor(
    readonly process: TestProcess,
    readonly dataDirectory: string,
  ) {}

  static async start({ dataDirectory, env, throughNpm }: StandaloneOptions = {}): Promise<TestStandalone> {
    const directory = dataDirectory ?? join(makeTestDirectory('standalone'), 'data');
    const command = throughNpm
      ? { command: 'npm', args: ['start', '--silent', '--', '--no-demo'] }
      : { command: process.execPath, args: [compiledMain('standalone'), '--no-demo'] };
    const settings = { HOLDLINE_DATA_DIR: directory, HOLDLINE_HTTP_PORT: '0', ...env };
    return new TestStandalone(await TestProcess.start({ ...command, env: settings }), directory);
  }

  /** Waits for the ready line. */
  async ready(): Promise<ReadyLine> {
    await waitFor(() => this.process.stdout.includes('\n') || this.process.hasEnded, { timeoutMs: 60_000 });
    if (this.process.stdout === '') throw new Error(`It did not start:\n${this.process.stderr}`);
    return JSON.parse(this.process.stdout) as ReadyLine;
  }

  /** The command lines of the servers of this data directory that run; a server's own children count as it. */
  servers(): string[] {
    return [...new Set(commandLinesWith(this.dataDirectory))];
  }
}
