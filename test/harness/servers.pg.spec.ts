import { connect } from 'node:net';

import pg from 'pg';

import { TestNats } from './nats.js';
import { TestDatabase } from './postgres.js';

async function portAnswers(url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const answers = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  });
  socket.destroy();
  return answers;
}

describe('the servers of the tests', () => {
  test('a test database has all migrations and is gone when dropped', async () => {
    const database = await TestDatabase.create();
    expect(await database.query('SELECT count(*)::int AS count FROM conversations')).toEqual([{ count: 0 }]);
    await database.drop();
    await expect(database.query('SELECT 1')).rejects.toThrow('does not exist');
  });

  test('a database that is cut off breaks its connections and refuses others until it is back', async () => {
    const database = await TestDatabase.create();
    const client = new pg.Client({ connectionString: database.url });
    const broken = new Promise((resolve) => client.on('error', resolve));
    await client.connect();
    await database.cutOff();
    await broken;
    await expect(database.query('SELECT 1')).rejects.toThrow('not currently accepting connections');
    await database.bringBack();
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await database.drop();
  });

  test('a connection that a test leaves open is an error', async () => {
    const database = await TestDatabase.create();
    const client = new pg.Client({ connectionString: database.url, application_name: 'forgotten' });
    client.on('error', () => undefined);
    await client.connect();
    await expect(database.drop()).rejects.toThrow('left 1 database connections open (forgotten');
  });

  test('a nats-server keeps its port over kill and restart', async () => {
    const nats = await TestNats.start();
    const { url } = nats;
    expect(await portAnswers(url)).toBe(true);
    await nats.kill();
    expect(await portAnswers(url)).toBe(false);
    await nats.restart();
    expect(nats.url).toBe(url);
    expect(await portAnswers(url)).toBe(true);
    await nats.stop();
    expect(await portAnswers(url)).toBe(false);
  });
});
