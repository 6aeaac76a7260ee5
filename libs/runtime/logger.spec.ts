import { createLogger } from './logger.js';

function logged(write: (logger: ReturnType<typeof createLogger>) => void): Record<string, unknown> {
  const lines: string[] = [];
  write(createLogger('conversations', 'info', { write: (line) => void lines.push(line) }));
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] as string) as Record<string, unknown>;
}

describe('the log', () => {
  test('is one JSON object a line with service, level, time and message', () => {
    const line = logged((logger) => logger.warn({ correlation_id: 'c1' }, 'late'));
    expect(line).toMatchObject({ service: 'conversations', level: 'warn', correlation_id: 'c1', msg: 'late' });
    expect(Date.parse(String(line['time']))).toBeGreaterThan(0);
  });

  test('leaves out what people wrote and secrets, at the top and two levels down', () => {
    const inbound = { body: 'Hello, my PIN is 1234', message_id: 'm1' };
    const line = logged((logger) => logger.info({ ...inbound, inbound, event: { inbound }, token: 't0ps3cret' }));
    expect(JSON.stringify(line)).not.toMatch(/1234|t0ps3cret/);
    expect(line).toMatchObject({ inbound: { message_id: 'm1' }, event: { inbound: { message_id: 'm1' } } });
  });
});
