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

/** Ends every process that the run has left and removes the directory; at once, so that it works while we exit. */
export function clearRunDirectory(directory) {
  const pids = listPids(directory).filter((pid) => belongsTo(directory, pid));
  for (const pid of pids) signal(pid, 'SIGQUIT');
  const deadline = Date.now() + 3_000;
  while (pids.some(isAlive) && Date.now() < deadline) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  for (const pid of pids) signal(pid, 'SIGKILL');
  rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

function hasLivingOwner(directory) {
  try {
    return isAlive(Number(readFileSync(join(directory, 'owner'), 'utf8')));
  } catch {
    return false;
  }
}

function listPids(directory) {
  try {
    return readdirSync(join(directory, 'pids')).map(Number);
  } catch {
    return [];
  }
}

/** Numbers of processes are used again: only one that names the run's directory is one of its servers. */
function belongsTo(directory, pid) {
  return ['cmdline', 'environ'].some((file) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8').includes(directory);
    } catch {
      return false;
    }
  });
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
