import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { runCommand } from './run-command.mjs';

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome'];

/**
 * Whether the tests of the console have a browser: HOLDLINE_CHROMIUM, else one on the PATH, else Debian's, installed
 * where root may do so. Without one they are left out, and a line on standard error says so.
 */
export async function hasChromium() {
  if (isThere()) return true;
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    console.error('There is no Chromium on the PATH: installing it with apt-get.');
    await install().catch((error) => console.error(error.message));
    if (isThere()) return true;
  }
  console.error(
    'SKIPPED: the tests of the console in a browser (test/console), because there is no Chromium. Install it, or set HOLDLINE_CHROMIUM to its path.',
  );
  return false;
}

function isThere() {
  const directories = (process.env['PATH'] ?? '').split(delimiter);
  const onPath = PROGRAMS.flatMap((program) => directories.map((directory) => join(directory, program)));
  return [process.env['HOLDLINE_CHROMIUM'] ?? '', ...onPath].some((path) => path !== '' && existsSync(path));
}

async function install() {
  const failure = 'apt-get could not install chromium: its output is above.';
  await runCommand('apt-get', ['update'], failure);
  const flags = ['--yes', '--no-install-recommends', '-o', 'Dpkg::Use-Pty=0'];
  await runCommand('env', ['DEBIAN_FRONTEND=noninteractive', 'apt-get', 'install', ...flags, 'chromium'], failure);
}
