import { connectBroker } from '#broker/connection.js';
import { ensureStreams } from '#broker/topology.js';
import { createDataSource } from '#store/data-source.js';
import { migrate } from '#store/migrate.js';

import { GateRunner } from './gate/gate-runner.js';
import { describeMachine } from './machine.js';
import { type BenchOptions, parseOptions, USAGE } from './options.js';
import { writePerformancePage } from './performance-page.js';
import { profileSummary } from './profile-summary.js';
import { report } from './report.js';
import { measure } from './sections.js';
import { type Servers, startServers, WORK_DIRECTORY } from './servers.js';

const log = (line: string): void => console.error(line);

const options = readOptions();
if (options !== undefined) await run(options);

/** Prints the usage and gives nothing when it was asked for, or when an option is wrong. */
function readOptions(): BenchOptions | undefined {
  try {
    const options = parseOptions(process.argv.slice(2));
    if (options === undefined) console.log(USAGE);
    return options;
  } catch (error) {
    log(`${(error as Error).message}\n\n${USAGE}`);
    process.exitCode = 2;
    return undefined;
  }
}

async function run(options: BenchOptions): Promise<void> {
  const startedAtMs = Date.now();
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
  const servers = await startServers(interrupted.signal);
  interrupted.signal.addEventListener('abort', () => void leave(servers));
  try {
    const markdown = await benchmark(options, servers, startedAtMs);
    console.log(markdown);
    if (options.write) await writePerformancePage(markdown);
  } finally {
    await servers.stop();
  }
}

/** Ends in the middle of a run. */
async function leave(servers: Servers): Promise<void> {
  // Every connection breaks when the servers go, and says so; nobody is waiting to hear it.
  process.on('uncaughtException', () => undefined);
  await servers.stop();
  log('interrupted');
  process.exit(130);
}

async function benchmark(options: BenchOptions, servers: Servers, startedAtMs: number): Promise<string> {
  const nc = await connectBroker({ servers: servers.natsUrl, name: 'bench' });
  const databaseUrl = await servers.database('holdline');
  const { natsUrl } = servers;
  await createTables(databaseUrl);
  await ensureStreams(nc);
  const runner = new GateRunner({
    ...{ nc, natsUrl, databaseUrl },
    workDirectory: WORK_DIRECTORY,
    warmUp: options.scale.gateWarmUp,
    cpuProfile: options.cpuProfile,
  });
  await runner.open();
  try {
    const results = await measure({ options, servers, nc, databaseUrl, runner, startedAtMs, log });
    if (options.cpuProfile) log(profileSummary(runner.profileDirectory));
    return report({ machine: await describeMachine(databaseUrl, nc), ...results });
  } finally {
    await runner.close();
    await nc.close();
  }
}

async function createTables(url: string): Promise<void> {
  const dataSource = await createDataSource({ url, poolSize: 1, applicationName: 'bench' }).initialize();
  await migrate(dataSource);
  await dataSource.destroy();
}
