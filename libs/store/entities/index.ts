/** Tables that the cold paths reach through repositories and the query builder. */
export const ENTITIES = [];
