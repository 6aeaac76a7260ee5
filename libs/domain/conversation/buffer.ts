/**
 * Where a conversation's buffer stands. Positions from `head` up to `tail` (exclusive) wait to be handed back; those
 * below `head` were evicted. Both only rise. Inbounds that a pause took back stand apart and are not counted here.
 */
export interface BufferWindow {
  head: number;
  tail: number;
}

/** An inbound's place in the buffer, and the head as it was right after its arrival. */
export interface Buffered {
  position: number;
  evictsBelow: number;
}

/**
 * Adds one inbound at the tail. Over the cap the oldest go first; with a cap of 0 the inbound itself goes at once.
 * A lowered cap works here, at the next arrival.
 * @returns the inbound's place, the window after it, and how many were evicted
 */
export function bufferOne(
  window: BufferWindow,
  cap: number,
): { placed: Buffered; next: BufferWindow; evicted: number } {
  const tail = window.tail + 1;
  const head = Math.max(window.head, tail - cap);
  return {
    placed: { position: window.tail, evictsBelow: head },
    next: { head, tail },
    evicted: head - window.head,
  };
}
