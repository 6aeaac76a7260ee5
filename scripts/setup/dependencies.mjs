import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './root.mjs';
import { runCommand } from './run-command.mjs';

/**
 * Whether node_modules holds what package-lock.json says and nothing else. npm leaves its own list of what it has
 * installed there, as the last thing it does. Optional packages may be missing: most are for other systems.
 */
export function areDependenciesInstalled() {
  const installed = readPackages('node_modules/.package-lock.json');
  if (installed === undefined) return false;
  const wanted = readPackages('package-lock.json') ?? {};
  return Object.keys(installed).every((path) => path in wanted) && Object.entries(wanted).every(isInstalled);

  function isInstalled([path, { version, integrity, optional, devOptional, link }]) {
    if (path === '' || link) return true;
    const found = installed[path];
    if (found === undefined) return Boolean(optional || devOptional);
    return found.version === version && found.integrity === integrity;
  }
}

/** Installs exactly that. */
export function installDependencies() {
  console.error('Installing the dependencies (npm ci).');
  const flags = ['--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  return runCommand('npm', ['ci', ...flags], 'The dependencies could not be installed: npm ci says why above.');
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(join(ROOT, file), 'utf8')).packages;
  } catch {
    return undefined;
  }
}
