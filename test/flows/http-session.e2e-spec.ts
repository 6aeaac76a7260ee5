import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

import { ERROR_CODES } from '#contracts/errors.js';
import type { Capability } from '#contracts/capabilities.js';

import { newScope, type TestClient } from '../harness/client.js';
import type { BootedGateway } from '../harness/gateway.js';
import { Harness, type TestOperator } from '../harness/harness.js';
import { type EventStream, HttpClient } from '../harness/http.js';

const PAUSE = 'nexo/admin/processing/pause';
const LIST = 'nexo/admin/conversations/list';
const KEY = { HOLDLINE_SESSION_SECRET: 'a key that two gateways share, for tests' };

describe('a session of a browser', () => {
  let harness: Harness;
  let gateway: BootedGateway;
  let twin: BootedGateway;
  let ann: TestOperator;
  let nats: TestClient;
  const open: EventStream[] = [];

  beforeAll(async () => {
    harness = await Harness.create();
    await harness.boot({ env: { HOLDLINE_ADMIN_AUTH: 'token' } });
    gateway = await harness.gateway({ env: KEY });
    twin = await harness.gateway({ env: KEY });
    ann = await harness.createOperator();
    nats = await harness.connect(ann);
  });
  afterEach(() => {
    for (const stream of open.splice(0)) stream.close();
  });
  afterAll(() => harness.close());

  const logIn = async (token: string, at = gateway) => {
    const json = { 'content-type': 'application/json', origin: at.url };
    const answer = await new HttpClient(at.url).send('POST', '/session', JSON.stringify({ token }), json);
    const cookie = answer.headers.get('set-cookie') ?? '';
    return { answer, cookie: cookie.split(';')[0] as string, attributes: cookie.split('; ').slice(1) };
  };
  /** A page of a gateway's own address, with a cookie. */
  const page = (cookie: string, at = gateway, origin = at.url) => new HttpClient(at.url, { cookie, origin });
  const events = async (client: HttpClient) => {
    const stream = await client.events();
    open.push(stream);
    return stream;
  };
  const status = async (answer: Promise<{ status: number }>) => (await answer).status;
  const revoke = ({ hash }: TestOperator) =>
    harness.database.query('UPDATE operators SET revoked_at_ms = 1 WHERE token_hash = $1', [hash]);

  it('is begun with a token, and kept in a cookie that no script and no other site can use', async () => {
    const { answer, cookie, attributes } = await logIn(ann.token);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual({ operator_token_hash: ann.hash, expires_at_ms: expect.any(Number) });
    expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=43200', 'Path=/', 'SameSite=Strict']);
    expect(decodeURIComponent(cookie)).not.toContain(ann.token);

    const scope = newScope();
    const paused = await page(cookie).call(PAUSE, { scope, operator_token_hash: ann.hash });
    expect(paused.result).toMatchObject({ changed: true });
    const shown = await page(cookie).send('GET', '/session');
    expect(JSON.parse(shown.text)).toEqual(JSON.parse(answer.text));
    const stream = await events(new HttpClient(gateway.url, { cookie }));
    await nats.resume(scope);
    await stream.notifications(1);
  });

  it('is Secure where the console is reached over https', async () => {
    const secure = await harness.gateway({ env: { HOLDLINE_PUBLIC_URL: 'https://holdline.example' } });
    const { answer, cookie, attributes } = await logIn(ann.token, secure);
    expect(attributes).toContain('Secure');
    expect(answer.headers.get('strict-transport-security')).toMatch(/^max-age=/);
    const outside = page(cookie, secure, 'https://holdline.example');
    expect((await outside.call(LIST, {})).result).toBeDefined();
    expect((await logIn(ann.token)).answer.headers.get('strict-transport-security')).toBeNull();
  });

  it('is refused to strangers and for what is no token', async () => {
    expect((await logIn('made-up')).answer).toMatchObject({ status: 401, response: { error: { code: -32001 } } });
    expect((await logIn('made-up')).cookie).toBe('');
    const json = { 'content-type': 'application/json' };
    for (const body of [
      '',
      '{}',
      '{"token":7}',
      '{"token":""}',
      '{"token":"a b"}',
      '[]',
      'null',
      '{"__proto__":{"token":"x"}}',
    ]) {
      expect(await status(new HttpClient(gateway.url).send('POST', '/session', body, json))).toBe(400);
    }
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await status(new HttpClient(gateway.url).send('POST', '/session', 'token=x', form))).toBe(415);
    expect(await status(new HttpClient(gateway.url).send('GET', '/session'))).toBe(401);
  });

  it('takes no writes of another site, nor of a page that does not say where it comes from', async () => {
    const { cookie } = await logIn(ann.token);
    const foreign = ['http://evil.example', 'null', `${gateway.url}0`, 'http://localhost:1', 'nonsense'];
    for (const origin of foreign) {
      expect(await status(page(cookie, gateway, origin).rpc({ jsonrpc: '2.0', id: 1, method: LIST }))).toBe(403);
      expect(await status(page(cookie, gateway, origin).send('DELETE', '/session'))).toBe(403);
      const bearer = new HttpClient(gateway.url, { authorization: `Bearer ${ann.token}`, origin });
      expect(await status(bearer.rpc({ jsonrpc: '2.0', id: 1, method: LIST }))).toBe(403);
    }
    const silent = new HttpClient(gateway.url, { cookie });
    expect(await status(silent.rpc({ jsonrpc: '2.0', id: 1, method: LIST }))).toBe(403);
    expect(await status(silent.send('GET', '/session'))).toBe(200);
  });

  it('is good at every gateway with the same key, and at no other', async () => {
    const { cookie } = await logIn(ann.token);
    expect((await page(cookie, twin).call(LIST, {})).result).toBeDefined();
    const other = await harness.gateway();
    expect(await status(page(cookie, other).rpc({ jsonrpc: '2.0', id: 1, method: LIST }))).toBe(401);
    const changed = `${cookie.slice(0, -2)}${cookie.endsWith('A') ? 'B' : 'A'}A`;
    expect(await status(page(changed).rpc({ jsonrpc: '2.0', id: 1, method: LIST }))).toBe(401);
    expect(await status(page('holdline_session=x').send('GET', '/session'))).toBe(401);
  });

  it('that is logged out is over at every gateway, with the event streams that it has opened', async () => {
    const [gone, kept] = [await logIn(ann.token), await logIn(ann.token)];
    const ended = [await events(page(gone.cookie)), await events(page(gone.cookie, twin))];
    const going = [await events(page(kept.cookie)), await events(page(kept.cookie, twin))];
    const { status: code, headers } = await page(gone.cookie).send('DELETE', '/session');
    expect(code).toBe(204);
    expect(headers.get('set-cookie')).toMatch(/^holdline_session=; .*Expires=Thu, 01 Jan 1970/);
    await Promise.all(ended.map((stream) => stream.untilEnded()));
    for (const at of [gateway, twin]) {
      expect(await status(page(gone.cookie, at).rpc({ jsonrpc: '2.0', id: 1, method: LIST }))).toBe(401);
      expect((await page(kept.cookie, at).call(LIST, {})).result).toBeDefined();
    }
    expect(going.map((stream) => stream.ended)).toEqual([false, false]);
    expect(await status(page('').send('DELETE', '/session'))).toBe(204);
  });

  it('of an operator who was revoked is over, with the event streams of that token', async () => {
    const [leaver, stayer] = [await harness.createOperator(), await harness.createOperator()];
    const { cookie } = await logIn(leaver.token);
    const bearer = new HttpClient(twin.url, { authorization: `Bearer ${leaver.token}` });
    const ended = [await events(page(cookie)), await events(bearer)];
    const going = await events(new HttpClient(gateway.url, { authorization: `Bearer ${stayer.token}` }));
    await revoke(leaver);
    expect((await page(cookie).call(LIST, {})).error?.code).toBe(ERROR_CODES.unauthenticated);
    await Promise.all(ended.map((stream) => stream.untilEnded()));
    expect(going.ended).toBe(false);
    expect(await gateway.figure('holdline_sse_ended_total', { reason: 'revoked' })).toBe(1);
    expect(await status(page(cookie).send('GET', '/session'))).toBe(401);
    await expect(bearer.events()).rejects.toThrow('status 401');
  });

  it('of an operator whom another one revokes over HTTP is over at every gateway', async () => {
    const leaver = await harness.createOperator();
    const { cookie } = await logIn(leaver.token);
    const ended = [await events(page(cookie)), await events(page(cookie, twin))];
    const boss = new HttpClient(twin.url, { authorization: `Bearer ${ann.token}` });
    const params = { token_hash: leaver.hash, operator_token_hash: ann.hash };
    expect((await boss.call('nexo/admin/operators/revoke', params)).result).toMatchObject({ changed: true });
    await Promise.all(ended.map((stream) => stream.untilEnded()));
  });

  it('is not served under a name that somebody else has given to this machine', async () => {
    const statusAs = async (host: string) => {
      const sent = get(`${gateway.url}/session`, { headers: { host } });
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      answer.resume();
      return answer.statusCode;
    };
    expect(await statusAs('evil.example')).toBe(403);
    expect(await statusAs('localhost:1')).toBe(401);
  });

  it('opens the firehose to those who may read transcripts only', async () => {
    const can = async (...capabilities: Capability[]) => {
      const { token } = await harness.createOperator(capabilities);
      return events(new HttpClient(gateway.url, { authorization: `Bearer ${token}` }));
    };
    await expect(can('operator_intervention', 'operators_manage')).rejects.toThrow('status 403');
    await expect(events(new HttpClient(gateway.url))).rejects.toThrow('status 401');
    await can('transcripts_read');
  });

  it.each(['/', '/session', '/healthz', '/openapi.json', '/nothing'])(
    '%s has the headers that keep a page safe',
    async (path) => {
      const { headers } = await new HttpClient(gateway.url).send('GET', path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('access-control-allow-origin')).toBeNull();
    },
  );
});
