import * as z from 'zod';

/** What an operator may do. */
export const Capability = z.enum([
  'operator_intervention',
  'transcripts_read',
  'escalations_read',
  'escalations_resolve',
  'approvals_read',
  'approvals_decide',
  'people_read',
  'people_manage',
  'tools_manage',
  'operators_manage',
  'audit_read',
]);
export type Capability = z.infer<typeof Capability>;

export const ALL_CAPABILITIES: readonly Capability[] = Capability.options;
