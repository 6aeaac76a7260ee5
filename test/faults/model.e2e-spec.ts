import fc from 'fast-check';

import type { ConversationScope } from '#contracts/processing-scope.js';
import { conversationId } from '#domain/conversation/conversation-id.js';

import { newScope, type TestClient } from '../harness/client.js';
import type { BootedConversations } from '../harness/conversations.js';
import { Harness } from '../harness/harness.js';
import { waitFor } from '../harness/wait-for.js';

const CAP = 3;
const CONVERSATIONS = 2;
const RUNS = Number(process.env['MODEL_RUNS'] ?? 12);
const SEED = Number(process.env['MODEL_SEED'] ?? 20_240_601);

/** All that Holdline promises of one conversation, as lists. */
interface Model {
  paused: boolean;
  /** What was published to the agent: an inbound's body, a Hold, or the bodies of a resume turn. */
  told: (string | { hold: true } | string[])[];
  transcript: string[];
  /** What the agent was asked and nobody has answered. */
  open: string[];
  waiting: string[];
  evicted: string[];
}

type Step =
  | { kind: 'inbound'; conversation: number }
  | { kind: 'copy'; conversation: number; of: number }
  | { kind: 'pause' | 'resume'; conversation: number }
  | { kind: 'restart' };

function apply(model: Model, step: Step, body: string, published: string[]): void {
  if (step.kind === 'inbound') {
    published.push(body);
    if (!model.paused) {
      model.told.push(body);
      model.open.push(body);
      model.transcript.push(body);
      return;
    }
    model.waiting.push(body);
    while (model.waiting.length > CAP) model.evicted.push(model.waiting.shift() as string);
  }
  if (step.kind === 'pause' && !model.paused) {
    model.paused = true;
    model.told.push({ hold: true });
  }
  if (step.kind === 'resume' && model.paused) {
    model.paused = false;
    model.open.push(...model.waiting);
    if (model.open.length > 0) model.told.push([...model.open]);
    model.transcript.push(...model.waiting);
    model.waiting = [];
  }
}

describe('any run of inbounds, copies, pauses, resumes and restarts', () => {
  let harness: Harness;
  let client: TestClient;
  let running: BootedConversations;
  const env = { NEXO_PROCESSING_PENDING_QUEUE_CAP: String(CAP) };

  beforeAll(async () => {
    harness = await Harness.create();
    client = await harness.connect();
    running = await harness.boot({ env });
  }, 60_000);

  afterAll(() => harness.close(), 30_000);

  const conversation = fc.nat({ max: CONVERSATIONS - 1 });
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 8, arbitrary: fc.record({ kind: fc.constant('inbound' as const), conversation }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('copy' as const), conversation, of: fc.nat() }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('pause' as const, 'resume' as const), conversation }) },
    { weight: 1, arbitrary: fc.constant<Step>({ kind: 'restart' }) },
  );

  it('does what a few lists do', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => run(steps)),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    );
  }, 600_000);

  async function run(steps: Step[]): Promise<void> {
    const scopes = Array.from({ length: CONVERSATIONS }, () => newScope());
    const models = scopes.map((): Model => ({
      paused: false,
      told: [],
      transcript: [],
      open: [],
      waiting: [],
      evicted: [],
    }));
    const published = scopes.map((): string[] => []);
    for (const [index, each] of steps.entries()) {
      if (each.kind === 'restart') {
        await running.stop();
        running = await harness.boot({ env });
        continue;
      }
      const scope = scopes[each.conversation] as ConversationScope;
      const sent = published[each.conversation] as string[];
      const body = `line ${index}`;
      if (each.kind === 'inbound') await stored(client.publish(scope, body, { msgId: body }));
      if (each.kind === 'copy' && sent.length > 0) {
        const copied = sent[each.of % sent.length] as string;
        await stored(client.publish(scope, copied, { msgId: copied }));
      }
      if (each.kind === 'pause') await client.pause(scope);
      if (each.kind === 'resume') await client.resume(scope);
      apply(models[each.conversation] as Model, each, body, sent);
    }
    for (const [index, scope] of scopes.entries()) await compare(scope, models[index] as Model);
  }

  /** Waits until the gate has stored what was published, and published its turn: a pause takes back one that was not. */
  async function stored(publishing: Promise<number>): Promise<void> {
    const seq = await publishing;
    const settled = async () => {
      const [row] = await harness.database.query<{ cursor: string; waiting: boolean }>(
        'SELECT cursor, EXISTS (SELECT FROM outbox) AS waiting FROM partitions',
      );
      return Number(row?.cursor) >= seq && row?.waiting === false;
    };
    await waitFor(settled, { what: 'The cursor, with an empty outbox' });
  }

  async function compare(scope: ConversationScope, model: Model): Promise<void> {
    const told = (await client.turnsOf(scope, model.told.length)).map((message) => {
      if (message.kind === 'hold') return { hold: true };
      const bodies = message.inbounds.map((inbound) => inbound.body);
      return message.cause === 'inbound' ? bodies[0] : bodies;
    });
    expect(told).toEqual(model.told);
    const entries = await harness.database.query<{ body: string }>(
      'SELECT body FROM entries WHERE conversation_id = $1 ORDER BY seq',
      [conversationId(scope)],
    );
    expect(entries.map((entry) => entry.body)).toEqual(model.transcript);
    const pending = await client.call('nexo/admin/processing/pending', { scope, include_evicted: true });
    expect(pending.inbounds.map((inbound) => inbound.body)).toEqual(model.waiting);
    expect((pending.evicted ?? []).map((each) => each.inbound.body)).toEqual(model.evicted);
    expect(pending.depth).toBe(model.waiting.length);
  }
});
