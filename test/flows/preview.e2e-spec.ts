import { randomUUID } from 'node:crypto';

import type { ConversationScope } from '#contracts/processing-scope.js';

import { newScope, type TestClient } from '../harness/client.js';
import { Harness } from '../harness/harness.js';
import { publicStreamContents, tableContents } from './support/everything-kept.js';
import { settled } from './support/settled.js';

/** Bodies that fill a turn before they are all in it. */
const LARGE = 'x'.repeat(64 * 1024);

describe('the preview of a resume', () => {
  let harness: Harness;
  let client: TestClient;

  beforeAll(async () => {
    harness = await Harness.create();
    await harness.boot({ env: { HOLDLINE_ADMIN_AUTH: 'token' } });
    client = await harness.connect(await harness.createOperator());
  });
  afterAll(() => harness.close());

  async function say(scope: ConversationScope, ...bodies: string[]): Promise<void> {
    for (const body of bodies) await client.publish(scope, body, { message_id: randomUUID() });
    await settled(harness, client);
  }

  const withSummary = () => ({ session_id: randomUUID(), summary_for_agent: ' sorted out ' });
  it.each([
    ['without a session', () => ({}), ['one', 'two']],
    ['with a session', () => ({ session_id: randomUUID() }), ['one', 'two']],
    ['with a summary', withSummary, ['one', 'two']],
    ['of more than fits a turn', withSummary, Array<string>(12).fill(LARGE)],
  ])('shows the very turn that the resume then gives, %s', async (_, makeParams, bodies) => {
    const scope = newScope('previewed');
    const params = makeParams();
    await say(scope, 'before');
    await client.pause(scope);
    await say(scope, ...bodies);
    const shown = await client.preview(scope, params);
    await client.resume(scope, params);
    await settled(harness, client);
    const [, , turn] = await client.turns(scope);
    expect(timeless(shown)).toEqual(timeless(turn));
  });

  /** The summary is stamped when the resume comes, so that its time alone is not known before. */
  const timeless = (message: Awaited<ReturnType<TestClient['preview']>> | { kind: 'hold' }) => {
    if (message?.kind !== 'turn') throw new Error('there is no turn');
    return {
      ...message,
      entries: message.entries?.map((entry) =>
        entry.source_plugin === 'intervention:summary' ? { ...entry, sent_at_ms: expect.any(Number) } : entry,
      ),
    };
  };

  it('changes nothing', async () => {
    const scope = newScope('unchanged');
    await client.pause(scope, { auto_resume_after_ms: 600_000 });
    await say(scope, 'one', 'two');
    const tables = await tableContents(harness.database);
    const streams = await publicStreamContents(client);
    for (const params of [{}, withSummary()]) expect(await client.preview(scope, params)).toBeDefined();
    expect(await tableContents(harness.database)).toEqual(tables);
    expect(await publicStreamContents(client)).toEqual(streams);
    expect(await client.pending(scope)).toMatchObject({ depth: 2 });
  });

  it('is empty where a resume would give no turn', async () => {
    const [unknown, active, quiet] = [newScope(), newScope(), newScope()];
    await say(active, 'hello');
    await client.pause(quiet);
    for (const scope of [unknown, active, quiet]) {
      expect(await client.preview(scope)).toBeUndefined();
      expect(await client.preview(scope, withSummary())).toBeUndefined();
    }
  });
});
