import type { Capability } from '#contracts/capabilities.js';

import type { Transaction } from '../transaction.js';

const REVOKE_OPERATOR = {
  name: 'revoke-operator',
  text: 'UPDATE operators SET revoked_at_ms = $2 WHERE token_hash = $1 AND revoked_at_ms IS NULL',
};

const OTHERS_WITH_CAPABILITY = {
  name: 'others-with-capability',
  text: `
    SELECT EXISTS (
      SELECT FROM operators WHERE token_hash <> $1 AND revoked_at_ms IS NULL AND $2 = ANY (capabilities)
    ) AS others`,
};

/** From the commit on the operator is nobody. The caller holds `lockOperators`. */
export async function revokeOperator(tx: Transaction, tokenHash: string, nowMs: number): Promise<void> {
  await tx.rows(REVOKE_OPERATOR, [tokenHash, nowMs]);
}

/** Whether an operator who is not revoked, other than this one, has a capability. */
export async function othersHaveCapability(
  tx: Transaction,
  tokenHash: string,
  capability: Capability,
): Promise<boolean> {
  const [row] = await tx.rows<{ others: boolean }>(OTHERS_WITH_CAPABILITY, [tokenHash, capability]);
  return row?.others ?? false;
}
