import { clearRunDirectory, RUN_DIRECTORY_VARIABLE } from './run-directory.mjs';

/** Runs once after all test files. */
export default function tearDown() {
  clearRunDirectory(process.env[RUN_DIRECTORY_VARIABLE]);
}
