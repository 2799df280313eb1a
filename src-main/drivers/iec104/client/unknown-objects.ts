/** Objects that a station sends and the table does not have: counted, with their last value, ready to be added. Bounded. */
import type { UnknownObject } from '../../spi/operations.ts';
import type { AsduView } from '../codec/asdu.ts';
import type { ObjectCursor } from '../codec/cursor.ts';
import { typeText } from '../codec/types.ts';
import { frameTypeOf, plainType } from '../point-types.ts';
import { qualityFlags } from '../quality.ts';
import { plainValue } from '../values.ts';
import type { PointIndex } from './point-index.ts';

/** Objects that are listed; further ones are only counted. */
const MOST_OBJECTS = 10_000;

interface Entry {
  typeId: number;
  count: number;
  value: number;
  quality: number;
  sourceTime: number | null;
  readonly firstSeen: number;
  lastSeen: number;
}

export class UnknownObjects {
  readonly #stations = new Map<number, Map<number, Entry>>();
  #size = 0;
  #left = 0;

  /** Messages about objects that found no place in the list. */
  get dropped(): number {
    return this.#left;
  }

  /** Notes the current object of the cursor. */
  note(view: AsduView, cursor: ObjectCursor, sourceTime: number | null, wallMs: number): void {
    let station = this.#stations.get(view.commonAddress);
    if (!station) {
      station = new Map();
      this.#stations.set(view.commonAddress, station);
    }
    let entry = station.get(cursor.address);
    if (!entry) {
      if (this.#size >= MOST_OBJECTS) {
        this.#left += 1;
        return;
      }
      this.#size += 1;
      entry = { typeId: view.typeId, count: 0, value: 0, quality: 0, sourceTime: null, firstSeen: wallMs, lastSeen: wallMs };
      station.set(cursor.address, entry);
    }
    entry.typeId = view.typeId;
    entry.count += 1;
    entry.value = plainValue(view.type?.element.kind, cursor.value);
    entry.quality = cursor.quality;
    entry.sourceTime = sourceTime;
    entry.lastSeen = wallMs;
  }

  /** Forgets what the table has now. */
  drop(index: PointIndex): void {
    for (const [commonAddress, station] of this.#stations) {
      const known = index.of(commonAddress);
      for (const address of station.keys()) {
        if (known.has(address) && station.delete(address)) this.#size -= 1;
      }
    }
  }

  /** By common address and object address. */
  list(): UnknownObject[] {
    const stations = [...this.#stations].sort(([a], [b]) => a - b);
    return stations.flatMap(([slaveId, station]) =>
      [...station].sort(([a], [b]) => a - b).map(([address, entry]) => describe(slaveId, address, entry)),
    );
  }
}

function describe(slaveId: number, address: number, entry: Entry): UnknownObject {
  const { typeId, count, value, quality, sourceTime, firstSeen, lastSeen } = entry;
  const isNumber = Number.isFinite(value);
  return {
    slaveId,
    address,
    typeText: typeText(typeId),
    frameType: frameTypeOf(typeId),
    protocol: { type_id: plainType(typeId) },
    count,
    value: isNumber ? value : 0,
    valueText: isNumber ? '' : String(value),
    flags: qualityFlags(quality),
    sourceTime,
    firstSeen,
    lastSeen,
  };
}
