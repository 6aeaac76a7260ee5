import { clearRunDirectory, makeRunDirectory, RUN_DIRECTORY_VARIABLE } from './run-directory.mjs';

/** Runs once before all test files. The servers themselves start with the first test that needs one. */
export default function setUp() {
  const directory = makeRunDirectory();
  process.env[RUN_DIRECTORY_VARIABLE] = directory;
  process.once('exit', () => clearRunDirectory(directory));
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(name, () => process.exit(1));
}
