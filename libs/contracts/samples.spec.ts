import type * as z from 'zod';
import { AgentDoneParams } from './agent-done.js';
import { AgentEscalateParams } from './agent-escalate.js';
import { AgentReplyParams } from './agent-reply.js';
import { AgentTranscriptResult } from './agent-transcript.js';
import { Approval } from './approval.js';
import { AuditListResult } from './audit-list.js';
import { ChannelEcho } from './channel-echo.js';
import { ChannelStatus } from './channel-status.js';
import { Conversation } from './conversations-list.js';
import { Draft } from './draft.js';
import { Entry } from './entry.js';
import { Hold } from './hold.js';
import { McpServer } from './mcp-servers.js';
import { OperatorWithToken } from './operator.js';
import { OutboundMessage } from './outbound-message.js';
import { PeoplePutParams } from './people-put.js';
import { Person } from './person.js';
import { ProcessingPauseParams } from './processing-pause.js';
import { ProcessingPendingResult } from './processing-pending.js';
import { ToolsCallParams } from './tools-call.js';
import { Turn } from './turn.js';

const id = '018f4e2a-0000-7abc-8def-0123456789ab';
const at = 1_700_000_000_000;
const hash = 'abcdef0123456789';
const scope = { kind: 'conversation', agent_id: 'ana', channel: 'wa', account_id: 'a', contact_id: 'c' };
const inbound = {
  message_id: id,
  from_contact_id: 'c',
  body: 'hola',
  timestamp_ms: at,
  source_plugin: 'wa',
  attachments: [{ url: 'https://x' }],
};
const entry = {
  seq: 0,
  role: 'user',
  body: 'hola',
  sent_at_ms: at,
  sender_id: 'c',
  source_plugin: 'wa',
  message_id: id,
  attachments: [1],
  replayed: true,
  delivery: 'read',
};
const action = {
  kind: 'reply',
  channel: 'wa',
  account_id: 'a',
  to: 'c',
  body: 'sí',
  msg_kind: 'text',
  attachments: [{}],
  reply_to_msg_id: 'm1',
};
const person = {
  provider: 'wa',
  user_id: 'u1',
  display_name: 'Ana',
  email: 'ana@example.com',
  status: 'linked',
  admin: false,
  updated_at_ms: at,
};
const tool = {
  name: 'mcp__files__write',
  title: 'Write',
  description: 'Writes a file',
  input_schema: { type: 'object', properties: { path: {} } },
  face: { family: 'edit', pathTarget: { param: 'path' }, approvalCard: 'file_write', ruleFace: { keys: ['path'] } },
};

