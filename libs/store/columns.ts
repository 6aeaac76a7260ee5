/**
 * Columns of many rows as array parameters in PostgreSQL's binary format. Text that is full of quotes, as JSON is, goes
 * over as it stands, where the textual format would escape it in the client and parse it again in the server.
 */

const OID = { boolean: 16, bigint: 20, text: 25, uuid: 2950 } as const;
const HEADER_BYTES = 20;
const NULL_LENGTH = -1;

type Nullable<Value> = Value | null;

/** A `text[]` parameter with one element a row. */
export function texts<Row>(rows: readonly Row[], value: (row: Row) => Nullable<string>): Buffer {
  const values = rows.map(value);
  let bytes = HEADER_BYTES;
  for (const each of values) bytes += 4 + (each === null ? 0 : Buffer.byteLength(each));
  const column = startColumn(bytes, OID.text, values);
  let offset = HEADER_BYTES;
  for (const each of values) {
    if (each === null) offset = column.writeInt32BE(NULL_LENGTH, offset);
    else {
      const length = column.write(each, offset + 4);
      column.writeInt32BE(length, offset);
      offset += 4 + length;
    }
  }
  return column;
}

/** A `uuid[]` parameter with one element a row; each a UUID in its hyphenated form. */
export function uuids<Row>(rows: readonly Row[], value: (row: Row) => Nullable<string>): Buffer {
  const values = rows.map(value);
  const column = startColumn(HEADER_BYTES + values.length * 20, OID.uuid, values);
  let offset = HEADER_BYTES;
  for (const each of values) {
    if (each === null) offset = column.writeInt32BE(NULL_LENGTH, offset);
    else {
      offset = column.writeInt32BE(16, offset);
      offset += column.write(each.replaceAll('-', ''), offset, 'hex');
    }
  }
  return column.subarray(0, offset);
}

/** A `bigint[]` parameter with one element a row; each a safe integer. */
export function bigints<Row>(rows: readonly Row[], value: (row: Row) => Nullable<number>): Buffer {
  const values = rows.map(value);
  const column = startColumn(HEADER_BYTES + values.length * 12, OID.bigint, values);
  let offset = HEADER_BYTES;
  for (const each of values) {
    if (each === null) offset = column.writeInt32BE(NULL_LENGTH, offset);
    else {
      offset = column.writeInt32BE(8, offset);
      offset = column.writeInt32BE(Math.floor(each / 2 ** 32), offset);
      offset = column.writeUInt32BE(each - Math.floor(each / 2 ** 32) * 2 ** 32, offset);
    }
  }
  return column.subarray(0, offset);
}

/** A `boolean[]` parameter with one element a row. */
export function booleans<Row>(rows: readonly Row[], value: (row: Row) => boolean): Buffer {
  const values = rows.map(value);
  const column = startColumn(HEADER_BYTES + values.length * 5, OID.boolean, values);
  let offset = HEADER_BYTES;
  for (const each of values) {
    offset = column.writeInt32BE(1, offset);
    offset = column.writeUInt8(each ? 1 : 0, offset);
  }
  return column;
}

/** One dimension, numbered from 1, and whether there are nulls. */
function startColumn(bytes: number, elementType: number, values: readonly unknown[]): Buffer {
  const column = Buffer.allocUnsafe(bytes);
  column.writeInt32BE(1, 0);
  column.writeInt32BE(values.includes(null) ? 1 : 0, 4);
  column.writeInt32BE(elementType, 8);
  column.writeInt32BE(values.length, 12);
  column.writeInt32BE(1, 16);
  return column;
}
