import { invalidParams } from '#contracts/errors.js';

const PLACE = /^\d{1,16}$/;

/** Where a page of the audit log ended, as the opaque text that the caller gives back. */
export function encodeAuditCursor(position: number): string {
  return Buffer.from(String(position)).toString('base64url');
}

/** @throws RpcError `invalid_params` for a text that no page ended with */
export function decodeAuditCursor(cursor: string): number {
  const place = Buffer.from(cursor, 'base64url').toString();
  const position = Number(place);
  if (!PLACE.test(place) || !Number.isSafeInteger(position) || encodeAuditCursor(position) !== cursor) {
    throw invalidParams('cursor', 'cursor must be the next_cursor of a page');
  }
  return position;
}
