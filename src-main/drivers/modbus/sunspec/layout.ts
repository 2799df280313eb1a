/** Where the points of a model stand in a device: groups repeated as its counts say, as far as its length goes. Pure. */
import type { SunSpecGroup, SunSpecModel, SunSpecPoint } from './definitions.ts';

export interface PlacedPoint {
  readonly point: SunSpecPoint;
  /** Address on the wire. */
  readonly address: number;
  /** Groups around it, each with its number from 1 where it may be repeated. */
  readonly path: readonly { readonly group: SunSpecGroup; readonly number: number | null }[];
  /** Address of the register with its power of ten; null where it has none. */
  readonly scaleAddress: number | null;
}

export interface Block {
  readonly model: SunSpecModel;
  /** Address of its id on the wire. */
  readonly address: number;
  /** Registers behind id and length, as the device tells them. */
  readonly length: number;
}

/** Registers of id and length. */
const HEADER = 2;

/** Names of the points that say how often a group of the model stands there. */
export function countNames({ group }: SunSpecModel): readonly string[] {
  const names = new Set<string>();
  const look = (inner: SunSpecGroup) => {
    if (typeof inner.count === 'string') names.add(inner.count);
    for (const each of inner.groups ?? []) look(each);
  };
  look(group);
  return [...names];
}

/** Where the points of the model's own group stand, which hold its counts: offset from the id of the model. */
export function offsetsOf({ group }: SunSpecModel): ReadonlyMap<string, number> {
  const offsets = new Map<string, number>();
  let at = 0;
  for (const { name, size } of group.points ?? []) {
    offsets.set(name, at);
    at += size;
  }
  return offsets;
}

/** All points but id, length and padding that lie within the length of the device, in order of their address. */
export function placePoints({ model, address, length }: Block, counts: ReadonlyMap<string, number>): PlacedPoint[] {
  const end = address + HEADER + length;
  const found: PlacedPoint[] = [];
  const place = (group: SunSpecGroup, from: number, path: PlacedPoint['path'], outer: ReadonlyMap<string, number>): number => {
    const known = new Map(outer);
    let at = from;
    for (const { name, size } of group.points ?? []) {
      known.set(name, at);
      at += size;
    }
    at = from;
    for (const point of group.points ?? []) {
      const isHeader = group === model.group && at < address + HEADER;
      const scaleAddress = typeof point.sf === 'string' ? (known.get(point.sf) ?? null) : null;
      if (!isHeader && point.type !== 'pad' && at + point.size <= end) found.push({ point, address: at, path, scaleAddress });
      at += point.size;
    }
    for (const inner of group.groups ?? []) {
      const size = sizeOf(inner, counts);
      // a group of no size would never come to an end
      if (size === 0) continue;
      const most = Math.max(0, Math.floor((end - at) / size));
      const count = Math.min(most, countOf(inner, counts) ?? most);
      for (let number = 1; number <= count; number++) {
        place(inner, at, [...path, { group: inner, number: inner.count === undefined ? null : number }], known);
        at += size;
      }
    }
    return at;
  };
  place(model.group, address, [], new Map());
  return found;
}

/** How often a group stands there; null for as often as there is room. */
function countOf({ count = 1 }: SunSpecGroup, counts: ReadonlyMap<string, number>): number | null {
  if (typeof count === 'string') return counts.get(count) ?? 0;
  return count === 0 ? null : count;
}

/** Registers of one of a group; what is repeated for as long as there is room cannot be within another such. */
function sizeOf(group: SunSpecGroup, counts: ReadonlyMap<string, number>): number {
  const own = (group.points ?? []).reduce((sum, { size }) => sum + size, 0);
  return (group.groups ?? []).reduce((sum, inner) => sum + sizeOf(inner, counts) * (countOf(inner, counts) ?? 0), own);
}
