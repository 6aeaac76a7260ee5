import { useSyncExternalStore } from 'react';

const EVERY_MS = 15_000;

const listeners = new Set<() => void>();
let nowMs = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

/** The time, by steps that are fine enough for ages. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => nowMs);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, EVERY_MS);
  tick();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  const now = Date.now();
  if (now - nowMs < EVERY_MS / 2) return;
  nowMs = now;
  for (const listener of listeners) listener();
}
