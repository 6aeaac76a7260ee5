import { randomUUID } from 'node:crypto';

import type { Turn } from '#contracts/turn.js';

import { newScope, TestClient } from '../harness/client.js';
import { Harness, type TestOperator } from '../harness/harness.js';
import { publicStreamContents, tableContents } from './support/everything-kept.js';
import { settled } from './support/settled.js';

const LONGEST = 4_096;

describe('the summary of a resume', () => {
  let harness: Harness;
  let client: TestClient;
  let operator: TestOperator;

  beforeAll(async () => {
    harness = await Harness.create();
    await harness.boot({ env: { HOLDLINE_ADMIN_AUTH: 'token' } });
    operator = await harness.createOperator();
    client = await harness.connect(operator);
  });
  afterAll(() => harness.close());

  const session_id = randomUUID();
  const WRONG = [
    ['without a session', { summary_for_agent: 'all well' }, 'session_id_required_with_summary', 'session_id'],
    ['blank', { session_id, summary_for_agent: ' \t\n\u00a0\u2003' }, 'empty_summary', 'summary_for_agent'],
    ['empty', { session_id, summary_for_agent: '' }, 'empty_summary', 'summary_for_agent'],
    ['too long', { session_id, summary_for_agent: 'x'.repeat(LONGEST + 1) }, 'summary_too_long', 'summary_for_agent'],
    [
      'too long as given, though not once it is trimmed',
      { session_id, summary_for_agent: `x${' '.repeat(LONGEST)}` },
      'summary_too_long',
      'summary_for_agent',
    ],
    [
      'too long in emoji',
      { session_id, summary_for_agent: '🙂'.repeat(LONGEST + 1) },
      'summary_too_long',
      'summary_for_agent',
    ],
    ['without a session and blank', { summary_for_agent: ' ' }, 'session_id_required_with_summary', 'session_id'],
  ] as const;

  it.each(WRONG)('that is %s is refused by name before anything changes', async (_, params, word, path) => {
    const scope = newScope();
    await client.pause(scope);
    await client.publish(scope, 'waiting');
    await settled(harness, client);
    const { audit_log: audited, ...kept } = await tableContents(harness.database);
    const streams = await publicStreamContents(client);

    const refusal = { code: -32602, message: expect.stringMatching(`^${word}`), data: { reason: word, path } };
    await expect(client.resume(scope, params)).rejects.toMatchObject({ error: refusal });
    await expect(client.preview(scope, params)).rejects.toMatchObject({ error: refusal });

    const { audit_log: auditedNow, ...keptNow } = await tableContents(harness.database);
    expect(keptNow).toEqual(kept);
    expect(await publicStreamContents(client)).toEqual(streams);
    const rows = auditedNow?.filter((row) => !audited?.includes(row)).map((row) => JSON.parse(row) as object);
    expect(rows).toEqual(
      expect.arrayContaining([expect.objectContaining({ outcome: 'refused', changed: false, reason: word })]),
    );
    expect(JSON.stringify(rows)).not.toContain('xxxx');
    expect(await client.state(scope)).toMatchObject({ state: 'paused_by_operator' });
    await expect(client.resume(scope)).resolves.toMatchObject({ changed: true, drained_pending: 1 });
  });

  it('may have as many characters as the contract allows, however many units they take', async () => {
    const scope = newScope();
    await client.pause(scope);
    await client.publish(scope, 'waiting');
    await settled(harness, client);
    const summary = '🙂'.repeat(LONGEST);
    await client.resume(scope, { session_id: randomUUID(), summary_for_agent: summary });
    const [, turn] = await client.turnsOf(scope, 2);
    expect((turn as Turn).operator_summary).toBe(summary);
  });

  it('is looked at only once the caller is known and may resume', async () => {
    const scope = newScope();
    await client.pause(scope);
    const stranger = await TestClient.connect(harness.nats.url, operator.hash, 'not a token of anybody');
    const reader = await harness.connect(await harness.createOperator(['transcripts_read']));
    const impostor = await TestClient.connect(harness.nats.url, 'ffffffffffffffff', operator.token);
    for (const [, params] of WRONG) {
      await expect(stranger.resume(scope, params)).rejects.toMatchObject({ error: { code: -32001 } });
      await expect(impostor.resume(scope, params)).rejects.toMatchObject({ error: { code: -32001 } });
      await expect(reader.resume(scope, params)).rejects.toMatchObject({ error: { code: -32004 } });
    }
    await Promise.all([stranger.close(), impostor.close()]);
  });

  it('is looked at even where the conversation is active', async () => {
    const [, params, word] = WRONG[1];
    await expect(client.resume(newScope(), params)).rejects.toMatchObject({ error: { data: { reason: word } } });
  });
});
