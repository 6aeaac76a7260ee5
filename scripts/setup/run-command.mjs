import { spawn } from 'node:child_process';

import { ROOT } from './root.mjs';

const running = new Set();
let stopping = false;

/**
 * Runs a command in the project's directory. All it writes goes to standard error, because standard output belongs to
 * the result. It has a process group of its own, so that `stopCommands` reaches all that it has started.
 * @throws Error with `failure` as its message when the command does not succeed.
 */
export async function runCommand(command, args, failure) {
  const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', process.stderr, process.stderr], detached: true });
  const ended = new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', resolve);
  });
  running.add({ child, ended });
  const code = await ended;
  // Whoever stops us ends the process; nothing more is to be run until then.
  if (stopping) await new Promise(() => undefined);
  if (code !== 0) throw new Error(failure);
}

/** Ends what is running, with all that it has started; no other command is begun. */
export async function stopCommands() {
  stopping = true;
  await Promise.all([...running].map(stopCommand));
}

async function stopCommand({ child, ended }) {
  const kill = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // Nobody of the group is left.
    }
  };
  kill('SIGTERM');
  const timer = setTimeout(() => kill('SIGKILL'), 2_000);
  await ended;
  clearTimeout(timer);
  kill('SIGKILL');
}
