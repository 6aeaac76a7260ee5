import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import type { ConversationScope } from '#contracts/processing-scope.js';
import type { Turn } from '#contracts/turn.js';

import type { BrowserContextOptions } from 'playwright-core';

import { type ConsolePage, TestBrowser } from './browser.js';
import type { TestClient } from './client.js';
import { FakeChannel } from './fake-channel.js';
import { type BootedGateway } from './gateway.js';
import { Harness, type TestOperator } from './harness.js';
import { PROJECT_ROOT } from './project-root.js';

const BUILT_CONSOLE = join(PROJECT_ROOT, 'dist/apps/console');

/** A Holdline with its console, a channel and an agent played by the test, and a browser. */
export class ConsoleBench {
  private constructor(
    readonly harness: Harness,
    readonly gateway: BootedGateway,
    readonly browser: TestBrowser,
    /** Ann, who may do everything. */
    readonly ann: TestOperator,
    /** Channel, agent and Ann's commands over NATS. */
    readonly client: TestClient,
    readonly channel: FakeChannel,
  ) {}

  static async create(): Promise<ConsoleBench> {
    const harness = await Harness.create();
    await harness.boot({ env: { HOLDLINE_ADMIN_AUTH: 'token' } });
    const gateway = await harness.gateway({ consoleDirectory: BUILT_CONSOLE });
    const ann = await harness.createOperator();
    const client = await harness.connect(ann);
    const channel = await FakeChannel.of(client.nc, contact('anybody'));
    return new ConsoleBench(harness, gateway, await TestBrowser.launch(), ann, client, channel);
  }

  /** Opens the console as an operator does who follows the printed link, and waits until it is live. */
  async logIn(
    { token }: TestOperator = this.ann,
    { url = this.gateway.url, ...options }: BrowserContextOptions & { url?: string } = {},
  ): Promise<ConsolePage> {
    const opened = await this.browser.open(`${url}/#token=${token}`, options);
    await opened.page.locator('.live-live').waitFor();
    return opened;
  }

  /** A contact writes; resolves with the turn that the agent gets. */
  async say(scope: ConversationScope, body: string, more: { timestamp_ms?: number } = {}): Promise<Turn> {
    const before = (await this.client.turns(scope)).length;
    await this.write(scope, body, more);
    return (await this.client.turnsOf(scope, before + 1)).at(-1) as Turn;
  }

  /** A contact writes in a conversation that a person may hold. */
  write(scope: ConversationScope, body: string, more: { timestamp_ms?: number; attachments?: unknown[] } = {}) {
    return this.client.publish(scope, body, { message_id: randomUUID(), timestamp_ms: Date.now(), ...more });
  }

  /** The agent answers a turn. */
  async answer(turn: Turn, body: string): Promise<unknown> {
    const { channel, account_id, contact_id } = turn.scope;
    const action = { kind: 'reply', channel, account_id, to: contact_id, body, msg_kind: 'text' };
    const { turn_id, epoch, scope, session_id } = turn;
    return (await this.asAgent('reply', { turn_id, epoch, scope, action, session_id })).result;
  }

  async escalate(scope: ConversationScope, summary: string, urgency: string): Promise<void> {
    const params = { scope, summary, reason: 'complaint', urgency, context: { order: 'A-17' } };
    await this.asAgent('escalate', params);
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.harness.close();
  }

  private asAgent(verb: string, params: object) {
    const request = { jsonrpc: '2.0', id: 1, method: `nexo/agent/${verb}`, params };
    return this.client.request(`nexo.agent.${verb}`, JSON.stringify(request));
  }
}

/** A conversation of the agent `support` with a contact of a web chat. */
export function contact(contact_id: string): ConversationScope {
  return { kind: 'conversation', agent_id: 'support', channel: 'webchat', account_id: 'main', contact_id };
}
