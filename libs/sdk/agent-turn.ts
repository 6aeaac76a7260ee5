import type { NatsConnection } from '@nats-io/nats-core';

import type { AgentDoneResult } from '#contracts/agent-done.js';
import type { AgentEscalateParams, AgentEscalateResult } from '#contracts/agent-escalate.js';
import type { AgentReplyResult } from '#contracts/agent-reply.js';
import type { Entry } from '#contracts/entry.js';
import type { ReplyAction } from '#contracts/intervention-action.js';
import type { AgentMethod, ParamsOf, ResultOf } from '#contracts/methods.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import type { TranscriptRange, Turn, TurnInbound } from '#contracts/turn.js';

import { callMethod } from './call-method.js';
import { retrying } from './retry.js';

/** While Holdline is away an answer waits for it, unless the turn is dropped before. */
const RETRY_FOR_MS = 600_000;
const PAGE = 1_000;

/** What an agent writes to the contact: a text, or more. */
export type AgentReply =
  string | (Pick<ReplyAction, 'body'> & Partial<Omit<ReplyAction, 'kind' | 'channel' | 'account_id' | 'to'>>);

/** One turn in the hands of an agent. A request whose answer is lost is made again: Holdline carries it out once. */
export class AgentTurn {
  private answered = false;

  constructor(
    private readonly nc: NatsConnection,
    /** All that Holdline said. */
    readonly message: Turn,
    /** Aborts when a person takes the conversation, or a newer turn replaces this one: stop, nobody waits for it. */
    readonly signal: AbortSignal,
  ) {}

  get id(): string {
    return this.message.turn_id;
  }

  /** True once Holdline took a reply, or was told that there is nothing to say or that the agent gives up. */
  get isAnswered(): boolean {
    return this.answered;
  }

  get scope(): ConversationScope {
    return this.message.scope;
  }

  /** What is to be answered, oldest first; `answered: true` on what an operator has answered already. */
  get inbounds(): readonly TurnInbound[] {
    return this.message.inbounds;
  }

  /** What was said while a person had the conversation. */
  get entries(): readonly Entry[] {
    return this.message.entries ?? [];
  }

  /** What the operator tells the agent when handing back. */
  get operatorSummary(): string | undefined {
    return this.message.operator_summary;
  }

  /**
   * Sends a reply to the contact, unless a person has taken the conversation: then it is kept as a draft, and the
   * result says `suppressed`. The same text sent twice reaches the contact once.
   * @throws ChannelUnavailable, ChannelRejected, ChannelTimeout and other HoldlineErrors
   */
  async reply(reply: AgentReply): Promise<AgentReplyResult> {
    const { turn_id, epoch, scope } = this.message;
    const content = typeof reply === 'string' ? { body: reply } : reply;
    const { channel, account_id, contact_id } = scope;
    const action: ReplyAction = { msg_kind: 'text', ...content, kind: 'reply', channel, account_id, to: contact_id };
    const result = await this.call('nexo/agent/reply', { turn_id, epoch, scope, action });
    this.answered = true;
    return result;
  }

  /** There is nothing to say: the turn counts as answered. */
  done(detail?: string): Promise<AgentDoneResult> {
    return this.end('nothing_to_say', detail);
  }

  /** The agent gives up: the turn stays open, and Holdline says so to everybody. */
  failed(detail?: string): Promise<AgentDoneResult> {
    return this.end('failed', detail);
  }

  /**
   * Asks for a person. `changed: false` if that was asked before, or a person has the conversation.
   * @throws Conflict `throttled` with `retryAfterMs`
   */
  escalate(escalation: Omit<AgentEscalateParams, 'scope'>): Promise<AgentEscalateResult> {
    return this.call('nexo/agent/escalate', { scope: this.scope, ...escalation });
  }

  /** The lines of a range that the turn had no room for, one of `message.more`. */
  async linesOf({ session_id, from_seq, to_seq }: TranscriptRange): Promise<Entry[]> {
    const lines: Entry[] = [];
    let since = from_seq === 0 ? undefined : from_seq - 1;
    for (;;) {
      const { entries, next_seq } = await this.call('nexo/agent/transcript', {
        agent_id: this.message.agent_id,
        session_id,
        limit: PAGE,
        ...(since === undefined ? {} : { since_seq: since }),
      });
      lines.push(...entries.filter(({ seq = 0 }) => seq <= to_seq));
      if (next_seq === undefined || next_seq >= to_seq) return lines;
      since = next_seq;
    }
  }

  private async end(outcome: 'nothing_to_say' | 'failed', detail: string | undefined): Promise<AgentDoneResult> {
    const params = { turn_id: this.id, outcome, ...(detail === undefined ? {} : { detail }) };
    const result = await this.call('nexo/agent/done', params);
    this.answered = true;
    return result;
  }

  private call<Name extends AgentMethod>(method: Name, params: ParamsOf<Name>): Promise<ResultOf<Name>> {
    return retrying(() => callMethod(this.nc, method, params), { forMs: RETRY_FOR_MS, signal: this.signal });
  }
}
