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

/** The same in the life of a reply of the agent: until its row, until it is handed over, and afterwards. */
export const REPLY_FAULT_POINTS = [
  'before insert-outbound',
  'before lock-outbox',
  'before hand-over-outbound',
  'before settle-outbound',
] as const;

/** The same for a message to a channel: it is admitted, handed over, and then its outcome is recorded. */
export const OUTBOUND_FAULT_POINTS = [
  'before insert-outbound',
  'before admit-commit',
  'after admit-commit',
  'before hand-over-outbound',
  'after hand-over-outbound',
  'before hand-over-commit',
  'after hand-over-commit',
  'before settle-outbound',
  'before settle-commit',
  'after settle-commit',
] as const;
export type OutboundFaultPoint = (typeof OUTBOUND_FAULT_POINTS)[number];

/** What a process is told by `FAULT_POINT` and `FAULT_SIGNAL` (SIGKILL or SIGSTOP); the fault happens once. */
export function faultEnvironment(
  point: FaultPoint | OutboundFaultPoint | (typeof REPLY_FAULT_POINTS)[number],
  signal: 'SIGKILL' | 'SIGSTOP',
  preload: string,
) {
  return { FAULT_POINT: point, FAULT_SIGNAL: signal, NODE_OPTIONS: `--import ${preload}` };
}
