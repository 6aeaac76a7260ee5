import * as z from 'zod';
import { Text, Uuid } from './fields.js';
import { message } from './message.js';
import { Person } from './person.js';

/** Params of `nexo/admin/people/put`: the person as it shall be. */
export const PeoplePutParams = message({
  provider: Person.shape.provider,
  user_id: Person.shape.user_id,
  display_name: Person.shape.display_name,
  email: Person.shape.email,
  status: Person.shape.status,
  admin: Person.shape.admin,
  operator_token_hash: Text,
});
export type PeoplePutParams = z.infer<typeof PeoplePutParams>;

export const PeoplePutResult = message({ person: Person, changed: z.boolean(), correlation_id: Uuid });
export type PeoplePutResult = z.infer<typeof PeoplePutResult>;
