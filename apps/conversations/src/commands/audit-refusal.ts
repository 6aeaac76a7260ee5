import { ERROR_CODES, type RpcError } from '#contracts/errors.js';
import { Id } from '#contracts/fields.js';
import { ProcessingScope } from '#contracts/processing-scope.js';
import { insertAuditRow, type NewAuditRow } from '#store/queries/insert-audit-row.js';
import { withTransaction } from '#store/transaction.js';

import type { CommandContext } from './command-context.js';
import type { CommandDependencies } from './command-dependencies.js';
import { describeFailure } from './describe-failure.js';

/**
 * Leaves the audit row of a command that a known operator was refused, or that failed. One that answers `unavailable`
 * does not wait for its row, since the database may be what is away; one that had its effect has left its row with it.
 */
export async function auditRefusal(
  deps: CommandDependencies,
  command: CommandContext,
  rawParams: unknown,
  answer: RpcError,
): Promise<void> {
  if (answer.data['committed'] === true || command.outcomeIsAudited) return;
  const row: NewAuditRow = {
    operator: command.operator.tokenHash,
    method: command.method,
    ...subjectOf(rawParams),
    outcome: answer.word === 'internal' || answer.word === 'unavailable' ? 'error' : 'refused',
    changed: false,
    reason: answer.reason,
    correlationId: command.correlationId,
    paramsSha256: command.paramsSha256,
  };
  const written = withTransaction(deps.dataSource, (tx) => insertAuditRow(tx, row)).catch((error: unknown) => {
    const details = { correlation_id: command.correlationId, method: command.method, reason: answer.reason };
    deps.logger.warn({ ...details, failure: describeFailure(error) }, 'a refused command could not be audited');
  });
  if (answer.code !== ERROR_CODES.unavailable) await written;
}

/** What the command was about, as far as its params can be read. */
function subjectOf(rawParams: unknown): Pick<NewAuditRow, 'scope' | 'agentId'> {
  const { scope, agent_id } = (rawParams ?? {}) as { scope?: unknown; agent_id?: unknown };
  return { scope: ProcessingScope.safeParse(scope).data, agentId: Id.safeParse(agent_id).data };
}
