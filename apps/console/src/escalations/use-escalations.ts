import { useQuery } from '@tanstack/react-query';

import type { EscalationsListParams } from '#contracts/escalations-list.js';
import { LIST_LIMIT } from '#contracts/limits.js';

import { queryKeys } from '../live/query-keys.js';
import { useOperator } from '../session/operator-context.js';

export type EscalationsFilter = NonNullable<EscalationsListParams['filter']>;

export function useEscalations(filter: EscalationsFilter, enabled = true) {
  const { client } = useOperator();
  return useQuery({
    queryKey: [...queryKeys.escalations, filter],
    queryFn: ({ signal }) => client.call('nexo/admin/escalations/list', { filter, limit: LIST_LIMIT.maximum }, signal),
    enabled,
  });
}
