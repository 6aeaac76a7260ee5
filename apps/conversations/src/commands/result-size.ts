import { utf8Length } from '#contracts/text.js';

/** JSON of one result. With a request's longest id it is still below the 1 MiB that nats-server lets through by default. */
export const MAX_RESULT_BYTES = 700 * 1_024;

const ROOM_FOR_OTHER_FIELDS = 4 * 1_024;

/** The longest beginning of `items` that fits into one result. */
export function firstThatFit<Item>(items: readonly Item[]): Item[] {
  let bytes = ROOM_FOR_OTHER_FIELDS;
  const end = items.findIndex((item) => {
    bytes += utf8Length(JSON.stringify(item)) + 1;
    return bytes > MAX_RESULT_BYTES;
  });
  return items.slice(0, end === -1 ? items.length : end);
}
