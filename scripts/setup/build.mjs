import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './root.mjs';
import { runCommand } from './run-command.mjs';

const SOURCE_DIRECTORIES = ['apps', 'libs', 'test', 'bench'];
const SETTINGS_FILES = ['package.json', 'package-lock.json', 'nest-cli.json', 'tsconfig.json', 'tsconfig.build.json'];
const SOURCE = /\.(ts|tsx|css|html|svg)$|^apps\/console\/.*\.json$/;
/** Holds the hash of the sources that dist was built from. */
const STAMP = 'dist/.built-from';

/** Whether dist was built from the sources as they are now. */
export function isBuilt() {
  try {
    return readFileSync(join(ROOT, STAMP), 'utf8') === sourceHash();
  } catch {
    return false;
  }
}

export async function build() {
  console.error('Building.');
  const hash = sourceHash();
  const nest = join(ROOT, 'node_modules/@nestjs/cli/bin/nest.js');
  await runCommand(process.execPath, [nest, 'build'], 'The build failed: the compiler says why above.');
  const vite = [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', '--config', 'apps/console/vite.config.ts'];
  await runCommand(process.execPath, vite, "The console's build failed: vite says why above.");
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  writeFileSync(join(ROOT, STAMP), hash);
}

function sourceHash() {
  const hash = createHash('sha256');
  for (const file of [...SETTINGS_FILES, ...SOURCE_DIRECTORIES.flatMap(listSources)]) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

/** Those that the compiler or vite takes. */
function listSources(directory) {
  return readdirSync(join(ROOT, directory), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${directory}/${entry.name}`;
      if (entry.isDirectory()) return listSources(path);
      return SOURCE.test(path) && !/spec\.ts$/.test(path) ? [path] : [];
    });
}
