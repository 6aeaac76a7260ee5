import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomUUID } from 'node:crypto';

import { z } from 'zod';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PURPOSE = 'holdline session';

const Session = z.object({ id: z.string(), token: z.string(), expiresAtMs: z.int() });

/** A browser's log-in. */
export type Session = z.infer<typeof Session>;

/**
 * Keeps sessions in the browser's own cookie, encrypted and authenticated, so that any gateway that has the same key can
 * read them and none has to store them.
 */
export class SessionSeal {
  private readonly key: Buffer;

  /** @param secret a random one if absent; then sessions end with the process */
  constructor(
    secret: string | undefined,
    private readonly lifetimeMs: number,
    private readonly now: () => number = Date.now,
  ) {
    this.key = Buffer.from(hkdfSync('sha256', secret ?? randomBytes(KEY_BYTES), '', PURPOSE, KEY_BYTES));
  }

  /** A new session of the token's owner, and its sealed text in URL-safe characters. */
  begin(token: string): { session: Session; sealed: string } {
    const session = { id: randomUUID(), token, expiresAtMs: this.now() + this.lifetimeMs };
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, nonce).setAAD(Buffer.from(PURPOSE));
    const encrypted = Buffer.concat([cipher.update(JSON.stringify(session), 'utf8'), cipher.final()]);
    return { session, sealed: Buffer.concat([nonce, encrypted, cipher.getAuthTag()]).toString('base64url') };
  }

  /** Undefined for what was not sealed with this key, was changed, or has expired. */
  open(sealed: string): Session | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined;
    const decipher = createDecipheriv(CIPHER, this.key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(PURPOSE))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
      const session = Session.parse(JSON.parse(text.toString('utf8')));
      return session.expiresAtMs > this.now() ? session : undefined;
    } catch {
      return undefined;
    }
  }
}
