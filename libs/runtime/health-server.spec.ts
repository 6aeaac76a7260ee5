import { type HealthServer, startHealthServer } from './health-server.js';
import { Metrics } from './metrics.js';
import { type Readiness, runChecks } from './readiness.js';

describe('the health server', () => {
  const metrics = new Metrics();
  let checks: Readiness = {};
  let server: HealthServer;
  beforeAll(async () => {
    const { registry } = metrics;
    server = await startHealthServer({ host: '127.0.0.1', port: 0, readiness: async () => checks, registry });
  });
  afterAll(() => server.stop());

  const get = (path: string) => fetch(`${server.url}${path}`);

  test('says that the process is alive', async () => {
    const response = await get('/healthz');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: 'alive' });
  });

  test('is ready when every check is', async () => {
    checks = { database: true, broker: true };
    const response = await get('/readyz');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ ready: true, failing: [], checks });
  });

  test('names what fails, with status 503', async () => {
    checks = { database: 'connection refused', broker: true };
    const response = await get('/readyz');
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ ready: false, failing: ['database'], checks });
  });

  test('gives its figures in the format of Prometheus', async () => {
    metrics.countInbounds('buffered', 3);
    metrics.observeRpc('nexo/admin/processing/pause', -32602, 12);
    const text = await (await get('/metrics')).text();
    expect(text).toContain('holdline_inbounds_total{outcome="buffered"} 3');
    expect(text).toContain('holdline_rpc_seconds_count{method="nexo/admin/processing/pause",code="-32602"} 1');
  });

  test('has a page that names the others', async () => {
    const page = await (await get('/')).text();
    for (const path of ['/healthz', '/readyz', '/metrics']) expect(page).toContain(`href="${path}"`);
  });

  test('does not start on a port that is taken', async () => {
    const port = Number(new URL(server.url).port);
    const again = startHealthServer({
      host: '127.0.0.1',
      port,
      readiness: async () => ({}),
      registry: metrics.registry,
    });
    await expect(again).rejects.toThrow(expect.objectContaining({ code: 'EADDRINUSE' }));
  });
});

describe('readiness checks', () => {
  test('run at once and fail by an error or by taking too long', async () => {
    let aborted = false;
    const readiness = await runChecks(
      {
        well: async () => 'whatever',
        failing: () => Promise.reject(new Error('connection refused')),
        hanging: (signal) =>
          new Promise(() => {
            signal.addEventListener('abort', () => (aborted = true));
          }),
      },
      30,
    );
    expect(readiness).toEqual({ well: true, failing: 'connection refused', hanging: 'No answer within 30 ms.' });
    expect(aborted).toBe(true);
  });
});
