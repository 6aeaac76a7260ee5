/** What libs/broker needs of a logger; a pino logger fits as it is. */
export interface BrokerLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Drops everything. */
export const SILENT_LOGGER: BrokerLogger = { info: () => {}, warn: () => {}, error: () => {} };
