import { FrameType } from '#shared/domain/enums.ts';
import type { CapturedPlace, CapturedRead, CapturedValue, ReadFinder } from '../../spi/capture.ts';
import { decodeAddress } from '../codec/address.ts';
import { BadValue } from '../codec/bcd.ts';
import type { Edition } from '../codec/control.ts';
import { decodeElement, type ItemFormat } from '../codec/format.ts';
import { formatFor, splitElements } from '../codec/items.ts';
import { blockItems, diText, findItem } from '../dictionary/dictionary.ts';
import { Dlt645Framer, type FramerItem } from '../link/framer.ts';
import { type HeardFromMeters, type HeardItem, MeterPairing } from './pairing.ts';

/** Nobody says how long the master of a capture waited. */
const ANSWER_MS = 1_000;
/** Gateways hold octets back in the middle of a frame. */
const BROKEN_MS = 1_000;

/**
 * The reads of a conversation with meters, as frames of a line or over TCP. A frame says itself which way it goes. What has no number cannot be served and is left out: texts, records,
 * identifiers that no table has, and items that a meter fills with FF.
 */
export class CapturedMeterReads implements ReadFinder {
  readonly #pairing = new MeterPairing(ANSWER_MS);
  /** One for each direction, and one for both where none is told. */
  readonly #framers = new Map<boolean | null, { readonly framer: Dlt645Framer; lastAt: number }>();
  readonly #places = new Map<string, CapturedPlace>();
  #now = 0;

  push(isToDevice: boolean | null, bytes: Uint8Array, atMs: number): readonly CapturedRead[] {
    // what stands behind a missing segment comes late; a line knows no way back in time
    this.#now = Math.max(this.#now, atMs);
    const side = this.#framers.get(isToDevice) ?? { framer: new Dlt645Framer(), lastAt: this.#now };
    this.#framers.set(isToDevice, side);
    const broken = this.#now - side.lastAt > BROKEN_MS ? side.framer.silence() : [];
    side.lastAt = this.#now;
    return this.#take([...broken, ...side.framer.push(Uint8Array.from(bytes))]);
  }

  gap(isToDevice: boolean | null): void {
    this.#framers.delete(isToDevice);
    this.#pairing.noise();
  }

  #take(items: readonly FramerItem[]): readonly CapturedRead[] {
    return items.flatMap((item) => this.#reads(item.kind === 'frame' ? this.#pairing.take(item, this.#now) : this.#pairing.noise()));
  }

  #reads(heard: readonly HeardFromMeters[]): readonly CapturedRead[] {
    return heard.flatMap((item) => {
      const read = item.kind === 'value' ? this.#valuesOf(item.item) : [];
      return read.length > 0 ? [read] : [];
    });
  }

  #valuesOf({ address, edition, di, selection, data }: HeardItem): CapturedValue[] {
    const item = findItem(edition, di);
    const slaveId = Number(decodeAddress(address));
    if (!item || selection.length > 0 || !Number.isSafeInteger(slaveId)) return [];
    const isSingle = item.elements === 1;
    const format = isSingle ? formatFor(data.length, item.format, edition) : item.format;
    const items = isSingle ? [di] : blockItems(edition, di);
    return elementsOf(data, format, isSingle).flatMap((bytes, at) => {
      const value = numberOf(bytes, format);
      if (value === null) return [];
      // elements that have no identifier of their own are told by their place
      const own = items[at];
      const place = own === undefined ? this.#placeOf(slaveId, edition, di, at + 1) : this.#placeOf(slaveId, edition, own);
      return [{ place, value, flags: [] }];
    });
  }

  #placeOf(slaveId: number, edition: Edition, di: number, element?: number): CapturedPlace {
    const meter = String(slaveId).padStart(12, '0');
    const column = `${meter}:${diText(di, edition)}${element === undefined ? '' : `.${element}`}`;
    const known = this.#places.get(column);
    if (known) return known;
    const protocol = { ...(edition === 1997 ? { edition } : {}), ...(element === undefined ? {} : { element }) };
    const code = `M${column.replace(/[:.]/g, '_')}`;
    const place: CapturedPlace = { column, point: { frame_type: FrameType.yc, code, slave_id: slaveId, address: di, protocol } };
    this.#places.set(column, place);
    return place;
  }
}

function elementsOf(data: Uint8Array, format: ItemFormat, isSingle: boolean): readonly Uint8Array[] {
  try {
    return splitElements(data, format, isSingle ? 1 : null);
  } catch (thrown) {
    if (thrown instanceof BadValue) return [];
    throw thrown;
  }
}

/** The number of an element; null where it has none, or is no number at all. */
function numberOf(bytes: Uint8Array, format: ItemFormat): number | null {
  const kind = format.parts[0]?.kind;
  if (kind === 'text' || kind === 'record') return null;
  try {
    return decodeElement(bytes, format)[0]?.value ?? null;
  } catch (thrown) {
    if (thrown instanceof BadValue) return null;
    throw thrown;
  }
}
