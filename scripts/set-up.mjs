import { requireNode } from './setup/node-version.mjs';
import { setUp } from './setup/set-up.mjs';

/** Installs the dependencies and builds, without starting anything. */

requireNode();
await setUp();
