import type { JsMsg } from '@nats-io/jetstream';

/** A message of the turn stream, to be acknowledged. */
export type TurnMessage = Pick<JsMsg, 'seq' | 'subject' | 'json' | 'ack' | 'nak' | 'working'>;

/**
 * Puts what a predecessor left unfinished before what is new. After a crash the server sends unacknowledged messages
 * again only when their time is over, and newer ones at once: these have to wait until the older ones are back.
 */
export class TurnIntake {
  private readonly kept: TurnMessage[] = [];

  constructor(
    private waits: boolean,
    private readonly pass: (message: TurnMessage) => void,
  ) {}

  /** True while messages are kept back. */
  get isWaiting(): boolean {
    return this.waits;
  }

  /** What was not passed on yet. */
  get waiting(): readonly TurnMessage[] {
    return this.kept;
  }

  add(message: TurnMessage): void {
    if (!this.waits) return this.pass(message);
    const known = this.kept.findIndex(({ seq }) => seq === message.seq);
    if (known === -1) this.kept.push(message);
    else this.kept[known] = message;
  }

  /** Passes on what is there, in the order of the stream, and from now on each message as it comes. */
  release(): void {
    this.waits = false;
    for (const message of this.kept.splice(0).sort((a, b) => a.seq - b.seq)) this.pass(message);
  }
}
