import { randomUUID } from 'node:crypto';

import { AgentEventsListResult } from '#contracts/agent-events-list.js';
import { AgentEventsReadResult } from '#contracts/agent-events-read.js';
import { appendEntries, type NewEntry } from '#store/queries/append-entries.js';
import { insertEvents } from '#store/queries/insert-events.js';
import { withTransaction } from '#store/transaction.js';

import { newScope } from '../../../../test/harness/client.js';
import { CommandHarness } from '../../../../test/harness/commands.js';
import { MAX_RESULT_BYTES } from '../commands/result-size.js';
import { transcriptAppended } from '../transcript-appended.js';
import { agentEventsList } from './agent-events-list.js';
import { agentEventsRead } from './agent-events-read.js';

describe('the events of an agent', () => {
  let harness: CommandHarness;

  beforeAll(async () => {
    harness = await CommandHarness.create();
  });
  beforeEach(() => harness.database.query('TRUNCATE events, entries, sessions'));
  afterAll(() => harness.close());

  const line = (sentAtMs: number, more: Partial<NewEntry> = {}): NewEntry => ({
    sessionId: randomUUID(),
    agentId: 'ana',
    conversationId: randomUUID(),
    arrival: sentAtMs,
    eventId: randomUUID(),
    role: 'user',
    body: `line of ${sentAtMs}`,
    sentAtMs,
    senderId: null,
    sourcePlugin: 'whatsapp',
    messageId: null,
    attachments: null,
    replayed: false,
    ...more,
  });
  const stamp = (...lines: NewEntry[]) => withTransaction(harness.dataSource, (tx) => appendEntries(tx, lines));

  const dropped = (at_ms: number, agent_id = 'ana') => ({
    kind: 'pending_inbounds_dropped' as const,
    event_id: randomUUID(),
    agent_id,
    at_ms,
    scope: newScope(agent_id),
    dropped: 1,
  });
  const failed = (at_ms: number) => ({
    kind: 'turn_failed' as const,
    event_id: randomUUID(),
    agent_id: 'ana',
    at_ms,
    scope: newScope(),
    turn_id: randomUUID(),
  });
  const log = (...events: (ReturnType<typeof dropped> | ReturnType<typeof failed>)[]) =>
    withTransaction(harness.dataSource, (tx) =>
      insertEvents(
        tx,
        events.map((event) => ({
          eventId: event.event_id,
          agentId: event.agent_id,
          kind: event.kind,
          atMs: event.at_ms,
          payload: JSON.stringify(event),
        })),
      ),
    );

  describe('listed', () => {
    async function list(params: Omit<Parameters<typeof agentEventsList>[1], 'agent_id'> = {}) {
      const result = await agentEventsList(harness, { agent_id: 'ana', ...params });
      expect(AgentEventsListResult.parse(structuredClone(result))).toEqual(result);
      return result.events;
    }

    it('are what the firehose gave, lines and others together, newest first', async () => {
      const [first, second] = [dropped(10), failed(30)];
      await log(first, second, dropped(25, 'bob'));
      const lines = [
        line(20, { senderId: '5@s', messageId: randomUUID(), replayed: true }),
        line(40, { role: 'assistant', attachments: '[1]' }),
        line(25, { agentId: 'bob' }),
      ];
      await stamp(...lines);
      expect(await list()).toEqual([
        transcriptAppended(lines[1] as NewEntry, 0),
        second,
        transcriptAppended(lines[0] as NewEntry, 0),
        first,
      ]);
    });

    it('are those of one kind, since a time, or the newest so many', async () => {
      const [a, b, c, d] = [dropped(10), dropped(20), failed(30), dropped(40)];
      await log(a, b, c, d);
      await stamp(line(15), line(35));
      const times = async (params: Parameters<typeof list>[0]) =>
        (await list(params)).map((event) =>
          'at_ms' in event ? event.at_ms : 'sent_at_ms' in event && event.sent_at_ms,
        );
      expect(await list({ kind: 'pending_inbounds_dropped' })).toEqual([d, b, a]);
      expect(await list({ kind: 'pending_inbounds_dropped', limit: 2 })).toEqual([d, b]);
      expect(await list({ kind: 'turn_failed', since_ms: 31 })).toEqual([]);
      expect(await times({ kind: 'transcript_appended' })).toEqual([35, 15]);
      expect(await times({ since_ms: 20 })).toEqual([40, 35, 30, 20]);
      expect(await times({ limit: 3 })).toEqual([40, 35, 30]);
    });

    it('are 500 where no limit is given', async () => {
      await stamp(...Array.from({ length: 600 }, (_, index) => line(index)));
      expect(await list()).toHaveLength(500);
      expect(await list({ limit: 1_000 })).toHaveLength(600);
    });

    it('stand in the order of arrival where their times are equal', async () => {
      const lines = [3, 1, 2].map((arrival) => line(10, { arrival, body: `${arrival}` }));
      await stamp(...lines);
      expect((await list()).map((event) => 'body' in event && event.body)).toEqual(['3', '2', '1']);
    });

    it('are fewer where they would not fit into one answer', async () => {
      await stamp(...Array.from({ length: 10 }, (_, index) => line(index, { body: '"'.repeat(100 * 1_024) })));
      const events = await list();
      expect(events).toHaveLength(3);
      expect(Buffer.byteLength(JSON.stringify(events))).toBeLessThan(MAX_RESULT_BYTES);
    });
  });

  describe('read as a transcript', () => {
    const session = randomUUID();

    async function read(params: Partial<Parameters<typeof agentEventsRead>[1]> = {}) {
      const result = await agentEventsRead(harness, { agent_id: 'ana', session_id: session, ...params });
      expect(AgentEventsReadResult.parse(structuredClone(result))).toEqual(result);
      return result.events;
    }

    it('are the lines of the session of that agent, oldest first', async () => {
      const lines = [line(30, { sessionId: session }), line(10, { sessionId: session, role: 'tool' })];
      await stamp(...lines, line(20), line(20, { sessionId: session, agentId: 'bob' }));
      expect(await read()).toEqual(lines.map((each, seq) => transcriptAppended(each, seq)));
      expect(await read({ session_id: randomUUID() })).toEqual([]);
    });

    it('go on after a seq, up to a limit, 200 by default', async () => {
      await stamp(...Array.from({ length: 250 }, (_, index) => line(index, { sessionId: session })));
      const seqs = async (params: Parameters<typeof read>[0]) => (await read(params)).map((event) => event.seq);
      expect(await seqs({ limit: 2 })).toEqual([0, 1]);
      expect(await seqs({ limit: 2, since_seq: 0 })).toEqual([1, 2]);
      expect(await seqs({})).toHaveLength(200);
      expect(await seqs({ since_seq: 199 })).toHaveLength(50);
      expect(await seqs({ since_seq: 249 })).toEqual([]);
    });

    it('come in pages that fit into one answer, without a gap', async () => {
      const body = '"'.repeat(100 * 1_024);
      await stamp(...Array.from({ length: 10 }, (_, index) => line(index, { sessionId: session, body })));
      const seqs: number[] = [];
      for (;;) {
        const page = await read(seqs.length === 0 ? {} : { since_seq: seqs.at(-1) as number });
        if (page.length === 0) break;
        expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(MAX_RESULT_BYTES);
        seqs.push(...page.map((event) => event.seq));
      }
      expect(seqs).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    });
  });
});
