import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';

import { z } from 'zod';

import { processIdentity } from './running-process.js';
import { StartError } from './start-error.js';

const LockHolder = z.object({ pid: z.int(), identity: z.string(), released: z.boolean() });
type LockHolder = z.infer<typeof LockHolder>;

/** A directory of which this process is the only user. */
export interface DataDirectory {
  /** Absolute. */
  path: string;
  /** Lets another process have it. */
  release(): void;
}

/**
 * Creates the directory if need be and takes it for this process, also from a holder that has died.
 * @throws {StartError} while another process holds it.
 *
 * The holder is whoever has the lock file of the highest number. A new holder adds the next number, which the file
 * system gives to only one, and the number of a released or dead holder is never used again; so nobody can delete or
 * replace a lock that was taken in the meantime.
 */
export function acquireDataDirectory(directory: string): DataDirectory {
  const path = resolve(directory);
  createPrivately(path);
  for (;;) {
    const highest = Math.max(0, ...lockNumbers(path));
    if (highest > 0) refuseIfHeld(path, highest);
    const mine = highest + 1;
    if (!placeLock(path, mine)) continue;
    if (Math.max(...lockNumbers(path)) > mine) {
      rmSync(lockFile(path, mine), { force: true });
      continue;
    }
    for (const older of lockNumbers(path)) if (older < mine) rmSync(lockFile(path, older), { force: true });
    return { path, release: () => release(path, mine) };
  }
}

function createPrivately(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    // Under root the database runs as another user, who has to pass through.
    if (process.getuid?.() === 0) chmodSync(path, 0o711);
  } catch (error) {
    throw new StartError(`The data directory ${path} cannot be made: ${(error as Error).message}.`);
  }
}

function refuseIfHeld(path: string, number: number): void {
  const holder = readHolder(path, number);
  if (holder === undefined || holder.released || processIdentity(holder.pid) !== holder.identity) return;
  throw new StartError(
    `The data directory ${path} is in use by process ${holder.pid}: stop that one, or name another directory with HOLDLINE_DATA_DIR.`,
  );
}

function placeLock(path: string, number: number): boolean {
  const complete = writeAside(path, { ...thisProcess(), released: false });
  try {
    linkSync(complete, lockFile(path, number));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new StartError(`The data directory ${path} cannot be locked: ${(error as Error).message}.`);
  } finally {
    rmSync(complete, { force: true });
  }
}

function release(path: string, number: number): void {
  // A directory that was deleted in the meantime is nobody's.
  if (!existsSync(path)) return;
  renameSync(writeAside(path, { ...thisProcess(), released: true }), lockFile(path, number));
}

function writeAside(path: string, holder: LockHolder): string {
  const file = join(path, `.lock-${randomBytes(6).toString('hex')}`);
  try {
    writeFileSync(file, JSON.stringify(holder), { flag: 'wx' });
  } catch (error) {
    throw new StartError(`The data directory ${path} cannot be written: ${(error as Error).message}.`);
  }
  return file;
}

function readHolder(path: string, number: number): LockHolder | undefined {
  try {
    return LockHolder.safeParse(JSON.parse(readFileSync(lockFile(path, number), 'utf8'))).data;
  } catch {
    return undefined;
  }
}

function lockNumbers(path: string): number[] {
  return readdirSync(path).flatMap((name) => /^lock\.(\d+)$/.exec(name)?.slice(1).map(Number) ?? []);
}

function lockFile(path: string, number: number): string {
  return join(path, `lock.${number}`);
}

function thisProcess(): Omit<LockHolder, 'released'> {
  return { pid: process.pid, identity: processIdentity(process.pid) ?? '' };
}
