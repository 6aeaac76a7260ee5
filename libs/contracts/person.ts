import * as z from 'zod';
import { EpochMs, Id, Text } from './fields.js';
import { message, optional } from './message.js';

/** How far a person has come: only a `linked` one can be an admin. */
export const PersonStatus = z.enum(['invited', 'linked', 'revoked']);
export type PersonStatus = z.infer<typeof PersonStatus>;

/** The two ids that name a person: the provider is a channel, the user id is the provider's own. */
export const PersonIds = message({ provider: Id, user_id: Id });
export type PersonIds = z.infer<typeof PersonIds>;

/** Somebody who may talk to agents, and perhaps decide who else may. */
export const Person = message({
  ...PersonIds.shape,
  display_name: optional(Text),
  email: optional(Text),
  status: PersonStatus,
  admin: z.boolean(),
  updated_at_ms: EpochMs,
});
export type Person = z.infer<typeof Person>;
