import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';

import { RpcClient } from '../api/rpc-client.js';
import { logIn, logOut, readSession, type Session } from '../api/session.js';
import { linkToken } from './link-token.js';
import { LogInPage } from './log-in-page.js';
import { OperatorContext } from './operator-context.js';

type Gate =
  { kind: 'opening' } | { kind: 'shut'; failure?: unknown; ended?: true } | { kind: 'open'; session: Session };

/** What is inside is there for a logged-in operator only. A log-in link (`#token=…`) opens it by itself. */
export function SessionGate({ children }: { children: ReactNode }) {
  const [gate, setGate] = useState<Gate>({ kind: 'opening' });
  const cache = useQueryClient();

  useEffect(() => {
    let isHere = true;
    openByItself().then(
      (session) => isHere && setGate(session === undefined ? { kind: 'shut' } : { kind: 'open', session }),
      (failure: unknown) => isHere && setGate({ kind: 'shut', failure }),
    );
    return () => {
      isHere = false;
    };
  }, []);

  const shut = useCallback(
    (ended: boolean) => {
      cache.clear();
      setGate(ended ? { kind: 'shut', ended: true } : { kind: 'shut' });
    },
    [cache],
  );
  const hash = gate.kind === 'open' ? gate.session.operator_token_hash : undefined;
  const operator = useMemo(() => {
    if (hash === undefined) return undefined;
    const options = {
      fetch: globalThis.fetch.bind(globalThis),
      operatorTokenHash: hash,
      onUnauthenticated: () => shut(true),
    };
    const leave = () => {
      void logOut().catch(() => undefined);
      shut(false);
    };
    return { client: new RpcClient(options), hash, leave, sessionEnded: options.onUnauthenticated };
  }, [hash, shut]);

  if (gate.kind === 'opening') return <p className="opening">Holdline</p>;
  if (operator === undefined) {
    const { failure, ended } = gate as Gate & { kind: 'shut' };
    return (
      <LogInPage
        failure={failure}
        hasEnded={ended ?? false}
        onLoggedIn={(session) => setGate({ kind: 'open', session })}
      />
    );
  }
  return <OperatorContext.Provider value={operator}>{children}</OperatorContext.Provider>;
}

let opening: Promise<Session | undefined> | undefined;

/** Once a page: the link's token is taken out of the address before anything else happens. */
function openByItself(): Promise<Session | undefined> {
  opening ??= (() => {
    const token = linkToken(location.hash);
    if (token === undefined) return readSession();
    history.replaceState(null, '', `${location.pathname}${location.search}`);
    return logIn(token);
  })();
  return opening;
}