/** One sample of each message with every optional field present. */
const SAMPLES: [string, z.ZodObject, Record<string, unknown>][] = [
  [
    'Turn',
    Turn,
    {
      kind: 'turn',
      turn_id: id,
      agent_id: 'ana',
      scope,
      session_id: id,
      epoch: 2,
      cause: 'resume',
      inbounds: [{ ...inbound, answered: true }, inbound],
      entries: [entry],
      operator_summary: 'all well',
      more: [{ session_id: id, from_seq: 0, to_seq: 9 }],
    },
  ],
  ['Hold', Hold, { kind: 'hold', agent_id: 'ana', scope, epoch: 1 }],
  ['Entry', Entry, entry],
  [
    'ProcessingPauseParams',
    ProcessingPauseParams,
    { scope, operator_token_hash: hash, reason: 'r', auto_resume_after_ms: 5_000, take_over: false },
  ],
  [
    'ProcessingPendingResult',
    ProcessingPendingResult,
    { depth: 1, cap: 50, inbounds: [inbound], evicted: [{ inbound, evicted_at_ms: at }] },
  ],
  [
    'Conversation',
    Conversation,
    {
      scope,
      state: { state: 'agent_active' },
      epoch: 0,
      session_id: id,
      pending_depth: 0,
      dropped_total: 0,
      last_entry: { role: 'user', body: 'hola', sent_at_ms: at },
      last_activity_ms: at,
      escalation: { urgency: 'high', reason: 'complaint', requested_at_ms: at },
    },
  ],
  ['Draft', Draft, { draft_id: id, scope, turn_id: id, action, reason: 'paused', status: 'open', created_at_ms: at }],
  [
    'OutboundMessage',
    OutboundMessage,
    {
      outbound_id: id,
      scope,
      channel: 'wa',
      account_id: 'a',
      to: 'c',
      body: 'sí',
      msg_kind: 'text',
      attachments: [{}],
      reply_to_msg_id: 'm1',
      origin: 'operator',
      epoch: 1,
    },
  ],
  ['ChannelStatus', ChannelStatus, { outbound_id: id, status: 'failed', detail: 'x', at_ms: at }],
  [
    'ChannelEcho',
    ChannelEcho,
    { outbound_id: id, outbound_message_id: 'm', to: 'c', body: '', timestamp_ms: at, attachments: [1] },
  ],
  ['AgentReplyParams', AgentReplyParams, { turn_id: id, epoch: 1, scope, action, session_id: id }],
  ['AgentDoneParams', AgentDoneParams, { turn_id: id, outcome: 'failed', detail: 'x' }],
  [
    'AgentEscalateParams',
    AgentEscalateParams,
    { scope, summary: 'help', reason: 'unknown_query', urgency: 'low', context: { order: 7 } },
  ],
  ['AgentTranscriptResult', AgentTranscriptResult, { entries: [entry], next_seq: 1 }],
  [
    'Approval',
    Approval,
    {
      approval_id: id,
      status: 'approved',
      title: 'Promote u1',
      tool: 'promote',
      arguments: { target_user_id: 'u1' },
      arguments_sha256: 'aa',
      schema_revision: 'bb',
      target: person,
      agent_id: 'ana',
      caller: { provider: 'wa', user_id: 'c' },
      requested_at_ms: at,
      expires_at_ms: at,
      decided_by: hash,
      decided_at_ms: at,
      reason: 'known',
      outcome: 'succeeded',
    },
  ],
  ['Person', Person, person],
  [
    'PeoplePutParams',
    PeoplePutParams,
    {
      provider: 'wa',
      user_id: 'u1',
      display_name: 'A',
      email: 'a@b',
      status: 'linked',
      admin: true,
      operator_token_hash: hash,
    },
  ],
  [
    'McpServer',
    McpServer,
    {
      server: {
        name: 'files',
        transport: { kind: 'stdio', command: 'files', args: ['-v'], env: { KEY: '***' } },
        allowTools: ['write'],
        agents: ['ana'],
        toolFaces: { write: { family: 'no such family', colour: 'red' } },
      },
      status: 'connected',
      detail: 'x',
      tools: [tool],
    },
  ],
  [
    'OperatorWithToken',
    OperatorWithToken,
    {
      operator: { token_hash: hash, name: 'Eva', capabilities: ['audit_read'], created_at_ms: at, revoked_at_ms: at },
      token: 't',
    },
  ],
  [
    'AuditListResult',
    AuditListResult,
    {
      rows: [
        {
          id: 1,
          at_ms: at,
          operator: hash,
          method: 'nexo/admin/processing/pause',
          scope,
          outcome: 'refused',
          changed: false,
          reason: 'unauthenticated',
          correlation_id: id,
          params_sha256: 'aa',
        },
      ],
      next_cursor: 'c',
    },
  ],
  [
    'ToolsCallParams',
    ToolsCallParams,
    { agent_id: 'ana', tool: 'promote', arguments: { target_user_id: 'u1' }, turn_id: id, call_id: 'call 1' },
  ],
];

function optionalKeysOf(schema: z.ZodObject): string[] {
  return Object.keys(schema.shape).filter((key) => schema.shape[key]?._zod.optin !== undefined);
}

function without(sample: Record<string, unknown>, keys: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(sample).filter(([key]) => !keys.includes(key)));
}

describe.each(SAMPLES)('%s', (_, schema, sample) => {
  const optionalKeys = optionalKeysOf(schema);

  test('comes out as it went in, with every field that the schema has', () => {
    expect(Object.keys(sample).sort()).toStrictEqual(Object.keys(schema.shape).sort());
    expect(schema.parse(JSON.parse(JSON.stringify(sample)))).toStrictEqual(sample);
  });

  test('has no key for an optional that is null, undefined or missing', () => {
    const bare = without(sample, optionalKeys);
    const nulls = Object.fromEntries(optionalKeys.map((key) => [key, null]));
    const undefineds = Object.fromEntries(optionalKeys.map((key) => [key, undefined]));
    for (const input of [bare, { ...bare, ...nulls }, { ...bare, ...undefineds }]) {
      expect(schema.parse(input)).toStrictEqual(bare);
    }
  });

  test('needs each of its other fields', () => {
    for (const key of Object.keys(sample).filter((name) => !optionalKeys.includes(name))) {
      expect(schema.safeParse(without(sample, [key])).success).toBe(false);
    }
  });

  test('ignores fields of later versions', () => {
    expect(schema.parse({ ...sample, later: 1 })).toStrictEqual(sample);
  });
});
