import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';

import type { Inbox } from '../live/inbox.js';
import { useLive } from '../live/live-context.js';
import { queryKeys } from '../live/query-keys.js';

/** No event tells that a message went into a buffer, so the counts of held conversations are read again. */
const HELD_COUNTS_MS = 5_000;

/** The inbox, read once the event stream stands, so that nothing is missed between the two. */
export function useInbox() {
  const { status, reader } = useLive();
  return useQuery<Inbox>({
    queryKey: queryKeys.inbox,
    queryFn: ({ signal }) => reader.readAll(signal),
    enabled: status.kind !== 'connecting',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
}

/** Keeps the counts of the held conversations fresh while the page is looked at. */
export function useHeldCounts(inbox: Inbox | undefined): void {
  const { reader, status } = useLive();
  const anyHeld = inbox !== undefined && hasHeld(inbox);
  const active = anyHeld && status.kind === 'live';
  useEffect(() => {
    if (!active) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void reader.readHeld().catch(() => undefined);
    }, HELD_COUNTS_MS);
    return () => clearInterval(timer);
  }, [active, reader]);
}

function hasHeld(inbox: Inbox): boolean {
  for (const { state } of inbox.rows.values()) if (state.state === 'paused_by_operator') return true;
  return false;
}
