import fc from 'fast-check';

import { type ConversationCommand, type ConversationState, decide, type Decision } from './decide.js';

const NOW = 1_700_000_000_000;
const active: ConversationState = { state: 'agent_active', epoch: 4 };
const paused: ConversationState = {
  state: 'paused_by_operator',
  epoch: 5,
  pausedAtMs: NOW - 60_000,
  operatorTokenHash: 'holder',
  reason: 'refund',
  autoResumeAtMs: NOW,
};
const STATES = { agent_active: active, paused_by_operator: paused };

function pause(change: Partial<Extract<ConversationCommand, { kind: 'pause' }>> = {}): ConversationCommand {
  return {
    kind: 'pause',
    operatorTokenHash: 'other',
    reason: undefined,
    autoResumeAfterMs: undefined,
    takeOver: false,
    ...change,
  };
}

const COMMANDS = {
  inbound: { kind: 'inbound' },
  pause: pause(),
  'pause with a reason and a timer': pause({ reason: 'busy', autoResumeAfterMs: 1_000 }),
  'take over by the holder': pause({ operatorTokenHash: 'holder', takeOver: true, reason: 'mine' }),
  'take over by another': pause({ takeOver: true }),
  'take over by another with a reason and a timer': pause({ takeOver: true, reason: 'mine', autoResumeAfterMs: 5_000 }),
  resume: { kind: 'resume', expectedEpoch: undefined },
  'resume at the epoch of the active state': { kind: 'resume', expectedEpoch: 4 },
  'resume at the epoch of the paused state': { kind: 'resume', expectedEpoch: 5 },
  'resume when due': { kind: 'resume_when_due' },
  'agent reply at the epoch of the active state': { kind: 'agent_reply', epoch: 4, isLatest: true },
  'agent reply at another epoch': { kind: 'agent_reply', epoch: 2, isLatest: true },
  'agent reply to a turn from before the last resume': { kind: 'agent_reply', epoch: 4, isLatest: false },
} satisfies Record<string, ConversationCommand>;

const fresh: Decision = {
  kind: 'paused',
  next: {
    state: 'paused_by_operator',
    epoch: 5,
    pausedAtMs: NOW,
    operatorTokenHash: 'other',
    reason: null,
    autoResumeAtMs: null,
  },
};
const suppressed: Decision = { kind: 'suppressed', reason: 'paused' };
const unchanged: Decision = { kind: 'unchanged' };
const resumed: Decision = { kind: 'resumed', next: { state: 'agent_active', epoch: 6 } };

const OUTCOMES: Record<keyof typeof STATES, Record<keyof typeof COMMANDS, Decision>> = {
  agent_active: {
    inbound: { kind: 'forward' },
    pause: fresh,
    'pause with a reason and a timer': {
      ...fresh,
      next: { ...fresh.next, reason: 'busy', autoResumeAtMs: NOW + 1_000 },
    },
    'take over by the holder': { ...fresh, next: { ...fresh.next, operatorTokenHash: 'holder', reason: 'mine' } },
    'take over by another': fresh,
    'take over by another with a reason and a timer': {
      ...fresh,
      next: { ...fresh.next, reason: 'mine', autoResumeAtMs: NOW + 5_000 },
    },
    resume: unchanged,
    'resume at the epoch of the active state': unchanged,
    'resume at the epoch of the paused state': { kind: 'stale_epoch' },
    'resume when due': unchanged,
    'agent reply at the epoch of the active state': { kind: 'sent' },
    'agent reply at another epoch': { kind: 'suppressed', reason: 'stale_epoch' },
    'agent reply to a turn from before the last resume': { kind: 'suppressed', reason: 'stale_epoch' },
  },
  paused_by_operator: {
    inbound: { kind: 'buffer' },
    pause: unchanged,
    'pause with a reason and a timer': unchanged,
    'take over by the holder': unchanged,
    'take over by another': { kind: 'taken_over', next: { ...paused, operatorTokenHash: 'other' } },
    'take over by another with a reason and a timer': {
      kind: 'taken_over',
      next: { ...paused, operatorTokenHash: 'other', reason: 'mine', autoResumeAtMs: NOW + 5_000 },
    },
    resume: resumed,
    'resume at the epoch of the active state': { kind: 'stale_epoch' },
    'resume at the epoch of the paused state': resumed,
    'resume when due': resumed,
    'agent reply at the epoch of the active state': suppressed,
    'agent reply at another epoch': suppressed,
    'agent reply to a turn from before the last resume': suppressed,
  },
};

describe('the conversation machine', () => {
  for (const [stateName, commands] of Object.entries(OUTCOMES)) {
    for (const [commandName, outcome] of Object.entries(commands)) {
      it(`in ${stateName}, answers "${commandName}" with ${outcome.kind}`, () => {
        const state = STATES[stateName as keyof typeof STATES];
        const command = COMMANDS[commandName as keyof typeof COMMANDS];
        expect(decide(state, command, NOW)).toEqual(outcome);
      });
    }
  }

  it('does not resume by itself before the time, nor without a timer', () => {
    const early = { ...paused, autoResumeAtMs: NOW + 1 };
    const never = { ...paused, autoResumeAtMs: null };
    expect(decide(early, { kind: 'resume_when_due' }, NOW)).toEqual(unchanged);
    expect(decide(never, { kind: 'resume_when_due' }, NOW)).toEqual(unchanged);
  });

  const command: fc.Arbitrary<ConversationCommand> = fc.oneof(
    fc.constant<ConversationCommand>({ kind: 'inbound' }),
    fc.record({
      kind: fc.constant('pause' as const),
      operatorTokenHash: fc.constantFrom('a', 'b'),
      reason: fc.option(fc.constantFrom('x', 'y'), { nil: undefined }),
      autoResumeAfterMs: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
      takeOver: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('resume' as const),
      expectedEpoch: fc.option(fc.integer({ min: 0, max: 8 }), { nil: undefined }),
    }),
    fc.constant<ConversationCommand>({ kind: 'resume_when_due' }),
    fc.record({
      kind: fc.constant('agent_reply' as const),
      epoch: fc.integer({ min: 0, max: 8 }),
      isLatest: fc.boolean(),
    }),
  );

  it('keeps its invariants over any run of commands', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
        let state: ConversationState = { state: 'agent_active', epoch: 0 };
        commands.forEach((each, now) => {
          const decision = decide(state, each, now);
          const next: ConversationState = 'next' in decision ? decision.next : state;
          const raises = decision.kind === 'paused' || decision.kind === 'resumed';
          expect(next.epoch).toBe(state.epoch + (raises ? 1 : 0));
          expect(next.epoch % 2).toBe(next.state === 'paused_by_operator' ? 1 : 0);
          if (state.state === 'paused_by_operator' && next.state === 'paused_by_operator') {
            expect(next.pausedAtMs).toBe(state.pausedAtMs);
            if (decision.kind !== 'taken_over') expect(next).toEqual(state);
            else expect(next.operatorTokenHash).not.toBe(state.operatorTokenHash);
          }
          state = next;
        });
      }),
    );
  });
});
