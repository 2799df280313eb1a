import { FrameType, QUALITIES, type Quality } from '#shared/domain/enums.ts';
import type { PointConfig, ProtocolDriver } from '../../drivers/spi/index.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import type { AboutPoint } from './record-queue.ts';
import { aboutPoint, isWantedDevice, isWantedPoint, type Wanted } from './wanted.ts';

/** Rows that are looked at before other work gets its turn. */
const ROWS_A_TURN = 2000;

/** A device that is published, as it is now. */
export interface PublishedDevice {
  /** Of no other device. */
  readonly name: string;
  /** Another one: points were added, changed or removed, or it is another device of this name. */
  readonly mark: string;
  /** False: no connection to it stands, or none is tried. */
  readonly isUp: boolean;
}

/** A point that is published, with its present value. */
export interface PresentPoint {
  /** Of no other point of the project. */
  readonly id: number;
  readonly about: AboutPoint;
  /** Its value is 0 or 1, as far as is known. */
  readonly isTwoState: boolean;
  /** Null: none, or none that is a number. */
  readonly value: number | null;
  readonly quality: Quality;
  /** When it was read, UTC milliseconds; null: never. */
  readonly at: number | null;
}

/** The points that one publisher sends, for those who are told of them beforehand. */
export class PublishedTable {
  readonly #which: Wanted;
  readonly #channels: { list(): readonly ChannelRuntime[] };

  constructor(which: Wanted, channels: { list(): readonly ChannelRuntime[] }) {
    this.#which = which;
    this.#channels = channels;
  }

  devices(): PublishedDevice[] {
    return this.#wanted().map((channel) => ({
      name: channel.settings.name,
      mark: `${channel.id}/${channel.points.configRevision}`,
      isUp: channel.state().status === 'running',
    }));
  }

  /** The points of a device, in id order; none where it is gone. */
  async points(device: string, breathe: () => Promise<void>): Promise<PresentPoint[]> {
    const channel = this.#wanted().find(({ settings }) => settings.name === device);
    const found: PresentPoint[] = [];
    let afterId: number | null = channel ? 0 : null;
    while (channel && afterId !== null) {
      const which = { afterId, rows: ROWS_A_TURN, change: Number.NEGATIVE_INFINITY, readAt: Number.POSITIVE_INFINITY };
      afterId = channel.points.visit(which, (id, value, quality, updatedAt) => {
        const point = channel.points.config(id);
        if (!point || !isWantedPoint(point, this.#which)) return;
        found.push({
          id,
          about: aboutPoint(device, point),
          isTwoState: isTwoState(point, channel.driver),
          value: Number.isFinite(value) ? value : null,
          quality: QUALITIES[quality] ?? 'invalid',
          at: Number.isFinite(updatedAt) ? updatedAt : null,
        });
      });
      if (afterId !== null) await breathe();
    }
    return found;
  }

  #wanted(): ChannelRuntime[] {
    return this.#channels.list().filter(({ settings }) => isWantedDevice(settings.name, this.#which));
  }
}

/** States and commands of one bit. A word of states is none: its driver knows more than two numbers in its place, or its texts name more. */
function isTwoState(point: PointConfig, { rawRange }: Pick<ProtocolDriver, 'rawRange'>): boolean {
  if (point.frame_type !== FrameType.yx && point.frame_type !== FrameType.yk) return false;
  const texts = point.protocol.enum_texts;
  if (typeof texts === 'object' && texts !== null && Object.keys(texts).some((value) => value !== '0' && value !== '1')) return false;
  const range = rawRange?.(point);
  return range === undefined || (range !== null && range.most <= 1);
}
