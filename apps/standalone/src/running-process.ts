import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * What makes a process itself rather than a later one with the same number: the machine's boot and the moment it began.
 * `undefined` when no such process runs; one that has ended but was not yet collected by its parent does not run.
 */
export function processIdentity(pid: number): string | undefined {
  if (process.platform !== 'linux') return psColumn(pid, 'lstart');
  const stat = readProcFile(pid, 'stat');
  if (stat === undefined) return undefined;
  // The second field is the command in brackets and may itself hold blanks and brackets.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return undefined;
  const startedAtTicks = fields[18];
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${startedAtTicks}`;
}

/** The arguments a process was started with, the program first; `undefined` when it does not run. */
export function processArguments(pid: number): string[] | undefined {
  if (processIdentity(pid) === undefined) return undefined;
  if (process.platform !== 'linux') return psColumn(pid, 'args')?.split(' ');
  return readProcFile(pid, 'cmdline')?.split('\0').slice(0, -1);
}

function readProcFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}

function psColumn(pid: number, column: string): string | undefined {
  try {
    return execFileSync('ps', ['-ww', '-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}
