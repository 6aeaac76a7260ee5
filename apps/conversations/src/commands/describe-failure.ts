import { isNativeError } from 'node:util/types';

/** What may be logged of a failure. The messages of PostgreSQL and of parsers quote data, so those are left out. */
export interface FailureDescription {
  name: string;
  message?: string;
  code?: string;
  constraint?: string;
  routine?: string;
  frames?: string[];
}

const QUOTES_DATA = new Set(['SyntaxError', 'QueryFailedError']);
const SQLSTATE = /^[0-9A-Z]{5}$/;

export function describeFailure(error: unknown): FailureDescription {
  if (!isNativeError(error)) return { name: typeof error };
  const { code, constraint, routine } = error as { code?: unknown; constraint?: unknown; routine?: unknown };
  const fromDatabase = typeof code === 'string' && SQLSTATE.test(code);
  const frames = error.stack?.split('\n').filter((line) => line.startsWith('    at '));
  return {
    name: error.name,
    ...(fromDatabase || QUOTES_DATA.has(error.name) ? {} : { message: error.message }),
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
    ...(typeof routine === 'string' ? { routine } : {}),
    ...(frames === undefined ? {} : { frames }),
  };
}
