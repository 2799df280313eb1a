/** What a station told in a recorded conversation of IEC 104. */
import { FrameType } from '#shared/domain/enums.ts';
import { concatBytes } from '../../../protocol-kit/bytes.ts';
import type { CapturedPlace, CapturedRead, CapturedValue, ReadFinder } from '../../spi/index.ts';
import { type AsduView, openAsdu } from '../codec/asdu.ts';
import { Cause } from '../codec/causes.ts';
import { ObjectCursor } from '../codec/cursor.ts';
import { fittingSizes, SIZES_IN_USE } from '../codec/fitting-sizes.ts';
import { type AsduSizes, STANDARD_SIZES } from '../codec/sizes.ts';
import { TypeId } from '../codec/types.ts';
import { bitCount, frameTypeOf, isCounterType, servedType } from '../point-types.ts';
import { Quality, qualityFlags } from '../quality.ts';
import { isLive } from '../reading-detail.ts';
import { type TimeRules, tagToUtc } from '../time.ts';
import { timeZone } from '../time-zone.ts';
import { plainValue } from '../values.ts';
import { APCI_LENGTH } from './apci.ts';
import { ApduFramer } from './framer.ts';
import { startOfApdus } from './start-of-apdus.ts';

/** ASDUs by which the sizes of the fields are found out. */
const ASDUS_OF_SIZES = 50;
/** Of a conversation nobody says in which zone its clock runs: only distances between its times are used. */
const RULES: TimeRules = { zone: timeZone('UTC'), summerTime: 'zone' };

/**
 * The monitored values of a conversation, whatever brought them: a change, a cycle, an interrogation. It may begin anywhere, also within an APDU: the first place where
 * whole APDUs follow each other is where it is understood from, and the same behind octets that are missing. Test data, negative confirmations and causes 44 to 47 are no values.
 */
export class CapturedStation implements ReadFinder {
  readonly #sides = { device: new Side(), master: new Side() };
  readonly #cursor = new ObjectCursor();
  readonly #places = new Map<string, readonly CapturedPlace[]>();
  /** The type of each object as it came first: another one at the same address is another thing, and no point can be both. */
  readonly #types = new Map<string, number>();
  /** Sizes that all ASDUs so far fit. */
  #sizes: readonly AsduSizes[] = SIZES_IN_USE;
  #looked = 0;
  #clockSets = 0;

  get settings(): Readonly<Record<string, unknown>> {
    const { cause, commonAddress, objectAddress } = this.#sizes[0] ?? STANDARD_SIZES;
    return {
      ...(cause === STANDARD_SIZES.cause ? {} : { cause_size: cause }),
      ...(commonAddress === STANDARD_SIZES.commonAddress ? {} : { common_address_size: commonAddress }),
      ...(objectAddress === STANDARD_SIZES.objectAddress ? {} : { object_address_size: objectAddress }),
    };
  }

  push(isToDevice: boolean | null, bytes: Uint8Array, atMs: number): readonly CapturedRead[] {
    // who has opened the connection may be wrong about who is the station; only a station sends monitored values
    const side = isToDevice ? this.#sides.master : this.#sides.device;
    const found: CapturedRead[] = [];
    for (const apdu of side.push(bytes)) {
      const view = this.#open(apdu);
      if (!view) continue;
      if (view.typeId === TypeId.C_CS_NA_1 && view.cause === Cause.activationCon && !view.isNegative) this.#clockSets += 1;
      const values = isLive(view) ? this.#valuesOf(view, atMs) : [];
      if (values.length > 0) found.push(values);
    }
    return found;
  }

  gap(isToDevice: boolean | null): void {
    (isToDevice ? this.#sides.master : this.#sides.device).lose();
  }

  #open(apdu: Uint8Array): AsduView | null {
    if (this.#looked < ASDUS_OF_SIZES) {
      this.#looked += 1;
      const fitting = fittingSizes(apdu, APCI_LENGTH);
      const left = this.#sizes.filter((sizes) => fitting.includes(sizes));
      if (left.length > 0) this.#sizes = left;
    }
    const [sizes] = this.#sizes;
    try {
      return sizes ? openAsdu(apdu, sizes, APCI_LENGTH) : null;
    } catch {
      return null;
    }
  }

