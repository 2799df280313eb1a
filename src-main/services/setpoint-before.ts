import { FrameType, isServing } from '#shared/domain/enums.ts';
import type { SetpointTouch } from '../persistence/repositories.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
import type { PointState } from '../runtime/values/point-table.ts';
import type { FoundPoint } from './lookup.ts';
import { isoTime } from './rows.ts';

/** When the last write of a point ended, UTC milliseconds; with the channel it is forgotten. At most one a point. */
const lastWrites = new WeakMap<ChannelRuntime, Map<number, number>>();

/** What a write of this point would change: undefined for everything but the setpoint of a device. */
export function touchOf({ channel, point }: FoundPoint): SetpointTouch | undefined {
  if (isServing(channel.settings.conn_type) || point.frame_type !== FrameType.yt) return undefined;
  const { driver, points } = channel;
  const state = points.state(point.id);
  // where a row shows the last command, or nothing can be read, nobody knows what the device has
  const canTell = !driver.descriptor.echoesCommands && driver.isReadable(point);
  const isKnown = canTell && state !== undefined && isWholeValue(state) && isReadSince(state, lastWrites.get(channel)?.get(point.id));
  return { point, before: isKnown ? state.value : null, beforeAt: isKnown ? isoTime(state.updatedAt) : null };
}

/** Notes that a write of this point has ended: what was read before tells nothing of the device any more. */
export function noteWrite({ channel, point }: FoundPoint, wallMs: number): void {
  const ends = lastWrites.get(channel) ?? new Map<number, number>();
  lastWrites.set(channel, ends.set(point.id, wallMs));
}

/** True when the number says all of the value: it was read well once, and no text stands in its place. */
function isWholeValue({ value, valueText, quality }: PointState): boolean {
  return (quality === 'good' || quality === 'stale') && Number.isFinite(value) && (valueText === '' || valueText === String(value));
}

/** After a change of the clock this rather says no. */
function isReadSince({ updatedAt }: PointState, written: number | undefined): boolean {
  return updatedAt !== null && (written === undefined || updatedAt > written);
}
