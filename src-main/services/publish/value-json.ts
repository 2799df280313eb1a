import { isoTime } from '../rows.ts';
import type { AboutPoint, PublishedValue } from './record-queue.ts';

/** Short names of the kinds of points, as they stand in topics and records. */
export const KIND_NAMES = ['YC', 'YX', 'YK', 'YT'] as const;

/** A value as an object of JSON. */
export function valueRecord({ about, value, quality, at, sequence }: PublishedValue): Readonly<Record<string, unknown>> {
  return { ...pointRecord(about), value, quality, time: isoTime(at), sequence };
}

/** A point that was not read yet, as an object of JSON: it takes the place of what a run before this one told of it, and is no record in their sequence. */
export function unreadRecord(about: AboutPoint): Readonly<Record<string, unknown>> {
  return { ...pointRecord(about), value: null, quality: 'never' };
}

function pointRecord({ device, code, frameType, name, unit }: AboutPoint) {
  return { device, code, type: KIND_NAMES[frameType], name, unit };
}
