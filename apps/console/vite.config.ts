import { join } from 'node:path';

import { defineConfig } from 'vite';

const CONSOLE = import.meta.dirname;
const ROOT = join(CONSOLE, '../..');

/** The gateway that `vite dev` passes requests on to: that of `npm start`. */
const GATEWAY = 'http://127.0.0.1:8080';

export default defineConfig({
  root: CONSOLE,
  resolve: { alias: [{ find: /^#contracts\/(.*)\.js$/, replacement: join(ROOT, 'libs/contracts/$1.ts') }] },
  build: {
    outDir: join(ROOT, 'dist/apps/console'),
    emptyOutDir: true,
    target: 'es2023',
    // The content security policy allows no data: URLs, and nothing here is small enough to be worth one.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
    // Libraries mark what runs in browsers only, which is all there is here.
    rolldownOptions: { onLog: (level, log, handle) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && handle(level, log) },
  },
  server: {
    proxy: Object.fromEntries(['/rpc', '/session', '/events', '/readyz', '/metrics'].map((path) => [path, GATEWAY])),
  },
});