  #valuesOf(view: AsduView, atMs: number): CapturedValue[] {
    const values: CapturedValue[] = [];
    const cursor = this.#cursor.open(view);
    while (cursor.next()) {
      const tag = cursor.time();
      const deviceMs = tag && !tag.isInvalid ? tagToUtc(tag, atMs, RULES) : null;
      const time = deviceMs === null ? {} : { deviceMs, clockSets: this.#clockSets };
      const places = this.#placesOf(view, cursor.address);
      // the carry of a counter stands where others have OV
      const quality = isCounterType(view.typeId) ? cursor.quality & Quality.invalid : cursor.quality;
      const number = plainValue(view.type?.element.kind, cursor.value);
      const isNumber = Number.isFinite(number);
      const flags = qualityFlags(isNumber ? quality : quality | Quality.invalid);
      for (const [bit, place] of places.entries()) {
        const value = place.point.bit === undefined ? number : Math.floor(number / 2 ** bit) % 2;
        values.push({ place, value: isNumber ? value : Number.NaN, flags, ...time });
      }
    }
    return values;
  }

  /** The points of an object: one, or one for each bit of types of which a signal is a bit; none of a type that no point has. */
  #placesOf({ typeId, commonAddress }: AsduView, address: number): readonly CapturedPlace[] {
    const frameType = frameTypeOf(typeId);
    const served = servedType(typeId);
    const key = `${commonAddress}:${address}`;
    const known = this.#types.get(key);
    if (frameType === null || (known ?? served) !== served) return [];
    if (known === undefined) {
      this.#types.set(key, served);
      this.#places.set(key, makePlaces({ frameType, typeId: served, commonAddress, address }));
    }
    return this.#places.get(key) ?? [];
  }
}

interface MonitoredObject {
  readonly frameType: FrameType;
  readonly typeId: number;
  readonly commonAddress: number;
  readonly address: number;
}

function makePlaces({ frameType, typeId, commonAddress, address }: MonitoredObject): CapturedPlace[] {
  const bits = frameType === FrameType.yx ? bitCount(typeId) : 0;
  const placeOf = (bit: number | null): CapturedPlace => ({
    column: `${commonAddress}:${address}${bit === null ? '' : `.${bit}`}`,
    point: {
      frame_type: frameType,
      code: `S${commonAddress}_O${address}${bit === null ? '' : `_${bit}`}`,
      slave_id: commonAddress,
      address,
      ...(bit === null ? {} : { bit }),
      protocol: { type_id: typeId },
    },
  });
  return bits === 0 ? [placeOf(null)] : Array.from({ length: bits }, (_, bit) => placeOf(bit));
}

/** One direction: its I frames, as soon as it is known where APDUs begin. */
class Side {
  #framer: ApduFramer | null = null;

  lose(): void {
    this.#framer = null;
  }

  push(bytes: Uint8Array): Uint8Array[] {
    const found: Uint8Array[] = [];
    let rest = bytes;
    for (;;) {
      if (!this.#framer) {
        const at = startOfApdus(rest);
        if (at === null) return found;
        rest = rest.subarray(at);
        this.#framer = new ApduFramer();
      }
      const broken: Uint8Array[] = [];
      for (const item of this.#framer.push(rest)) {
        if (item.kind === 'frame' && item.format === 'I') found.push(item.bytes);
        else if (item.kind === 'fault' && item.isFatal) broken.push(item.bytes);
      }
      if (broken.length === 0) return found;
      this.#framer = null;
      // where an APDU was thought to begin none does
      rest = concatBytes(...broken).subarray(1);
    }
  }
}
