import { connectBroker } from '#broker/connection.js';
import type { BrokerAddress } from '#runtime/config.js';
import type { Logger } from '#runtime/logger.js';
import type { ShutdownCoordinator } from '#runtime/shutdown.js';

import { runPlayground } from '../../playground/src/run.js';

/** The demo channel and agent, on a connection of their own, like anybody else's. */
export async function startDemo(broker: BrokerAddress, logger: Logger, shutdown: ShutdownCoordinator): Promise<void> {
  const nc = await connectBroker({ ...broker, name: 'holdline playground', logger, signal: shutdown.signal });
  shutdown.onStop("the playground's connection", 500, () => nc.close());
  const playground = await runPlayground({ nc, logger });
  shutdown.onStop('the playground', 1_000, () => playground.stop());
}
