import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ensureDatabase, startEmbeddedPostgres } from '../dist/apps/standalone/src/embedded-postgres.js';
import { createDataSource } from '../dist/libs/store/data-source.js';
import { migrate } from '../dist/libs/store/migrate.js';
import { dumpSchema } from '../dist/libs/store/schema-dump.js';
import { ROOT } from './setup/root.mjs';

/** `npm run schema`: migrates an empty database and writes down what that made, to be committed with the migration. */

const DATABASE = 'schema';

const directory = mkdtempSync(join(tmpdir(), 'holdline-schema-'));
const postgres = await startEmbeddedPostgres({
  directory: join(directory, 'postgres'),
  logFile: join(directory, 'postgres.log'),
  signal: new AbortController().signal,
});
try {
  await ensureDatabase(postgres, DATABASE);
  const dataSource = createDataSource({ url: postgres.url(DATABASE), poolSize: 1, applicationName: 'schema' });
  await dataSource.initialize();
  await migrate(dataSource);
  writeFileSync(join(ROOT, 'libs/store/schema.sql'), await dumpSchema(dataSource));
  await dataSource.destroy();
} finally {
  await postgres.server.stop();
  rmSync(directory, { recursive: true, force: true });
}
