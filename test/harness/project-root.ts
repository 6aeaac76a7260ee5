import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The directory of package.json. */
export const PROJECT_ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Path of an app's compiled main module, for tests that run it as a process of its own. */
export function compiledMain(app: string): string {
  const path = join(PROJECT_ROOT, `dist/apps/${app}/src/main.js`);
  if (!existsSync(path)) throw new Error(`${path} is missing: build first (npm run build), or use npm test.`);
  return path;
}
