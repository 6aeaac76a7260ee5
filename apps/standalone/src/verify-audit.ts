import 'reflect-metadata';

import { ConfigError } from '#runtime/config.js';
import { createLogger } from '#runtime/logger.js';
import { ShutdownCoordinator } from '#runtime/shutdown.js';
import { createDataSource } from '#store/data-source.js';
import { verifyAuditLog } from '#store/verify-audit-log.js';

import { describeVerification, isWhole } from './audit-report.js';
import { findDatabase } from './find-database.js';
import { reportFailure } from './report-failure.js';
import { readVerifyConfig } from './verify-audit-config.js';

/** Exit codes: 0 = the log is whole, 1 = it could not be read, 2 = the settings are wrong, 3 = it is not whole. */
const FAILED = 1;
const WRONG_SETTINGS = 2;
const NOT_WHOLE = 3;

let exitCode = FAILED;
const logger = createLogger('audit-verify', 'warn');
const shutdown = new ShutdownCoordinator({
  logger,
  totalLimitMs: 8_500,
  reportFailure: (error) => {
    if (error instanceof ConfigError) exitCode = WRONG_SETTINGS;
    reportFailure(error, logger);
  },
  exit: () => process.exit(exitCode),
});

void shutdown.run(async () => {
  const { databaseUrl, dataDirectory, kept } = readVerifyConfig(process.env, process.argv.slice(2));
  const url = databaseUrl ?? (await findDatabase(dataDirectory, shutdown));
  const dataSource = createDataSource({ url, poolSize: 1, applicationName: 'holdline audit:verify' });
  await dataSource.initialize();
  shutdown.onStop('the connection', 1_000, () => dataSource.destroy());
  const verification = await verifyAuditLog(dataSource, kept);
  process.stdout.write(`${describeVerification(verification).join('\n')}\n`);
  exitCode = isWhole(verification) ? 0 : NOT_WHOLE;
  void shutdown.stop('done', exitCode);
});
