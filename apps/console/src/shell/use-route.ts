import { useMemo, useSyncExternalStore } from 'react';

import { parseRoute, type Route, routeHash } from './routes.js';

export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  return useMemo(() => parseRoute(hash), [hash]);
}

export function goTo(route: Route): void {
  location.hash = routeHash(route);
}

function subscribe(listener: () => void): () => void {
  globalThis.addEventListener('hashchange', listener);
  return () => globalThis.removeEventListener('hashchange', listener);
}
