import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';

import { StartError } from './start-error.js';

/** Somebody to run PostgreSQL as: it refuses to run as root. */
export interface UnprivilegedUser {
  uid: number;
  gid: number;
}

/**
 * Whom root runs PostgreSQL as: whoever owns the directory already, else `postgres` where the system has it, else
 * `nobody`; `undefined` for anybody but root, who runs it as themselves.
 */
export function unprivilegedUser(directory: string): UnprivilegedUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(directory, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new StartError(
    'PostgreSQL does not run as root, and this system has no user postgres or nobody: run npm start as another user.',
  );
}

/** A command line, and whom to run it as. */
export interface UserCommand extends Partial<UnprivilegedUser> {
  command: string;
  args: string[];
}

/**
 * How to run `program` as that user. Where a directory on the way is closed to everybody but root (a checkout under
 * `/root`), the program is given root's right to pass through directories, and nothing else of root's.
 */
export function commandAs(
  user: UnprivilegedUser | undefined,
  program: string,
  args: string[],
  directory: string,
): UserCommand {
  if (user === undefined) return { command: program, args };
  if (canReach(user, program, directory)) return { command: program, args, ...user };
  for (const capability of ['dac_read_search', 'dac_override']) {
    const asUser = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--no-new-privs'];
    // The secure bit makes the right count in access(2) as well, by which initdb looks for its programs.
    const right = [`--inh-caps=+${capability}`, `--ambient-caps=+${capability}`, '--securebits=+no_setuid_fixup'];
    const prefix = [...asUser, ...right];
    if (spawnSync('setpriv', [...prefix, program, '--version']).status === 0) {
      return { command: 'setpriv', args: [...prefix, program, ...args] };
    }
  }
  throw new StartError(
    `PostgreSQL does not run as root, and the user it would run as cannot reach ${directory}: move the project out of that directory, run it as another user, or set DATABASE_URL.`,
  );
}

function canReach(user: UnprivilegedUser, program: string, directory: string): boolean {
  const check = spawnSync('/bin/sh', ['-c', '[ -x "$0" ] && [ -x "$1" ]', program, directory], { cwd: '/', ...user });
  return check.status === 0;
}
