import type { Reader } from '../read.js';

const STILL_CONNECTED = { name: 'still-connected', text: 'SELECT 1' };

/** Throws if the connection, and with it every lock of its transaction, was lost. */
export async function stillConnected(reader: Reader): Promise<void> {
  await reader.rows(STILL_CONNECTED);
}
