import { createHash } from 'node:crypto';

const HASH_HEX_DIGITS = 16;

/** The 32 bytes by which an operator's token is stored and compared; the token itself is never kept. */
export function tokenSha256(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}

/** The name of an operator everywhere outside the `operators` table: 16 lower-case hex digits of SHA-256(token). */
export function tokenHash(token: string): string {
  return tokenSha256(token).toString('hex').slice(0, HASH_HEX_DIGITS);
}
