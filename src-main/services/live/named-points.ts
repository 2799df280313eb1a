import { AppError, fieldIssue, invalidInput } from '#shared/domain/errors.ts';
import { firstOf, quoted, say } from '#shared/messages/index.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { type FoundPoint, findChannel, findDevice } from '../lookup.ts';
import type { ProjectSession } from '../ports.ts';

/** Whose code is meant. */
export interface PlaceOfCode {
  readonly device_name?: string | undefined;
  readonly channel_id?: number | undefined;
}

/** A point as a script names it. */
export interface NamedPoint extends PlaceOfCode {
  readonly code: string;
}

/**
 * The points that are named, in this order; `ofAll` is meant where one names no place. Throws `CONFIG_NOT_FOUND` with all that are not there, `CONFIG_INVALID` for a code that several
 * channels have, and for a device that is not the channel.
 */
export function findNamed(session: ProjectSession, named: readonly NamedPoint[], ofAll: PlaceOfCode = {}, pathOf = inPoints): FoundPoint[] {
  const places = new Map<string, readonly ChannelRuntime[]>();
  const unknown: string[] = [];
  const found = named.flatMap((point, index) => {
    const place = point.device_name === undefined && point.channel_id === undefined ? ofAll : point;
    const key = JSON.stringify([place.device_name, place.channel_id]);
    const channels = places.get(key) ?? channelsOf(session, place, pathOf(index));
    places.set(key, channels);
    const having = channels.filter(({ points }) => points.byCode(point.code) !== undefined);
    const [channel] = having;
    if (having.length > 1) throw invalidInput([fieldIssue(pathOf(index), manyHave(point.code, having))]);
    const config = channel?.points.config(channel.points.byCode(point.code) ?? 0);
    if (channel && config) return [{ channel, point: config }];
    unknown.push(point.code);
    return [];
  });
  if (unknown.length === 0) return found;
  throw new AppError('CONFIG_NOT_FOUND', say('live.no_codes', { codes: firstOf(unknown.map((code) => quoted(code))) }));
}

function inPoints(index: number): string {
  return `points.${index}.code`;
}

function manyHave(code: string, channels: readonly ChannelRuntime[]) {
  return say('live.code_of_many', { code, channels: firstOf(channels.map(({ settings }) => quoted(settings.name))) });
}

function channelsOf(session: ProjectSession, { device_name, channel_id }: PlaceOfCode, path: string): readonly ChannelRuntime[] {
  const device = device_name === undefined ? null : findDevice(session, device_name);
  const channel = channel_id === undefined ? null : findChannel(session, channel_id);
  if (device && channel && device !== channel)
    throw invalidInput([fieldIssue(path, say('live.other_device', { device: device.settings.name, id: channel.id }))]);
  const one = device ?? channel;
  return one ? [one] : session.channels.list();
}
