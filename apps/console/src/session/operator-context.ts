import { createContext, useContext } from 'react';

import type { RpcClient } from '../api/rpc-client.js';

/** The operator at this page. */
export interface Operator {
  client: RpcClient;
  /** `operator_token_hash` */
  hash: string;
  /** Logs out. */
  leave: () => void;
  /** To be called when the gateway no longer knows the session. */
  sessionEnded: () => void;
}

export const OperatorContext = createContext<Operator | undefined>(undefined);

export function useOperator(): Operator {
  const operator = useContext(OperatorContext);
  if (operator === undefined) throw new Error('There is no operator outside the session.');
  return operator;
}
