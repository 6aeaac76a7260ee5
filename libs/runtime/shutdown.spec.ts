import { once } from 'node:events';

import { createLogger } from './logger.js';
import { ShutdownCoordinator } from './shutdown.js';

function coordinator(totalLimitMs = 5_000) {
  const exits: number[] = [];
  const failures: unknown[] = [];
  const shutdown = new ShutdownCoordinator({
    logger: createLogger('test', 'silent'),
    totalLimitMs,
    exit: (code) => void exits.push(code),
    reportFailure: (error) => void failures.push(error),
  });
  return { shutdown, exits, failures };
}

const forever = () => new Promise<void>(() => undefined);

describe('the end of a process', () => {
  test('stops its parts in reverse order, once, and exits once', async () => {
    const { shutdown, exits } = coordinator();
    const stopped: string[] = [];
    await shutdown.run(async () => {
      shutdown.onStop('database', 100, () => void stopped.push('database'));
      shutdown.onStop('intake', 100, () => void stopped.push('intake'));
    });
    await Promise.all([shutdown.stop('first', 0), shutdown.stop('second', 1)]);
    expect(stopped).toEqual(['intake', 'database']);
    expect(exits).toEqual([0]);
  });

  test('goes on after a part that fails and one that hangs', async () => {
    const { shutdown, exits } = coordinator();
    const stopped: string[] = [];
    shutdown.onStop('database', 100, () => void stopped.push('database'));
    shutdown.onStop('hanging', 20, forever);
    shutdown.onStop('failing', 100, () => Promise.reject(new Error('no')));
    shutdown.onStop('throwing', 100, () => {
      throw new Error('no');
    });
    await shutdown.stop('test', 0);
    expect(stopped).toEqual(['database']);
    expect(exits).toEqual([0]);
  });

  test('keeps within the time for all of it together', async () => {
    const { shutdown } = coordinator(100);
    for (const name of ['a', 'b', 'c', 'd', 'e']) shutdown.onStop(name, 80, forever);
    const began = Date.now();
    await shutdown.stop('test', 0);
    expect(Date.now() - began).toBeLessThan(1_000);
  });

  test('during the start makes the start give up and stops what was begun so far', async () => {
    const { shutdown, exits, failures } = coordinator();
    const stopped: string[] = [];
    const running = shutdown.run(async () => {
      shutdown.onStop('database', 100, () => void stopped.push('database'));
      await once(shutdown.signal, 'abort');
      shutdown.onStop('late', 100, () => void stopped.push('late'));
      throw shutdown.signal.reason;
    });
    await shutdown.stop('test', 0);
    await running;
    expect(stopped).toEqual(['late', 'database']);
    expect(exits).toEqual([0]);
    expect(failures).toEqual([]);
  });

  test('after a start that fails says why and has exit code 1', async () => {
    const { shutdown, exits, failures } = coordinator();
    const stopped: string[] = [];
    const failure = new Error('no database');
    await shutdown.run(async () => {
      shutdown.onStop('broker', 100, () => void stopped.push('broker'));
      throw failure;
    });
    await shutdown.stop('anything', 0);
    expect(stopped).toEqual(['broker']);
    expect(exits).toEqual([1]);
    expect(failures).toEqual([failure]);
  });

  test('after a part that fails later says why, the first time only', async () => {
    const { shutdown, exits, failures } = coordinator();
    const failure = new Error('the database has gone away');
    shutdown.fail(failure);
    shutdown.fail(new Error('and so has all else'));
    await shutdown.stop('anything', 0);
    expect(exits).toEqual([1]);
    expect(failures).toEqual([failure]);
  });
});
