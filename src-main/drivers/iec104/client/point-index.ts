import { FrameType } from '#shared/domain/enums.ts';
import type { PointConfig, PointsEdit } from '../../spi/index.ts';
import { CommonAddresses } from '../common-addresses.ts';
import { isControl, pointFacts } from '../point-rules.ts';

/** What is needed of a point to turn an object into its value. */
export interface MonitoredPoint {
  readonly id: number;
  readonly address: number;
  readonly isSignal: boolean;
  readonly typeId: number;
  /** Bit of a packed object; -1: the whole value. */
  readonly bit: number;
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
  #monitored = new Map<number, Map<number, MonitoredPoint>>();
  #addresses = new CommonAddresses();

  constructor(points: readonly PointConfig[]) {
    this.update(points);
  }

  /** Common addresses of all points, ascending. */
  get stations(): readonly number[] {
    return this.#addresses.all;
  }

  update(points: readonly PointConfig[]): void {
    const monitored = new Map<number, Map<number, MonitoredPoint>>();
    this.#addresses = new CommonAddresses();
    this.#addresses.edit([], points);
    for (const point of points) {
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
  }

  /** As `update`, for a few points of a large table. */
  edit({ before, after }: PointsEdit): void {
    this.#addresses.edit(before, after);
    const leaving = new Set(before.map(({ id }) => id));
    for (const point of before) if (!isControl(point)) this.#placeAnew(point, leaving, []);
    for (const point of after) if (!isControl(point)) this.#placeAnew(point, new Set([point.id]), [point]);
  }

  /** Shows the object of a point by those that stay and those that come. */
  #placeAnew({ slave_id, address }: PointConfig, leaving: ReadonlySet<number>, coming: readonly PointConfig[]): void {
    const objects = this.#monitored.get(slave_id) ?? new Map<number, MonitoredPoint>();
    const old = objects.get(address);
    const staying: MonitoredPoint[] = [];
    for (let point = old ?? null; point; point = point.next) if (!leaving.has(point.id)) staying.push({ ...point, following: null });
    const points = [...staying, ...coming.map(monitoredPoint)].sort((a, b) => a.id - b.id);
    let head: MonitoredPoint | null = null;
    for (const point of points) head = { ...point, next: head };
    if (head) {
      head.following = old?.following ?? null;
      objects.set(address, head);
      this.#monitored.set(slave_id, objects);
    } else {
      objects.delete(address);
      if (objects.size === 0) this.#monitored.delete(slave_id);
    }
    if (!old) return;
    for (const point of objects.values()) if (point.following === old) point.following = head ?? old.following;
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
    bit: point.bit ?? -1,
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
