import { mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { ROOT } from './root.mjs';

const DIRECTORY = join(ROOT, '.holdline-setup');
const LOCK = join(DIRECTORY, 'lock');
const BEAT_MS = 1_000;
/** A lock that was not touched for so long belongs to a process that has died. */
const STALE_MS = 15_000;

/** Runs `work` while no other process in this checkout runs its own. */
export async function withSetupLock(work) {
  await takeLock();
  const beat = setInterval(touch, BEAT_MS);
  const release = () => rmSync(LOCK, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    process.off('exit', release);
    release();
  }
}

async function takeLock() {
  mkdirSync(DIRECTORY, { recursive: true });
  for (let waits = 0; ; waits++) {
    try {
      writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (waits === 0) console.error('Waiting for another process that is setting up this checkout.');
    if (ageMs() > STALE_MS) rmSync(LOCK, { force: true });
    await sleep(200);
  }
}

function touch() {
  try {
    utimesSync(LOCK, new Date(), new Date());
  } catch {
    // Whoever removed it takes us for dead; what we do is still right, only done twice.
  }
}

function ageMs() {
  return Date.now() - (statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
}
