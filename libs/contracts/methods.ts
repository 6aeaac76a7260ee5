import type * as z from 'zod';
import { AgentDoneParams, AgentDoneResult } from './agent-done.js';
import { AgentEscalateParams, AgentEscalateResult } from './agent-escalate.js';
import { AgentEventsListParams, AgentEventsListResult } from './agent-events-list.js';
import { AgentEventsReadParams, AgentEventsReadResult } from './agent-events-read.js';
import { AgentEventsSearchParams, AgentEventsSearchResult } from './agent-events-search.js';
import { AgentReplyParams, AgentReplyResult } from './agent-reply.js';
import { AgentTranscriptParams, AgentTranscriptResult } from './agent-transcript.js';
import { ApprovalsDecideParams, ApprovalsDecideResult } from './approvals-decide.js';
import { ApprovalsListParams, ApprovalsListResult } from './approvals-list.js';
import { AuditListParams, AuditListResult } from './audit-list.js';
import type { Capability } from './capabilities.js';
import { ConversationsListParams, ConversationsListResult } from './conversations-list.js';
import { DraftsDiscardParams, DraftsDiscardResult } from './drafts-discard.js';
import { DraftsListParams, DraftsListResult } from './drafts-list.js';
import { DraftsSendParams, DraftsSendResult } from './drafts-send.js';
import { EscalationsListParams, EscalationsListResult } from './escalations-list.js';
import { EscalationsResolveParams, EscalationsResolveResult } from './escalations-resolve.js';
import { McpServersDeleteParams, McpServersDeleteResult } from './mcp-servers-delete.js';
import { McpServersListParams, McpServersListResult } from './mcp-servers-list.js';
import { McpServersRefreshParams, McpServersRefreshResult } from './mcp-servers-refresh.js';
import { McpServersUpsertParams, McpServersUpsertResult } from './mcp-servers-upsert.js';
import { OperatorsCreateParams, OperatorsCreateResult } from './operators-create.js';
import { OperatorsListParams, OperatorsListResult } from './operators-list.js';
import { OperatorsRevokeParams, OperatorsRevokeResult } from './operators-revoke.js';
import { OperatorsRotateParams, OperatorsRotateResult } from './operators-rotate.js';
import { PeopleListParams, PeopleListResult } from './people-list.js';
import { PeoplePutParams, PeoplePutResult } from './people-put.js';
import { ProcessingInterventionParams, ProcessingInterventionResult } from './processing-intervention.js';
import { ProcessingPauseParams, ProcessingPauseResult } from './processing-pause.js';
import { ProcessingPendingParams, ProcessingPendingResult } from './processing-pending.js';
import { ProcessingPreviewParams, ProcessingPreviewResult } from './processing-preview.js';
import { ProcessingResumeParams, ProcessingResumeResult } from './processing-resume.js';
import { ProcessingStateParams, ProcessingStateResult } from './processing-state.js';
import { ToolsCallParams, ToolsCallResult } from './tools-call.js';
import { ToolsListParams, ToolsListResult } from './tools-list.js';

/** One method. Without a capability any operator (or, outside `nexo/admin`, any agent) may call it. */
export interface MethodSpec {
  readonly capability?: Capability;
  readonly params: z.ZodType;
  readonly result: z.ZodType;
  /** True for what changes something; a command that does leaves an audit row. */
  readonly mutates: boolean;
}

