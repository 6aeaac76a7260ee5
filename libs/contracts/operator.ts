import * as z from 'zod';
import { Capability } from './capabilities.js';
import { EpochMs, Text } from './fields.js';
import { message, optional } from './message.js';

/** A person with a bearer token. `token_hash` is the first 16 hex digits of SHA-256(token). */
export const Operator = message({
  token_hash: Text,
  name: Text,
  capabilities: z.array(Capability),
  created_at_ms: EpochMs,
  revoked_at_ms: optional(EpochMs),
});
export type Operator = z.infer<typeof Operator>;

/** An operator with its new token: the only time that the token is shown. */
export const OperatorWithToken = message({ operator: Operator, token: Text });
export type OperatorWithToken = z.infer<typeof OperatorWithToken>;
