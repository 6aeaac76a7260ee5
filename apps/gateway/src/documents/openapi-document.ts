import { ADMIN_METHODS, type AdminMethod, type MethodSpec } from '#contracts/methods.js';
import { AgentEventKind } from '#contracts/agent-event.js';
import { MAX_BATCH } from '#contracts/limits.js';

import { SESSION_COOKIE } from '../credentials.js';
import { type ContractSchemas, contractSchemas, pascalCase } from './schemas.js';

type JsonObject = Record<string, unknown>;

/** OpenAPI 3.1 of what the gateway serves. */
export function openApiDocument(version: string): JsonObject {
  const contract = contractSchemas('draft-2020-12');
  const methods = Object.keys(ADMIN_METHODS) as AdminMethod[];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Holdline',
      version,
      description: 'Puts an AI agent on hold while a person takes over a conversation, and hands it back.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { session: [] }],
    paths: {
      '/rpc': { post: rpcOperation() },
      '/events': { get: eventsOperation() },
      '/session': sessionPath(),
      ...Object.fromEntries(PLAIN_PATHS.map(([path, summary, type]) => [path, { get: plainOperation(summary, type) }])),
    },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: "An operator's token" },
        session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE, description: 'Of POST /session' },
      },
      schemas: {
        ...contract.schemas,
        ...Object.fromEntries(methods.flatMap((method) => callSchemas(contract, method))),
        RpcRequest: {
          oneOf: methods.map((method) => refTo(`${pascalCase(method)}Request`)),
          discriminator: {
            propertyName: 'method',
            mapping: Object.fromEntries(methods.map((name) => [name, `${SCHEMAS}${pascalCase(name)}Request`])),
          },
        },
        RpcSuccess: {
          type: 'object',
          required: ['jsonrpc', 'id', 'result'],
          properties: { ...envelope(contract), result: { anyOf: methods.map((name) => contract.resultOf(name)) } },
        },
        RpcFailure: {
          type: 'object',
          required: ['jsonrpc', 'id', 'error'],
          properties: { ...envelope(contract), error: contract.ref('JsonRpcError') },
        },
        RpcResponse: { oneOf: [refTo('RpcSuccess'), refTo('RpcFailure')] },
        Session: {
          type: 'object',
          required: ['operator_token_hash', 'expires_at_ms'],
          properties: { operator_token_hash: { type: 'string' }, expires_at_ms: { type: 'integer' } },
        },
      },
    },
  };
}

const SCHEMAS = '#/components/schemas/';

const PLAIN_PATHS = [
  ['/healthz', 'The process is alive', 'application/json'],
  ['/readyz', 'It can do its work; 503 with the checks that fail otherwise', 'application/json'],
  ['/metrics', 'Figures for Prometheus', 'text/plain'],
  ['/openapi.json', 'This document', 'application/json'],
  ['/asyncapi.json', 'What Holdline speaks over NATS', 'application/json'],
] as const;

function refTo(name: string): JsonObject {
  return { $ref: `${SCHEMAS}${name}` };
}

function envelope(contract: ContractSchemas): JsonObject {
  return { jsonrpc: { const: '2.0' }, id: contract.ref('JsonRpcId') };
}

function callSchemas(contract: ContractSchemas, method: AdminMethod): [string, JsonObject][] {
  const { capability }: MethodSpec = ADMIN_METHODS[method];
  const request = {
    type: 'object',
    description: capability === undefined ? 'For any operator.' : `Needs ${capability}.`,
    required: ['jsonrpc', 'method'],
    properties: { ...envelope(contract), method: { const: method }, params: contract.paramsOf(method) },
  };
  return [[`${pascalCase(method)}Request`, request]];
}

function rpcOperation(): JsonObject {
  const batchOf = (name: string) => ({ type: 'array', minItems: 1, maxItems: MAX_BATCH, items: refTo(name) });
  return {
    operationId: 'rpc',
    summary: 'Carries out commands: JSON-RPC 2.0, one request or a batch',
    description: 'A batch is carried out in its order. An error of the contract has status 200.',
    requestBody: { required: true, content: json({ oneOf: [refTo('RpcRequest'), batchOf('RpcRequest')] }) },
    responses: {
      200: answer('The response, or those of a batch', { oneOf: [refTo('RpcResponse'), batchOf('RpcResponse')] }),
      204: { description: 'There were notifications only' },
      ...refusals(401, 403, 413, 415, 429, 503),
    },
  };
}

function eventsOperation(): JsonObject {
  return {
    operationId: 'events',
    summary: 'The firehose as server-sent events; needs transcripts_read',
    description:
      'Each event is a JSON-RPC notification nexo/notify/agent_event whose id is its sequence in the stream. An event ' +
      'of the type resync, {"first_id": …}, says that what came before was not kept.',
    parameters: [
      { name: 'agent_id', in: 'query', schema: { type: 'string' }, description: 'Of this agent only' },
      { name: 'kind', in: 'query', schema: { enum: AgentEventKind.options }, description: 'Of this kind only' },
      { name: 'Last-Event-ID', in: 'header', schema: { type: 'string' }, description: 'Go on after this event' },
    ],
    responses: {
      200: {
        description: 'Does not end by itself',
        content: { 'text/event-stream': { schema: refTo('AgentEventNotification') } },
      },
      ...refusals(400, 401, 403, 429, 503),
    },
  };
}

function sessionPath(): JsonObject {
  const token = { type: 'object', required: ['token'], properties: { token: { type: 'string' } } };
  return {
    post: {
      operationId: 'logIn',
      summary: 'Begins a session of a browser, in a cookie',
      security: [],
      requestBody: { required: true, content: json(token) },
      responses: { 200: answer('The session', refTo('Session')), ...refusals(400, 401, 403, 413, 415, 429, 503) },
    },
    get: {
      operationId: 'session',
      summary: 'The session of the cookie',
      security: [{ session: [] }],
      responses: { 200: answer('The session', refTo('Session')), ...refusals(401, 429, 503) },
    },
    delete: {
      operationId: 'logOut',
      summary: 'Ends the session, and the event streams that it has opened',
      security: [{ session: [] }],
      responses: { 204: { description: 'There is no session any more' }, ...refusals(403, 429) },
    },
  };
}

function plainOperation(summary: string, type: string): JsonObject {
  return { summary, security: [], responses: { 200: { description: summary, content: { [type]: {} } } } };
}

function json(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } };
}

function answer(description: string, schema: JsonObject): JsonObject {
  return { description, content: json(schema) };
}

const REFUSALS: Record<number, string> = {
  400: 'The request cannot be read',
  401: 'No valid token',
  403: 'A page of another site, or the operator may not read this',
  413: 'Too large',
  415: 'Not application/json in UTF-8',
  429: 'Too many requests; Retry-After says when to come back',
  503: 'Nobody there to carry it out; nothing was changed',
};

function refusals(...statuses: number[]): JsonObject {
  const entries = statuses.map((status) => [status, answer(REFUSALS[status] ?? '', refTo('RpcFailure'))] as const);
  return Object.fromEntries(entries);
}
