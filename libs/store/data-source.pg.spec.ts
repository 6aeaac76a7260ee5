import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

import { TestDatabase } from '../../test/harness/postgres.js';
import { createDataSource } from './data-source.js';
import { readOnce } from './read.js';

const READY_FOR_QUERY = Buffer.from('Z\0\0\0\x05I', 'latin1');
const SHUTTING_DOWN = errorResponse('FATAL', '57P01', 'terminating connection due to administrator command');

describe('a data source', () => {
  let database: TestDatabase;
  let proxy: EndingProxy;

  beforeAll(async () => {
    database = await TestDatabase.create();
    proxy = await EndingProxy.before(database.url);
  });
  afterAll(async () => {
    await proxy.close();
    await database.drop();
  });

  it('survives that the server ends a connection in the moment in which it is ready', async () => {
    const dataSource = createDataSource({ url: proxy.url, poolSize: 2, applicationName: 'test' });
    await dataSource.initialize();
    const one = () => readOnce(dataSource, (reader) => reader.rows({ name: 'one', text: 'SELECT 1 AS one' }));
    await expect(one()).resolves.toEqual([{ one: 1 }]);

    proxy.endsConnections = true;
    const runner = dataSource.createQueryRunner();
    await runner.connect();
    await expect(one()).rejects.toThrow();
    await runner.release();

    proxy.endsConnections = false;
    await expect(one()).resolves.toEqual([{ one: 1 }]);
    await dataSource.destroy();
  });
});

/** Stands before a PostgreSQL and, if it is told to, sends the server's good-bye together with its welcome. */
class EndingProxy {
  endsConnections = false;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async before(url: string): Promise<EndingProxy> {
    const target = new URL(url);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxied = new URL(url);
    proxied.port = String((server.address() as AddressInfo).port);
    const proxy = new EndingProxy(server, proxied.href);
    server.on('connection', (client) => {
      const upstream = connect(Number(target.port), target.hostname);
      const ends = proxy.endsConnections;
      client.on('data', (chunk) => upstream.write(chunk));
      upstream.on('data', (chunk) => {
        if (ends && chunk.subarray(-READY_FOR_QUERY.length).equals(READY_FOR_QUERY)) {
          client.end(Buffer.concat([chunk, SHUTTING_DOWN]));
          upstream.destroy();
        } else client.write(chunk);
      });
      for (const [socket, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        proxy.sockets.add(socket);
        socket.on('error', () => other.destroy());
        socket.on('close', () => other.end());
      }
    });
    return proxy;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

function errorResponse(severity: string, code: string, message: string): Buffer {
  const fields = Buffer.from(`S${severity}\0C${code}\0M${message}\0\0`);
  const header = Buffer.from('E\0\0\0\0', 'latin1');
  header.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([header, fields]);
}
