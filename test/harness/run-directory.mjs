import {
  chmodSync,
  mkdtempSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'holdline-test-';

/** The name by which the test processes find the directory of their run. */
export const RUN_DIRECTORY_VARIABLE = 'HOLDLINE_TEST_RUN';

/** Makes the directory that holds all servers of this jest run, and clears away those of runs that were killed. */
export function makeRunDirectory() {
  const parent = realpathSync(tmpdir());
  for (const name of readdirSync(parent)) {
    if (name.startsWith(PREFIX) && !hasLivingOwner(join(parent, name))) clearRunDirectory(join(parent, name));
  }
  const directory = mkdtempSync(join(parent, PREFIX));
  // Under root the database runs as another user, who has to pass through.
  chmodSync(directory, 0o711);
  mkdirSync(join(directory, 'pids'));
  writeFileSync(join(directory, 'owner'), String(process.pid));
  return directory;
}

/**
 * Ends every process that the run has left, also those that such processes have started, and removes the directory; at
 * once, so that it works while we exit.
 */
export function clearRunDirectory(directory) {
  endAll(directory, 'SIGQUIT', 3_000);
  endAll(directory, 'SIGKILL', 2_000);
  rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

function endAll(directory, signalName, withinMs) {
  const deadline = Date.now() + withinMs;
  const signalled = new Set();
  for (let pids = leftProcesses(directory); pids.length > 0 && Date.now() < deadline; pids = leftProcesses(directory)) {
    for (const pid of pids) if (!signalled.has(pid)) signal(pid, signalName);
    for (const pid of pids) signalled.add(pid);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  }
}

/** Numbers of processes are used again: only one that names the run's directory is one of its own. */
function leftProcesses(directory) {
  const noted = listNumbers(join(directory, 'pids')).filter((pid) => mentions(pid, 'environ', directory));
  const named = listNumbers('/proc').filter((pid) => pid !== process.pid && mentions(pid, 'cmdline', directory));
  return [...new Set([...noted, ...named])];
}

function hasLivingOwner(directory) {
  try {
    return isAlive(Number(readFileSync(join(directory, 'owner'), 'utf8')));
  } catch {
    return false;
  }
}

function listNumbers(directory) {
  try {
    return readdirSync(directory).map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function mentions(pid, file, text) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').includes(text);
  } catch {
    return false;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself.
  }
}
