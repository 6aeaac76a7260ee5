import { invalidParams } from '#contracts/errors.js';
import type { ActivityPlace } from '#store/queries/list-conversations.js';

const PLACE = /^(\d{1,16})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Where a page of conversations ended, as the opaque text that the caller gives back. */
export function encodeActivityCursor({ lastActivityMs, conversationId }: ActivityPlace): string {
  return Buffer.from(`${lastActivityMs}.${conversationId}`).toString('base64url');
}

/** @throws RpcError `invalid_params` for a text that no page ended with */
export function decodeActivityCursor(cursor: string): ActivityPlace {
  const [, lastActivityMs, conversationId] = PLACE.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  const place = { lastActivityMs: Number(lastActivityMs), conversationId: conversationId ?? '' };
  if (
    conversationId === undefined ||
    !Number.isSafeInteger(place.lastActivityMs) ||
    encodeActivityCursor(place) !== cursor
  ) {
    throw invalidParams('cursor', 'cursor must be the next_cursor of a page');
  }
  return place;
}
