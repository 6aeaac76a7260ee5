import { AUTHORIZATION_HEADER } from '#contracts/headers.js';

const NAME = AUTHORIZATION_HEADER.toLowerCase();
const BEARER = /^bearer +(\S+)$/i;

/** The token of the header `Authorization: Bearer <token>`, whose name may be in any case. */
export function bearerTokenOf(headers: Iterable<[name: string, values: string[]]> | undefined): string | undefined {
  for (const [name, [value]] of headers ?? []) {
    if (name.toLowerCase() === NAME) return BEARER.exec(value ?? '')?.[1];
  }
  return undefined;
}
