import type { AuditVerification } from '#store/verify-audit-log.js';

const MOST_SHOWN = 50;

/** True if nothing was found and the end is known. */
export function isWhole({ head, findings }: AuditVerification): boolean {
  return head !== undefined && findings.length === 0;
}

/** What a verification has found, in lines for people; the last one names the newest row, to be kept elsewhere. */
export function describeVerification(verification: AuditVerification): string[] {
  const { rows, head, removedThrough, findings } = verification;
  const lines = findings.slice(0, MOST_SHOWN).map(describeFinding);
  if (findings.length > MOST_SHOWN) lines.push(`And ${findings.length - MOST_SHOWN} more.`);
  if (head === undefined) lines.push('The head is missing, so that nobody can say whether rows at the end are.');
  if (removedThrough !== undefined) lines.push(`Retention has removed rows 1 to ${removedThrough}.`);
  lines.push(`${rows} rows were read; the audit log is ${isWhole(verification) ? 'whole' : 'NOT whole'}.`);
  if (head !== undefined) lines.push(`${head.position}:${Buffer.from(head.hash).toString('hex')}`);
  return lines;
}

function describeFinding(finding: AuditVerification['findings'][number]): string {
  switch (finding.kind) {
    case 'changed':
      return `Row ${finding.position} was changed, or its neighbour and that one's hash were.`;
    case 'missing':
      return finding.from === finding.to
        ? `Row ${finding.from} is missing.`
        : `Rows ${finding.from} to ${finding.to} are missing.`;
    case 'inserted':
      return `A row with position ${finding.position} (id ${finding.id}) was inserted.`;
    case 'outside_of_chain':
      return `A row outside of the chain (id ${finding.id}) was inserted.`;
    case 'rewritten':
      return `The log was written anew: row ${finding.position} is not the one that was given.`;
    default:
      return finding satisfies never;
  }
}
