import type { OperatorsListParams, OperatorsListResult } from '#contracts/operators-list.js';
import { listOperators } from '#store/queries/list-operators.js';

import type { CommandDependencies } from '../commands/command-dependencies.js';
import { firstThatFit } from '../commands/result-size.js';
import { toOperator } from '../operators.js';

/** All operators, the revoked ones last, of which those that were revoked first are left out if there are too many. */
export async function operatorsList(
  { dataSource }: Pick<CommandDependencies, 'dataSource'>,
  _params: OperatorsListParams,
): Promise<OperatorsListResult> {
  return { operators: firstThatFit((await listOperators(dataSource)).map(toOperator)) };
}
