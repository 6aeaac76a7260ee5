import fc from 'fast-check';

import type { ConversationScope } from '#contracts/processing-scope.js';
import { STREAMS } from '#contracts/subjects.js';
import type { Turn } from '#contracts/turn.js';
import { conversationId } from '#domain/conversation/conversation-id.js';

import { lastSequence } from '../flows/support/record.js';
import { answer, intervene, reply } from '../flows/support/replies.js';
import { CommandRefused, newScope, type TestClient } from '../harness/client.js';
import type { BootedConversations } from '../harness/conversations.js';
import { FakeChannel } from '../harness/fake-channel.js';
import { Harness } from '../harness/harness.js';
import { waitFor } from '../harness/wait-for.js';
import { ConversationModel, type Step } from './conversation-model.js';

const CAP = 3;
const CONVERSATIONS = 2;
const OPERATORS = ['ann', 'bob'];
const RUNS = Number(process.env['MODEL_RUNS'] ?? 12);
const SEED = Number(process.env['MODEL_SEED'] ?? 20_240_601);

type StepOrRestart = { conversation: number; step: Step } | 'restart';

describe('any run of inbounds, copies, pauses, resumes, replies, drafts and restarts', () => {
  let harness: Harness;
  let running: BootedConversations;
  let channel: FakeChannel;
  const operators = new Map<string, TestClient>();
  const env = { NEXO_PROCESSING_PENDING_QUEUE_CAP: String(CAP) };

  beforeAll(async () => {
    harness = await Harness.create();
    for (const name of OPERATORS) operators.set(name, await harness.connect(name));
    channel = await FakeChannel.of(clientOf('ann').nc, newScope());
    running = await harness.boot({ env });
  }, 60_000);

  afterAll(() => harness.close(), 30_000);

  const clientOf = (operator: string) => operators.get(operator) as TestClient;
  const index = fc.nat({ max: 100 });
  const operator = fc.constantFrom(...OPERATORS);
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 8, arbitrary: fc.constant<Step>({ kind: 'inbound' }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('copy' as const), index }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('pause' as const), operator }) },
    { weight: 3, arbitrary: fc.constant<Step>({ kind: 'resume' }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('answer' as const), index }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('done' as const), index }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('reply' as const), operator }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('send_draft' as const), index, operator }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('discard_draft' as const), index, operator }) },
  );
  const steps = fc.array(
    fc.oneof(
      { weight: 30, arbitrary: fc.record({ conversation: fc.nat({ max: CONVERSATIONS - 1 }), step }) },
      { weight: 1, arbitrary: fc.constant('restart' as const) },
    ),
    { minLength: 1, maxLength: 30 },
  );

  it('does what a few lists do', async () => {
    await fc.assert(
      fc.asyncProperty(steps, (each) => run(each)),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    );
  }, 600_000);

  async function run(all: StepOrRestart[]): Promise<void> {
    const scopes = Array.from({ length: CONVERSATIONS }, () => newScope());
    const models = scopes.map(() => new ConversationModel(CAP));
    for (const [number, each] of all.entries()) {
      if (each === 'restart') {
        await running.stop();
        running = await harness.boot({ env });
        continue;
      }
      const scope = scopes[each.conversation] as ConversationScope;
      const model = models[each.conversation] as ConversationModel;
      const body = `line ${number}`;
      const done = await take(scope, model, each.step, body);
      expect([each.step, done]).toEqual([each.step, model.apply(each.step, body)]);
      await settled();
    }
    for (const [number, scope] of scopes.entries()) await compare(scope, models[number] as ConversationModel);
  }

  /** Does one step for real, and gives what came of it in a word. */
  async function take(scope: ConversationScope, model: ConversationModel, step: Step, body: string): Promise<string> {
    const client = clientOf('operator' in step ? step.operator : 'ann');
    const changed = ({ changed }: { changed: boolean }) => (changed ? 'changed' : 'unchanged');
    switch (step.kind) {
      case 'inbound':
        await client.publish(scope, body, { msgId: body });
        return 'nothing';
      case 'copy': {
        const copied = model.inbounds[step.index % model.inbounds.length];
        if (copied !== undefined) await client.publish(scope, copied.body, { msgId: copied.body });
        return 'nothing';
      }
      case 'pause':
        return client.pause(scope).then(changed);
      case 'resume':
        return client.resume(scope).then(changed);
      case 'answer': {
        const turn = await turnOf(scope, step.index);
        if (turn === undefined) return 'nothing';
        const outcome = await answer(client, turn, { body });
        return outcome.status === 'sent' ? 'sent' : outcome.reason;
      }
      case 'done': {
        const turn = await turnOf(scope, step.index);
        return turn === undefined ? 'nothing' : client.done(turn).then(changed);
      }
      case 'reply':
        return intervene(client, scope, { action: reply(scope, { body }) }).then(changed, reasonOf);
      case 'send_draft':
      case 'discard_draft': {
        const drafts = await draftsOf(scope);
        const draft = drafts[step.index % drafts.length];
        if (draft === undefined) return 'nothing';
        const verb = step.kind === 'send_draft' ? 'send' : 'discard';
        return client.call(`nexo/admin/drafts/${verb}`, { draft_id: draft.draft_id }).then(changed, reasonOf);
      }
      default:
        return step satisfies never;
    }
  }

  function reasonOf(error: unknown): string {
    if (error instanceof CommandRefused) return error.error.data.reason;
    throw error;
  }

  async function turnOf(scope: ConversationScope, index: number): Promise<Turn | undefined> {
    const messages = await clientOf('ann').turns(scope);
    const turns = messages.filter((message) => message.kind === 'turn');
    return turns[index % turns.length];
  }

  /** Oldest first. */
  async function draftsOf(scope: ConversationScope) {
    const { drafts } = await clientOf('ann').call('nexo/admin/drafts/list', { scope });
    const place = (body: string) => Number(body.replace('line ', ''));
    return drafts.sort((a, b) => place(a.action.body) - place(b.action.body));
  }

  /** Waits until the gate has stored what was published, and published its turn: a pause takes back one that was not. */
  async function settled(): Promise<void> {
    const last = await lastSequence(clientOf('ann'), STREAMS.inbound);
    const isSettled = async () => {
      const [row] = await harness.database.query<{ cursor: string; waiting: boolean }>(
        'SELECT cursor, EXISTS (SELECT FROM outbox) AS waiting FROM partitions',
      );
      return Number(row?.cursor) >= last && row?.waiting === false;
    };
    await waitFor(isSettled, { what: 'The cursor, with an empty outbox' });
  }

  async function compare(scope: ConversationScope, model: ConversationModel): Promise<void> {
    const client = clientOf('ann');
    const told = (await client.turnsOf(scope, model.told.length)).map((message) =>
      message.kind === 'hold'
        ? 'hold'
        : message.inbounds.map(({ body, answered }) => ({ body, answered: answered ?? false })),
    );
    expect(told).toEqual(model.told.map((each) => (each === 'hold' ? each : each.inbounds)));
    const entries = await harness.database.query<{ body: string }>(
      'SELECT body FROM entries WHERE conversation_id = $1 ORDER BY seq',
      [conversationId(scope)],
    );
    expect(entries.map((entry) => entry.body)).toEqual(model.transcript);
    const asked = channel.asked.filter(({ to }) => to === scope.contact_id);
    expect(asked.map(({ body }) => body)).toEqual(model.sent);
    const drafts = await draftsOf(scope);
    expect(drafts.map(({ action, status }) => ({ body: action.body, status }))).toEqual(model.drafts);
    const pending = await client.pending(scope, { include_evicted: true });
    expect(pending.inbounds.map((inbound) => inbound.body)).toEqual(model.waiting.map(({ body }) => body));
    expect((pending.evicted ?? []).map((each) => each.inbound.body)).toEqual(model.evicted);
    expect(pending.depth).toBe(model.waiting.length);
  }
});
