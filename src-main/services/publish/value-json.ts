import { isoTime } from '../rows.ts';
import type { PublishedValue } from './record-queue.ts';

/** Short names of the kinds of points, as they stand in topics and records. */
export const KIND_NAMES = ['YC', 'YX', 'YK', 'YT'] as const;

/** A value as an object of JSON. */
export function valueRecord({ about, value, quality, at, sequence }: PublishedValue): Readonly<Record<string, unknown>> {
  const { device, code, frameType, name, unit } = about;
  return { device, code, type: KIND_NAMES[frameType], name, unit, value, quality, time: isoTime(at), sequence };
}
