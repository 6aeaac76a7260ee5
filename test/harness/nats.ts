import { join } from 'node:path';

import { startEmbeddedNats, type EmbeddedNats } from '../../apps/standalone/src/embedded-nats.js';
import { findNatsServer } from '../../apps/standalone/src/nats-server-binary.js';
import { forgetProcess, makeTestDirectory, noteProcess } from './run.js';

/** A nats-server with JetStream for one test file, on a free loopback port with a store of its own. */
export class TestNats {
  private constructor(
    private readonly directory: string,
    private current: EmbeddedNats,
  ) {}

  static async start(): Promise<TestNats> {
    const directory = makeTestDirectory('nats');
    return new TestNats(directory, await start(directory));
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

  /** Ends the server at once, as a crash of it would; the store stays. */
  async kill(): Promise<void> {
    this.current.server.kill('SIGKILL');
    await this.current.server.ended;
    forgetProcess(this.current.server.pid);
  }

  /** Starts it again on the same port and store, after `stop` or `kill`; from a running one, after a stop. */
  async restart(): Promise<void> {
    await this.stop();
    this.current = await start(this.directory, Number(new URL(this.url).port));
  }

  /** Makes it hang: connections stay and nobody answers. */
  freeze(): void {
    this.current.server.kill('SIGSTOP');
  }

  thaw(): void {
    this.current.server.kill('SIGCONT');
  }
}

async function start(directory: string, port?: number): Promise<EmbeddedNats> {
  const nats = await startEmbeddedNats({
    binary: await findNatsServer(process.env),
    directory: join(directory, 'store'),
    logFile: join(directory, 'server.log'),
    signal: new AbortController().signal,
    ...(port === undefined ? {} : { port }),
  });
  noteProcess(nats.server.pid);
  return nats;
}
