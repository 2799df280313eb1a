import type { FrameEntry } from '#shared/contract/frames.ts';
import type { Message } from '#shared/messages/message.ts';
import type { PointConfig } from '../../../drivers/spi/index.ts';
import type { ChannelRuntime, ChannelState } from '../../../runtime/types.ts';
import type { PointStore } from '../../../runtime/values/point-table.ts';

/** What a check needs of a point table. */
export type CheckedPoints = Pick<PointStore, 'size' | 'config' | 'configs' | 'state' | 'byCode' | 'configRevision'>;

/** A channel as a check sees it: one of this project, or what is known here of one of another service. */
export interface CheckedChannel extends Pick<ChannelRuntime, 'id' | 'settings' | 'driver' | 'connectedAt'> {
  readonly points: CheckedPoints;
  state(): Pick<ChannelState, 'status'>;
  /** Left out for a channel of this project. */
  readonly elsewhere?: Elsewhere;
}

/** A point together with the channel that a check sees it through. */
export interface CheckedPoint {
  readonly channel: CheckedChannel;
  readonly point: PointConfig;
}

/** Which service a channel is of, as evidence. */
export interface ServiceThere {
  /** As it is called here. */
  readonly name: string;
  readonly address: string;
  readonly version: string;
  /** By how much its clock is ahead of ours, in seconds, negative where it is behind; left out while both agree within 2 s. */
  readonly clockAheadS?: number;
}

/** What a channel of another service has beside one of this project. */
export interface Elsewhere {
  readonly service: ServiceThere;
  /** Number of the channel there. */
  readonly channelId: number;
  /** Its table as it is known was asked for at this time, monotonic milliseconds: it is no younger than that. */
  readonly askedAt: number;
  /** False while not all events are told here that its table may show already. */
  readonly isDrained: boolean;
  /** Why nothing is known of it now; null: it is. */
  readonly trouble: Message | null;
  /** Why the service does not read points that it was asked to read; null: it does, or was not asked. */
  readonly readTrouble: Message | null;
  /** When it was asked last for a read that it took, monotonic milliseconds; what a task there reads counts as taken. */
  readonly readTakenAt: number;
  /** When the value of a point arrived here, UTC milliseconds; null: there was none. */
  arrivedAt(pointId: number): number | null;
  /** Asks the service to read points once. Returns at once; what comes of it is in the table, or in `readTrouble`. */
  readOnce(points: readonly PointConfig[]): void;
  /** The frames that carried a point last, as the service has them. Throws what keeps it from answering. */
  framesOf(point: PointConfig, most: number): Promise<FrameEntry[]>;
}

/** True for a channel of this project: only through those something is sent. */
export function isOwn(channel: CheckedChannel): channel is ChannelRuntime {
  return channel.elsewhere === undefined;
}
