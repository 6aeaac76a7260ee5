import { join } from 'node:path';

import { z } from 'zod';

import { startEmbeddedNats, type EmbeddedNats } from '../../apps/standalone/src/embedded-nats.js';
import { findNatsServer } from '../../apps/standalone/src/nats-server-binary.js';
import { forgetProcess, makeTestDirectory, noteProcess } from './run.js';
import { waitFor } from './wait-for.js';

const Connz = z.object({ connections: z.array(z.object({ name: z.string().optional() })) });

export interface TestNatsOptions {
  /** Settings beyond JetStream; `$NAMES` in it are taken from `env`, HOLDLINE_NATS_STORE_DIR being the test's own. */
  configFile?: string;
  env?: Record<string, string>;
}

/** A nats-server with JetStream for one test file, on a free loopback port with a store of its own. */
export class TestNats {
  private constructor(
    private readonly directory: string,
    private readonly options: TestNatsOptions,
    private current: EmbeddedNats,
  ) {}

  static async start(options: TestNatsOptions = {}): Promise<TestNats> {
    const directory = makeTestDirectory('nats');
    return new TestNats(directory, options, await start(directory, options));
  }

  /** `nats://127.0.0.1:port`; the same after a restart. */
  get url(): string {
    return this.current.url;
  }

  /** Ends the server in order; the store stays. */
  async stop(): Promise<void> {
    await this.current.server.stop();
    forgetProcess(this.current.server.pid);
  }

  /**
   * Ends the server for good.
   * @throws when somebody is still connected: a test ends what it began.
   */
  async close(): Promise<void> {
    const open = () => this.connections();
    const allClosed = await waitFor(async () => (await open()).length === 0, { timeoutMs: 2_000 }).catch(() => false);
    const left = allClosed ? [] : await open();
    await this.stop();
    if (left.length > 0) throw new Error(`The test left ${left.length} broker connections open (${left.join(', ')}).`);
  }

  /** Ends the server at once, as a crash of it would; the store stays. */
  async kill(): Promise<void> {
    this.current.server.kill('SIGKILL');
    await this.current.server.ended;
    forgetProcess(this.current.server.pid);
  }

  /** Starts it again on the same port and store, after `stop` or `kill`; from a running one, after a stop. */
  async restart(): Promise<void> {
    await this.stop();
    this.current = await start(this.directory, this.options, Number(new URL(this.url).port));
  }

  /** Makes it hang: connections stay and nobody answers. */
  freeze(): void {
    this.current.server.kill('SIGSTOP');
  }

  thaw(): void {
    this.current.server.kill('SIGCONT');
  }

  /** The names of the clients that are connected. */
  private async connections(): Promise<string[]> {
    const response = await fetch(`${this.current.monitoringUrl}/connz`);
    const { connections } = Connz.parse(await response.json());
    return connections.map(({ name = 'without a name' }) => name);
  }
}

async function start(directory: string, options: TestNatsOptions, port?: number): Promise<EmbeddedNats> {
  const nats = await startEmbeddedNats({
    binary: await findNatsServer(process.env),
    directory: join(directory, 'store'),
    logFile: join(directory, 'server.log'),
    monitoring: true,
    ...options,
    env: { ...options.env, HOLDLINE_NATS_STORE_DIR: join(directory, 'store') },
    signal: new AbortController().signal,
    ...(port === undefined ? {} : { port }),
  });
  noteProcess(nats.server.pid);
  return nats;
}
