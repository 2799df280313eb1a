import type { Channel } from '#shared/contract/channels.ts';
import type { Point } from '#shared/contract/points.ts';
import { findDecode } from '#shared/domain/decode.ts';
import { isCommandType, isServing } from '#shared/domain/enums.ts';

/** Why a point cannot be written now; the words are in the `points` texts under `why`. */
export type WriteObstacle = 'notStarted' | 'readOnlyChannel' | 'readOnlyService' | 'notCommand';

/** The first thing that stands in the way of a write, or null. On a serving channel every point can be set. */
export function writeObstacle(
  channel: Pick<Channel, 'read_only' | 'conn_type' | 'status'>,
  point: Point,
  isServiceReadOnly: boolean,
): WriteObstacle | null {
  if (isServiceReadOnly) return 'readOnlyService';
  if (channel.read_only) return 'readOnlyChannel';
  if (!isServing(channel.conn_type) && !isCommandType(point.frame_type)) return 'notCommand';
  return isOpen(channel) ? null : 'notStarted';
}

/** True while operations may reach the device: running, or trying to get the line back. */
export function isOpen(channel: Pick<Channel, 'status'>): boolean {
  return channel.status === 'running' || channel.status === 'reconnecting';
}

/** True when `value` lies outside the engineering limits of the point. They only warn. */
export function isOutsideLimits(value: number, point: Pick<Point, 'min_limit' | 'max_limit'>): boolean {
  return (point.min_limit !== null && value < point.min_limit) || (point.max_limit !== null && value > point.max_limit);
}

/**
 * True when a value read back is the written one within what the registers can hold: half a step of an integer, seven
 * significant digits of a float32.
 */
export function isSameValue(written: number, readBack: number, point: Pick<Point, 'decode' | 'mul_coe' | 'exponent'>): boolean {
  const isFloat = findDecode(point.decode)?.type.startsWith('float') ?? true;
  const step = isFloat ? 0 : (Math.abs(point.mul_coe) * 10 ** (point.exponent ?? 0)) / 2;
  const rounding = Math.max(Math.abs(written), Math.abs(readBack)) * 1e-6;
  return Math.abs(written - readBack) <= step + rounding;
}

/** A number as people type it, with a point or a comma; null when it is none. */
export function parseNumber(text: string): number | null {
  const trimmed = text.trim().replace(',', '.');
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)) return null;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : null;
}
