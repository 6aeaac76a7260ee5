import { QueryClient, QueryClientProvider } from '@tanstack/react-query';

import { RpcFailure } from './api/rpc-failure.js';
import { LiveProvider } from './live/live-provider.js';
import { PreferencesProvider } from './preferences/preferences-context.js';
import { SessionGate } from './session/session-gate.js';
import { Shell } from './shell/shell.js';

const MOST_RETRIES = 2;
/** What may be over in a moment. */
const PASSING: ReadonlySet<string> = new Set(['unreachable', 'unavailable', 'rate_limited']);

/** Reads follow the events, so that coming back to the window is no reason to read anew. */
const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      retry: (failures, error) => failures < MOST_RETRIES && error instanceof RpcFailure && PASSING.has(error.reason),
    },
  },
});

export function App() {
  return (
    <PreferencesProvider>
      <QueryClientProvider client={queryClient}>
        <SessionGate>
          <LiveProvider>
            <Shell />
          </LiveProvider>
        </SessionGate>
      </QueryClientProvider>
    </PreferencesProvider>
  );
}
