import * as z from 'zod';
import { ApprovalStatus } from './approval.js';
import { EntryDelivery, EntryRole } from './entry.js';
import { EscalationReason, EscalationResolution, EscalationUrgency } from './escalation-state.js';
import { Count, EpochMs, Id, Text, Uuid } from './fields.js';
import { message, optional } from './message.js';
import { MessageOrigin } from './outbound-message.js';
import { Person } from './person.js';
import { ProcessingControlState } from './processing-control-state.js';
import { ProcessingScope } from './processing-scope.js';
import { SuppressionReason } from './draft.js';
import { ToolFaceNoticeCode } from './tool-face.js';

/** What every event has. `agent_id` is `system` for events of no agent; `tenant_id` is reserved. */
const eventFields = { event_id: Uuid, agent_id: Id, tenant_id: optional(Text) };
const timedFields = { ...eventFields, at_ms: EpochMs };

/** A scope was paused, taken over or resumed. `by` is the operator's hash, `system`, or `external`. */
export const ProcessingStateChangedEvent = message({
  kind: z.literal('processing_state_changed'),
  ...timedFields,
  scope: ProcessingScope,
  prev_state: ProcessingControlState,
  new_state: ProcessingControlState,
  epoch: Count,
  by: Text,
});
export type ProcessingStateChangedEvent = z.infer<typeof ProcessingStateChangedEvent>;

/** The cap pushed inbounds out of a buffer. `message_ids` names those that had one. */
export const PendingInboundsDroppedEvent = message({
  kind: z.literal('pending_inbounds_dropped'),
  ...timedFields,
  scope: ProcessingScope,
  dropped: Count,
  message_ids: optional(z.array(Uuid)),
});
export type PendingInboundsDroppedEvent = z.infer<typeof PendingInboundsDroppedEvent>;

/** A line was stamped. Its time is `sent_at_ms`. `delivery` is there when a line that was sent is read again. */
export const TranscriptAppendedEvent = message({
  kind: z.literal('transcript_appended'),
  ...eventFields,
  session_id: Uuid,
  seq: Count,
  role: EntryRole,
  body: Text,
  sent_at_ms: EpochMs,
  sender_id: optional(Text),
  source_plugin: Text,
  message_id: optional(Uuid),
  replayed: optional(z.literal(true)),
  delivery: optional(EntryDelivery),
});
export type TranscriptAppendedEvent = z.infer<typeof TranscriptAppendedEvent>;

/** A reply of the agent came too late and is kept as a draft. */
export const AgentReplySuppressedEvent = message({
  kind: z.literal('agent_reply_suppressed'),
  ...timedFields,
  scope: ProcessingScope,
  turn_id: Uuid,
  draft_id: Uuid,
  reason: SuppressionReason,
});
export type AgentReplySuppressedEvent = z.infer<typeof AgentReplySuppressedEvent>;

/** The agent gave up on a turn, which stays open. */
export const TurnFailedEvent = message({
  kind: z.literal('turn_failed'),
  ...timedFields,
  scope: ProcessingScope,
  turn_id: Uuid,
  detail: optional(Text),
});
export type TurnFailedEvent = z.infer<typeof TurnFailedEvent>;

/** A message was refused and put into quarantine. */
export const InboundQuarantinedEvent = message({
  kind: z.literal('inbound_quarantined'),
  ...timedFields,
  subject: Text,
  reason: Text,
  stream_seq: Count,
});
export type InboundQuarantinedEvent = z.infer<typeof InboundQuarantinedEvent>;

/** A message did not reach the contact. */
export const OutboundFailedEvent = message({
  kind: z.literal('outbound_failed'),
  ...timedFields,
  scope: ProcessingScope,
  outbound_id: Uuid,
  origin: MessageOrigin,
  reason: Text,
  detail: optional(Text),
});
export type OutboundFailedEvent = z.infer<typeof OutboundFailedEvent>;

