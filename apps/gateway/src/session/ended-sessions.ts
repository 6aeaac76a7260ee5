import type { Session } from './session-seal.js';

/** Sessions that were logged out before they expired, as long as their cookies would still open. */
export class EndedSessions {
  private readonly expiresAtMs = new Map<string, number>();

  constructor(private readonly now: () => number = Date.now) {}

  note({ id, expiresAtMs }: Pick<Session, 'id' | 'expiresAtMs'>): void {
    const now = this.now();
    for (const [other, expires] of this.expiresAtMs) if (expires <= now) this.expiresAtMs.delete(other);
    this.expiresAtMs.set(id, expiresAtMs);
  }

  has(id: string): boolean {
    return this.expiresAtMs.has(id);
  }
}
