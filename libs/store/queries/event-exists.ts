import type { Reader } from '../read.js';

const EVENT_EXISTS = { name: 'event-exists', text: 'SELECT FROM events WHERE event_id = $1' };

/** Whether an event was told before, as far back as events are kept. */
export async function eventExists(reader: Reader, eventId: string): Promise<boolean> {
  return (await reader.rows(EVENT_EXISTS, [eventId])).length > 0;
}
