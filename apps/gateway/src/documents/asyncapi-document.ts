import { METHODS, type Method, type MethodSpec, subjectOfMethod } from '#contracts/methods.js';
import { GATEWAY_NOTICES_SUBJECT, NOTIFY_STATE_CHANGED_SUBJECT } from '#contracts/subjects.js';

import { type ContractSchemas, contractSchemas, pascalCase, type SharedName } from './schemas.js';

type JsonObject = Record<string, unknown>;

interface StreamChannel {
  name: string;
  address: string;
  /** From Holdline's side. */
  action: 'send' | 'receive';
  messages: SharedName[];
  description: string;
  /** What is answered, if anything. */
  reply?: SharedName;
}

const CONVERSATION = '{agent}.{channel}.{account}.{contact}';

/** What Holdline speaks besides commands. A scope with an `mcp_channel_source` has it as one more token at the end. */
const CHANNELS: StreamChannel[] = [
  {
    name: 'inbound',
    address: `nexo.inbound.${CONVERSATION}`,
    action: 'receive',
    messages: ['InboundMessage'],
    description: 'Messages from contacts, to the stream NEXO_INBOUND.',
  },
  {
    name: 'turns',
    address: `nexo.turns.${CONVERSATION}`,
    action: 'send',
    messages: ['Turn', 'Hold'],
    description: 'What the agent is asked to answer, and Holds; in the stream NEXO_TURNS.',
  },
  {
    name: 'channelSend',
    address: 'nexo.channel.{channel}.{account}.send',
    action: 'send',
    messages: ['OutboundMessage'],
    reply: 'OutboundAck',
    description: 'Messages that a channel is asked to send.',
  },
  {
    name: 'channelStatus',
    address: 'nexo.channel.{channel}.{account}.status',
    action: 'receive',
    messages: ['ChannelStatus'],
    description: 'What became of a message.',
  },
  {
    name: 'channelEcho',
    address: 'nexo.channel.{channel}.{account}.echo',
    action: 'receive',
    messages: ['ChannelEcho'],
    description: 'A message that left the account.',
  },
  {
    name: 'agentEvents',
    address: 'nexo.agent_events.{agent}.{kind}',
    action: 'send',
    messages: ['AgentEvent'],
    description: 'The firehose, in the stream NEXO_AGENT_EVENTS; Nats-Msg-Id is the event_id.',
  },
  {
    name: 'processingStateChanged',
    address: NOTIFY_STATE_CHANGED_SUBJECT,
    action: 'send',
    messages: ['ProcessingStateChangedNotification'],
    description: 'Each change of a state once more, as a JSON-RPC notification, in the same stream.',
  },
];

const PARAMETERS: Record<string, string> = {
  agent: 'The agent, as a token of a subject',
  channel: 'The channel, as a token of a subject',
  account: "The channel's account, as a token of a subject",
  contact: 'The contact, as a token of a subject',
  kind: 'The kind of the event',
};

/** AsyncAPI 3.0 of what Holdline speaks over NATS. */
export function asyncApiDocument(version: string): JsonObject {
  const contract = contractSchemas('draft-7');
  const methods = Object.keys(METHODS) as Method[];
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Holdline',
      version,
      description:
        'A token of a subject that is made of an id is percent-encoded for . * > %, white space, control and non-ASCII ' +
        `characters. Everything is JSON. ${GATEWAY_NOTICES_SUBJECT} is between gateways and not described.`,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    servers: { nats: { host: 'localhost:4222', protocol: 'nats' } },
    channels: {
      ...Object.fromEntries(CHANNELS.flatMap((channel) => streamChannels(channel))),
      ...Object.fromEntries(methods.flatMap((method) => methodChannels(method))),
    },
    operations: {
      ...Object.fromEntries(CHANNELS.map((channel) => [`${channel.action}_${channel.name}`, operation(channel)])),
      ...Object.fromEntries(methods.map((method) => [pascalCase(method), methodOperation(method)])),
    },
    components: {
      schemas: contract.schemas,
      messages: {
        ...Object.fromEntries(messageNames().map((name) => [name, { name, payload: contract.ref(name) }])),
        ...Object.fromEntries(methods.flatMap((method) => methodMessages(contract, method))),
      },
    },
  };
}

function messageNames(): SharedName[] {
  return CHANNELS.flatMap(({ messages, reply }) => (reply === undefined ? messages : [...messages, reply]));
}

function streamChannels({ name, address, messages, reply, description }: StreamChannel): [string, JsonObject][] {
  const tokens = [...address.matchAll(/\{(\w+)\}/g)].map(([, token]) => token as string);
  const parameters = Object.fromEntries(tokens.map((token) => [token, { description: PARAMETERS[token] ?? '' }]));
  const channel: JsonObject = { address, description, messages: messageRefs(messages) };
  if (tokens.length > 0) channel['parameters'] = parameters;
  return reply === undefined
    ? [[name, channel]]
    : [
        [name, channel],
        [`${name}Reply`, replyChannel([reply])],
      ];
}

function operation({ name, action, reply }: StreamChannel): JsonObject {
  const channel = { $ref: `#/channels/${name}` };
  return reply === undefined ? { action, channel } : { action, channel, reply: replyTo(name) };
}

function methodChannels(method: Method): [string, JsonObject][] {
  const name = pascalCase(method);
  const { capability }: MethodSpec = METHODS[method];
  const channel = {
    address: subjectOfMethod(method),
    description: capability === undefined ? method : `${method}, which needs ${capability}`,
    messages: messageRefs([`${name}Request`]),
  };
  return [
    [name, channel],
    [`${name}Reply`, replyChannel([`${name}Response`])],
  ];
}

function methodOperation(method: Method): JsonObject {
  const name = pascalCase(method);
  return { action: 'receive', channel: { $ref: `#/channels/${name}` }, reply: replyTo(name) };
}

function methodMessages(contract: ContractSchemas, method: Method): [string, JsonObject][] {
  const name = pascalCase(method);
  const envelope = { jsonrpc: { const: '2.0' }, id: contract.ref('JsonRpcId') };
  const request = {
    type: 'object',
    required: ['jsonrpc', 'method'],
    properties: { ...envelope, method: { const: method }, params: contract.paramsOf(method) },
  };
  const response = {
    type: 'object',
    required: ['jsonrpc', 'id'],
    properties: { ...envelope, result: contract.resultOf(method), error: contract.ref('JsonRpcError') },
  };
  return [
    [`${name}Request`, { name: `${name}Request`, payload: request, ...authorizationOf(method) }],
    [`${name}Response`, { name: `${name}Response`, payload: response }],
  ];
}

function authorizationOf(method: Method): JsonObject {
  if (!method.startsWith('nexo/admin/')) return {};
  const properties = { Authorization: { type: 'string', description: 'Bearer <token>' } };
  return { headers: { type: 'object', properties } };
}

function replyChannel(messages: string[]): JsonObject {
  return { address: null, messages: messageRefs(messages) };
}

function replyTo(name: string): JsonObject {
  return {
    address: { location: '$message.header#/reply', description: 'The reply subject of the NATS request' },
    channel: { $ref: `#/channels/${name}Reply` },
  };
}

function messageRefs(names: string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }]));
}
