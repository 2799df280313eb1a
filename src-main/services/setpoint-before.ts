import { FrameType, isServing } from '#shared/domain/enums.ts';
import type { SetpointTouch } from '../persistence/repositories.ts';
import { deviceKey } from '../runtime/settings.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
import type { PointState } from '../runtime/values/point-table.ts';
import { readingKey } from '../runtime/values/reading-settings.ts';
import type { FoundPoint } from './lookup.ts';
import { isoTime } from './rows.ts';

/** Since when, UTC milliseconds, what is read tells of the device: the end of the last write of a point, the last change of the device. */
interface Since {
  device: number;
  readonly writes: Map<number, number>;
}

/** At most one time a point; with the channel it is forgotten. */
const times = new WeakMap<ChannelRuntime, Since>();

function sinceOf(channel: ChannelRuntime): Since {
  const since = times.get(channel) ?? { device: Number.NEGATIVE_INFINITY, writes: new Map() };
  times.set(channel, since);
  return since;
}

/** What a write of this point would change: undefined for everything but the setpoint of a device. */
export function touchOf(found: FoundPoint): SetpointTouch | undefined {
  const { channel, point } = found;
  if (isServing(channel.settings.conn_type) || point.frame_type !== FrameType.yt) return undefined;
  const { driver, points } = channel;
  const state = points.state(point.id);
  // where a row shows the last command, or nothing can be read, nobody knows what the device has
  const canTell = !driver.descriptor.echoesCommands && driver.isReadable(point);
  const isKnown = canTell && state !== undefined && isWholeValue(state) && isReadSince(state, found);
  const before = isKnown ? { before: state.value, beforeAt: isoTime(state.updatedAt) } : { before: null, beforeAt: null };
  return { point, ...placeOf(found), ...before };
}

/** After a change of the clock this rather says no. */
function isReadSince({ updatedAt }: PointState, { channel, point }: FoundPoint): boolean {
  const { device, writes } = sinceOf(channel);
  return updatedAt !== null && updatedAt > Math.max(device, writes.get(point.id) ?? Number.NEGATIVE_INFINITY);
}

/** Which device and which value of it a point stands for now. */
export function placeOf({ channel, point }: FoundPoint): Pick<SetpointTouch, 'device' | 'place'> {
  return { device: deviceKey(channel.settings, channel.driver), place: readingKey(point) };
}

/** Notes that a write of this point has ended: what was read before tells nothing of the device any more. */
export function noteWrite({ channel, point }: FoundPoint, wallMs: number): void {
  sinceOf(channel).writes.set(point.id, wallMs);
}

/** Notes that the channel may lead to another device from now on. */
export function noteDevice(channel: ChannelRuntime, wallMs: number): void {
  sinceOf(channel).device = wallMs;
}

/** True when the number says all of the value: it was read well once, and no text stands in its place. */
function isWholeValue({ value, valueText, quality }: PointState): boolean {
  return (quality === 'good' || quality === 'stale') && Number.isFinite(value) && (valueText === '' || valueText === String(value));
}
