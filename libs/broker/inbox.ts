import { createInbox, type NatsConnection } from '@nats-io/nats-core';
import type { NatsConnectionImpl } from '@nats-io/nats-core/internal';

/** A fresh subject for answers, under the prefix that the connection was given. */
export function newInbox(nc: NatsConnection): string {
  // The client keeps its options to itself, although every inbox outside of it needs the prefix.
  return createInbox((nc as NatsConnectionImpl).options.inboxPrefix);
}
