/**
 * Columns of many rows as array parameters in PostgreSQL's binary format. Text that is full of quotes, as JSON is, goes
 * over as it stands, where the textual format would escape it in the client and parse it again in the server.
 */

const OID = { boolean: 16, bigint: 20, integer: 23, text: 25, uuid: 2950 } as const;
const HEADER_BYTES = 20;
const NULL_LENGTH = -1;

const [HYPHEN, ZERO, NINE, A, LOWER_CASE] = [0x2d, 0x30, 0x39, 0x61, 0x20];

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
    else offset = writeUuid(column, each, column.writeInt32BE(16, offset));
  }
  return column.subarray(0, offset);
}

/** Digit by digit: the runtime's hexadecimal decoder costs several times as much for so short a text. */
function writeUuid(column: Buffer, uuid: string, start: number): number {
  let offset = start;
  for (let at = 0; at < uuid.length; at += 2) {
    if (uuid.charCodeAt(at) === HYPHEN) at += 1;
    column[offset++] = (hexDigit(uuid.charCodeAt(at)) << 4) | hexDigit(uuid.charCodeAt(at + 1));
  }
  return offset;
}

function hexDigit(code: number): number {
  return code <= NINE ? code - ZERO : (code | LOWER_CASE) - A + 10;
}

/** An `int[]` parameter with one element a row. */
export function integers<Row>(rows: readonly Row[], value: (row: Row) => number): Buffer {
  const values = rows.map(value);
  const column = startColumn(HEADER_BYTES + values.length * 8, OID.integer, values);
  let offset = HEADER_BYTES;
  for (const each of values) {
    offset = column.writeInt32BE(4, offset);
    offset = column.writeInt32BE(each, offset);
  }
  return column;
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
