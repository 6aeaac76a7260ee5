import { timingSafeEqual } from 'node:crypto';
import type { DataSource } from 'typeorm';

import { ALL_CAPABILITIES, Capability } from '#contracts/capabilities.js';
import { MAX_ID_BYTES } from '#contracts/limits.js';
import { ADMIN_METHODS, type AdminMethod } from '#contracts/methods.js';
import { toStorable, utf8Length } from '#contracts/text.js';
import { tokenHash, tokenSha256 } from '#domain/operators/token-hash.js';
import { findOperator } from '#store/queries/find-operator.js';
import { readOnce } from '#store/read.js';

import type { Caller } from './command-context.js';

/** Whoever commands while the broker's accounts are trusted and the params name nobody. */
const TRUSTED_CALLER = 'trusted';

/**
 * The operator that a token belongs to; undefined without a token, with an unknown or with a revoked one. Asked of the
 * database each time, so that a revocation works at once in every process.
 */
export async function authenticate(dataSource: DataSource, token: string | undefined): Promise<Caller | undefined> {
  if (token === undefined) return undefined;
  const operator = await readOnce(dataSource, (reader) => findOperator(reader, tokenHash(token)));
  if (operator === undefined || !timingSafeEqual(operator.tokenSha256, tokenSha256(token)) || operator.revoked) {
    return undefined;
  }
  const capabilities = Capability.options.filter((capability) => operator.capabilities.includes(capability));
  return { tokenHash: operator.tokenHash, name: operator.name, capabilities };
}

/** While tokens are not checked: the operator that the request claims, if the claim can be kept. */
export function trustedCaller(claimed: string | undefined): Caller {
  const known = claimed !== undefined && utf8Length(claimed) <= MAX_ID_BYTES;
  return { tokenHash: known ? claimed : TRUSTED_CALLER, capabilities: ALL_CAPABILITIES };
}

/** The `operator_token_hash` of a request; undefined if its method has none, or if it is no string. */
export function claimedHash(method: AdminMethod, rawParams: unknown): string | undefined {
  if (!('operator_token_hash' in ADMIN_METHODS[method].params.shape)) return undefined;
  const claimed = (rawParams as { operator_token_hash?: unknown } | null | undefined)?.operator_token_hash;
  return typeof claimed === 'string' ? toStorable(claimed) : undefined;
}
