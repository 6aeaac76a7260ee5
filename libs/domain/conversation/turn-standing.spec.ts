import type { ConversationState } from './decide.js';
import { isLatest, isOpen } from './turn-standing.js';

const active = (epoch: number): ConversationState => ({ state: 'agent_active', epoch });
const paused = (epoch: number): ConversationState => ({
  state: 'paused_by_operator',
  epoch,
  pausedAtMs: 0,
  operatorTokenHash: 'holder',
  reason: null,
  autoResumeAtMs: null,
});
const inboundTurn = (lastArrival: number) => ({ resumeEpoch: undefined, lastArrival });
const resumeTurn = (resumeEpoch: number, lastArrival: number) => ({ resumeEpoch, lastArrival });

describe('how a turn stands', () => {
  it.each([
    ['an inbound’s from after the last resume', active(2), inboundTurn(101), true],
    ['an inbound’s from before the last resume', active(2), inboundTurn(99), false],
    ['an inbound’s that a pause has interrupted', paused(3), inboundTurn(101), true],
    ['that of the last resume', active(2), resumeTurn(2, 99), true],
    ['that of the resume before', active(4), resumeTurn(2, 99), false],
    ['that of the last resume, interrupted', paused(3), resumeTurn(2, 99), true],
    ['that of the resume before, interrupted', paused(5), resumeTurn(2, 99), false],
  ])('a turn is the latest work of its agent or not: %s', (_, state, turn, latest) => {
    expect(isLatest({ state, resumedArrival: 100 }, turn)).toBe(latest);
  });

  it('is open until it or a later one is answered, or a resume has taken it over', () => {
    const context = { state: active(2), resumedArrival: 100, answeredArrival: 105 };
    expect([104, 105, 106].map((arrival) => isOpen(context, inboundTurn(arrival)))).toEqual([false, false, true]);
    expect(isOpen({ ...context, answeredArrival: 50 }, inboundTurn(99))).toBe(false);
    expect(isOpen({ ...context, answeredArrival: 50 }, resumeTurn(2, 99))).toBe(true);
  });
});
