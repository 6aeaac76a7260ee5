/**
 * Places in the life of a batch where a process can be made to die or to stand still, in their order. A statement is
 * known by its name; `commit` is that of the transaction that stores the batch, `relay-commit` that of the relay.
 */
export const FAULT_POINTS = [
  'before move-cursor',
  'after move-cursor',
  'after lock-known-conversations',
  'after append-active-inbounds',
  'before commit',
  'after commit',
  'after read-outbox',
  'before publish',
  'after publish',
  'before delete-outbox',
  'before relay-commit',
  'after relay-commit',
] as const;
export type FaultPoint = (typeof FAULT_POINTS)[number];

/** What a process is told by `FAULT_POINT` and `FAULT_SIGNAL` (SIGKILL or SIGSTOP); the fault happens once. */
export function faultEnvironment(point: FaultPoint, signal: 'SIGKILL' | 'SIGSTOP', preload: string) {
  return { FAULT_POINT: point, FAULT_SIGNAL: signal, NODE_OPTIONS: `--import ${preload}` };
}
