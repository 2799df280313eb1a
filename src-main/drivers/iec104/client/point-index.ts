import { FrameType } from '#shared/domain/enums.ts';
import { type Scaler, scalerOf } from '../../../protocol-kit/scaling.ts';
import type { PointConfig } from '../../spi/index.ts';
import { isControl, pointFacts } from '../point-rules.ts';

/** What is needed of a point to turn an object into its value. */
export interface MonitoredPoint {
  readonly id: number;
  readonly address: number;
  readonly isSignal: boolean;
  readonly typeId: number;
  readonly scale: Scaler;
  /** Bit of a packed object; -1: the whole value. */
  readonly bit: number;
  readonly isReversed: boolean;
  /** Further points that show the same object. */
  next: MonitoredPoint | null;
  /** A point of the object with the next address of this station: stations send many in order. */
  following: MonitoredPoint | null;
}

/** Points in monitor direction by object address; the objects of one common address. */
export type StationPoints = ReadonlyMap<number, MonitoredPoint>;

const NO_POINTS: StationPoints = new Map();

/** The points of a channel by what they are on the wire. */
export class PointIndex {
  #monitored: ReadonlyMap<number, StationPoints> = new Map();
  #stations: readonly number[] = [];

  constructor(points: readonly PointConfig[]) {
    this.update(points);
  }

  /** Common addresses of all points, ascending. */
  get stations(): readonly number[] {
    return this.#stations;
  }

  update(points: readonly PointConfig[]): void {
    const monitored = new Map<number, Map<number, MonitoredPoint>>();
    const stations = new Set<number>();
    for (const point of points) {
      stations.add(point.slave_id);
      if (isControl(point)) continue;
      let objects = monitored.get(point.slave_id);
      if (!objects) {
        objects = new Map();
        monitored.set(point.slave_id, objects);
      }
      objects.set(point.address, { ...monitoredPoint(point), next: objects.get(point.address) ?? null });
    }
    for (const objects of monitored.values()) chain(objects);
    this.#monitored = monitored;
    this.#stations = [...stations].sort((a, b) => a - b);
  }

  /** Monitored points of a common address. */
  of(commonAddress: number): StationPoints {
    return this.#monitored.get(commonAddress) ?? NO_POINTS;
  }
}

/** The part of a point that turns an object into its value. */
export function monitoredPoint(point: PointConfig): MonitoredPoint {
  return {
    id: point.id,
    address: point.address,
    isSignal: point.frame_type === FrameType.yx,
    typeId: pointFacts(point).typeId,
    scale: scalerOf(point),
    bit: point.bit ?? -1,
    isReversed: point.reverse,
    next: null,
    following: null,
  };
}

function chain(objects: ReadonlyMap<number, MonitoredPoint>): void {
  let before: MonitoredPoint | null = null;
  for (const address of [...objects.keys()].sort((a, b) => a - b)) {
    const point = objects.get(address) ?? null;
    if (before) before.following = point;
    before = point;
  }
}
