import type { Capability } from '#contracts/capabilities.js';

/** Every capability, in the order of the form; the type keeps it complete. */
const ORDER: Record<Capability, number> = {
  operator_intervention: 1,
  transcripts_read: 2,
  escalations_read: 3,
  escalations_resolve: 4,
  approvals_read: 5,
  approvals_decide: 6,
  people_read: 7,
  people_manage: 8,
  tools_manage: 9,
  operators_manage: 10,
  audit_read: 11,
};

export const CAPABILITIES = (Object.keys(ORDER) as Capability[]).sort((a, b) => ORDER[a] - ORDER[b]);

/** What somebody needs who answers contacts. */
export const ANSWERING: readonly Capability[] = [
  'operator_intervention',
  'transcripts_read',
  'escalations_read',
  'escalations_resolve',
];