/** The agent asks for a person. */
export const EscalationRequestedEvent = message({
  kind: z.literal('escalation_requested'),
  ...eventFields,
  scope: ProcessingScope,
  summary: Text,
  reason: EscalationReason,
  urgency: EscalationUrgency,
  requested_at_ms: EpochMs,
});
export type EscalationRequestedEvent = z.infer<typeof EscalationRequestedEvent>;

/** An escalation ended. */
export const EscalationResolvedEvent = message({
  kind: z.literal('escalation_resolved'),
  ...eventFields,
  scope: ProcessingScope,
  resolved_at_ms: EpochMs,
  by: EscalationResolution,
});
export type EscalationResolvedEvent = z.infer<typeof EscalationResolvedEvent>;

/** Nobody has taken an escalation for too long. */
export const EscalationOverdueEvent = message({
  kind: z.literal('escalation_overdue'),
  ...timedFields,
  scope: ProcessingScope,
  waited_ms: Count,
});
export type EscalationOverdueEvent = z.infer<typeof EscalationOverdueEvent>;

/** A tool call waits for a decision. */
export const ApprovalRequestedEvent = message({
  kind: z.literal('approval_requested'),
  ...timedFields,
  approval_id: Uuid,
  tool: Text,
  title: Text,
});
export type ApprovalRequestedEvent = z.infer<typeof ApprovalRequestedEvent>;

/** An approval is no longer pending. */
export const ApprovalDecidedEvent = message({
  kind: z.literal('approval_decided'),
  ...timedFields,
  approval_id: Uuid,
  status: ApprovalStatus,
});
export type ApprovalDecidedEvent = z.infer<typeof ApprovalDecidedEvent>;

/** A tool call has an outcome: ask for it again with the same `call_id`. */
export const ToolCallFinishedEvent = message({
  kind: z.literal('tool_call_finished'),
  ...timedFields,
  call_id: Id,
  status: z.enum(['ok', 'refused']),
});
export type ToolCallFinishedEvent = z.infer<typeof ToolCallFinishedEvent>;

/** A person was added or changed. A new one has no `before`. */
export const PersonChangedEvent = message({
  kind: z.literal('person_changed'),
  ...timedFields,
  provider: Id,
  user_id: Id,
  before: optional(Person),
  after: Person,
});
export type PersonChangedEvent = z.infer<typeof PersonChangedEvent>;

/** A tool face does not fit the tools that a server lists. */
export const ToolFaceNoticeEvent = message({
  kind: z.literal('tool_face_notice'),
  ...timedFields,
  code: ToolFaceNoticeCode,
  server: Text,
  tool: Text,
  detail: Text,
});
export type ToolFaceNoticeEvent = z.infer<typeof ToolFaceNoticeEvent>;

/** A bare event of the firehose, tagged by `kind`. Its `event_id` is its `Nats-Msg-Id`. */
export const AgentEvent = z.discriminatedUnion('kind', [
  ProcessingStateChangedEvent,
  PendingInboundsDroppedEvent,
  TranscriptAppendedEvent,
  AgentReplySuppressedEvent,
  TurnFailedEvent,
  InboundQuarantinedEvent,
  OutboundFailedEvent,
  EscalationRequestedEvent,
  EscalationResolvedEvent,
  EscalationOverdueEvent,
  ApprovalRequestedEvent,
  ApprovalDecidedEvent,
  ToolCallFinishedEvent,
  PersonChangedEvent,
  ToolFaceNoticeEvent,
]);
export type AgentEvent = z.infer<typeof AgentEvent>;

/** The tags of {@link AgentEvent}. */
export const AgentEventKind = z.enum([
  'processing_state_changed',
  'pending_inbounds_dropped',
  'transcript_appended',
  'agent_reply_suppressed',
  'turn_failed',
  'inbound_quarantined',
  'outbound_failed',
  'escalation_requested',
  'escalation_resolved',
  'escalation_overdue',
  'approval_requested',
  'approval_decided',
  'tool_call_finished',
  'person_changed',
  'tool_face_notice',
]);
export type AgentEventKind = z.infer<typeof AgentEventKind>;
