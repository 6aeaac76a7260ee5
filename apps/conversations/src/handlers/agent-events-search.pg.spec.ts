import { randomUUID } from 'node:crypto';

import * as fc from 'fast-check';

import { AgentEventsSearchParams, AgentEventsSearchResult } from '#contracts/agent-events-search.js';
import { appendEntries } from '#store/queries/append-entries.js';
import { withTransaction } from '#store/transaction.js';

import { CommandHarness } from '../../../../test/harness/commands.js';
import { agentEventsSearch } from './agent-events-search.js';

describe('the search in transcripts', () => {
  let harness: CommandHarness;
  const session = randomUUID();

  beforeAll(async () => {
    harness = await CommandHarness.create();
    await stamp('ana', [
      'Where is my order 4711?',
      'The late delivery was refunded yesterday',
      'delivery came late',
      'Écrivez à ana@example.com, s’il vous plaît',
      '<script>alert("x")</script> the invoice & the <b>receipt</b>',
      `${'long '.repeat(3_000)}needle ${'tail '.repeat(3_000)}`,
      `${'far '.repeat(20_000)}unreachable`,
      'x'.repeat(100_000),
    ]);
    await stamp('bob', ['an order of another agent']);
  });
  afterAll(() => harness.close());

  async function stamp(agentId: string, bodies: string[]) {
    const lines = bodies.map((body, index) => ({
      sessionId: session,
      agentId,
      conversationId: randomUUID(),
      arrival: index,
      eventId: randomUUID(),
      role: 'user' as const,
      body,
      sentAtMs: 1_700_000_000_000 + index,
      senderId: null,
      sourcePlugin: 'whatsapp',
      messageId: null,
      attachments: null,
      replayed: false,
    }));
    await withTransaction(harness.dataSource, (tx) => appendEntries(tx, lines));
  }

  async function search(query: string, limit?: number) {
    const params = AgentEventsSearchParams.parse({ agent_id: 'ana', query, limit });
    const result = await agentEventsSearch(harness, params);
    expect(AgentEventsSearchResult.parse(structuredClone(result))).toEqual(result);
    return result.hits;
  }
  const snippets = async (query: string) => (await search(query)).map((hit) => hit.snippet);

  it('finds lines of that agent, newest first, with what is needed to open them', async () => {
    expect(await search('DELIVERY late')).toEqual([
      {
        session_id: session,
        timestamp_ms: 1_700_000_000_002,
        role: 'user',
        source_plugin: 'whatsapp',
        snippet: 'delivery came late',
      },
      expect.objectContaining({ snippet: 'The late delivery was refunded yesterday' }),
    ]);
    expect(await search('delivery', 1)).toHaveLength(1);
    expect(await snippets('order')).toEqual(['Where is my order 4711?']);
  });

  it('knows phrases, exclusions and alternatives, in any script', async () => {
    expect(await snippets('"late delivery"')).toEqual(['The late delivery was refunded yesterday']);
    expect(await snippets('delivery -refunded')).toEqual(['delivery came late']);
    expect(await snippets('4711 or refunded')).toHaveLength(2);
    expect(await snippets('écrivez ana@example.com')).toHaveLength(1);
  });

  it('shows the text around the match, as plain as it was written', async () => {
    const [invoice] = await snippets('invoice');
    expect(invoice).toContain('the invoice & the');
    expect(invoice).not.toMatch(/<\/?(b|mark)>invoice/);
    const [needle] = await snippets('needle');
    expect(needle).toContain('needle');
    expect((needle as string).length).toBeLessThanOrEqual(300);
  });

  it('looks at the first 32,768 characters of a line', async () => {
    expect(await search('far')).toHaveLength(1);
    expect(await search('unreachable')).toEqual([]);
  });

  it.each([
    ['nothing', ''],
    ['white space', ' \t\n'],
    ['quotes', `' " '' "" """ \\' \\"`],
    ['operators', '& | ! ( ) <-> <2> :* :A * \\ -'],
    ['SQL', `'; DROP TABLE entries; --`],
    ['U+0000', 'order\0 4711\0'],
    ['a lone surrogate', 'order \ud800'],
    ['an open phrase', '"late delivery'],
    ['10 KB of one word', 'x'.repeat(10_240)],
    ['10 KB of minus signs', '-'.repeat(10_240)],
    ['10 KB of exclusions', '-a '.repeat(3_400)],
    ['10 KB of alternatives', 'a or '.repeat(2_048)],
    ['10 KB of quotes', '"'.repeat(10_240)],
    ['10 KB of nested exclusions', '-!('.repeat(3_400) + 'a'],
    ['200 KB of words', 'word '.repeat(40_000)],
    ['a long chain', 'a-b-'.repeat(2_560)],
  ])('answers a query of %s', async (_what, query) => {
    const startedAt = performance.now();
    expect(await search(query)).toEqual(expect.any(Array));
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });

  it('answers whatever is made of the characters that mean something', async () => {
    const piece = fc.constantFrom(
      '-',
      '"',
      '!',
      '&',
      '|',
      '(',
      ')',
      '<->',
      ':*',
      ':',
      '*',
      '\\',
      "'",
      ' ',
      'or',
      'a',
      'order',
      '\0',
      'é',
    );
    const query = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(query, async (typed) => {
        expect(await search(typed)).toEqual(expect.any(Array));
      }),
      { numRuns: 300 },
    );
  }, 60_000);
});
