import * as z from 'zod';
import { EpochMs, Id, JsonObject, Text, Uuid } from './fields.js';
import { message, optional } from './message.js';
import { Person, PersonIds } from './person.js';

/** Where an approval stands: `void` when the tool's schema or the target changed before the decision. */
export const ApprovalStatus = z.enum(['pending', 'approved', 'denied', 'expired', 'void']);
export type ApprovalStatus = z.infer<typeof ApprovalStatus>;

/** The person that a people tool is about: all of the person, or the two ids of somebody not yet known. */
export const ApprovalTarget = message({
  ...PersonIds.shape,
  display_name: Person.shape.display_name,
  email: Person.shape.email,
  status: optional(Person.shape.status),
  admin: optional(Person.shape.admin),
  updated_at_ms: optional(Person.shape.updated_at_ms),
});
export type ApprovalTarget = z.infer<typeof ApprovalTarget>;

/** One tool call that waits for a person's decision, or had it. `arguments` are as the agent gave them. */
export const Approval = message({
  approval_id: Uuid,
  status: ApprovalStatus,
  title: Text,
  tool: Text,
  arguments: JsonObject,
  arguments_sha256: Text,
  schema_revision: Text,
  target: optional(ApprovalTarget),
  agent_id: Id,
  caller: optional(PersonIds),
  requested_at_ms: EpochMs,
  expires_at_ms: EpochMs,
  decided_by: optional(Text),
  decided_at_ms: optional(EpochMs),
  reason: optional(Text),
  outcome: optional(z.enum(['succeeded', 'failed', 'unknown'])),
});
export type Approval = z.infer<typeof Approval>;
