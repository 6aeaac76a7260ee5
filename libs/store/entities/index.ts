import { OperatorRow } from './operator-row.js';

/** Tables that the cold paths reach through repositories and the query builder. */
export const ENTITIES = [OperatorRow];
