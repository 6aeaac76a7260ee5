import { randomUUID } from 'node:crypto';

import type { NatsConnection } from '@nats-io/nats-core';

import type { Logger } from '#runtime/logger.js';
import { ChannelPlugin } from '#sdk/channel-plugin.js';

export interface DemoChannelOptions {
  nc: NatsConnection;
  channel: string;
  accountId: string;
  logger: Logger;
}

/** One account of a channel: it "sends" what it is asked to by writing it to the log. */
export async function startDemoChannel(options: DemoChannelOptions): Promise<ChannelPlugin> {
  const { nc, channel, accountId, logger } = options;
  const plugin = new ChannelPlugin({
    nc,
    channel,
    accountId,
    sourcePlugin: `demo-${channel}`,
    onProblem: (what, error) => logger.warn({ err: error }, what),
  });
  await plugin.onSend(({ to, origin, body }) => {
    logger.debug({ to, origin, text: body }, 'the demo channel sends');
    return `demo-${randomUUID()}`;
  });
  return plugin;
}
