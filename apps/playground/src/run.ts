import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';

import type { Logger } from '#runtime/logger.js';

import { ChannelAccount } from './channel-account.js';
import { runContact } from './contact.js';
import { DemoAgent } from './demo-agent.js';
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

/** A channel whose contacts write now and then, and an agent that answers; both use public subjects only. */
export async function runPlayground(options: PlaygroundOptions): Promise<{ stop(): Promise<void> }> {
  const { nc, logger, seed = 1, pace = DEMO_PACE } = options;
  const stopping = new AbortController();
  const shared = { pace, logger, signal: stopping.signal };

  const accounts = new Map(DEMO_CONTACTS.map(({ scope }) => [`${scope.channel} ${scope.account_id}`, scope]));
  const subscriptions = [...accounts.values()].map(({ channel, account_id }) =>
    new ChannelAccount(logger).serve(nc, channel, account_id),
  );
  const agent = new DemoAgent({ ...shared, nc, agentId: DEMO_AGENT_ID, random: new SeededRandom(seed) });
  const js = jetstream(nc);
  const running = [
    agent.run(),
    ...DEMO_CONTACTS.map((contact, index) =>
      runContact(contact, { ...shared, js, random: new SeededRandom(seed + 1 + index) }),
    ),
  ];
  return {
    async stop() {
      stopping.abort();
      for (const subscription of subscriptions) subscription.unsubscribe();
      await Promise.all(running);
    },
  };
}
