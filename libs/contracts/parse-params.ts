import type * as z from 'zod';
import { invalidParams, type RpcError } from './errors.js';

/**
 * Params that fit the schema. Absent or `null` params are read as `{}`.
 * Throws `invalid_params` whose `data.path` is the first place that does not fit, such as `scope.agent_id`, or
 * `params` when they are no object at all.
 */
export function parseParams<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value ?? {});
  if (result.success) return result.data;
  throw invalidParamsOf(result.error);
}

/** The `invalid_params` error for the first issue of a failed parse. */
export function invalidParamsOf(error: z.ZodError): RpcError {
  const issue = error.issues[0];
  if (issue === undefined) return invalidParams('params', 'do not fit');
  const { path, message } = deepest(issue);
  const place = path.length === 0 ? 'params' : path.map(String).join('.');
  return invalidParams(place, `${place}: ${message}`);
}

interface Place {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Within a union, the issue that got furthest tells most. */
function deepest(issue: z.core.$ZodIssue): Place {
  if (issue.code !== 'invalid_union') return issue;
  if ('options' in issue && issue.options !== undefined)
    return { path: issue.path, message: `must be one of ${issue.options.join(', ')}` };
  const nested = issue.errors
    .flatMap((issues) => issues.map(deepest))
    .map((place) => ({ path: [...issue.path, ...place.path], message: place.message }));
  return nested.reduce<Place>((best, place) => (place.path.length > best.path.length ? place : best), issue);
}
