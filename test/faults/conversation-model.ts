/** An inbound as the model knows it: its text, and its place in the order of arrival. */
interface Line {
  body: string;
  place: number;
}

/** A turn that the agent was given. */
interface GivenTurn {
  inbounds: { body: string; answered: boolean }[];
  lastPlace: number;
  /** How often the conversation had been handed back. */
  period: number;
}

/** What happens to a conversation. `index` chooses among what there is. */
export type Step =
  | { kind: 'inbound' }
  | { kind: 'copy'; index: number }
  | { kind: 'pause'; operator: string }
  | { kind: 'resume' }
  | { kind: 'answer' | 'done'; index: number }
  | { kind: 'reply'; operator: string }
  | { kind: 'send_draft' | 'discard_draft'; index: number; operator: string };

/** All that Holdline promises of one conversation, as a few lists. */
export class ConversationModel {
  /** Turns and Holds, in the order in which they were published. */
  readonly told: (GivenTurn | 'hold')[] = [];
  readonly transcript: string[] = [];
  /** What the channel was asked to send. */
  readonly sent: string[] = [];
  readonly drafts: { body: string; status: 'open' | 'sent' | 'discarded' }[] = [];
  readonly inbounds: Line[] = [];
  evicted: string[] = [];
  waiting: Line[] = [];
  private stamped: Line[] = [];
  private holder: string | undefined;
  private period = 0;
  private answered = -1;
  private answeredByOperator = -1;

  constructor(private readonly cap: number) {}

  get turns(): GivenTurn[] {
    return this.told.filter((each) => each !== 'hold');
  }

  /** @returns what whoever does this is told, in a word */
  apply(step: Step, body: string): string {
    switch (step.kind) {
      case 'inbound':
        return this.arrive(body);
      case 'copy':
        return 'nothing';
      case 'pause':
        return this.pause(step.operator);
      case 'resume':
        return this.resume();
      case 'answer':
        return this.answer(this.turns[step.index % this.turns.length], body);
      case 'done':
        return this.done(this.turns[step.index % this.turns.length]);
      case 'reply':
        return this.reply(step.operator, body);
      case 'send_draft':
        return this.sendDraft(this.drafts[step.index % this.drafts.length], step.operator);
      case 'discard_draft':
        return this.discardDraft(this.drafts[step.index % this.drafts.length]);
      default:
        return step satisfies never;
    }
  }

  private arrive(body: string): string {
    const line = { body, place: this.inbounds.length };
    this.inbounds.push(line);
    if (this.holder === undefined) {
      this.stamp([line]);
      this.give([line]);
    } else {
      this.waiting.push(line);
      while (this.waiting.length > this.cap) this.evicted.push((this.waiting.shift() as Line).body);
    }
    return 'nothing';
  }

  private pause(operator: string): string {
    if (this.holder !== undefined) return 'unchanged';
    this.holder = operator;
    this.told.push('hold');
    return 'changed';
  }

  private resume(): string {
    if (this.holder === undefined) return 'unchanged';
    this.holder = undefined;
    this.period += 1;
    const asked = [...this.stamped.filter(({ place }) => place > this.answered), ...this.waiting];
    this.stamp(this.waiting);
    this.waiting = [];
    if (asked.length > 0) this.give(asked);
    return 'changed';
  }

  private answer(turn: GivenTurn | undefined, body: string): string {
    if (turn === undefined) return 'nothing';
    if (this.holder !== undefined || turn.period !== this.period) {
      this.drafts.push({ body, status: 'open' });
      return this.holder === undefined ? 'stale_epoch' : 'paused';
    }
    this.sent.push(body);
    this.transcript.push(body);
    this.answered = Math.max(this.answered, turn.lastPlace);
    return 'sent';
  }

  private done(turn: GivenTurn | undefined): string {
    if (turn === undefined) return 'nothing';
    if (turn.period !== this.period || turn.lastPlace <= this.answered) return 'unchanged';
    this.answered = turn.lastPlace;
    return 'changed';
  }

  private reply(operator: string, body: string): string {
    if (this.holder === undefined) return 'scope_not_paused';
    if (this.holder !== operator) return 'held_by_other_operator';
    this.sent.push(body);
    this.answeredByOperator = this.inbounds.length - 1;
    this.answered = Math.max(this.answered, this.answeredByOperator);
    return 'changed';
  }

  private sendDraft(draft: ConversationModel['drafts'][number] | undefined, operator: string): string {
    if (draft === undefined) return 'nothing';
    if (draft.status !== 'open') return 'draft_closed';
    const outcome = this.reply(operator, draft.body);
    if (outcome === 'changed') draft.status = 'sent';
    return outcome;
  }

  private discardDraft(draft: ConversationModel['drafts'][number] | undefined): string {
    if (draft === undefined) return 'nothing';
    if (draft.status !== 'open') return 'draft_closed';
    draft.status = 'discarded';
    return 'changed';
  }

  private stamp(lines: Line[]): void {
    this.stamped = [...this.stamped, ...lines];
    this.transcript.push(...lines.map(({ body }) => body));
  }

  private give(lines: Line[]): void {
    this.told.push({
      inbounds: lines.map(({ body, place }) => ({ body, answered: place <= this.answeredByOperator })),
      lastPlace: (lines.at(-1) as Line).place,
      period: this.period,
    });
  }
}
