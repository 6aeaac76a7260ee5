import type { ValueTransformer } from 'typeorm';

/** Epoch milliseconds fit a number, but the driver hands a bigint over as text. */
export const epochMs: ValueTransformer = {
  from: (stored: string | null) => (stored === null ? null : Number(stored)),
  to: (value: number | null) => value,
};
