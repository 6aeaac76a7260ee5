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

const options = parseOptions(process.argv.slice(2));
if (options === undefined) console.log(USAGE);
else await run(options);

async function run(options: BenchOptions): Promise<void> {
  const startedAtMs = Date.now();
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
  const servers = await startServers(interrupted.signal);
  try {
    const aborted = new Promise<never>((_, reject) => {
      interrupted.signal.addEventListener('abort', () => reject(new Error('Interrupted.')));
    });
    const markdown = await Promise.race([benchmark(options, servers, startedAtMs), aborted]);
    console.log(markdown);
    if (options.write) await writePerformancePage(markdown);
  } finally {
    await servers.stop();
  }
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
