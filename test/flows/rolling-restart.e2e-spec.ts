import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import { connectBroker } from '#broker/connection.js';
import type { Turn } from '#contracts/turn.js';
import type { TurnStreamMessage } from '#contracts/turn-stream-message.js';
import { tokenHash } from '#domain/operators/token-hash.js';

import { TestProcess } from '../harness/child-process.js';
import { newScope, TestClient } from '../harness/client.js';
import { type ComposeService, readComposeServices } from '../harness/compose.js';
import { TestNats } from '../harness/nats.js';
import { TestDatabase } from '../harness/postgres.js';
import { PROJECT_ROOT } from '../harness/project-root.js';
import { waitFor } from '../harness/wait-for.js';

const OPERATOR_TOKEN = 'the-first-operator-of-the-test';
const ROLES = ['SERVICE', 'CHANNEL', 'AGENT', 'OPERATOR', 'OBSERVER', 'GATEWAY', 'PLAYGROUND'];
const PASSWORDS = Object.fromEntries(
  ROLES.map((role) => [`HOLDLINE_NATS_${role}_PASSWORD`, `p${randomUUID().replaceAll('-', '')}`]),
);

describe('the processes of docker-compose.yml', () => {
  let database: TestDatabase;
  let nats: TestNats;
  let services: Record<string, ComposeService>;
  const processes: TestProcess[] = [];
  const clients: TestClient[] = [];

  beforeAll(async () => {
    database = await TestDatabase.create();
    await database.query('DROP SCHEMA public CASCADE');
    await database.query('CREATE SCHEMA public');
    services = readComposeServices({
      ...PASSWORDS,
      HOLDLINE_POSTGRES_PASSWORD: 'p',
      HOLDLINE_BOOTSTRAP_TOKEN: OPERATOR_TOKEN,
      NEXO_PROCESSING_PENDING_QUEUE_CAP: '100000',
    });
    const configFile = join(PROJECT_ROOT, 'nats/nats-server.conf');
    nats = await TestNats.start({ configFile, env: service('nats').env });
  });
  afterAll(async () => {
    await Promise.all(processes.map((process) => process.destroy()));
    await Promise.all(clients.map((client) => client.close()));
    await nats.close();
    await database.drop();
  });

  function service(name: string): ComposeService {
    const found = services[name];
    if (found === undefined) throw new Error(`docker-compose.yml has no service ${name}.`);
    return found;
  }

  /** The very command and environment, with the servers where they are here. */
  async function run(name: string): Promise<TestProcess> {
    const { command, env } = service(name);
    const [program, ...args] = command;
    const elsewhere = Object.entries(env).map(([key, value]) => [
      key,
      key === 'DATABASE_URL' ? database.url : value.replace('@nats:4222', `@${new URL(nats.url).host}`),
    ]);
    const process = await TestProcess.start({
      command: String(program),
      args,
      env: { ...Object.fromEntries(elsewhere), HOLDLINE_HTTP_PORT: '0' },
    });
    processes.push(process);
    return process;
  }

  async function runReady(name: string): Promise<TestProcess> {
    const process = await run(name);
    await waitFor(
      async () => {
        const http = /"http":"([^"]+)"/.exec(process.stderr)?.[1];
        return http !== undefined && (await fetch(`${http}/readyz`)).ok;
      },
      { timeoutMs: 30_000, what: 'Readiness' },
    );
    return process;
  }

  async function connectAs(role: string): Promise<TestClient> {
    const user = role.toLowerCase();
    const pass = String(PASSWORDS[`HOLDLINE_NATS_${role}_PASSWORD`]);
    const nc = await connectBroker({ servers: nats.url, user, pass, name: `test ${user}` });
    const client = TestClient.over(nc, tokenHash(OPERATOR_TOKEN), OPERATOR_TOKEN);
    clients.push(client);
    return client;
  }

  test('prepare database and broker and end', async () => {
    const setup = await run('setup');
    expect(await setup.ended).toEqual({ code: 0, signal: null });
    expect(await database.query('SELECT name FROM operators')).toEqual([{ name: 'bootstrap' }]);
  });

  test('keep every message and its order through a takeover while they are restarted one after the other', async () => {
    expect(service('conversations').replicas).toBe(2);
    const replicas = await Promise.all([runReady('conversations'), runReady('conversations')]);
    const channel = await connectAs('CHANNEL');
    const operator = await connectAs('OPERATOR');
    const agent = await connectAs('AGENT');

    const running = newScope();
    const held = newScope();
    const written: string[] = [];
    const write = async (lines: number) => {
      for (let line = 0; line < lines; line++) {
        const body = `line ${written.length}`;
        for (const scope of [running, held]) await channel.publish(scope, body, { message_id: randomUUID() });
        written.push(body);
      }
    };

    await write(20);
    expect(await operator.pause(held)).toMatchObject({ changed: true, epoch: 1 });
    for (const replica of replicas) {
      const writing = write(50);
      replica.kill('SIGTERM');
      expect(await replica.ended).toEqual({ code: 0, signal: null });
      await writing;
      await Promise.all([runReady('conversations'), write(50)]);
    }
    expect(await operator.call('nexo/admin/processing/state', { scope: held })).toMatchObject({
      state: { state: 'paused_by_operator' },
    });
    await agent.turnsOf(running, written.length);
    const toldBefore = (await agent.turns(held)).filter(({ kind }) => kind === 'turn').length;
    const depth = written.length - toldBefore;
    await waitFor(async () => {
      const pending = await operator.call('nexo/admin/processing/pending', { scope: held });
      return pending.depth === depth;
    });
    const resumed = await operator.resume(held);

    expect(bodies(await agent.turns(running))).toEqual(written);
    const heldTurns = await waitFor(async () => {
      const turns = await agent.turns(held);
      return turns.some((turn) => turn.kind === 'turn' && turn.cause === 'resume') && turns;
    });
    const hold = heldTurns.findIndex(({ kind }) => kind === 'hold');
    const before = bodies(heldTurns.slice(0, hold));
    expect(before).toEqual(written.slice(0, before.length));
    expect(heldTurns.slice(hold + 1)).toHaveLength(1);
    const waiting = written.slice(before.length);
    expect(depth).toBe(waiting.length);
    // The agent has answered nothing, so that the resume asks all of it again.
    expect(bodies(heldTurns.slice(hold + 1))).toEqual(written);
    expect(resumed).toMatchObject({ changed: true, epoch: 2, drained_pending: depth });
  });

  test('run the demo with the rights of its own user', async () => {
    const playground = await run('playground');
    const operator = await connectAs('OPERATOR');
    await waitFor(
      async () => {
        const { conversations } = await operator.call('nexo/admin/conversations/list', {});
        return conversations.some(({ scope }) => scope.kind === 'conversation' && scope.agent_id !== 'ana');
      },
      { timeoutMs: 30_000, what: 'A conversation of the demo' },
    );
    playground.kill('SIGTERM');
    expect(await playground.ended).toEqual({ code: 0, signal: null });
    expect(playground.stderr).not.toMatch(/permission/i);
  });
});

function bodies(turns: TurnStreamMessage[]): string[] {
  return turns
    .filter((turn): turn is Turn => turn.kind === 'turn')
    .flatMap((turn) => turn.inbounds.map(({ body }) => body));
}
