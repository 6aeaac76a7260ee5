import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The directory of this jest run; everything in it is gone when the run ends. */
export function runDirectory(): string {
  const directory = process.env['HOLDLINE_TEST_RUN'];
  if (directory === undefined) throw new Error('Tests run with jest.config.mjs, whose global set-up was not run.');
  return directory;
}

/** A new directory within the run's. */
export function makeTestDirectory(kind: string): string {
  const directory = join(runDirectory(), `${kind}-${randomBytes(6).toString('hex')}`);
  mkdirSync(directory);
  return directory;
}

/** Has the process ended with the run, even if this test process dies before it can do so. */
export function noteProcess(pid: number): void {
  writeFileSync(join(runDirectory(), 'pids', String(pid)), '');
}

/** For a process that has ended. */
export function forgetProcess(pid: number): void {
  rmSync(join(runDirectory(), 'pids', String(pid)), { force: true });
}
