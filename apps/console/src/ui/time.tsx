import { age, fullTime, machineTime, shortTime, utcTime } from '../format/times.js';
import { useMessages } from '../i18n/use-messages.js';
import { useNow } from './use-now.js';

export interface TimeProps {
  ms: number;
  /** `age`: how long ago; `full`: to the second. */
  as?: 'short' | 'full' | 'age';
}

/** A time in the operator's zone; hovering shows it in UTC. */
export function Time({ ms, as = 'short' }: TimeProps) {
  const { locale } = useMessages();
  const nowMs = useNow();
  const format = { language: locale, timeZone: undefined };
  const text =
    as === 'age' ? age(nowMs - ms, locale) : as === 'full' ? fullTime(ms, format) : shortTime(ms, nowMs, format);
  return (
    <time dateTime={machineTime(ms)} title={`${fullTime(ms, format)}\n${utcTime(ms)}`}>
      {text}
    </time>
  );
}
