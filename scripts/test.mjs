import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

import { hasChromium } from './setup/chromium.mjs';
import { requireNode } from './setup/node-version.mjs';
import { ROOT } from './setup/root.mjs';
import { setUp } from './setup/set-up.mjs';

/**
 * `npm test`: sets up like `npm start`, then runs every test, or those that its arguments name. The last line is
 * `<n> passed, <n> failed`; the exit code is 0 only if tests ran and none failed.
 */

/** Each worker brings a broker and several processes of its own, so more than this gains nothing. */
const MOST_WORKERS = 4;

requireNode();
await setUp();
await findNatsServer();
const leftOut = (await hasChromium()) ? [] : ['--testPathIgnorePatterns=/test/console/'];
const { code, results } = await runJest([...leftOut, ...process.argv.slice(2)]);
// A file that could not even be loaded counts as one test that failed.
const failed = (results?.numFailedTests ?? 0) + (results?.numRuntimeErrorTestSuites ?? 0);
const passed = results?.numPassedTests ?? 0;
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = code === 0 && failed === 0 && passed > 0 ? 0 : 1;

/** Installs it where possible, once, before the tests look for it at the same time. */
async function findNatsServer() {
  const { findNatsServer: find } = await import('../dist/apps/standalone/src/nats-server-binary.js');
  await find(process.env).catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
}

async function runJest(args) {
  const directory = mkdtempSync(join(tmpdir(), 'holdline-results-'));
  const outputFile = join(directory, 'results.json');
  const workers = Math.max(2, Math.min(MOST_WORKERS, availableParallelism()));
  const flags = [`--maxWorkers=${workers}`, '--json', `--outputFile=${outputFile}`, ...args];
  const jest = spawn(
    process.execPath,
    [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      join(ROOT, 'node_modules/jest/bin/jest.js'),
      ...flags,
    ],
    // With --json the results go to standard output as well; what people read goes to standard error.
    { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => jest.kill('SIGTERM'));
  const code = await new Promise((resolve) => jest.once('exit', resolve));
  const results = readResults(outputFile);
  rmSync(directory, { recursive: true, force: true });
  return { code, results };
}

function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
