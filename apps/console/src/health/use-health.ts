import { useQuery, useQueryClient } from '@tanstack/react-query';

import { RpcFailure } from '../api/rpc-failure.js';
import { type Look, lookAt } from './figures.js';
import { parseSamples } from './prometheus-text.js';

/** What `/readyz` answers, also when something fails. */
interface ReadyAnswer {
  ready: boolean;
  /** `true`, or a sentence about what is wrong. */
  checks: Record<string, true | string>;
}

const EVERY_MS = 5_000;
const MOST_LOOKS = 120;
const FIGURES_KEY = ['health', 'figures'];
const SERVICE_UNAVAILABLE = 503;

export function useReadiness() {
  return useQuery({
    queryKey: ['health', 'readiness'],
    refetchInterval: EVERY_MS,
    queryFn: async ({ signal }): Promise<ReadyAnswer> => {
      const response = await ask('/readyz', signal);
      if (!response.ok && response.status !== SERVICE_UNAVAILABLE) throw RpcFailure.ofStatus(response.status);
      return (await response.json()) as ReadyAnswer;
    },
  });
}

/** What was seen since the page was opened, at most ten minutes of it. */
export function useFigures() {
  const cache = useQueryClient();
  return useQuery({
    queryKey: FIGURES_KEY,
    refetchInterval: EVERY_MS,
    queryFn: async ({ signal }): Promise<Look[]> => {
      const response = await ask('/metrics', signal);
      if (!response.ok) throw RpcFailure.ofStatus(response.status);
      const look = lookAt(parseSamples(await response.text()), Date.now());
      return [...(cache.getQueryData<Look[]>(FIGURES_KEY) ?? []), look].slice(-MOST_LOOKS);
    },
  });
}

async function ask(path: string, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(path, { credentials: 'same-origin', signal });
  } catch (error) {
    throw new RpcFailure('unreachable', String(error));
  }
}
