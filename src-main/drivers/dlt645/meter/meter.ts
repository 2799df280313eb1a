/** One simulated meter: what it has by itself, what the point table adds, and what somebody has set. */
import { FrameType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { concatBytes } from '../../../protocol-kit/bytes.ts';
import type { PointConfig, PointReading } from '../../spi.ts';
import type { Edition } from '../codec/control.ts';
import { encodeElement, type ItemFormat, type PartInput } from '../codec/format.ts';
import { type DataItem, findItem } from '../dictionary/dictionary.ts';
import { type MeterPoint, meterPoint, readingOfItem } from '../meter-point.ts';
import { EnergyCounters, RATES } from './energy.ts';
import { Load } from './load.ts';
import { meaningOfOld } from './old-identifiers.ts';
import { localText, type MeterState, simulatedParts } from './simulated-values.ts';

/** Answer that goes out in several frames. */
export interface RestOfAnswer {
  readonly di: number;
  readonly parts: readonly Uint8Array[];
}

export class SimulatedMeter {
  readonly address: string;
  /** Rest of the latest answer that did not fit one frame. */
  rest: RestOfAnswer | null = null;
  readonly #load: Load;
  readonly #counters: EnergyCounters;
  readonly #set = new Map<string, Uint8Array>();
  #points: readonly MeterPoint[] = [];
  #clockOffsetMs: number;

  /** `wallMs` is now in UTC; the clock of the meter is `utcOffsetMs` ahead of it. */
  constructor(address: string, wallMs: number, utcOffsetMs: number) {
    this.address = address;
    this.#clockOffsetMs = utcOffsetMs;
    const seed = Number(address) % 1_000_003;
    this.#load = new Load(seed);
    this.#counters = new EnergyCounters(this.#load, seed, wallMs + utcOffsetMs);
  }

  /** Editions its points speak. */
  get editions(): ReadonlySet<Edition> {
    return new Set(this.#points.map(({ target }) => target.edition));
  }

  /** Serves these points beside what the meter has by itself. */
  update(points: readonly MeterPoint[]): void {
    this.#points = points;
  }

  /** Sets the clock to a local time. */
  setClock(localMs: number, wallMs: number): void {
    this.#clockOffsetMs = localMs - wallMs;
  }

  /** Data of an identifier without the identifier itself; null where the meter has none. */
  data(edition: Edition, di: number, wallMs: number): Uint8Array | null {
    const now = wallMs + this.#clockOffsetMs;
    this.#counters.advance(now);
    return this.#data(edition, di, { address: this.address, now, measured: this.#load.at(now), counters: this.#counters });
  }

  /** The point as it is served now. */
  read(point: PointConfig, wallMs: number): PointReading {
    try {
      const meter = meterPoint(point);
      const data = this.data(meter.target.edition, point.address, wallMs);
      if (data) return readingOfItem(meter, data);
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      return { kind: 'failure', pointId: point.id, error: thrown };
    }
    return {
      kind: 'failure',
      pointId: point.id,
      error: new AppError('CONFIG_INVALID', 'The simulated meter has no value for this point.'),
    };
  }

  /** Sets what a point serves from now on. Throws `CONFIG_RANGE` for a value that its format cannot carry. */
  write(point: PointConfig, value: number, wallMs: number): void {
    const meter = meterPoint(point);
    const { edition } = meter.target;
    const data = Uint8Array.from(this.data(edition, point.address, wallMs) ?? emptyItem(meter));
    const size = meter.format.size ?? data.length;
    const at = meter.element * size;
    try {
      const parts: PartInput[] = [rawValue(meter, value, data.subarray(at, at + size))];
      const second = meter.format.parts[1];
      if (second?.kind === 'time') parts.push(localText(wallMs + this.#clockOffsetMs).slice(0, 2 * second.size));
      data.set(encodeElement(parts, meter.format, size), at);
    } catch (thrown) {
      if (!(thrown instanceof RangeError)) throw thrown;
      throw new AppError('CONFIG_RANGE', `Point ${point.code}: ${thrown.message}`);
    }
    this.#set.set(keyOf(edition, point.address), data);
  }

  #data(edition: Edition, di: number, state: MeterState): Uint8Array | null {
    const set = this.#set.get(keyOf(edition, di));
    if (set) return set;
    const item = findItem(edition, di);
    if (item && !item.isReadable) return null;
    const block = item ? this.#block(item, state) : null;
    if (block) return block;
    const parts = edition === 2007 ? simulatedParts(di, state) : oldParts(di, state);
    if (item && parts && item.elements === 1) return encodeElement(parts, item.format, item.octets);
    // a record of an event whose length is known; long ones show how follow-up frames are joined
    if (item?.formatText === 'record' && item.octets !== null && (di & 0xff) === 1) return record(item.octets, state);
    const point = this.#points.find((each) => each.target.edition === edition && each.point.address === di);
    return point ? emptyItem(point) : null;
  }

  /** The elements of a block, one after the other; null where the identifier is none. */
  #block(item: DataItem, state: MeterState): Uint8Array | null {
    const children = blockChildren(item);
    if (children.length === 0) return null;
    const parts = children.map((di) => this.#data(item.edition, di, state));
    return parts.every((part) => part !== null) ? concatBytes(...parts) : null;
  }
}

function keyOf(edition: Edition, di: number): string {
  return `${edition} ${di}`;
}

/** Identifiers of the elements of a block, as the simulated meter has them. */
function blockChildren({ edition, di, elements }: DataItem): number[] {
  const rates = Array.from({ length: RATES + 1 }, (_, rate) => rate);
  if (edition === 1997) return di >> 12 === 9 && (di & 15) === 15 ? rates.map((rate) => (di & 0xfff0) | rate) : [];
  if (((di >>> 8) & 0xff) !== 0xff) return di === 0x040005ff ? rates.concat(5, 6).map((word) => 0x04000501 + word) : [];
  const child = (part: number) => ((di & 0xffff_00ff) | (part << 8)) >>> 0;
  if (di >>> 24 <= 1) return rates.map(child);
  if (di >>> 24 !== 2 || elements === null) return [];
  return Array.from({ length: elements }, (_, index) => child(elements === 4 ? index : index + 1));
}

function oldParts(di: number, state: MeterState): readonly PartInput[] | null {
  const meaning = meaningOfOld(di);
  const parts = meaning && simulatedParts(meaning.di, state);
  if (!meaning || !parts || meaning.part === 'all') return parts;
  const [value = 0, time = ''] = parts;
  return meaning.part === 'value' ? [value] : [String(time).slice(2)];
}

function emptyItem({ format, item, octets }: MeterPoint): Uint8Array {
  const size = octets ?? format.size ?? item?.octets ?? 8;
  return new Uint8Array(size);
}

/** When it happened, and zeros. */
function record(octets: number, { now }: MeterState): Uint8Array {
  const bytes = new Uint8Array(octets);
  const time = TIME_OF_RECORD && encodeElement([localText(now - (now % 86_400_000))], TIME_OF_RECORD);
  if (time) bytes.set(time.subarray(0, octets));
  return bytes;
}

const TIME_OF_RECORD: ItemFormat = {
  parts: [{ kind: 'time', size: 6, pairs: ['YY', 'MM', 'DD', 'hh', 'mm', 'ss'] }],
  isSigned: false,
  size: 6,
};

/** The value that the octets carry, of an engineering value. */
function rawValue({ point, format }: MeterPoint, value: number, present: Uint8Array): PartInput {
  const [part] = format.parts;
  if (point.frameType === FrameType.yx) {
    const isOn = (value !== 0) !== point.reverse;
    if (point.bit === null) return isOn ? 1 : 0;
    const word = present.reduceRight((sum, octet) => sum * 256 + octet, 0);
    const without = word - (Math.floor(word / 2 ** point.bit) % 2) * 2 ** point.bit;
    return without + (isOn ? 2 ** point.bit : 0);
  }
  const raw = (value - point.addCoe) / point.mulCoe;
  return point.decode !== '' && part?.kind === 'number' ? raw / 10 ** part.decimals : raw;
}
