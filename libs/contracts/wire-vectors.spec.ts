import { readFileSync } from 'node:fs';
import type * as z from 'zod';
import { RpcError } from './errors.js';
import { InterventionAction } from './intervention-action.js';
import { parseParams } from './parse-params.js';
import { PendingInbound } from './pending-inbound.js';
import { ProcessingAck } from './processing-ack.js';
import { ProcessingControlState } from './processing-control-state.js';
import { ProcessingInterventionParams } from './processing-intervention.js';
import { ProcessingResumeParams } from './processing-resume.js';
import { ProcessingScope } from './processing-scope.js';
import { checkSummary } from './summary.js';

interface Vector {
  name: string;
  type: string;
  input: unknown;
  accepts: boolean;
  canonical?: unknown;
  code?: number;
  reason?: string;
}

const file = new URL('../../test/vectors/wire.json', import.meta.url);
const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { vectors: Vector[] };

function decodeWith<Schema extends z.ZodType>(schema: Schema): (input: unknown) => unknown {
  return (input) => parseParams(schema, input);
}

const DECODERS: Record<string, (input: unknown) => unknown> = {
  ProcessingScope: decodeWith(ProcessingScope),
  InterventionAction: decodeWith(InterventionAction),
  ProcessingControlState: decodeWith(ProcessingControlState),
  ProcessingInterventionParams: decodeWith(ProcessingInterventionParams),
  PendingInbound: decodeWith(PendingInbound),
  ProcessingAck: decodeWith(ProcessingAck),
  ProcessingResumeParams: (input) => {
    const params = parseParams(ProcessingResumeParams, input);
    checkSummary(params);
    return params;
  },
};

function decode(vector: Vector): unknown {
  const decoder = DECODERS[vector.type];
  if (decoder === undefined) throw new Error(`no decoder for ${vector.type}`);
  return decoder(vector.input);
}

const named = (accepts: boolean): [string, Vector][] =>
  vectors.filter((vector) => vector.accepts === accepts).map((vector) => [`${vector.type}, ${vector.name}`, vector]);

describe('the wire vectors', () => {
  test('are all here', () => {
    expect(vectors).toHaveLength(36);
    expect(named(true).length + named(false).length).toBe(36);
  });

  test.each(named(true))('%s: decodes and is encoded again exactly', (_, vector) => {
    const decoded = decode(vector);
    expect(decoded).toStrictEqual(vector.canonical);
    expect(JSON.stringify(decoded)).toBe(JSON.stringify(vector.canonical));
  });

  test.each(named(false))('%s: is refused', (_, vector) => {
    let refusal: unknown;
    try {
      decode(vector);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(RpcError);
    expect((refusal as RpcError).toJson()).toMatchObject({ code: vector.code, data: { reason: vector.reason } });
    expect((refusal as RpcError).message).toMatch(new RegExp(`^${vector.reason}\\b`));
  });
});
