import { z } from 'zod';

import { AgentEventKind } from '#contracts/agent-event.js';
import { invalidParams } from '#contracts/errors.js';
import { Id } from '#contracts/fields.js';
import { invalidParamsOf } from '#contracts/parse-params.js';
import { encodeToken, STREAM_SUBJECTS } from '#contracts/subjects.js';

const given = <Field extends z.ZodType>(field: Field) => z.preprocess((value) => value || undefined, field.optional());
const Query = z.object({ agent_id: given(Id), kind: given(AgentEventKind) });
/** `nexo.agent_events.` */
const EVENT_PREFIX = STREAM_SUBJECTS.events[0].slice(0, -1);
const SEQUENCE = /^\d{1,16}$/;

/** Which events a client wants. */
export interface EventFilter {
  /** The same for equal filters. */
  key: string;
  /** For a consumer of the stream. */
  subject: string;
  matches(subject: string): boolean;
}

/** @throws RpcError `invalid_params` */
export function readEventFilter(query: unknown): EventFilter {
  const parsed = Query.safeParse(query);
  if (!parsed.success) throw invalidParamsOf(parsed.error);
  const { agent_id: agentId, kind } = parsed.data;
  const subject = subjectOf(agentId, kind);
  const tokens = subject.split('.').slice(2);
  return {
    key: subject,
    subject,
    matches: (other) => {
      const [, , agentToken, kindToken] = other.split('.');
      return (tokens[0] === '*' || tokens[0] === agentToken) && (tokens[1] === '*' || tokens[1] === kindToken);
    },
  };
}

/**
 * The header `Last-Event-ID`.
 * @throws RpcError `invalid_params`
 */
export function readLastEventId(header: string | string[] | undefined): number | undefined {
  if (header === undefined || header === '') return undefined;
  const seq = Number(header);
  if (typeof header === 'string' && SEQUENCE.test(header) && Number.isSafeInteger(seq)) return seq;
  throw invalidParams('Last-Event-ID', 'Last-Event-ID must be the id of an event');
}

function subjectOf(agentId: string | undefined, kind: string | undefined): string {
  const tokens = [agentId, kind].map((id) => (id === undefined ? '*' : encodeToken(id)));
  return EVENT_PREFIX + tokens.join('.');
}
