import { z } from 'zod';

import { brokerSetting, ConfigError, integerSetting, loadConfig, urlSetting } from './config.js';

const Schema = z.object({
  DATABASE_URL: urlSetting('postgres', 'postgresql'),
  HOLDLINE_HTTP_PORT: integerSetting({ min: 0, max: 65_535 }).optional(),
  HOLDLINE_PARTITIONS: integerSetting({ min: 1, max: 64 }).prefault('1'),
});
const DATABASE_URL = 'postgres://user:secret@127.0.0.1/holdline';

describe('settings', () => {
  test('are read from the environment and nothing else of it is kept', () => {
    const config = loadConfig(Schema, { DATABASE_URL, HOLDLINE_HTTP_PORT: '8080', HOME: '/root' });
    expect(config).toEqual({ DATABASE_URL, HOLDLINE_HTTP_PORT: 8080, HOLDLINE_PARTITIONS: 1 });
  });

  test('that are set to nothing count as not set', () => {
    const config = loadConfig(Schema, { DATABASE_URL, HOLDLINE_HTTP_PORT: '', HOLDLINE_PARTITIONS: '' });
    expect(config).toEqual({ DATABASE_URL, HOLDLINE_PARTITIONS: 1 });
  });

  test.each(['-1', '65536', '80a', '1e3', '8080.5', ' 80'])('refuse the port %j in one sentence', (port) => {
    expect(() => loadConfig(Schema, { DATABASE_URL, HOLDLINE_HTTP_PORT: port })).toThrow(
      new ConfigError(`HOLDLINE_HTTP_PORT must be a whole number from 0 to 65535, but is ${JSON.stringify(port)}.`),
    );
  });

  test('that are missing are named', () => {
    expect(() => loadConfig(Schema, {})).toThrow(new ConfigError('DATABASE_URL must be set.'));
  });

  test('that may hold a password are not shown', () => {
    expect(() => loadConfig(Schema, { DATABASE_URL: 'mysql://user:secret@host/db' })).toThrow(
      new ConfigError('DATABASE_URL must be a URL that begins with postgres:// or postgresql://.'),
    );
  });
});

describe('the address of the broker', () => {
  const parse = (value: string) => loadConfig(z.object({ NATS_URL: brokerSetting() }), { NATS_URL: value }).NATS_URL;

  test('is one server or several, with credentials taken out', () => {
    expect(parse('nats://127.0.0.1:4222')).toEqual({ servers: ['nats://127.0.0.1:4222'] });
    expect(parse('nats://svc:p%40ss@a:4222,nats://b:4222')).toEqual({
      servers: ['nats://a:4222', 'nats://b:4222'],
      user: 'svc',
      pass: 'p@ss',
    });
  });

  test.each(['127.0.0.1:4222', 'http://127.0.0.1', 'nats://a:4222,'])('cannot be %j', (value) => {
    expect(() => parse(value)).toThrow('NATS_URL must be nats://host:port, or several of them separated by commas.');
  });
});
