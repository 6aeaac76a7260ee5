import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Ends a child that `forkService` started. */
export type StopService = () => Promise<void>;

/** Runs a module as a process that says `listening` when it is ready, and that ends when its parent lets go of it. */
export async function forkService(module: URL, env: NodeJS.ProcessEnv): Promise<StopService> {
  const child = fork(module, { env: { ...process.env, ...env } });
  const exited = once(child, 'exit');
  const [first] = (await Promise.race([once(child, 'message'), exited])) as unknown[];
  if (first !== 'listening') throw new Error(`${module.pathname} ended before it listened.`);
  return async () => {
    if (child.connected) child.disconnect();
    await exited;
  };
}
