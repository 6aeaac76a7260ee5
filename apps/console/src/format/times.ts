const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A message as old as this is worth a warning before it is handed back. */
export const OLD_MESSAGE_MS = HOUR_MS;

/** How times are written for one operator. */
export interface TimeFormat {
  language: string;
  /** Of the operator; the browser's own when undefined. */
  timeZone: string | undefined;
}

/** `14:05` today, `Mon 14:05` within a week, else the date; always in the operator's zone. */
export function shortTime(ms: number, nowMs: number, format: TimeFormat): string {
  if (sameDay(ms, nowMs, format)) return formatter(format, { hour: '2-digit', minute: '2-digit' }).format(ms);
  if (Math.abs(nowMs - ms) < 6 * DAY_MS) {
    return formatter(format, { weekday: 'short', hour: '2-digit', minute: '2-digit' }).format(ms);
  }
  return formatter(format, { year: 'numeric', month: 'short', day: 'numeric' }).format(ms);
}

/** Date and time to the second, in the operator's zone. */
export function fullTime(ms: number, format: TimeFormat): string {
  return formatter(format, { dateStyle: 'medium', timeStyle: 'medium' }).format(ms);
}

/** `2026-11-03 14:05:09 UTC` */
export function utcTime(ms: number): string {
  return isTime(ms) ? `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC` : String(ms);
}

/** ISO 8601 for the `datetime` of a `<time>`; undefined for what no Date can hold. */
export function machineTime(ms: number): string | undefined {
  return isTime(ms) ? new Date(ms).toISOString() : undefined;
}

/** An age in its largest whole unit: `3 h`, `12 min`. */
export function age(ms: number, language: string): string {
  const [value, unit] = largestUnit(Math.max(0, ms));
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(value);
}

function largestUnit(ms: number): [number, string] {
  if (ms >= 2 * DAY_MS) return [Math.floor(ms / DAY_MS), 'day'];
  if (ms >= HOUR_MS) return [Math.floor(ms / HOUR_MS), 'hour'];
  if (ms >= MINUTE_MS) return [Math.floor(ms / MINUTE_MS), 'minute'];
  return [Math.floor(ms / 1_000), 'second'];
}

function sameDay(a: number, b: number, format: TimeFormat): boolean {
  const day = formatter(format, { year: 'numeric', month: 'numeric', day: 'numeric' });
  return day.format(a) === day.format(b);
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Making one takes long, and there are few. What no Date can hold is written as the number it is. */
function formatter({ language, timeZone }: TimeFormat, options: Intl.DateTimeFormatOptions) {
  const key = JSON.stringify([language, timeZone, options]);
  let known = formatters.get(key);
  if (known === undefined) {
    known = new Intl.DateTimeFormat(language, { ...options, ...(timeZone === undefined ? {} : { timeZone }) });
    formatters.set(key, known);
  }
  const { format } = known;
  return { format: (ms: number) => (isTime(ms) ? format(ms) : String(ms)) };
}

const LATEST_DATE_MS = 8.64e15;

function isTime(ms: number): boolean {
  return Number.isFinite(ms) && Math.abs(ms) <= LATEST_DATE_MS;
}