/** What operators call. */
export const ADMIN_METHODS = {
  'nexo/admin/processing/pause': {
    capability: 'operator_intervention',
    params: ProcessingPauseParams,
    result: ProcessingPauseResult,
    mutates: true,
  },
  'nexo/admin/processing/resume': {
    capability: 'operator_intervention',
    params: ProcessingResumeParams,
    result: ProcessingResumeResult,
    mutates: true,
  },
  'nexo/admin/processing/intervention': {
    capability: 'operator_intervention',
    params: ProcessingInterventionParams,
    result: ProcessingInterventionResult,
    mutates: true,
  },
  'nexo/admin/processing/state': { params: ProcessingStateParams, result: ProcessingStateResult, mutates: false },
  'nexo/admin/processing/pending': {
    capability: 'transcripts_read',
    params: ProcessingPendingParams,
    result: ProcessingPendingResult,
    mutates: false,
  },
  'nexo/admin/processing/preview': {
    capability: 'transcripts_read',
    params: ProcessingPreviewParams,
    result: ProcessingPreviewResult,
    mutates: false,
  },
  'nexo/admin/conversations/list': {
    params: ConversationsListParams,
    result: ConversationsListResult,
    mutates: false,
  },
  'nexo/admin/agent_events/list': {
    capability: 'transcripts_read',
    params: AgentEventsListParams,
    result: AgentEventsListResult,
    mutates: false,
  },
  'nexo/admin/agent_events/read': {
    capability: 'transcripts_read',
    params: AgentEventsReadParams,
    result: AgentEventsReadResult,
    mutates: false,
  },
  'nexo/admin/agent_events/search': {
    capability: 'transcripts_read',
    params: AgentEventsSearchParams,
    result: AgentEventsSearchResult,
    mutates: false,
  },
  'nexo/admin/drafts/list': {
    capability: 'operator_intervention',
    params: DraftsListParams,
    result: DraftsListResult,
    mutates: false,
  },
  'nexo/admin/drafts/send': {
    capability: 'operator_intervention',
    params: DraftsSendParams,
    result: DraftsSendResult,
    mutates: true,
  },
  'nexo/admin/drafts/discard': {
    capability: 'operator_intervention',
    params: DraftsDiscardParams,
    result: DraftsDiscardResult,
    mutates: true,
  },
  'nexo/admin/escalations/list': {
    capability: 'escalations_read',
    params: EscalationsListParams,
    result: EscalationsListResult,
    mutates: false,
  },
  'nexo/admin/escalations/resolve': {
    capability: 'escalations_resolve',
    params: EscalationsResolveParams,
    result: EscalationsResolveResult,
    mutates: true,
  },
  'nexo/admin/approvals/list': {
    capability: 'approvals_read',
    params: ApprovalsListParams,
    result: ApprovalsListResult,
    mutates: false,
  },
  'nexo/admin/approvals/decide': {
    capability: 'approvals_decide',
    params: ApprovalsDecideParams,
    result: ApprovalsDecideResult,
    mutates: true,
  },
  'nexo/admin/people/list': {
    capability: 'people_read',
    params: PeopleListParams,
    result: PeopleListResult,
    mutates: false,
  },
  'nexo/admin/people/put': {
    capability: 'people_manage',
    params: PeoplePutParams,
    result: PeoplePutResult,
    mutates: true,
  },
  'nexo/admin/mcp_servers/upsert': {
    capability: 'tools_manage',
    params: McpServersUpsertParams,
    result: McpServersUpsertResult,
    mutates: true,
  },
  'nexo/admin/mcp_servers/list': {
    capability: 'tools_manage',
    params: McpServersListParams,
    result: McpServersListResult,
    mutates: false,
  },
  'nexo/admin/mcp_servers/refresh': {
    capability: 'tools_manage',
    params: McpServersRefreshParams,
    result: McpServersRefreshResult,
    mutates: true,
  },
  'nexo/admin/mcp_servers/delete': {
    capability: 'tools_manage',
    params: McpServersDeleteParams,
    result: McpServersDeleteResult,
    mutates: true,
  },
  'nexo/admin/operators/create': {
    capability: 'operators_manage',
    params: OperatorsCreateParams,
    result: OperatorsCreateResult,
    mutates: true,
  },
  'nexo/admin/operators/list': {
    capability: 'operators_manage',
    params: OperatorsListParams,
    result: OperatorsListResult,
    mutates: false,
  },
  'nexo/admin/operators/revoke': {
    capability: 'operators_manage',
    params: OperatorsRevokeParams,
    result: OperatorsRevokeResult,
    mutates: true,
  },
  'nexo/admin/operators/rotate': {
    capability: 'operators_manage',
    params: OperatorsRotateParams,
    result: OperatorsRotateResult,
    mutates: true,
  },
  'nexo/admin/audit/list': {
    capability: 'audit_read',
    params: AuditListParams,
    result: AuditListResult,
    mutates: false,
  },
} as const satisfies Record<string, MethodSpec>;
export type AdminMethod = keyof typeof ADMIN_METHODS;

/** What agents call about their turns. */
export const AGENT_METHODS = {
  'nexo/agent/reply': { params: AgentReplyParams, result: AgentReplyResult, mutates: true },
  'nexo/agent/done': { params: AgentDoneParams, result: AgentDoneResult, mutates: true },
  'nexo/agent/escalate': { params: AgentEscalateParams, result: AgentEscalateResult, mutates: true },
  'nexo/agent/transcript': { params: AgentTranscriptParams, result: AgentTranscriptResult, mutates: false },
} as const satisfies Record<string, MethodSpec>;
export type AgentMethod = keyof typeof AGENT_METHODS;

/** What agents call about tools. */
export const TOOL_METHODS = {
  'nexo/tools/list': { params: ToolsListParams, result: ToolsListResult, mutates: false },
  'nexo/tools/call': { params: ToolsCallParams, result: ToolsCallResult, mutates: true },
} as const satisfies Record<string, MethodSpec>;
export type ToolMethod = keyof typeof TOOL_METHODS;

/** Every method of the contract. */
export const METHODS = { ...ADMIN_METHODS, ...AGENT_METHODS, ...TOOL_METHODS } as const;
export type Method = keyof typeof METHODS;

/** The params of a method after parsing. */
export type ParamsOf<Name extends Method> = z.output<(typeof METHODS)[Name]['params']>;
/** The result of a method. */
export type ResultOf<Name extends Method> = z.output<(typeof METHODS)[Name]['result']>;

/** The method of the notification that is published beside every `processing_state_changed` event. */
export const PROCESSING_STATE_CHANGED_NOTIFY_METHOD = 'nexo/notify/processing_state_changed';
/** The method of the notifications of `GET /events`. */
export const AGENT_EVENT_NOTIFY_METHOD = 'nexo/notify/agent_event';

/** True for a method of the contract. */
export function isMethod(name: string): name is Method {
  return Object.hasOwn(METHODS, name);
}

/** The subject of a method: `/` → `.`. */
export function subjectOfMethod(method: string): string {
  return method.replaceAll('/', '.');
}

/** The method of a subject: `.` → `/`. */
export function methodOfSubject(subject: string): string {
  return subject.replaceAll('.', '/');
}
