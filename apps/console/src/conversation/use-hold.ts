import { useCallback, useState } from 'react';

import type { Conversation } from '#contracts/conversations-list.js';
import type { PausedByOperatorState } from '#contracts/processing-control-state.js';

import { useOperator } from '../session/operator-context.js';
import { useCommand } from '../ui/use-command.js';
import { useTruth } from './use-truth.js';

export interface HoldOptions {
  reason?: string;
  auto_resume_after_ms?: number;
  take_over?: true;
}

export interface HoldCommand {
  /** @returns whether this operator holds the conversation now. */
  run: (options?: HoldOptions) => Promise<boolean>;
  isRunning: boolean;
  failure: unknown;
  /** Somebody else was faster. */
  heldBy: PausedByOperatorState | undefined;
  clear: () => void;
}

/** Hold and take over. A pause of what is held already changes nothing, which is told rather than passed over. */
export function useHold(key: string, conversation: Conversation): HoldCommand {
  const { hash } = useOperator();
  const { run: pause, isRunning, failure, clear: clearFailure } = useCommand('nexo/admin/processing/pause');
  const readTruth = useTruth(key, conversation);
  const [heldBy, setHeldBy] = useState<PausedByOperatorState | undefined>(undefined);
  const { scope } = conversation;
  const run = useCallback(
    async (options: HoldOptions = {}) => {
      setHeldBy(undefined);
      const ack = await pause({ scope, ...options });
      const state = await readTruth(ack?.epoch);
      if (ack === undefined || state?.state !== 'paused_by_operator') return false;
      const isMine = state.operator_token_hash === hash;
      if (!isMine) setHeldBy(state);
      return isMine;
    },
    [hash, pause, readTruth, scope],
  );
  const clear = useCallback(() => {
    setHeldBy(undefined);
    clearFailure();
  }, [clearFailure]);
  return { run, isRunning, failure, heldBy, clear };
}
