/** What a process needs to do its work, by name: `true`, or a sentence about what is wrong. */
export type Readiness = Record<string, true | string>;

/** Resolves when what it checks is well; its error says what is not. */
export type ReadinessCheck = (signal: AbortSignal) => Promise<unknown>;

/** Runs all checks at once. One that has no answer within `limitMs` fails, and its signal aborts. */
export async function runChecks(checks: Record<string, ReadinessCheck>, limitMs: number): Promise<Readiness> {
  const results = Object.entries(checks).map(async ([name, check]) => [name, await runCheck(check, limitMs)] as const);
  return Object.fromEntries(await Promise.all(results));
}

/** The names of the checks that fail. */
export function failing(readiness: Readiness): string[] {
  return Object.keys(readiness).filter((name) => readiness[name] !== true);
}

async function runCheck(check: ReadinessCheck, limitMs: number): Promise<true | string> {
  const signal = AbortSignal.timeout(limitMs);
  const timeout = new Promise<string>((resolve) => {
    signal.addEventListener('abort', () => resolve(`No answer within ${limitMs} ms.`), { once: true });
  });
  try {
    return await Promise.race([check(signal).then(() => true as const), timeout]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
