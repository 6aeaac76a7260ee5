import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ConversationScope } from '#contracts/processing-scope.js';
import { STREAMS } from '#contracts/subjects.js';
import type { Turn } from '#contracts/turn.js';

import { newScope, type TestClient } from '../harness/client.js';
import type { BootedConversations } from '../harness/conversations.js';
import { Harness } from '../harness/harness.js';
import { makeTestDirectory } from '../harness/run.js';
import { publicStreamContents, tableContents } from './support/everything-kept.js';
import { settled } from './support/settled.js';

const TOKEN = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0NTY3ODkwIn0', 'SflKxwRJSMeKKF2QT4fwpMeJf36POk6y'].join('.');
const CARD = '4111 1111 1111 1111';
const TICKET = 'TICKET-778899';
/** Parts that none of the secrets may leave behind. */
const TRACES = ['SflKxwRJ', 'eyJzdWIi', '1111 1111', '778899'];

const SECRETS = `token ${TOKEN}, card ${CARD}, ${TICKET}.`;
const REDACTED = 'token [REDACTED:jwt], card [REDACTED:card], [REDACTED:ticket].';

describe('a secret', () => {
  let harness: Harness;
  let running: BootedConversations;
  let client: TestClient;

  beforeAll(async () => {
    harness = await Harness.create();
    const rules = join(makeTestDirectory('rules'), 'rules.json');
    writeFileSync(rules, JSON.stringify({ rules: [{ label: 'ticket', pattern: 'TICKET-\\d+' }] }));
    running = await harness.boot({ env: { HOLDLINE_REDACTION_RULES: rules, NEXO_PROCESSING_PENDING_QUEUE_CAP: '2' } });
    client = await harness.connect();
  });
  afterAll(() => harness.close());

  const attachments = [{ kind: 'file', caption: SECRETS, nested: [{ note: [SECRETS] }] }, SECRETS];
  const withoutThem = [{ kind: 'file', caption: REDACTED, nested: [{ note: [REDACTED] }] }, REDACTED];

  async function say(scope: ConversationScope, count = 1): Promise<void> {
    for (let line = 0; line < count; line += 1) await client.publish(scope, SECRETS, { attachments });
    await settled(harness, client);
  }

  const lastTurn = async (scope: ConversationScope) => {
    await settled(harness, client);
    return (await client.turns(scope)).at(-1) as Turn;
  };

  /** The places where a trace of a secret is left; empty when there is none. */
  async function traces(): Promise<string[]> {
    await settled(harness, client);
    const places = [
      ...Object.entries(await tableContents(harness.database)),
      ['the public streams', await publicStreamContents(client)] as const,
      ['the log', running.logs.map((line) => JSON.stringify(line))] as const,
    ];
    return places
      .filter(([, texts]) => texts.some((text) => TRACES.some((trace) => text.includes(trace))))
      .map(([place]) => place);
  }

  it('in an inbound reaches neither the agent nor the record', async () => {
    const scope = newScope('active');
    await say(scope);
    expect((await lastTurn(scope)).inbounds).toMatchObject([{ body: REDACTED, attachments: withoutThem }]);
    expect(await traces()).toEqual([]);
  });

  it('in what was said during a hold is neither buffered, evicted, shown nor handed back', async () => {
    const scope = newScope('held');
    await client.pause(scope, { reason: SECRETS });
    expect(await client.state(scope)).toMatchObject({ reason: REDACTED });
    await say(scope, 3);
    expect(await traces()).toEqual([]);
    const { inbounds, evicted } = await client.pending(scope, { include_evicted: true });
    const shown = { body: REDACTED, attachments: withoutThem };
    expect(inbounds).toMatchObject([shown, shown]);
    expect(evicted).toMatchObject([{ inbound: shown }]);

    const session_id = randomUUID();
    const more = { session_id, summary_for_agent: ` ${SECRETS} ` };
    expect(await client.preview(scope, more)).toMatchObject({ inbounds: [shown, shown], operator_summary: REDACTED });
    await client.resume(scope, more);
    const turn = await lastTurn(scope);
    expect(turn).toMatchObject({ inbounds: [shown, shown], operator_summary: REDACTED });
    expect(turn.entries?.map(({ body }) => body)).toEqual([REDACTED, REDACTED, `[operator_summary] ${REDACTED}`]);
    const lines = await client.transcript('held', session_id);
    expect(lines.map(({ body }) => body)).toEqual([REDACTED, REDACTED, `[operator_summary] ${REDACTED}`]);
    expect(await traces()).toEqual([]);
  });

  it('in a command that is refused is not kept either', async () => {
    const scope = newScope('refused');
    await client.pause(scope, { reason: SECRETS, auto_resume_after_ms: 1 }).catch(() => undefined);
    await client.resume(scope, { summary_for_agent: SECRETS }).catch(() => undefined);
    const search = await client.call('nexo/admin/agent_events/search', { agent_id: 'refused', query: SECRETS });
    expect(search.hits).toEqual([]);
    expect(await traces()).toEqual([]);
  });

  it('in a message that cannot be read is kept only in quarantine', async () => {
    await client.publishRaw('nexo.inbound.reader.whatsapp.1.c', `{"body": "${SECRETS}"`);
    await settled(harness, client);
    const [quarantined] = await client.stored<string>(STREAMS.quarantine);
    expect(quarantined?.body).toContain(TOKEN);
    expect(await traces()).toEqual([]);
  });
});
