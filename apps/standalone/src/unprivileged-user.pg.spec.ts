import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { makeTestDirectory } from '../../../test/harness/run.js';
import { findPostgresBinaries } from './postgres-binaries.js';
import { commandAs, unprivilegedUser } from './unprivileged-user.js';

describe('running PostgreSQL', () => {
  test('works from a project and a data directory that only their owner may enter, also under root', async () => {
    const closed = makeTestDirectory('closed');
    chmodSync(closed, 0o700);
    const { initdb } = await findPostgresBinaries();
    execFileSync('cp', ['-a', dirname(dirname(initdb)), join(closed, 'native')]);
    const data = join(closed, 'data');
    mkdirSync(data);
    const user = unprivilegedUser(data);
    if (user !== undefined) chownSync(data, user.uid, user.gid);

    const args = ['--pgdata', join(data, 'cluster'), '--username', 'holdline', '--auth=trust', '--no-sync'];
    const { command, args: allArgs, ...as } = commandAs(user, join(closed, 'native/bin/initdb'), args, data);
    const { status, stderr } = spawnSync(command, allArgs, { ...as, cwd: '/', encoding: 'utf8' });
    expect({ status, stderr }).toMatchObject({ status: 0 });
  });
});
