import * as z from 'zod';
import { AgentEvent, ProcessingStateChangedEvent } from './agent-event.js';
import { message } from './message.js';
import { AGENT_EVENT_NOTIFY_METHOD, PROCESSING_STATE_CHANGED_NOTIFY_METHOD } from './methods.js';

/** Published beside the bare event, with `Nats-Msg-Id` `notify:<event_id>`. */
export const ProcessingStateChangedNotification = message({
  jsonrpc: z.literal('2.0'),
  method: z.literal(PROCESSING_STATE_CHANGED_NOTIFY_METHOD),
  params: ProcessingStateChangedEvent,
});
export type ProcessingStateChangedNotification = z.infer<typeof ProcessingStateChangedNotification>;

/** One event of `GET /events`. */
export const AgentEventNotification = message({
  jsonrpc: z.literal('2.0'),
  method: z.literal(AGENT_EVENT_NOTIFY_METHOD),
  params: AgentEvent,
});
export type AgentEventNotification = z.infer<typeof AgentEventNotification>;
