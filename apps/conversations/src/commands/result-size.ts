import { utf8Length } from '#contracts/text.js';

/** JSON of the rows of one result: with a request's longest id still below the 1 MiB that nats-server lets through. */
export const MAX_RESULT_BYTES = 700 * 1_024;

/** The longest beginning of `rows` that fits into one result. */
export function firstThatFit<Row>(rows: readonly Row[], maxBytes = MAX_RESULT_BYTES): Row[] {
  let bytes = 0;
  const end = rows.findIndex((row) => {
    bytes += jsonBytes(row);
    return bytes > maxBytes;
  });
  return rows.slice(0, end === -1 ? rows.length : end);
}

/** The longest end of `rows` that fits into one result. */
export function lastThatFit<Row>(rows: readonly Row[], maxBytes = MAX_RESULT_BYTES): Row[] {
  return firstThatFit(rows.toReversed(), maxBytes).reverse();
}

/** Bytes of a row in a list, its comma included. */
export function jsonBytes(row: unknown): number {
  return utf8Length(JSON.stringify(row)) + 1;
}
