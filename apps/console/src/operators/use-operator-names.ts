import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';

import { EXTERNAL_OPERATOR, SYSTEM_OPERATOR } from '#contracts/transcript-words.js';

import { useMessages } from '../i18n/use-messages.js';
import { queryKeys } from '../live/query-keys.js';
import { useOperator } from '../session/operator-context.js';

const FRESH_MS = 60_000;

export function useOperators() {
  const { client } = useOperator();
  return useQuery({
    queryKey: queryKeys.operators,
    queryFn: ({ signal }) => client.call('nexo/admin/operators/list', {}, signal),
    staleTime: FRESH_MS,
    retry: false,
  });
}

/** Names operators by their hashes; one whose name may not be read is named by the hash. */
export function useOperatorNames(): (hash: string) => string {
  const { t } = useMessages();
  const { hash: mine } = useOperator();
  const operators = useOperators().data?.operators;
  return useCallback(
    (hash) => {
      if (hash === mine) return t('operator.you');
      if (hash === SYSTEM_OPERATOR) return t('operator.system');
      if (hash === EXTERNAL_OPERATOR) return t('operator.outside');
      const name = operators?.find(({ token_hash }) => token_hash === hash)?.name;
      return name ?? t('operator.unnamed', { hash: hash.slice(0, 8) });
    },
    [mine, operators, t],
  );
}
