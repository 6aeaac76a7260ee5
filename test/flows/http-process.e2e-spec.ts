import { ensureStreams } from '#broker/topology.js';

import { TestProcess } from '../harness/child-process.js';
import { newScope } from '../harness/client.js';
import { type ComposeService, readComposeServices } from '../harness/compose.js';
import { ConfiguredNats, ROLES } from '../harness/configured-nats.js';
import { bootConversations, type BootedConversations } from '../harness/conversations.js';
import { HttpClient } from '../harness/http.js';
import { TestDatabase } from '../harness/postgres.js';
import { waitFor } from '../harness/wait-for.js';

const PASSWORDS = Object.fromEntries(ROLES.map((role) => [`HOLDLINE_NATS_${role.toUpperCase()}_PASSWORD`, 'p']));
const PAUSE = 'nexo/admin/processing/pause';

describe('the gateway as a process of its own', () => {
  let database: TestDatabase;
  let nats: ConfiguredNats;
  let conversations: BootedConversations;
  const processes: TestProcess[] = [];

  beforeAll(async () => {
    [database, nats] = await Promise.all([TestDatabase.create(), ConfiguredNats.start('nats/nats-server.conf')]);
    const nc = await nats.connect('service');
    await ensureStreams(nc);
    await nc.close();
    conversations = await bootConversations({ databaseUrl: database.url, natsUrl: nats.urlOf('service') });
  });
  afterAll(async () => {
    await Promise.all(processes.map((process) => process.destroy()));
    await conversations.stop();
    await nats.stop();
    await database.drop();
  });

  /** The very command of docker-compose.yml, and its user of the broker. */
  const start = async (natsUrl: string) => {
    const services = readComposeServices({ ...PASSWORDS, HOLDLINE_POSTGRES_PASSWORD: 'p' });
    const { command, env } = services['gateway'] as ComposeService;
    expect(env['NATS_URL']).toMatch(/^nats:\/\/gateway:/);
    const [program, ...args] = command;
    const settings = { ...env, NATS_URL: natsUrl, HOLDLINE_HTTP_PORT: '0' };
    const process = await TestProcess.start({ command: String(program), args, env: settings });
    processes.push(process);
    const http = await waitFor(() => /"http":"([^"]+)"/.exec(process.stderr)?.[1], { what: 'HTTP' });
    return { process, http: new HttpClient(http) };
  };

  it('does all that it has to with the rights that the broker gives it, and stops in order', async () => {
    const { process, http } = await start(nats.urlOf('gateway'));
    await waitFor(async () => (await http.send('GET', '/readyz')).status === 200, { what: 'Readiness' });
    const stream = await http.events();
    const scope = newScope();
    const paused = await http.call(PAUSE, { scope, operator_token_hash: 'ops' });
    expect(paused.result).toMatchObject({ changed: true });
    await stream.notifications(1);
    const [first] = stream.ids;
    await http.call('nexo/admin/processing/resume', { scope, operator_token_hash: 'ops' });
    const again = await http.events('', { 'last-event-id': String(first) });
    await again.notifications(1);
    const metrics = (await http.send('GET', '/metrics')).text;
    expect(metrics).toContain('holdline_sse_clients 2');
    expect(metrics).toContain(`holdline_http_rpc_seconds_count{method="${PAUSE}",code="ok"} 1`);
    process.kill('SIGTERM');
    expect(await process.ended).toEqual({ code: 0, signal: null });
    await stream.untilEnded();
    expect(process.stderr).not.toMatch(/permissions violation/i);
    expect(process.stderr).not.toContain('"level":"error"');
  });

  it('serves HTTP without a broker, and says that it cannot work', async () => {
    const { process, http } = await start('nats://127.0.0.1:1');
    expect((await http.send('GET', '/healthz')).status).toBe(200);
    expect((await http.send('GET', '/readyz')).status).toBe(503);
    const refused = await http.rpc({ jsonrpc: '2.0', id: 'a', method: PAUSE, params: {} });
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.response).toMatchObject({ id: 'a', error: { code: -32013, data: { reason: 'unavailable' } } });
    await expect(http.events()).rejects.toThrow('status 503');
    process.kill('SIGTERM');
    expect(await process.ended).toEqual({ code: 0, signal: null });
  });

  it('ends with a sentence a setting that cannot be used', async () => {
    const process = await TestProcess.start({
      command: globalThis.process.execPath,
      args: ['dist/apps/gateway/src/main.js'],
      env: {
        HOLDLINE_SESSION_SECRET: 'short',
        HOLDLINE_PUBLIC_URL: 'holdline.example',
        NATS_URL: 'nats://127.0.0.1:1',
      },
    });
    processes.push(process);
    expect((await process.ended).code).toBe(1);
    expect(process.stderr).toBe(
      'HOLDLINE_PUBLIC_URL must be a URL that begins with http:// or https://. ' +
        'HOLDLINE_SESSION_SECRET must have at least 32 characters.\n',
    );
  });
});
