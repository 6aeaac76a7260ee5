import { createContext, useContext } from 'react';

import type { LiveStatus } from '../api/event-stream.js';
import type { EventFeed } from './event-feed.js';
import type { InboxReader } from './inbox-reader.js';

/** How the page follows what happens. */
export interface Live {
  status: LiveStatus;
  feed: EventFeed;
  reader: InboxReader;
}

export const LiveContext = createContext<Live | undefined>(undefined);

export function useLive(): Live {
  const live = useContext(LiveContext);
  if (live === undefined) throw new Error('Nothing is live outside the session.');
  return live;
}
