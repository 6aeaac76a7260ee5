import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { acquireDataDirectory } from './data-directory.js';
import { processIdentity } from './running-process.js';
import { StartError } from './start-error.js';

describe('the data directory', () => {
  let parent: string;
  let path: string;
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'holdline-data-'));
    path = join(parent, 'deep', 'data');
  });
  afterEach(() => rmSync(parent, { recursive: true }));

  const locks = () => readdirSync(path).filter((name) => name.startsWith('lock.') || name.startsWith('.lock'));
  const leaveLock = (holder: unknown, number = 1) => {
    acquireDataDirectory(path).release();
    rmSync(join(path, 'lock.1'));
    writeFileSync(join(path, `lock.${number}`), JSON.stringify(holder));
  };

  test('is made when it is missing, for its owner alone', () => {
    expect(acquireDataDirectory(path).path).toBe(path);
    expect(statSync(path).mode & 0o066).toBe(0);
  });

  test('is refused to a second user, with the number of the process that has it', () => {
    acquireDataDirectory(path);
    const refusal = `The data directory ${path} is in use by process ${process.pid}: `;
    expect(() => acquireDataDirectory(path)).toThrow(StartError);
    expect(() => acquireDataDirectory(path)).toThrow(refusal);
  });

  test('can be had again once it was released, and keeps one lock file', () => {
    for (let use = 0; use < 3; use++) acquireDataDirectory(path).release();
    acquireDataDirectory(path);
    expect(locks()).toEqual(['lock.4']);
  });

  test('is taken over from a process that was killed', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    await once(child, 'spawn');
    leaveLock({ pid: child.pid, identity: processIdentity(child.pid as number), released: false });
    expect(() => acquireDataDirectory(path)).toThrow(`in use by process ${child.pid}`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    acquireDataDirectory(path);
    expect(locks()).toEqual(['lock.2']);
  });

  test('is taken over when another process has the number of the one that was killed', () => {
    leaveLock({ pid: process.pid, identity: 'before the machine was started again:4711', released: false });
    acquireDataDirectory(path);
    expect(locks()).toEqual(['lock.2']);
  });

  test('is taken over from a lock that cannot be read', () => {
    leaveLock('garbage', 7);
    acquireDataDirectory(path);
    expect(locks()).toEqual(['lock.8']);
  });

  test('is released without a word when somebody has deleted it', () => {
    const directory = acquireDataDirectory(path);
    rmSync(path, { recursive: true });
    directory.release();
  });

  test('is refused in one sentence where it cannot be made', () => {
    writeFileSync(join(parent, 'file'), '');
    expect(() => acquireDataDirectory(join(parent, 'file', 'data'))).toThrow(/^The data directory .* cannot be made: /);
  });
});

describe('the identity of a process', () => {
  test('stays the same while it runs and is another one for another process', () => {
    expect(processIdentity(process.pid)).toBe(processIdentity(process.pid));
    expect(processIdentity(process.pid)).not.toBe(processIdentity(process.ppid));
  });

  test('is none once it has ended', async () => {
    const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
    await once(child, 'exit');
    expect(processIdentity(child.pid as number)).toBeUndefined();
  });
});
