import type { FrameType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { PointConfig } from '../drivers/spi/index.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
import type { ProjectSession } from './ports.ts';

/** A point together with the channel it belongs to. */
export interface FoundPoint {
  readonly channel: ChannelRuntime;
  readonly point: PointConfig;
}

const TYPE_NAMES: Readonly<Record<FrameType, string>> = { 0: 'YC', 1: 'YX', 2: 'YK', 3: 'YT' };

/** `YT (3)`, as messages name a point type. */
export function typeName(frameType: FrameType): string {
  return `${TYPE_NAMES[frameType]} (${frameType})`;
}

/** The channel with this id; throws `CONFIG_NOT_FOUND`. */
export function findChannel(session: ProjectSession, id: number): ChannelRuntime {
  const channel = session.channels.get(id);
  if (!channel) throw new AppError('CONFIG_NOT_FOUND', say('service.no_channel', { id }));
  return channel;
}

/** The channel whose name is this `device_name`; throws `CONFIG_NOT_FOUND`. */
export function findDevice(session: ProjectSession, deviceName: string): ChannelRuntime {
  const channel = session.channels.byName(deviceName.trim());
  if (!channel) {
    throw new AppError('CONFIG_NOT_FOUND', say('service.no_device', { name: deviceName }));
  }
  return channel;
}

/** A point of one channel by id and type; throws `CONFIG_NOT_FOUND`, also when it exists with another type. */
export function findPointOf(channel: ChannelRuntime, pointId: number, frameType: FrameType): FoundPoint {
  const point = channel.points.config(pointId);
  if (!point) throw new AppError('CONFIG_NOT_FOUND', say('service.no_point_in', { channel: channel.settings.name, point: pointId }));
  return { channel, point: requireType(point, frameType) };
}

/** A point of any channel by id and type; throws `CONFIG_NOT_FOUND`, also when it exists with another type. */
export function findPoint(session: ProjectSession, pointId: number, frameType: FrameType): FoundPoint {
  for (const channel of session.channels.list()) {
    const point = channel.points.config(pointId);
    if (point) return { channel, point: requireType(point, frameType) };
  }
  throw new AppError('CONFIG_NOT_FOUND', say('service.no_point', { point: pointId }));
}

function requireType(point: PointConfig, frameType: FrameType): PointConfig {
  if (point.frame_type === frameType) return point;
  throw new AppError(
    'CONFIG_NOT_FOUND',
    say('service.other_type', { point: point.id, type: typeName(point.frame_type), asked: typeName(frameType) }),
  );
}
