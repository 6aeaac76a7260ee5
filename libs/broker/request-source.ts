/**
 * Whom a request comes from, as far as the broker shows it: the part of its reply subject that the requests of one
 * connection have in common. Clients use a random inbox for each connection and a token for each request. A reply
 * subject of two tokens is of one request only, and so is its source; without a reply there is none.
 */
export function requestSource(reply: string | undefined): string | undefined {
  if (!reply) return undefined;
  const tokens = reply.split('.');
  return tokens.length > 2 ? tokens.slice(0, -1).join('.') : reply;
}
