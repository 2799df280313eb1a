/** What a foreign master read of meters and no point has. Bounded. */
import { FrameType } from '#shared/domain/enums.ts';
import type { DriverMemory } from '../../spi/index.ts';
import type { UnknownObject, UnknownObjectList } from '../../spi/operations.ts';
import { decodeAddress, encodeAddress } from '../codec/address.ts';
import type { Edition } from '../codec/control.ts';
import { decodeItems } from '../codec/items.ts';
import { diText, findItem } from '../dictionary/dictionary.ts';
import type { HeardItem } from './pairing.ts';

const MOST_ITEMS = 10_000;
const MEMORY = 'heard items';

type IsKnown = (address: Uint8Array, edition: Edition, di: number) => boolean;

interface Entry {
  readonly meter: string;
  readonly edition: Edition;
  readonly di: number;
  readonly firstSeen: number;
  count: number;
  lastSeen: number;
  value: number;
  valueText: string;
}

export class HeardItems {
  readonly #entries = new Map<string, Entry>();
  #dropped = 0;
  #isKnown: IsKnown = () => false;

  serve(isKnown: IsKnown): void {
    this.#isKnown = isKnown;
  }

  note({ address, edition, di, data }: HeardItem, wallMs: number): void {
    const meter = decodeAddress(address);
    const key = `${meter} ${edition} ${di}`;
    let entry = this.#entries.get(key);
    if (!entry) {
      if (this.#entries.size >= MOST_ITEMS) {
        this.#dropped += 1;
        return;
      }
      entry = { meter, edition, di, firstSeen: wallMs, count: 0, lastSeen: wallMs, value: 0, valueText: '' };
      this.#entries.set(key, entry);
    }
    entry.count += 1;
    entry.lastSeen = wallMs;
    Object.assign(entry, firstValue(edition, di, data));
  }

  /** By meter and identifier; what the table has by now is left out. */
  list(): UnknownObjectList {
    const items = [...this.#entries.values()]
      .filter(({ meter, edition, di }) => !this.#isKnown(encodeAddress(meter), edition, di))
      .sort((a, b) => a.meter.localeCompare(b.meter) || a.edition - b.edition || a.di - b.di)
      .map(objectOf);
    return { items, dropped: this.#dropped };
  }
}

/** What a channel has heard. */
export function heardItemsOf(memory: DriverMemory): HeardItems {
  const known = memory.get(MEMORY);
  if (known instanceof HeardItems) return known;
  const made = new HeardItems();
  memory.set(MEMORY, made);
  return made;
}

function firstValue(edition: Edition, di: number, data: Uint8Array): { value: number; valueText: string } {
  const hex = [...data.subarray(0, 16)].map((octet) => octet.toString(16).toUpperCase().padStart(2, '0')).join(' ');
  const item = findItem(edition, di);
  try {
    const [first] = item ? decodeItems(data, item.format, null) : [];
    const part = first?.parts[0];
    if (!part || part.value === null || !Number.isFinite(part.value)) return { value: 0, valueText: hex };
    return { value: part.value, valueText: item?.format.parts[0]?.kind === 'number' ? '' : part.text };
  } catch {
    return { value: 0, valueText: hex };
  }
}

function objectOf({ meter, edition, di, count, value, valueText, firstSeen, lastSeen }: Entry): UnknownObject {
  const slaveId = Number(meter);
  // a point needs a format, which the dictionary gives, and a meter number of digits
  const canBePoint = findItem(edition, di)?.isReadable === true && Number.isSafeInteger(slaveId);
  return {
    slaveId: Number.isSafeInteger(slaveId) ? slaveId : 0,
    address: di,
    typeText: `DL/T 645-${edition} ${diText(di, edition)}`,
    frameType: canBePoint ? FrameType.yc : null,
    protocol: edition === 1997 ? { edition } : {},
    count,
    value,
    valueText,
    flags: [],
    sourceTime: null,
    firstSeen,
    lastSeen,
  };
}
