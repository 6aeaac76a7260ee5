import type { Reader } from '../read.js';

const FIND_VALID_TOKENS = {
  name: 'find-valid-tokens',
  text: `SELECT encode(token_sha256, 'hex') AS sha256 FROM operators WHERE revoked_at_ms IS NULL`,
};

/** SHA-256, in hex, of every token that is worth something now. */
export async function findValidTokens(reader: Reader): Promise<Set<string>> {
  return new Set((await reader.rows<{ sha256: string }>(FIND_VALID_TOKENS)).map(({ sha256 }) => sha256));
}
