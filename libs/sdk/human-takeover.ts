import { randomUUID } from 'node:crypto';

import { ERROR_CODES } from '#contracts/errors.js';
import type { ReplyAction } from '#contracts/intervention-action.js';
import type { ProcessingAck } from '#contracts/processing-ack.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import { EXTERNAL_OPERATOR } from '#contracts/transcript-words.js';

import { Conflict, Unavailable } from './errors.js';
import type { CommandParams, OperatorClient } from './operator-client.js';
import { retrying } from './retry.js';

const PAGE = 1_000;
const ENGAGE_TRIES = 3;
const RETRY_FOR_MS = 15_000;

export interface EngageOptions {
  /** Why; other operators see it. */
  reason?: string;
  /** Holdline hands the conversation back by itself after this time: 1 s to 7 days. */
  autoResumeAfterMs?: number;
  /** Take the conversation from another operator, if one has it. */
  takeOver?: boolean;
  /** The transcript that replies and summary go to; by default the conversation's. */
  sessionId?: string;
}

/** What an operator writes to the contact: a text, or more. */
export type Reply =
  string | (Pick<ReplyAction, 'body'> & Partial<Omit<ReplyAction, 'kind' | 'channel' | 'account_id' | 'to'>>);

/** A conversation that an operator has taken from the agent: `engage` → `sendReply` → `release`. */
export class HumanTakeover {
  private constructor(
    private readonly operator: OperatorClient,
    readonly scope: ConversationScope,
    /** The epoch of this hold. */
    readonly epoch: number,
    private sessionId: string | undefined,
  ) {}

  /**
   * Puts the agent on hold. From the moment this resolves nothing of the agent reaches the contact.
   * @throws Conflict `held_by_other_operator` if somebody else has the conversation, unless `takeOver` is set;
   *   `data.operator_token_hash` names them. Other HoldlineErrors as they come.
   */
  static async engage(
    operator: OperatorClient,
    scope: ConversationScope,
    options: EngageOptions = {},
  ): Promise<HumanTakeover> {
    const { reason, autoResumeAfterMs, takeOver, sessionId } = options;
    const params: CommandParams<'nexo/admin/processing/pause'> = {
      scope,
      ...(reason === undefined ? {} : { reason }),
      ...(autoResumeAfterMs === undefined ? {} : { auto_resume_after_ms: autoResumeAfterMs }),
      ...(takeOver === undefined ? {} : { take_over: takeOver }),
    };
    for (let tries = 1; ; tries++) {
      const { epoch = 0 } = await retrying(() => operator.processing.pause(params), { forMs: RETRY_FOR_MS });
      const { state } = await operator.processing.state({ scope });
      if (state.state === 'paused_by_operator') {
        const holder = state.operator_token_hash;
        if (holder !== operator.operatorTokenHash && holder !== EXTERNAL_OPERATOR) throw heldBy(holder);
        return new HumanTakeover(operator, scope, epoch, sessionId);
      }
      if (tries === ENGAGE_TRIES) throw handedBack();
    }
  }

  /**
   * Sends a reply to the contact and writes it into the transcript. A request whose answer is lost is made again
   * under the same key, so that the contact gets the reply once.
   * @throws ChannelUnavailable, ChannelRejected, ChannelTimeout, ScopeNotPaused, Conflict and other HoldlineErrors
   */
  async sendReply(reply: Reply, { idempotencyKey = randomUUID() } = {}): Promise<ProcessingAck> {
    const { scope } = this;
    const content = typeof reply === 'string' ? { body: reply } : reply;
    const action: ReplyAction = {
      msg_kind: 'text',
      ...content,
      kind: 'reply',
      channel: scope.channel,
      account_id: scope.account_id,
      to: scope.contact_id,
    };
    const session_id = await this.session();
    const params = {
      scope,
      action,
      idempotency_key: idempotencyKey,
      ...(session_id === undefined ? {} : { session_id }),
    };
    return retrying(() => this.operator.processing.intervention(params), { forMs: RETRY_FOR_MS });
  }

  /**
   * Hands the conversation back to the agent, with a summary if there is something to tell.
   * @throws Conflict `stale_epoch` if this hold has ended meanwhile, NoAnswer, and other HoldlineErrors
   */
  async release(summary?: string): Promise<ProcessingAck> {
    const session_id = summary === undefined ? undefined : await this.session();
    const params = {
      scope: this.scope,
      expected_epoch: this.epoch,
      ...(session_id === undefined ? {} : { session_id }),
      ...(summary === undefined ? {} : { summary_for_agent: summary }),
    };
    const passes = (error: unknown) => error instanceof Unavailable && !error.committed;
    return retrying(() => this.operator.processing.resume(params), { forMs: RETRY_FOR_MS, passes });
  }

  /** The conversation's session: it was active a moment ago, so it is on the first page nearly always. */
  private async session(): Promise<string | undefined> {
    let cursor: string | undefined;
    while (this.sessionId === undefined) {
      const page = await this.operator.conversations.list({
        agent_id: this.scope.agent_id,
        state: 'paused_by_operator',
        limit: PAGE,
        ...(cursor === undefined ? {} : { cursor }),
      });
      this.sessionId = page.conversations.find(({ scope }) => isSame(scope, this.scope))?.session_id;
      cursor = page.next_cursor;
      if (cursor === undefined) break;
    }
    return this.sessionId;
  }
}

function isSame(a: ConversationScope, b: ConversationScope): boolean {
  return (
    a.agent_id === b.agent_id &&
    a.channel === b.channel &&
    a.account_id === b.account_id &&
    a.contact_id === b.contact_id &&
    a.mcp_channel_source === b.mcp_channel_source
  );
}

function heldBy(holder: string): Conflict {
  return new Conflict({
    code: ERROR_CODES.conflict,
    message: `conflict: held_by_other_operator: ${holder} has the conversation; use takeOver to take it`,
    data: { reason: 'held_by_other_operator', operator_token_hash: holder },
  });
}

function handedBack(): Conflict {
  return new Conflict({
    code: ERROR_CODES.conflict,
    message: 'conflict: stale_epoch: the conversation is handed back as soon as it is held',
    data: { reason: 'stale_epoch' },
  });
}
