import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useState } from 'react';

import { followEvents, type LiveStatus } from '../api/event-stream.js';
import { useOperator } from '../session/operator-context.js';
import { applyEvents } from './apply-events.js';
import { EventFeed } from './event-feed.js';
import { InboxReader } from './inbox-reader.js';
import { LiveContext } from './live-context.js';
import { Settled } from './settled.js';

const BATCH_MS = 50;
/** Several events that ask for the same reading within this time are answered by one. */
const READ_AFTER_MS = 250;

/** Follows the events as long as somebody is logged in, and keeps the query cache up to them. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const { client, sessionEnded } = useOperator();
  const cache = useQueryClient();
  const [status, setStatus] = useState<LiveStatus>({ kind: 'connecting' });
  const feed = useMemo(() => new EventFeed(BATCH_MS), []);
  const reader = useMemo(() => new InboxReader(client, feed, cache), [client, feed, cache]);

  useEffect(() => {
    const newest = new Settled(() => void reader.readNewest().catch(() => undefined), READ_AFTER_MS);
    const held = new Settled(() => void reader.readHeld().catch(() => undefined), READ_AFTER_MS);
    const unlisten = feed.listen((events) => {
      const { readNewest, readHeld } = applyEvents(cache, events);
      if (readNewest) newest.ask();
      if (readHeld) held.ask();
    });
    const stop = new AbortController();
    const handlers = {
      fetch: globalThis.fetch.bind(globalThis),
      network: globalThis,
      onEvent: feed.push.bind(feed),
      onGap: () => void cache.invalidateQueries(),
      onStatus: setStatus,
      onUnauthenticated: sessionEnded,
    };
    void followEvents(handlers, stop.signal);
    return () => {
      stop.abort();
      unlisten();
      newest.cancel();
      held.cancel();
    };
  }, [cache, feed, reader, sessionEnded]);

  const live = useMemo(() => ({ status, feed, reader }), [status, feed, reader]);
  return <LiveContext.Provider value={live}>{children}</LiveContext.Provider>;
}
