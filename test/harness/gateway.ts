import { Registry } from 'prom-client';

import { connectBroker } from '#broker/connection.js';
import { createLogger } from '#runtime/logger.js';

import { readGatewayConfig } from '../../apps/gateway/src/config.js';
import { GatewayMetrics } from '../../apps/gateway/src/gateway-metrics.js';
import { type GatewayOptions, type RunningGateway, startGateway } from '../../apps/gateway/src/run.js';
import type { LogLine } from './conversations.js';
import { waitFor } from './wait-for.js';

export interface BootGatewayOptions extends Partial<Pick<GatewayOptions, 'consoleDirectory'>> {
  natsUrl: string;
  /** Settings by the names of their variables. */
  env?: Record<string, string>;
}

/** The gateway inside this test's process. */
export interface BootedGateway {
  url: string;
  logs: LogLine[];
  running: RunningGateway;
  /** The value of one figure; 0 if it has none. */
  figure(name: string, labels?: Record<string, string>): Promise<number>;
  /** Once only counts. */
  stop(): Promise<void>;
}

/** Serves HTTP on a free port, and resolves when the firehose is being read. */
export async function bootGateway({ natsUrl, env = {}, ...more }: BootGatewayOptions): Promise<BootedGateway> {
  const logs: LogLine[] = [];
  const logger = createLogger('gateway', 'debug', { write: (line) => void logs.push(JSON.parse(line) as LogLine) });
  const registry = new Registry();
  const config = readGatewayConfig(env);
  const running = await startGateway({
    config,
    host: '127.0.0.1',
    port: 0,
    logger,
    registry,
    metrics: new GatewayMetrics(registry),
    ...more,
  });
  const nc = await connectBroker({ servers: natsUrl, name: 'holdline gateway', logger });
  running.attach(nc);
  await waitFor(() => running.checks['events']?.(AbortSignal.timeout(1_000)).then(() => true), { what: 'Events' });
  const stopAll = async () => {
    await running.detach();
    await nc.close();
    await running.stop();
  };
  let stopping: Promise<void> | undefined;
  return {
    url: running.url,
    logs,
    running,
    async figure(name, labels = {}) {
      const figures = await registry.getMetricsAsJSON();
      const values = figures.flatMap(
        (figure) => figure.values as { metricName?: string; labels: object; value: number }[],
      );
      const named =
        figures.find((figure) => figure.name === name)?.values ?? values.filter((v) => v.metricName === name);
      const wanted = Object.entries(labels);
      const found = named.find((each) => wanted.every(([key, value]) => Reflect.get(each.labels, key) === value));
      return found?.value ?? 0;
    },
    stop: () => (stopping ??= stopAll()),
  };
}
