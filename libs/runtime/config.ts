import { z } from 'zod';

/** A setting that cannot be used: one sentence that names it, what it holds and what it should hold. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads settings from environment variables. The keys of the schema are the names of the variables; a variable that is
 * set to nothing counts as not set.
 * @throws {ConfigError} with every setting that does not fit.
 */
export function loadConfig<Schema extends z.ZodObject>(schema: Schema, env: NodeJS.ProcessEnv): z.infer<Schema> {
  const given = Object.keys(schema.shape).flatMap((name) => (env[name] ? [[name, env[name]]] : []));
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  throw new ConfigError(parsed.error.issues.map((issue) => describeIssue(issue, env)).join(' '));
}

/** A whole number within bounds, written in decimal digits. */
export function integerSetting(bounds: { min: number; max: number }) {
  const message = `must be a whole number from ${bounds.min} to ${bounds.max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= bounds.min && value <= bounds.max, message);
}

/** A URL of one of the given schemes, such as `postgres`. */
export function urlSetting(...schemes: string[]) {
  const fits = (value: string) => URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1));
  return z.string().refine(fits, `must be a URL that begins with ${schemes.map((s) => `${s}://`).join(' or ')}`);
}

/** How to reach the broker: servers of one cluster, and whom to log in as. */
export interface BrokerAddress {
  /** `nats://host:port`, without credentials. */
  servers: string[];
  user?: string;
  pass?: string;
}

/** `nats://user:password@host:port`; several servers of one cluster are separated by commas, credentials are the first's. */
export function brokerSetting() {
  const message = 'must be nats://host:port, or several of them separated by commas';
  return z
    .string()
    .refine((value) => value.split(',').every((url) => URL.canParse(url) && /^(nats|tls):/.test(url)), message)
    .transform(parseBroker);
}

function parseBroker(value: string): BrokerAddress {
  const urls = value.split(',').map((url) => new URL(url));
  const [user, pass] = [urls[0]?.username, urls[0]?.password].map((part) => decodeURIComponent(part ?? ''));
  return {
    servers: urls.map(({ protocol, host }) => `${protocol}//${host}`),
    ...(user ? { user } : {}),
    ...(pass ? { pass } : {}),
  };
}

function describeIssue(issue: z.core.$ZodIssue, env: NodeJS.ProcessEnv): string {
  const name = String(issue.path[0]);
  const value = env[name];
  if (value === undefined || value === '') return `${name} must be set.`;
  // A URL or a token may hold a password.
  const shown = /URL|TOKEN|PASSWORD|SECRET/.test(name) ? '' : `, but is ${JSON.stringify(value)}`;
  return `${name} ${issue.message}${shown}.`;
}
