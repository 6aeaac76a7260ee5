import { requireNode } from './setup/node-version.mjs';
import { setUp } from './setup/set-up.mjs';
import { stopCommands } from './setup/run-command.mjs';

/** `npm start`: makes a fresh checkout runnable, then becomes Holdline itself, so that signals reach it directly. */

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'];
const stop = () => void stopCommands().then(() => process.exit(0));

requireNode();
for (const signal of SIGNALS) process.on(signal, stop);
await setUp();
// Holdline answers signals from the moment it is loaded; until then there is nothing to stop.
await import('../dist/apps/standalone/src/main.js');
for (const signal of SIGNALS) process.off(signal, stop);
