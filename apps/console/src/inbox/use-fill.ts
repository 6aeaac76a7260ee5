import { useEffect, useState } from 'react';

import { type Inbox, MOST_ROWS } from '../live/inbox.js';
import { useLive } from '../live/live-context.js';

/** Reads further pages as long as more are wanted. @returns whether it still does. */
export function useFill(inbox: Inbox, wantsMore: boolean): boolean {
  const { reader } = useLive();
  const [hasFailed, setFailed] = useState(false);
  const isFilling = wantsMore && !hasFailed && inbox.nextCursor !== undefined && inbox.rows.size < MOST_ROWS;
  useEffect(() => {
    if (isFilling) reader.readMore().catch(() => setFailed(true));
  }, [isFilling, inbox, reader]);
  return isFilling;
}
