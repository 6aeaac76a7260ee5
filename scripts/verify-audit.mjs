import { requireNode } from './setup/node-version.mjs';
import { setUp } from './setup/set-up.mjs';

/** `npm run audit:verify`: makes a fresh checkout runnable, then looks whether the audit log is whole. */

requireNode();
await setUp();
await import('../dist/apps/standalone/src/verify-audit.js');
