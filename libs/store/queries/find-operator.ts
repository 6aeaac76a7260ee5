import type { Reader } from '../read.js';
import type { Statement } from '../transaction.js';

export interface StoredOperator {
  tokenHash: string;
  tokenSha256: Buffer;
  name: string;
  capabilities: string[];
  revoked: boolean;
}

const FIND_OPERATOR: Statement = {
  name: 'find-operator',
  text: `
    SELECT token_hash AS "tokenHash", token_sha256 AS "tokenSha256", name, capabilities,
           revoked_at_ms IS NOT NULL AS revoked
    FROM operators
    WHERE token_hash = $1`,
};

/** The operator with this hash, revoked or not. The hash is shorter than the digest: compare `tokenSha256` as well. */
export async function findOperator(reader: Reader, tokenHash: string): Promise<StoredOperator | undefined> {
  const [operator] = await reader.rows<StoredOperator>(FIND_OPERATOR, [tokenHash]);
  return operator;
}
