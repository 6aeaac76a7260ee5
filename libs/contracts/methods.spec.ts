import * as z from 'zod';
import { ALL_CAPABILITIES } from './capabilities.js';
import {
  ADMIN_METHODS,
  AGENT_METHODS,
  isMethod,
  METHODS,
  type MethodSpec,
  methodOfSubject,
  subjectOfMethod,
  TOOL_METHODS,
} from './methods.js';

/** The table of the contract: every operator method with its capability; `*` marks those that change something. */
const ADMIN_TABLE = `
  processing/pause          * operator_intervention
  processing/resume         * operator_intervention
  processing/intervention   * operator_intervention
  processing/state            any
  processing/pending          transcripts_read
  processing/preview          transcripts_read
  conversations/list          any
  agent_events/list           transcripts_read
  agent_events/read           transcripts_read
  agent_events/search         transcripts_read
  drafts/list                 operator_intervention
  drafts/send               * operator_intervention
  drafts/discard            * operator_intervention
  escalations/list            escalations_read
  escalations/resolve       * escalations_resolve
  approvals/list              approvals_read
  approvals/decide          * approvals_decide
  people/list                 people_read
  people/put                * people_manage
  mcp_servers/upsert        * tools_manage
  mcp_servers/list            tools_manage
  mcp_servers/refresh       * tools_manage
  mcp_servers/delete        * tools_manage
  operators/create          * operators_manage
  operators/list              operators_manage
  operators/revoke          * operators_manage
  operators/rotate          * operators_manage
  audit/list                  audit_read
`;

function rowOf([method, spec]: [string, MethodSpec]): string {
  return [method, spec.mutates ? '*' : '', spec.capability ?? 'any'].filter(Boolean).join(' ');
}

const specs: Record<string, MethodSpec> = METHODS;

describe('the methods', () => {
  test('of operators are those of the contract, with their capabilities', () => {
    const rows = ADMIN_TABLE.trim()
      .split('\n')
      .map((line) => `nexo/admin/${line.trim().replaceAll(/\s+/g, ' ')}`);
    expect(Object.entries(ADMIN_METHODS).map(rowOf)).toStrictEqual(rows);
  });

  test('of agents are those of the contract', () => {
    expect([...Object.entries(AGENT_METHODS), ...Object.entries(TOOL_METHODS)].map(rowOf)).toStrictEqual([
      'nexo/agent/reply * any',
      'nexo/agent/done * any',
      'nexo/agent/escalate * any',
      'nexo/agent/transcript any',
      'nexo/tools/list any',
      'nexo/tools/call * any',
    ]);
  });

  test('need every capability that there is', () => {
    const needed = new Set(Object.values(specs).flatMap((spec) => spec.capability ?? []));
    expect([...needed].sort()).toStrictEqual([...ALL_CAPABILITIES].sort());
  });

  test.each(Object.entries(specs))('%s has a schema for its params and for its result', (_, spec) => {
    expect(spec.params).toBeInstanceOf(z.ZodObject);
    expect(spec.result).toBeInstanceOf(z.ZodType);
  });

  test('map to subjects and back', () => {
    expect(subjectOfMethod('nexo/admin/agent_events/list')).toBe('nexo.admin.agent_events.list');
    expect(Object.keys(specs).map((method) => methodOfSubject(subjectOfMethod(method)))).toStrictEqual(
      Object.keys(specs),
    );
  });

  test('are known by name, inherited names are not', () => {
    expect(isMethod('nexo/agent/done')).toBe(true);
    expect(isMethod('toString')).toBe(false);
    expect(isMethod('nexo/admin/processing')).toBe(false);
  });
});
