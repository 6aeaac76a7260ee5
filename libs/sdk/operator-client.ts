import { createHash } from 'node:crypto';

import type { NatsConnection } from '@nats-io/nats-core';

import { ADMIN_METHODS, type AdminMethod, type ParamsOf, type ResultOf } from '#contracts/methods.js';

import { callMethod } from './call-method.js';

/** The params of a command without `operator_token_hash`, which the client fills in. */
export type CommandParams<Name extends AdminMethod> = Omit<ParamsOf<Name>, 'operator_token_hash'>;

/** One command. Params that are all optional may be left out. */
export type Command<Name extends AdminMethod> =
  Record<string, never> extends CommandParams<Name>
    ? (params?: CommandParams<Name>) => Promise<ResultOf<Name>>
    : (params: CommandParams<Name>) => Promise<ResultOf<Name>>;

/** The `<domain>` of `nexo/admin/<domain>/<verb>`. */
export type CommandDomain = AdminMethod extends `nexo/admin/${infer Domain}/${string}` ? Domain : never;

type NameOf<Domain extends string, Verb extends string> = Extract<AdminMethod, `nexo/admin/${Domain}/${Verb}`>;
type VerbOf<Domain extends string> =
  Extract<AdminMethod, `nexo/admin/${Domain}/${string}`> extends `nexo/admin/${Domain}/${infer Verb}` ? Verb : never;

/** The commands of one domain, by their verbs. */
export type Commands<Domain extends CommandDomain> = {
  readonly [Verb in VerbOf<Domain>]: Command<NameOf<Domain, Verb>>;
};

export interface OperatorClientOptions {
  nc: NatsConnection;
  /** The operator's bearer token. */
  token?: string;
  /** Who commands, where `HOLDLINE_ADMIN_AUTH=trusted` asks for no token. */
  operatorTokenHash?: string;
  /** How long to wait for an answer. Default 10 s; a pause takes up to 5 s while the broker is away. */
  timeoutMs?: number;
}

/** What an operator can do, one function a command: `operator.processing.pause({ scope })`. */
export class OperatorClient {
  readonly operatorTokenHash: string;
  readonly processing: Commands<'processing'>;
  readonly conversations: Commands<'conversations'>;
  readonly agent_events: Commands<'agent_events'>;
  readonly drafts: Commands<'drafts'>;
  readonly escalations: Commands<'escalations'>;
  readonly approvals: Commands<'approvals'>;
  readonly people: Commands<'people'>;
  readonly mcp_servers: Commands<'mcp_servers'>;
  readonly operators: Commands<'operators'>;
  readonly audit: Commands<'audit'>;

  /** @throws TypeError without a token and without a hash */
  constructor(private readonly options: OperatorClientOptions) {
    const { token, operatorTokenHash } = options;
    if (token === undefined && operatorTokenHash === undefined) {
      throw new TypeError('An operator needs a token, or an operatorTokenHash where tokens are not checked.');
    }
    this.operatorTokenHash = operatorTokenHash ?? tokenHash(token as string);
    this.processing = this.commandsOf('processing');
    this.conversations = this.commandsOf('conversations');
    this.agent_events = this.commandsOf('agent_events');
    this.drafts = this.commandsOf('drafts');
    this.escalations = this.commandsOf('escalations');
    this.approvals = this.commandsOf('approvals');
    this.people = this.commandsOf('people');
    this.mcp_servers = this.commandsOf('mcp_servers');
    this.operators = this.commandsOf('operators');
    this.audit = this.commandsOf('audit');
  }

  /**
   * Sends one command by its method.
   * @throws HoldlineError, by class; NoAnswer; UnexpectedAnswer
   */
  call<Name extends AdminMethod>(method: Name, params: CommandParams<Name>): Promise<ResultOf<Name>> {
    const { nc, token, timeoutMs } = this.options;
    const named = 'operator_token_hash' in ADMIN_METHODS[method].params.shape;
    const whole = named ? { ...params, operator_token_hash: this.operatorTokenHash } : params;
    return callMethod(nc, method, whole as ParamsOf<Name>, { bearerToken: token, timeoutMs });
  }

  private commandsOf<Domain extends CommandDomain>(domain: Domain): Commands<Domain> {
    const prefix = `nexo/admin/${domain}/`;
    const names = Object.keys(ADMIN_METHODS).filter((name) => name.startsWith(prefix)) as AdminMethod[];
    const commands = names.map((name) => [
      name.slice(prefix.length),
      (params: CommandParams<AdminMethod> = {}) => this.call(name, params),
    ]);
    return Object.fromEntries(commands) as Commands<Domain>;
  }
}

/** `operator_token_hash`: the first 16 hex digits of SHA-256(token). */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex').slice(0, 16);
}
