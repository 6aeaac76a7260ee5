import { RpcFailure } from './rpc-failure.js';

/** What the gateway tells a page of its session. The token itself stays in a cookie that no script can read. */
export interface Session {
  operator_token_hash: string;
  expires_at_ms: number;
}

const HEADERS = { 'content-type': 'application/json' };

/** The session of this browser; undefined when nobody is logged in. @throws {RpcFailure} */
export async function readSession(): Promise<Session | undefined> {
  const response = await ask({ method: 'GET' });
  return response.status === 401 ? undefined : sessionOf(response);
}

/** @throws {RpcFailure} `unauthenticated` for a token that is not valid. */
export async function logIn(token: string): Promise<Session> {
  return sessionOf(await ask({ method: 'POST', headers: HEADERS, body: JSON.stringify({ token }) }));
}

/** @throws {RpcFailure} */
export async function logOut(): Promise<void> {
  const response = await ask({ method: 'DELETE' });
  if (!response.ok) throw RpcFailure.ofStatus(response.status);
}

async function ask(init: RequestInit): Promise<Response> {
  try {
    return await fetch('/session', { credentials: 'same-origin', ...init });
  } catch (error) {
    throw new RpcFailure('unreachable', String(error));
  }
}

async function sessionOf(response: Response): Promise<Session> {
  if (!response.ok) throw RpcFailure.ofStatus(response.status);
  return (await response.json()) as Session;
}
