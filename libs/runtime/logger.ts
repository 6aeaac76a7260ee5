import { type DestinationStream, pino, type Logger as PinoLogger } from 'pino';

/** Structured log: one JSON object a line. `correlation_id` ties a line to the command that it belongs to. */
export type Logger = PinoLogger;

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * Fields that hold what people wrote, or secrets. They are left out wherever they turn up near the top of a log line;
 * the first defence is not to log them.
 */
const PRIVATE_FIELDS = ['body', 'payload', 'summary', 'summary_for_agent', 'attachments', 'token', 'password'];

/**
 * A logger that writes to standard error: standard output is for the ready line.
 * @param service shown as `service` on each line.
 */
export function createLogger(
  service: string,
  level: LogLevel = 'info',
  destination: DestinationStream = pino.destination({ dest: 2, sync: true }),
): Logger {
  return pino(
    {
      level,
      base: { service, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: PRIVATE_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: '[private]' },
    },
    destination,
  );
}
