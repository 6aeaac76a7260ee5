import { build, isBuilt } from './build.mjs';
import { areDependenciesInstalled, installDependencies } from './dependencies.mjs';
import { withSetupLock } from './setup-lock.mjs';

/**
 * Installs what package-lock.json says and builds, each only when it was not yet done for what is there now. Several
 * starts at once do it one after the other. A failure ends the process with one sentence.
 */
export async function setUp() {
  if (areDependenciesInstalled() && isBuilt()) return;
  try {
    await withSetupLock(async () => {
      if (!areDependenciesInstalled()) await installDependencies();
      if (!isBuilt()) await build();
    });
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
