import * as z from 'zod';

import { AgentEvent } from '#contracts/agent-event.js';
import { ChannelEcho } from '#contracts/channel-echo.js';
import { ChannelStatus } from '#contracts/channel-status.js';
import { Entry } from '#contracts/entry.js';
import { Hold } from '#contracts/hold.js';
import { InboundMessage } from '#contracts/inbound-message.js';
import { InterventionAction } from '#contracts/intervention-action.js';
import { JsonRpcError, JsonRpcId } from '#contracts/json-rpc.js';
import { METHODS, type Method } from '#contracts/methods.js';
import { AgentEventNotification, ProcessingStateChangedNotification } from '#contracts/notifications.js';
import { OutboundAck } from '#contracts/outbound-ack.js';
import { OutboundMessage } from '#contracts/outbound-message.js';
import { PendingInbound } from '#contracts/pending-inbound.js';
import { ProcessingAck } from '#contracts/processing-ack.js';
import { ProcessingControlState } from '#contracts/processing-control-state.js';
import { ProcessingScope } from '#contracts/processing-scope.js';
import { Turn } from '#contracts/turn.js';

type JsonObject = Record<string, unknown>;

/** What has a name of its own in the documents, besides params and results. */
const SHARED = {
  AgentEvent,
  AgentEventNotification,
  ChannelEcho,
  ChannelStatus,
  Entry,
  Hold,
  InboundMessage,
  InterventionAction,
  JsonRpcError,
  JsonRpcId,
  OutboundAck,
  OutboundMessage,
  PendingInbound,
  ProcessingAck,
  ProcessingControlState,
  ProcessingScope,
  ProcessingStateChangedNotification,
  Turn,
} satisfies Record<string, z.ZodType>;
export type SharedName = keyof typeof SHARED;

/** `nexo/admin/agent_events/list` → `AdminAgentEventsList` */
export function pascalCase(method: string): string {
  const words = method.split(/[/_]/).slice(1);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

export interface ContractSchemas {
  /** By name, to stand under `components.schemas`. */
  schemas: Record<string, JsonObject>;
  /** A reference to the schema of a message. */
  ref: (name: SharedName) => JsonObject;
  paramsOf: (method: Method) => JsonObject;
  resultOf: (method: Method) => JsonObject;
}

/** The contract's schemas as JSON Schema of a dialect, which refer to each other within one document. */
export function contractSchemas(target: 'draft-2020-12' | 'draft-7'): ContractSchemas {
  const registry = z.registry<{ id: string }>();
  const nameOf = (schema: z.ZodType, name: string) => {
    const id = registry.get(schema)?.id ?? name;
    registry.add(schema, { id });
    return id;
  };
  for (const [name, schema] of Object.entries(SHARED)) nameOf(schema, name);
  const names = Object.entries(METHODS).map(([method, { params, result }]) => {
    const name = pascalCase(method);
    return [method, { params: nameOf(params, `${name}Params`), result: nameOf(result, `${name}Result`) }] as const;
  });
  const named = new Map(names);
  const { schemas } = z.toJSONSchema(registry, {
    target,
    io: 'input',
    uri: (id) => refTo(id),
  });
  return {
    schemas: Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutIdentity(schema)])),
    ref: (name) => ({ $ref: refTo(name) }),
    paramsOf: (method) => ({ $ref: refTo(named.get(method)?.params ?? '') }),
    resultOf: (method) => ({ $ref: refTo(named.get(method)?.result ?? '') }),
  };
}

function refTo(id: string): string {
  return `#/components/schemas/${id}`;
}

/** Within a document a schema is found by its place. */
function withoutIdentity(schema: object): JsonObject {
  const { $id: _, $schema: __, id: ___, ...rest } = schema as JsonObject;
  return rest;
}
