import { fileURLToPath } from 'node:url';

/** The directory of package.json, without a slash at the end. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');
