import { randomUUID } from 'node:crypto';

import { jest } from '@jest/globals';
import pg from 'pg';

import { ConversationsListResult } from '#contracts/conversations-list.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import { conversationId } from '#domain/conversation/conversation-id.js';
import { appendEntries } from '#store/queries/append-entries.js';
import { withTransaction } from '#store/transaction.js';

import { newScope } from '../../../../test/harness/client.js';
import { CommandHarness } from '../../../../test/harness/commands.js';
import { MAX_RESULT_BYTES } from '../commands/result-size.js';
import { conversationsList } from './conversations-list.js';

const SOME_ID = '0f8fad5b-d9cb-869f-a165-70867728950e';
const cursorOf = (place: string) => Buffer.from(place).toString('base64url');

describe('the list of conversations', () => {
  let harness: CommandHarness;

  beforeAll(async () => {
    harness = await CommandHarness.create();
  });
  beforeEach(() => harness.database.query('TRUNCATE conversations, sessions, entries'));
  afterAll(() => harness.close());

  interface Stored {
    scope?: ConversationScope;
    lastActivityMs?: number;
    pausedBy?: string;
    reason?: string;
    sessionId?: string;
    columns?: string;
  }

  async function store({ scope = newScope(), lastActivityMs = 1, pausedBy, reason, ...more }: Stored = {}) {
    const { sessionId = randomUUID(), columns = '' } = more;
    await harness.database.query(
      `INSERT INTO conversations (conversation_id, agent_id, channel, account_id, contact_id, mcp_channel_source,
         session_id, last_activity_ms, epoch, state, paused_at_ms, operator_token_hash, pause_reason)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 7, $9, $10, $11, $12)`,
      [
        conversationId(scope),
        scope.agent_id,
        scope.channel,
        scope.account_id,
        scope.contact_id,
        scope.mcp_channel_source ?? null,
        sessionId,
        lastActivityMs,
        pausedBy === undefined ? 'agent_active' : 'paused_by_operator',
        pausedBy === undefined ? null : 1_700_000_000_000,
        pausedBy ?? null,
        reason ?? null,
      ],
    );
    if (columns !== '') {
      await harness.database.query(`UPDATE conversations SET ${columns} WHERE conversation_id = $1`, [
        conversationId(scope),
      ]);
    }
    return { scope, sessionId };
  }

  async function say(scope: ConversationScope, sessionId: string, body: string, sentAtMs: number) {
    const line = {
      sessionId,
      agentId: scope.agent_id,
      conversationId: conversationId(scope),
      arrival: sentAtMs,
      eventId: randomUUID(),
      role: 'user' as const,
      body,
      sentAtMs,
      senderId: null,
      sourcePlugin: 'whatsapp',
      messageId: null,
      attachments: null,
      replayed: false,
    };
    await withTransaction(harness.dataSource, (tx) => appendEntries(tx, [line]));
  }

  async function list(params: Parameters<typeof conversationsList>[1] = {}) {
    const result = await conversationsList(harness, params);
    expect(ConversationsListResult.parse(structuredClone(result))).toEqual(result);
    return result;
  }
  const contacts = async (params: Parameters<typeof conversationsList>[1] = {}) =>
    (await list(params)).conversations.map(({ scope }) => scope.contact_id);

  it('is empty where there is none', async () => {
    expect(await list()).toEqual({ conversations: [] });
  });

  it('shows of each whatever an inbox needs', async () => {
    const scope = { ...newScope(), mcp_channel_source: 'slack' };
    const { sessionId } = await store({
      scope,
      lastActivityMs: 1_700_000_000_500,
      pausedBy: 'abcdef0123456789',
      reason: 'a complaint',
      columns: 'buffer_head = 3, buffer_tail = 5, taken_back = 2, dropped_total = 3, auto_resume_at_ms = 1700000060000',
    });
    await say(scope, sessionId, 'first', 1_700_000_000_200);
    await say(scope, sessionId, 'newest, with an older time', 1_700_000_000_100);
    expect((await list()).conversations).toEqual([
      {
        scope,
        state: {
          state: 'paused_by_operator',
          scope,
          paused_at_ms: 1_700_000_000_000,
          operator_token_hash: 'abcdef0123456789',
          reason: 'a complaint',
          auto_resume_at_ms: 1_700_000_060_000,
        },
        epoch: 7,
        session_id: sessionId,
        pending_depth: 4,
        dropped_total: 3,
        last_entry: { role: 'user', body: 'newest, with an older time', sent_at_ms: 1_700_000_000_100 },
        last_activity_ms: 1_700_000_000_500,
      },
    ]);
  });

  it('shows no last entry of a session that is empty, or that belongs to another agent', async () => {
    const { sessionId } = await store();
    await say(newScope('somebody else'), sessionId, 'not ours', 5);
    expect((await list()).conversations[0]).not.toHaveProperty('last_entry');
  });

  it('cuts the last entry at 200 characters and through none of them', async () => {
    const { scope, sessionId } = await store();
    await say(scope, sessionId, '😀'.repeat(300), 5);
    expect((await list()).conversations[0]?.last_entry?.body).toBe('😀'.repeat(200));
  });

  it('puts the last active first and pages through all of them once, also where times are equal', async () => {
    for (const lastActivityMs of [5, 9, 5, 7, 5, 5]) await store({ lastActivityMs });
    const all = (await list()).conversations;
    expect(all.map((each) => each.last_activity_ms)).toEqual([9, 7, 5, 5, 5, 5]);
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      expect(page.conversations).toHaveLength(2);
      paged.push(...page.conversations.map(({ scope }) => scope.contact_id));
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    expect(paged).toEqual(all.map(({ scope }) => scope.contact_id));
  });

  it('gives 100 without a limit, and says that there are more', async () => {
    await harness.database.query(
      `INSERT INTO conversations (conversation_id, agent_id, channel, account_id, contact_id, session_id, last_activity_ms)
       SELECT gen_random_uuid(), 'ana', 'whatsapp', '1', i::text, gen_random_uuid(), i FROM generate_series(1, 101) AS i`,
    );
    const first = await list();
    expect(first.conversations).toHaveLength(100);
    expect(await contacts({ cursor: first.next_cursor as string })).toEqual(['1']);
  });

  it('holds those of one agent, of one state, or both', async () => {
    const [ana, held, other] = [newScope('ana'), newScope('ana'), newScope('bob')];
    await store({ scope: ana, lastActivityMs: 1 });
    await store({ scope: held, lastActivityMs: 2, pausedBy: 'h' });
    await store({ scope: other, lastActivityMs: 3, pausedBy: 'h' });
    expect(await contacts({ agent_id: 'ana' })).toEqual([held.contact_id, ana.contact_id]);
    expect(await contacts({ state: 'paused_by_operator' })).toEqual([other.contact_id, held.contact_id]);
    expect(await contacts({ state: 'agent_active' })).toEqual([ana.contact_id]);
    expect(await contacts({ agent_id: 'ana', state: 'paused_by_operator' })).toEqual([held.contact_id]);
    expect(await contacts({ agent_id: 'nobody' })).toEqual([]);
  });

  it.each([
    ['nothing', ''],
    ['any words', 'nonsense'],
    ['more than a place', cursorOf(`5.${SOME_ID}; DROP TABLE conversations`)],
    ['a time that no database holds', cursorOf(`99999999999999999999.${SOME_ID}`)],
    ['a time that no number holds', cursorOf(`9007199254740993.${SOME_ID}`)],
    ['a place, written in another way', `${cursorOf(`5.${SOME_ID}`)}=`],
  ])('refuses a cursor that no page ended with: %s', async (_what, cursor) => {
    await expect(list({ cursor })).rejects.toMatchObject({ code: -32602, data: { path: 'cursor' } });
  });

  it('ends a page earlier that would be too large, and goes on from there', async () => {
    const reason = '"'.repeat(100 * 1_024);
    for (let index = 0; index < 8; index += 1) await store({ lastActivityMs: index, pausedBy: 'h', reason });
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await list(cursor === undefined ? {} : { cursor });
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(MAX_RESULT_BYTES + 1_024);
      seen.push(...page.conversations.map((each) => each.last_activity_ms));
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1, 0]);
  });

  it('takes one statement however long it is', async () => {
    for (let index = 0; index < 5; index += 1) await store();
    const statements = jest.spyOn(pg.Client.prototype, 'query');
    try {
      await list();
      expect(statements).toHaveBeenCalledTimes(1);
    } finally {
      statements.mockRestore();
    }
  });
});
