import type { QueryClient } from '@tanstack/react-query';

import type { Conversation, ConversationsListParams } from '#contracts/conversations-list.js';

import type { RpcClient } from '../api/rpc-client.js';
import { applyToInbox } from './apply-to-inbox.js';
import type { EventFeed } from './event-feed.js';
import { EMPTY_INBOX, type Inbox, mergeConversations, MOST_ROWS } from './inbox.js';
import { queryKeys } from './query-keys.js';

const FIRST_PAGE = 200;
const NEXT_PAGE = 500;
const HELD_PAGE = 1_000;

/** Reads conversations into the cached inbox. What came by event while it was reading is not undone. */
export class InboxReader {
  private readingMore: Promise<void> | undefined;

  constructor(
    private readonly client: RpcClient,
    private readonly feed: EventFeed,
    private readonly cache: QueryClient,
  ) {}

  /** All anew: as many of the last active ones as were known before, and all that are held. */
  async readAll(signal?: AbortSignal): Promise<Inbox> {
    const known = this.cache.getQueryData<Inbox>(queryKeys.inbox)?.rows.size ?? 0;
    const { result, meanwhile } = await this.feed.during(async () => {
      const first = await this.pages({ limit: Math.max(FIRST_PAGE, Math.min(known, HELD_PAGE)) }, known, signal);
      const held = await this.held(signal);
      const inbox = { ...EMPTY_INBOX, nextCursor: first.nextCursor };
      return mergeConversations(mergeConversations(inbox, held), first.rows);
    });
    return meanwhile.reduce(applyToInbox, result);
  }

  /** The next page of the last active ones; nothing when all are known. */
  readMore(): Promise<void> {
    this.readingMore ??= this.readNextPage().finally(() => (this.readingMore = undefined));
    return this.readingMore;
  }

  /** Those that are held, because no event tells that a message went into a buffer. */
  readHeld(): Promise<void> {
    return this.merge(async () => ({ rows: await this.held() }));
  }

  /** The last active ones, after an event of a conversation that is not known. */
  readNewest(): Promise<void> {
    return this.merge(async () => {
      const { conversations } = await this.client.call('nexo/admin/conversations/list', { limit: FIRST_PAGE });
      return { rows: conversations };
    });
  }

  private async readNextPage(): Promise<void> {
    const inbox = this.cache.getQueryData<Inbox>(queryKeys.inbox);
    if (inbox?.nextCursor === undefined || inbox.rows.size >= MOST_ROWS) return;
    const { nextCursor } = inbox;
    await this.merge(() => this.pages({ limit: NEXT_PAGE, cursor: nextCursor }, 0));
  }

  private async merge(read: () => Promise<{ rows: readonly Conversation[]; nextCursor?: string | undefined }>) {
    const { result, meanwhile } = await this.feed.during(read);
    this.cache.setQueryData<Inbox>(queryKeys.inbox, (inbox = EMPTY_INBOX) => {
      const merged = mergeConversations(inbox, result.rows);
      const paged = 'nextCursor' in result ? { ...merged, nextCursor: result.nextCursor } : merged;
      return meanwhile.reduce(applyToInbox, paged);
    });
  }

  private async held(signal?: AbortSignal): Promise<Conversation[]> {
    const page = await this.pages({ limit: HELD_PAGE, state: 'paused_by_operator' }, MOST_ROWS, signal);
    return page.rows;
  }

  private async pages(params: ConversationsListParams, atLeast: number, signal?: AbortSignal) {
    const rows: Conversation[] = [];
    let cursor = params.cursor;
    do {
      const page = { ...params, ...(cursor === undefined ? {} : { cursor }) };
      const { conversations, next_cursor } = await this.client.call('nexo/admin/conversations/list', page, signal);
      rows.push(...conversations);
      cursor = next_cursor;
    } while (cursor !== undefined && rows.length < atLeast);
    return { rows, nextCursor: cursor };
  }
}
