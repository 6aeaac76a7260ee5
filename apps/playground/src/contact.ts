import type { Logger } from '#runtime/logger.js';
import type { ChannelPlugin, NewInbound } from '#sdk/channel-plugin.js';

import type { DemoContact, Line } from './demo-contacts.js';
import type { Pace } from './pace.js';
import { pause } from './pause.js';
import type { SeededRandom } from './seeded-random.js';

export interface ContactOptions {
  channel: ChannelPlugin;
  random: SeededRandom;
  pace: Pace;
  logger: Logger;
  signal: AbortSignal;
}

/** Writes now and then until the signal aborts. */
export async function runContact(contact: DemoContact, options: ContactOptions): Promise<void> {
  const { channel, random, pace, logger, signal } = options;
  let waitMs = random.between(pace.firstMessage);
  while (await pause(waitMs, signal)) {
    await channel.publishInbound(inbound(contact, random.pick(contact.lines)), { signal }).catch((error: unknown) => {
      if (!signal.aborted) logger.warn({ err: error }, 'a message of a demo contact was not taken');
    });
    waitMs = random.between(pace.nextMessage);
  }
}

function inbound({ scope }: DemoContact, line: Line): NewInbound {
  const said = typeof line === 'string' ? { body: line } : picture(line.picture);
  return { agentId: scope.agent_id, contactId: scope.contact_id, ...said };
}

function picture(url: string): Pick<NewInbound, 'body' | 'attachments'> {
  return { body: '', attachments: [{ kind: 'image', url }] };
}
