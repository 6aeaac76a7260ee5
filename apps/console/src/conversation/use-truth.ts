import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

import type { Conversation } from '#contracts/conversations-list.js';
import type { ProcessingControlState } from '#contracts/processing-control-state.js';

import { changeConversation, type Inbox } from '../live/inbox.js';
import { useLive } from '../live/live-context.js';
import { queryKeys } from '../live/query-keys.js';
import { useOperator } from '../session/operator-context.js';

/**
 * Reads who has a conversation now and shows it, without waiting for the event: after a command, and when one was
 * refused because something has changed.
 */
export function useTruth(key: string, { scope }: Conversation) {
  const { client } = useOperator();
  const { reader } = useLive();
  const cache = useQueryClient();
  return useCallback(
    async (epoch?: number): Promise<ProcessingControlState | undefined> => {
      const { state } = await client.call('nexo/admin/processing/state', { scope }).catch(() => ({ state: undefined }));
      if (state === undefined) return undefined;
      cache.setQueryData<Inbox>(queryKeys.inbox, (inbox) =>
        inbox === undefined
          ? inbox
          : changeConversation(inbox, key, (row) => withState(row, state, epoch ?? row.epoch)),
      );
      for (const queryKey of [queryKeys.buffer(key), queryKeys.drafts(key), queryKeys.previews(key)]) {
        void cache.invalidateQueries({ queryKey });
      }
      if (epoch === undefined) void reader.readHeld().catch(() => undefined);
      return state;
    },
    [cache, client, key, reader, scope],
  );
}

function withState(row: Conversation, state: ProcessingControlState, epoch: number): Conversation {
  if (epoch < row.epoch) return row;
  return { ...row, state, epoch, pending_depth: state.state === 'agent_active' ? 0 : row.pending_depth };
}
