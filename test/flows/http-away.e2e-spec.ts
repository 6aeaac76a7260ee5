import { ERROR_CODES } from '#contracts/errors.js';
import { subjectOfMethod } from '#contracts/methods.js';

import { newScope, type TestClient } from '../harness/client.js';
import type { BootedGateway } from '../harness/gateway.js';
import { Harness } from '../harness/harness.js';
import { HttpClient } from '../harness/http.js';
import { waitFor } from '../harness/wait-for.js';

const LIST = 'nexo/admin/conversations/list';
const STATE = 'nexo/admin/processing/state';
const PAUSE = 'nexo/admin/processing/pause';

describe('over HTTP, while somebody is away', () => {
  let harness: Harness;
  let gateway: BootedGateway;
  let client: TestClient;
  let http: HttpClient;

  beforeAll(async () => {
    harness = await Harness.create();
    gateway = await harness.gateway();
    client = await harness.connect();
    http = new HttpClient(gateway.url);
  });
  afterAll(() => harness.close());

  const call = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 7, method, params });
  const pause = (id?: number) => ({ ...call(PAUSE, { scope: newScope(), operator_token_hash: 'ops' }), id });

  it('a command that nobody would carry out has status 503, and in a batch the error of the contract', async () => {
    const { status, response } = await http.rpc(call(LIST));
    expect(status).toBe(503);
    expect(response).toMatchObject({ id: 7, error: { code: ERROR_CODES.unavailable } });
    const mixed = await http.rpc([call(LIST), call('nexo/admin/processing/stop')]);
    expect(mixed.status).toBe(200);
    expect(JSON.parse(mixed.text)).toMatchObject([
      { error: { code: ERROR_CODES.unavailable } },
      { error: { code: ERROR_CODES.method_not_found } },
    ]);
    await expect(http.events()).rejects.toThrow('status 503');
    const session = await http.send('POST', '/session', '{"token":"t"}', { 'content-type': 'application/json' });
    expect(session.status).toBe(503);
    const readiness = JSON.parse((await http.send('GET', '/readyz')).text) as { failing: string[] };
    expect(readiness.failing).toEqual(['commands']);
  });

  it('a command that was sent and not answered is not told to be safe to repeat, and a read is', async () => {
    const reached = client.nc.subscribe('nexo.admin.processing.*');
    await client.nc.flush();
    const [sent, read] = [http.rpc(pause(7)), http.rpc(call(STATE, { scope: newScope() }))];
    await waitFor(() => reached.getReceived() === 2);
    await harness.nats.kill();
    expect(await sent).toMatchObject({
      status: 200,
      response: { id: 7, error: { code: ERROR_CODES.internal, data: { correlation_id: expect.any(String) } } },
    });
    expect(await read).toMatchObject({ status: 503, response: { error: { code: ERROR_CODES.unavailable } } });
    expect(gateway.logs.some(({ level, method }) => level === 'error' && method === PAUSE)).toBe(true);

    const startedAt = Date.now();
    const away = await http.rpc(pause(8));
    expect(away).toMatchObject({ status: 503, response: { id: 8, error: { code: ERROR_CODES.unavailable } } });
    expect((await http.rpc(pause())).status).toBe(503);
    expect(Date.now() - startedAt).toBeLessThan(2_000);
    reached.unsubscribe();
  });

  it('the broker comes back and so does everything else', async () => {
    await harness.nats.restart();
    await harness.boot();
    const answered = async () => (await http.rpc(pause(9))).response.result;
    expect(await waitFor(answered, { timeoutMs: 20_000 })).toMatchObject({ changed: true });
    const events = await http.events();
    await http.rpc(pause(10));
    await events.notifications(1);
    events.close();
  });

  it('an answer of a responder is given back as it is, whatever it holds', async () => {
    const answer =
      '{ "jsonrpc":"2.0","id":7 , "error":{"code":-32013,"message":"unavailable: é","data":{"reason":"x"}}}';
    const other = await harness.connect();
    const strange = other.nc.subscribe(subjectOfMethod(STATE), {
      callback: (_, message) => void message.respond(answer),
    });
    await other.nc.flush();
    const { status } = await waitFor(async () => {
      const answered = await http.rpc(call(STATE, {}));
      return answered.text === answer && answered;
    });
    expect(status).toBe(200);
    strange.unsubscribe();
  });
});
