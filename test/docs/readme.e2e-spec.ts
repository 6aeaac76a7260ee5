import { randomUUID } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { AgentEvent } from '#contracts/agent-event.js';
import { ProcessingAck } from '#contracts/processing-ack.js';
import { ProcessingPendingResult } from '#contracts/processing-pending.js';
import { ProcessingPreviewResult } from '#contracts/processing-preview.js';
import { ProcessingStateResult } from '#contracts/processing-state.js';
import { TurnStreamMessage } from '#contracts/turn-stream-message.js';
import type { ReadyLine } from '../../apps/standalone/src/run.js';

import { TestProcess } from '../harness/child-process.js';
import { TestClient } from '../harness/client.js';
import { PROJECT_ROOT } from '../harness/project-root.js';
import { makeTestDirectory } from '../harness/run.js';
import { TestStandalone } from '../harness/standalone.js';
import { waitFor } from '../harness/wait-for.js';
import { codeBlocks, readPage } from './markdown.js';

const TOKEN = 'my-token';
const ADA = {
  kind: 'conversation',
  agent_id: 'support',
  channel: 'webchat',
  account_id: 'main',
  contact_id: 'ada',
} as const;

describe('what the README shows', () => {
  let standalone: TestStandalone;
  let ready: ReadyLine;
  let client: TestClient;
  let path: string;
  const running: TestProcess[] = [];

  beforeAll(async () => {
    standalone = await TestStandalone.start({ throughNpm: true, env: { HOLDLINE_BOOTSTRAP_TOKEN: TOKEN } });
    ready = await standalone.ready();
    client = await TestClient.connect(ready.nats, '', TOKEN);
    const programs = makeTestDirectory('programs');
    const nats = join(programs, 'nats');
    writeFileSync(nats, `#!/bin/sh\nexec '${process.execPath}' '${PROJECT_ROOT}/test/docs/nats-cli.mjs' "$@"\n`);
    chmodSync(nats, 0o755);
    path = `${programs}:${process.env['PATH']}`;
  }, 180_000);

  afterEach(async () => {
    for (const child of running.splice(0)) {
      if (!child.hasEnded) child.killGroup('SIGKILL');
      await child.ended;
    }
  });

  afterAll(async () => {
    await client.close();
    standalone.process.kill('SIGTERM');
    expect((await standalone.process.ended).code).toBe(0);
  });

  const readme = readPage('README.md');
  const block = (holding: string) => {
    const [found] = codeBlocks(readme, 'sh').filter((code) => code.includes(holding));
    return (found as string).replace(/^(export NATS_URL=).*$/m, `$1${ready.nats}`);
  };
  const start = async (command: string, args: string[]) => {
    const env = { PATH: path, NATS_URL: ready.nats, HOLDLINE_URL: ready.http, TOKEN };
    const child = await TestProcess.start({ command, args, env });
    running.push(child);
    return child;
  };
  const example = (name: string) => start(process.execPath, [join(PROJECT_ROOT, 'examples', name)]);
  const jsonLines = (text: string) =>
    text.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Record<string, unknown>] : []));
  /** Runs lines of a shell block to their end, in a shell that has read all of the block's definitions. */
  const shell = async (definitions: string, line: string) => {
    const child = await start('bash', ['-ec', `${definitions}\n${line}`]);
    const { code } = await child.ended;
    if (code !== 0) throw new Error(`${line} failed: ${child.stderr}`);
    return (jsonLines(child.stdout)[0] as { result?: unknown } | undefined)?.result;
  };

  test('the walk-through holds a conversation and hands it back', async () => {
    const watch = await start('bash', ['-ec', block('nats sub')]);
    await waitFor(() => watch.stdout.match(/Subscribing/g)?.length === 2);
    const watched = () => jsonLines(watch.stdout);
    const turns = () => watched().filter(({ kind }) => kind === 'turn' || kind === 'hold');

    const lines = block('ada_writes()').split('\n');
    const isStep = (line: string) => /^(ada_writes|operator) /.test(line);
    const definitions = lines.filter((line) => !isStep(line)).join('\n');
    const steps = lines.filter(isStep);
    const next = (begin: string) => {
      expect(steps[0]).toMatch(new RegExp(`^${begin}`));
      return shell(definitions, steps.shift() as string);
    };

    await next('ada_writes');
    await waitFor(() => turns().length === 1, { what: 'The first turn' });
    expect(ProcessingAck.parse(await next('operator pause'))).toMatchObject({ changed: true, epoch: 1 });
    await next('ada_writes');
    await next('ada_writes');
    await waitFor(async () => (await client.call('nexo/admin/processing/pending', { scope: ADA })).depth === 2);

    const { state } = ProcessingStateResult.parse(await next('operator state'));
    expect(state).toMatchObject({ state: 'paused_by_operator', reason: 'I know this customer.' });
    const pending = ProcessingPendingResult.parse(await next('operator pending'));
    expect(pending.inbounds.map(({ body }) => body)).toEqual(['Hello?', 'Is anybody there?']);
    const preview = ProcessingPreviewResult.parse(await next('operator preview'));
    const asked = ['Where is my order?', 'Hello?', 'Is anybody there?'];
    expect(preview.turn?.inbounds.map(({ body }) => body)).toEqual(asked);
    expect(turns()).toHaveLength(2);

    const ack = ProcessingAck.parse(await next('operator resume'));
    expect(ack).toMatchObject({ changed: true, drained_pending: 2, transcript_stamped: true, epoch: 2 });
    expect(steps).toEqual([]);
    await waitFor(() => turns().length === 3, { what: 'The turn of the resume' });
    expect(turns().map((turn) => TurnStreamMessage.parse(turn))).toMatchObject([
      { kind: 'turn', cause: 'inbound', inbounds: [{ body: 'Where is my order?' }] },
      { kind: 'hold', epoch: 1 },
      {
        kind: 'turn',
        cause: 'resume',
        epoch: 2,
        inbounds: asked.map((body) => ({ body })),
        operator_summary: 'I told Ada that the parcel is late.',
      },
    ]);
    const events = () => watched().filter((message) => 'event_id' in message);
    await waitFor(() => events().length === 6, { what: 'Two changes of state and four lines of the transcript' });
    for (const event of events()) AgentEvent.parse(event);
  });

  test('the script holds a conversation and hands it back', async () => {
    const script = await example('hold-a-conversation.mjs');
    expect(await script.ended).toEqual({ code: 0, signal: null });
    const said = script.stdout.trim().split('\n');
    expect(said.map((line) => line.slice(0, line.indexOf(': {')))).toEqual([
      'pause',
      'resume',
      'the agent gets',
      'the agent gets',
    ]);
    const [, resumed, hold, turn] = said.map((line) => JSON.parse(line.slice(line.indexOf('{'))));
    expect(resumed.result.drained_pending).toBe(2);
    expect(TurnStreamMessage.parse(hold)).toMatchObject({ kind: 'hold', epoch: 1 });
    expect(TurnStreamMessage.parse(turn)).toMatchObject({
      inbounds: [{ body: 'Hello?' }, { body: 'Is anybody there?' }],
    });
  });

  test('the channel, the agent and the dashboard do their part', async () => {
    const [agent, dashboard] = [await example('agent.mjs'), await example('dashboard.mjs')];
    const overHttp = await example('dashboard-over-http.mjs');
    const channel = await example('channel.mjs');
    await waitFor(() => agent.stdout.includes('"body":"Where is my order?"'), { what: 'The turn at the agent' });

    const message = { outbound_id: randomUUID(), to: 'ada', body: 'It comes today.' };
    const ack = await waitFor(() => client.request('nexo.channel.webchat.main.send', JSON.stringify(message)));
    expect(ack).toEqual({ outbound_message_id: message.outbound_id });
    expect(channel.stdout).toBe('to ada: It comes today.\n');

    await waitFor(async () => /holdline_sse_clients 1/.test(await (await fetch(`${ready.http}/metrics`)).text()));
    client.operator = await operatorHash();
    await client.pause(ADA);
    await waitFor(() => agent.stdout.includes('drop all work for ada'), { what: 'The Hold at the agent' });
    for (const reader of [dashboard, overHttp]) {
      await waitFor(() => reader.stdout.includes('ada: paused_by_operator by '), { what: 'The event' });
    }
  });

  test('channel, agent, operator and dashboard do their part with the SDK', async () => {
    const [dashboard, channel] = [await example('sdk-dashboard.mjs'), await example('sdk-channel.mjs')];
    const agent = await example('sdk-agent.mjs');
    await waitFor(() => channel.stdout.includes('to bob: It comes today.'), { what: 'The answer of the agent' });
    expect(agent.stdout).toMatch(/^bob asks \[.*"body":"Where is my order\?".*told: nothing$/m);
    const operator = await example('sdk-operator.mjs');
    expect(await operator.ended).toEqual({ code: 0, signal: null });
    expect(operator.stdout).toMatch(/^handed back: \{"changed":true/);
    expect(channel.stdout).toBe('to bob: It comes today.\nto bob: I am looking for it.\n');
    const changes = () => dashboard.stdout.match(/^\d+: processing_state_changed of bob$/gm);
    await waitFor(() => changes()?.length === 2, { what: 'Both changes of state' });
  });

  test('HTTP answers as described', async () => {
    expect((await fetch(`${ready.http}/healthz`)).status).toBe(200);
    const readyz = await (await fetch(`${ready.http}/readyz`)).json();
    expect(readyz).toMatchObject({ ready: true, failing: [] });
    for (const check of ['database', 'broker', 'partitions', 'outbox']) {
      expect(readyz).toHaveProperty(['checks', check], true);
      expect(readme.text).toContain(`\`${check}\``);
    }
    expect(await (await fetch(`${ready.http}/metrics`)).text()).toContain('holdline_inbounds_total');
  });

  const operatorHash = async () => {
    const line = block('ada_writes()')
      .split('\n')
      .find((each) => each.startsWith('HASH='));
    const child = await start('bash', ['-ec', `TOKEN=${TOKEN}\n${line}\nprintf %s "$HASH"`]);
    await child.ended;
    return child.stdout;
  };
});
