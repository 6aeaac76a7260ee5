import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';
import { z } from 'zod';

import { PROJECT_ROOT } from './project-root.js';

const Service = z.object({
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.union([z.string(), z.number()]).transform(String)).optional(),
  deploy: z.object({ replicas: z.int() }).optional(),
});
const ComposeFile = z.object({ services: z.record(z.string(), Service) });

/** What docker-compose.yml says about one service. */
export interface ComposeService {
  command: string[];
  env: Record<string, string>;
  replicas: number;
}

/**
 * Reads the services of docker-compose.yml as `docker compose` would run them.
 * @param variables what `.env` would hold; a variable that is required and not given is an error.
 */
export function readComposeServices(variables: Record<string, string>): Record<string, ComposeService> {
  const text = readFileSync(join(PROJECT_ROOT, 'docker-compose.yml'), 'utf8');
  const { services } = ComposeFile.parse(parse(text, { merge: true }));
  return Object.fromEntries(
    Object.entries(services).map(([name, { command = [], environment = {}, deploy }]) => {
      const env = Object.entries(environment).map(([key, value]) => [key, interpolate(value, variables)] as const);
      return [name, { command, env: Object.fromEntries(env), replicas: deploy?.replicas ?? 1 }];
    }),
  );
}

/** `${NAME}`, `${NAME:-default}` and `${NAME:?complaint}`. */
function interpolate(value: string, variables: Record<string, string>): string {
  return value.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, operator = '', rest = '') => {
    const given = variables[name];
    if (given) return given;
    if (operator === '-') return String(rest);
    throw new Error(`docker-compose.yml needs ${name}: ${String(rest)}`);
  });
}
