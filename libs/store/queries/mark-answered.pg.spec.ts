import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';

import { TestDatabase } from '../../../test/harness/postgres.js';
import { createDataSource } from '../data-source.js';
import { withTransaction } from '../transaction.js';
import { lockOrCreateConversation } from './lock-conversation.js';
import { type Answer, markAnswered } from './mark-answered.js';

describe('what is answered', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await TestDatabase.create();
    dataSource = createDataSource({ url: database.url, poolSize: 1, applicationName: 'test' });
    await dataSource.initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  async function after(answers: Answer[]): Promise<unknown> {
    const id = randomUUID();
    await withTransaction(dataSource, async (tx) => {
      await lockOrCreateConversation(tx, {
        conversationId: id,
        agentId: 'ana',
        channel: 'whatsapp',
        accountId: 'shop',
        contactId: 'c',
        mcpChannelSource: null,
        sessionId: randomUUID(),
      });
      for (const answer of answers) await markAnswered(tx, id, answer);
    });
    const [row] = await database.query(
      `SELECT answered_arrival, agent_answered_arrival, operator_answered_arrival
       FROM conversations WHERE conversation_id = $1`,
      [id],
    );
    return row;
  }

  it('is nothing at first', async () => {
    expect(await after([])).toEqual({
      answered_arrival: '-1',
      agent_answered_arrival: '-1',
      operator_answered_arrival: '-1',
    });
  });

  it('never becomes less, and is told apart by who answered', async () => {
    expect(
      await after([
        { by: 'agent', arrival: 7 },
        { by: 'operator', arrival: 9 },
        { by: 'agent', arrival: 3 },
      ]),
    ).toEqual({ answered_arrival: '9', agent_answered_arrival: '7', operator_answered_arrival: '9' });
  });
});
