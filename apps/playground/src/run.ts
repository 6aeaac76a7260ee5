import type { NatsConnection } from '@nats-io/nats-core';

import type { Logger } from '#runtime/logger.js';
import type { ChannelPlugin } from '#sdk/channel-plugin.js';

import { runContact } from './contact.js';
import { startDemoAgent } from './demo-agent.js';
import { startDemoChannel } from './demo-channel.js';
import { DEMO_AGENT_ID, DEMO_CONTACTS } from './demo-contacts.js';
import { DEMO_PACE, type Pace } from './pace.js';
import { SeededRandom } from './seeded-random.js';

export interface PlaygroundOptions {
  nc: NatsConnection;
  logger: Logger;
  /** Who writes what, and when, follows from it. */
  seed?: number;
  pace?: Pace;
}

/** A channel whose contacts write now and then, and an agent that answers; both use the SDK and nothing else. */
export async function runPlayground(options: PlaygroundOptions): Promise<{ stop(): Promise<void> }> {
  const { nc, logger, seed = 1, pace = DEMO_PACE } = options;
  const stopping = new AbortController();
  const shared = { pace, logger, signal: stopping.signal };

  const channels = new Map<string, ChannelPlugin>();
  for (const { channel, account_id: accountId } of DEMO_CONTACTS.map(({ scope }) => scope)) {
    if (!channels.has(channel)) channels.set(channel, await startDemoChannel({ nc, channel, accountId, logger }));
  }
  const writing = DEMO_CONTACTS.map((contact, index) => {
    const channel = channels.get(contact.scope.channel) as ChannelPlugin;
    return runContact(contact, { ...shared, channel, random: new SeededRandom(seed + 1 + index) });
  });
  const agent = startDemoAgent({ nc, agentId: DEMO_AGENT_ID, random: new SeededRandom(seed), pace, logger });
  return {
    async stop() {
      stopping.abort();
      const ends = [...channels.values()].map((channel) => channel.stop());
      await Promise.all([...writing, ...ends, agent.stop({ graceMs: 0 })]);
    },
  };
}
