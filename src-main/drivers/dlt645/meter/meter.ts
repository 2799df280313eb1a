/** One simulated meter: what it has by itself, what the point table adds, and what somebody has set. */

import { FrameType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { concatBytes } from '../../../protocol-kit/bytes.ts';
import type { PointConfig, PointReading } from '../../spi/index.ts';
import { rawOf } from '../client/write-values.ts';
import { bcdDigits } from '../codec/bcd.ts';
import { type Edition, NO_SUCH_DATA } from '../codec/control.ts';
import { encodeElement, type ItemFormat, type PartInput } from '../codec/format.ts';
import { type DataItem, findItem } from '../dictionary/dictionary.ts';
import { type MeterPoint, meterPoint, readingOfItem } from '../meter-point.ts';
import { EnergyCounters, RATES } from './energy.ts';
import { Load } from './load.ts';
import { meaningOfOld } from './old-identifiers.ts';
import { type FirstPasswords, MeterPasswords } from './passwords.ts';
import { RelayState } from './relay-state.ts';
import { localText, type MeterState, STATUS_WORD_3, simulatedParts } from './simulated-values.ts';
import { clockAfter, writeFault } from './written.ts';

/** Answer that goes out in several frames. */
export interface RestOfAnswer {
  readonly di: number;
  readonly parts: readonly Uint8Array[];
}

/** Identifier of its own address. */
const OWN_ADDRESS = 0x04000401;
/** DI3 and DI2 of instant freezes, quantities that are frozen, and how often. */
const INSTANT_FREEZE = 0x0501;
const FROZEN = [1, 2, 3, 4, 5, 6, 7, 8] as const;
const MOST_FROZEN = 3;
const FREEZE_TIME: ItemFormat = { parts: [{ kind: 'time', size: 5, pairs: ['YY', 'MM', 'DD', 'hh', 'mm'] }], isSigned: false, size: 5 };

export class SimulatedMeter {
  /** Twelve digits that it answers to; a write may change them. */
  address: string;
  /** The same as the table has them. */
  readonly tableAddress: string;
  readonly passwords: MeterPasswords;
  readonly relay = new RelayState();
  /** Rest of the latest answer that did not fit one frame. */
  rest: RestOfAnswer | null = null;
  readonly #load: Load;
  readonly #madeCounters: () => EnergyCounters;
  /** From when on counters that are made later have counted, in local milliseconds. */
  #countedFromMs: number;
  #countersInUse: EnergyCounters | null = null;
  readonly #set = new Map<string, Uint8Array>();
  #points: readonly MeterPoint[] = [];
  /** Its points by identifier; made when one is looked for. */
  #byIdentifier: ReadonlyMap<number, readonly MeterPoint[]> | null = null;
  #clockOffsetMs: number;
  /** Instant freezes, the latest first: octets by DI1. */
  #frozen: readonly ReadonlyMap<number, Uint8Array | null>[] = [];

  /** `wallMs` is now in UTC; the clock of the meter is `utcOffsetMs` ahead of it. */
  constructor(address: string, wallMs: number, utcOffsetMs: number, passwords: FirstPasswords = () => '000000') {
    this.address = address;
    this.tableAddress = address;
    this.passwords = new MeterPasswords(passwords);
    this.#clockOffsetMs = utcOffsetMs;
    const seed = Number(address) % 1_000_003;
    this.#load = new Load(seed);
    this.#countedFromMs = wallMs + utcOffsetMs;
    this.#madeCounters = () => new EnergyCounters(this.#load, seed, this.#countedFromMs);
  }

  /** Made when they are needed first: of thousands of meters few are asked at all. They count from the start of the meter all the same. */
  get #counters(): EnergyCounters {
    this.#countersInUse ??= this.#madeCounters();
    return this.#countersInUse;
  }

  get points(): readonly MeterPoint[] {
    return this.#points;
  }

  /** Those of one identifier, whatever the edition. */
  pointsAt(di: number): readonly MeterPoint[] {
    this.#byIdentifier ??= byIdentifier(this.#points);
    return this.#byIdentifier.get(di) ?? [];
  }

  #pointAt(edition: Edition, di: number): MeterPoint | undefined {
    return this.pointsAt(di).find(({ target }) => target.edition === edition);
  }

  /** Editions its points speak. */
  get editions(): ReadonlySet<Edition> {
    return new Set(this.#points.map(({ target }) => target.edition));
  }

  /** Serves these points beside what the meter has by itself. */
  update(points: readonly MeterPoint[]): void {
    this.#points = points;
    this.#byIdentifier = null;
  }

  /** Sets the clock to a local time. What was counted before it was set back is counted all the same: counters that nobody asked for yet begin as much earlier. */
  setClock(localMs: number, wallMs: number): void {
    this.#countedFromMs -= Math.max(0, this.localMs(wallMs) - localMs);
    this.#clockOffsetMs = localMs - wallMs;
  }

  /** What its clock shows, in local milliseconds. */
  localMs(wallMs: number): number {
    return wallMs + this.#clockOffsetMs;
  }

  /**
   * Takes a written item as a meter does: passwords, clock and its own address have their effect, others are kept. Answers an error word, 0
   * when it was taken.
   */
  take(edition: Edition, di: number, value: Uint8Array, wallMs: number): number {
    const item = findItem(edition, di);
    const point = this.#pointAt(edition, di);
    const format = item?.format ?? point?.format;
    if (!format || (item && !item.isWritable)) return NO_SUCH_DATA;
    const fault = writeFault(edition, di, value, { item, format });
    if (fault !== 0) return fault;
    if (item && !item.isReadable) {
      this.passwords.change(value);
      return 0;
    }
    const clock = clockAfter(edition, di, value, this.localMs(wallMs));
    if (clock !== null) this.setClock(clock, wallMs);
    else if (edition === 2007 && di === OWN_ADDRESS) this.address = bcdDigits(value);
    else this.#set.set(keyOf(edition, di), Uint8Array.from(value));
    return 0;
  }

  /** Carries out a relay command; false when it does not. An open relay stops the load. */
  switchRelay(command: number, wallMs: number): boolean {
    const isDone = this.relay.take(command);
    this.#followRelay(wallMs);
    return isDone;
  }

  /** An open relay stops the load, behind what was counted until now. */
  #followRelay(wallMs: number): void {
    const isOn = !this.relay.isOpen;
    if (this.#load.isOn === isOn) return;
    this.#counters.advance(this.localMs(wallMs));
    this.#load.isOn = isOn;
  }

  /** Keeps the values of now as the latest instant freeze (identifiers 0501..). */
  freeze(wallMs: number): void {
    const time = encodeElement([localText(this.localMs(wallMs)).slice(0, 10)], FREEZE_TIME);
    const blocks = FROZEN.map((quantity) => [quantity, this.data(2007, 0x0000_ff00 + quantity * 0x1_0000, wallMs)] as const);
    const demand = this.data(2007, 0x0101_ff00, wallMs);
    this.#frozen = [new Map([[0, time], [9, demand], ...blocks]), ...this.#frozen].slice(0, MOST_FROZEN);
  }

  /** Sets the maximum demands to zero. */
  clearDemand(wallMs: number): void {
    this.#counters.advance(this.localMs(wallMs));
    this.#counters.clearDemand(this.localMs(wallMs));
    this.#forget((group) => group === 1);
  }

  /** Sets energies, demands, freezes and events to zero, also what somebody had set. */
  clear(wallMs: number): void {
    this.#counters.advance(this.localMs(wallMs));
    this.#counters.clear(this.localMs(wallMs));
    this.#frozen = [];
    this.#forget((group) => group === 0 || group === 1 || group === 3 || group === 5);
  }

  /** Forgets what was set of events: of all, or of the kind that an identifier names. */
  clearEvents(di: number | null): void {
    this.#forget((group, set) => group === 3 && (di === null || set >>> 16 === di >>> 16));
  }

  #forget(isMeant: (group: number, di: number) => boolean): void {
    for (const key of this.#set.keys()) {
      const [edition, di] = key.split(' ').map(Number);
      if (edition === 2007 && isMeant((di ?? 0) >>> 24, di ?? 0)) this.#set.delete(key);
    }
  }

  /** Data of an identifier without the identifier itself; null where the meter has none. */
  data(edition: Edition, di: number, wallMs: number): Uint8Array | null {
    const now = wallMs + this.#clockOffsetMs;
    this.#countersInUse?.advance(now);
    return this.#data(edition, di, this.#stateAt(now));
  }

  #stateAt(now: number): MeterState {
    const load = this.#load;
    const countersAt = () => {
      this.#counters.advance(now);
      return this.#counters;
    };
    return {
      address: this.address,
      now,
      relayWord: this.relay.word,
      get measured() {
        return load.at(now);
      },
      get counters() {
        return countersAt();
      },
    };
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
      error: new AppError('CONFIG_INVALID', say('dlt645.served_nothing')),
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
      throw new AppError('CONFIG_RANGE', say('dlt645.point', { point: point.code, reason: thrown.message }));
    }
    if (edition === 2007 && point.address === STATUS_WORD_3) {
      this.relay.word = (data[0] ?? 0) + (data[1] ?? 0) * 256;
      this.#followRelay(wallMs);
    } else this.#set.set(keyOf(edition, point.address), data);
  }

  #data(edition: Edition, di: number, state: MeterState): Uint8Array | null {
    const set = this.#set.get(keyOf(edition, di));
    if (set) return set;
    const item = findItem(edition, di);
    if (item && !item.isReadable) return null;
    const frozen = edition === 2007 && di >>> 16 === INSTANT_FREEZE ? this.#frozenData(di) : null;
    if (frozen) return frozen;
    const block = item ? this.#block(item, state) : null;
    if (block) return block;
    const parts = edition === 2007 ? simulatedParts(di, state) : oldParts(di, state);
    if (item && parts && item.elements === 1) return encodeElement(parts, item.format, item.octets);
    // a record of an event whose length is known; long ones show how follow-up frames are joined
    if (item?.formatText === 'record' && item.octets !== null && (di & 0xff) === 1) return record(item.octets, state);
    const point = this.#pointAt(edition, di);
    return point ? emptyItem(point) : null;
  }

  /** What was frozen the nth last time; null where nothing was. */
  #frozenData(di: number): Uint8Array | null {
    return this.#frozen[(di & 0xff) - 1]?.get((di >>> 8) & 0xff) ?? null;
  }

  /** The elements of a block, one after the other; null where the identifier is none. */
  #block(item: DataItem, state: MeterState): Uint8Array | null {
    const children = blockChildren(item);
    if (children.length === 0) return null;
    const parts = children.map((di) => this.#data(item.edition, di, state));
    return parts.every((part) => part !== null) ? concatBytes(...parts) : null;
  }
}

function byIdentifier(points: readonly MeterPoint[]): ReadonlyMap<number, readonly MeterPoint[]> {
  const found = new Map<number, MeterPoint[]>();
  for (const each of points) {
    const same = found.get(each.point.address);
    if (same) same.push(each);
    else found.set(each.point.address, [each]);
  }
  return found;
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
  if (point.frame_type === FrameType.yx) {
    const isOn = (value !== 0) !== point.reverse;
    if (point.bit === null) return isOn ? 1 : 0;
    const word = present.reduceRight((sum, octet) => sum * 256 + octet, 0);
    const without = word - (Math.floor(word / 2 ** point.bit) % 2) * 2 ** point.bit;
    return without + (isOn ? 2 ** point.bit : 0);
  }
  return rawOf(point, format, value);
}
