import type { AuditListParams, AuditOutcome } from '#contracts/audit-list.js';

export const AUDIT_OUTCOMES = ['all', 'ok', 'refused', 'error'] as const satisfies readonly ('all' | AuditOutcome)[];
export const AUDIT_SPANS = ['all', 'hour', 'day', 'week'] as const;

/** What the audit is filtered by, as it stands in the form. */
export interface AuditFilter {
  method: string;
  operator: string;
  outcome: (typeof AUDIT_OUTCOMES)[number];
  span: (typeof AUDIT_SPANS)[number];
}

export const EVERYTHING: AuditFilter = { method: '', operator: '', outcome: 'all', span: 'all' };

const HOUR_MS = 3_600_000;
const SPAN_MS: Record<Exclude<AuditFilter['span'], 'all'>, number> = {
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
  week: 7 * 24 * HOUR_MS,
};
const METHOD_PREFIX = 'nexo/admin/';
const PAGE = 100;

/** @param nowMs from when the span counts back. */
export function auditParams({ method, operator, outcome, span }: AuditFilter, nowMs: number): AuditListParams {
  const name = method.trim();
  return {
    limit: PAGE,
    ...(name === '' ? {} : { method: name.includes('nexo/') ? name : METHOD_PREFIX + name }),
    ...(operator.trim() === '' ? {} : { operator: operator.trim() }),
    ...(outcome === 'all' ? {} : { outcome }),
    ...(span === 'all' ? {} : { since_ms: Math.max(0, nowMs - SPAN_MS[span]) }),
  };
}

/** A method without what all of them begin with. */
export function shortMethod(method: string): string {
  return method.startsWith(METHOD_PREFIX) ? method.slice(METHOD_PREFIX.length) : method;
}
