/** An escalation that nobody takes is told again after these multiples of the time that is set. */
export const ALARM_STEPS = [1, 3, 10] as const;

/**
 * How many alarms an escalation should have raised by now. Steps that nobody was there to raise are made up for by
 * one alarm, not by several at once.
 * @param alarmAfterMs the time that is set; 0: never
 */
export function alarmsDue(requestedAtMs: number, nowMs: number, alarmAfterMs: number): number {
  if (alarmAfterMs === 0) return 0;
  return ALARM_STEPS.filter((step) => nowMs - requestedAtMs >= step * alarmAfterMs).length;
}
