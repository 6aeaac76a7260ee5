import { useCallback, useRef, useState } from 'react';

import type { AdminMethod, ResultOf } from '#contracts/methods.js';

import type { CommandParams } from '../api/rpc-client.js';
import { useOperator } from '../session/operator-context.js';

export interface Command<Method extends AdminMethod> {
  /** Undefined when it failed, or when it is being carried out already. */
  run: (params: CommandParams<Method>) => Promise<ResultOf<Method> | undefined>;
  isRunning: boolean;
  failure: unknown;
  clear: () => void;
}

/** A command that is carried out once at a time: whatever is pressed meanwhile does nothing. */
export function useCommand<Method extends AdminMethod>(method: Method): Command<Method> {
  const { client } = useOperator();
  const running = useRef(false);
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<unknown>(undefined);
  const run = useCallback(
    async (params: CommandParams<Method>) => {
      if (running.current) return undefined;
      running.current = true;
      setRunning(true);
      setFailure(undefined);
      try {
        return await client.call(method, params);
      } catch (error) {
        setFailure(error);
        return undefined;
      } finally {
        running.current = false;
        setRunning(false);
      }
    },
    [client, method],
  );
  const clear = useCallback(() => setFailure(undefined), []);
  return { run, isRunning, failure, clear };
}
