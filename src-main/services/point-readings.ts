import type { PlausibleReading, PointReadings } from '#shared/contract/points.ts';
import { findDecode } from '#shared/domain/decode.ts';
import type { FrameType } from '#shared/domain/enums.ts';
import type { PointConfig, ProtocolDriver } from '../drivers/spi/index.ts';
import type { OctetReading } from '../drivers/spi/readings.ts';
import { Turns } from '../platform/turns.ts';
import { engineeringText, engineeringValue, type ValueRule, valueRuleOf } from '../runtime/values/engineering-value.ts';
import type { PointStore } from '../runtime/values/point-table.ts';
import type { Handlers } from './handlers.ts';
import { findChannel, findPointOf } from './lookup.ts';
import type { ServiceDeps } from './ports.ts';
import { rowOf } from './rows.ts';

/** Powers of ten by which a factor is wrong in practice. */
const POWERS = [0, -1, 1, -2, 2, -3, 3];
/** Addresses beside the point's: a list may count from 0 where the device counts from 1. */
const STEPS = [0, -1, 1];
/** Addresses that a number covers. */
const LENGTHS = [1, 2, 3, 4];
const MOST_PLAUSIBLE = 8;
const POINTS_A_LOOK = 1000;

/** A value as a display shows it, and half of its last digit. */
interface Known {
  readonly value: number;
  readonly tolerance: number;
}

/** What could be meant: octets, how they are read, and by what the factor changes. */
interface Candidate {
  readonly step: number;
  readonly octets: Uint8Array;
  readonly reading: OctetReading & { readonly value: number | bigint };
  /** Power of ten that came with the value of the point. */
  readonly exponent: number;
  readonly power: number;
  readonly sign: 1 | -1;
}

/** What the octets of a point mean when they are read otherwise. */
export function pointReadingHandlers(deps: ServiceDeps): Pick<Handlers, 'pointReadings'> {
  return {
    async pointReadings({ channel_id, point_id, frame_type, known }): Promise<PointReadings> {
      const channel = findChannel(deps.projects.current(), channel_id);
      const { driver, points } = channel;
      const { point } = findPointOf(channel, point_id, frame_type as FrameType);
      const { rawHex = '', exponent = 0 } = points.state(point_id) ?? {};
      const readings = driver.readingsOf?.(point, Buffer.from(rawHex, 'hex')) ?? [];
      const rule = valueRuleOf(point);
      const items = readings.map((reading) => ({ ...readingRow(reading, rule, exponent), is_present: isPresent(point, reading) }));
      const answer = { point: rowOf(channel, point), items, plausible: null };
      if (known === undefined) return answer;
      const octets = await octetsAround(point, driver, points);
      return { ...answer, plausible: plausibleOf({ point, exponent }, driver, octets, knownOf(known)) };
    },
  };
}

/** A point with what its octets are read by. */
interface ReadPoint {
  readonly channel: { readonly driver: ProtocolDriver; readonly points: ReadTable };
  readonly point: PointConfig;
}

type ReadTable = Pick<PointStore, 'size' | 'configs' | 'state'>;

/** The settings under which a point has a value within `tolerance` of `value`, by its last octets and those of its neighbours; those with the fewest changes first. */
export async function settingsThatFit(
  { channel: { driver, points }, point }: ReadPoint,
  value: number,
  tolerance: number,
): Promise<PlausibleReading[]> {
  const { exponent = 0 } = points.state(point.id) ?? {};
  return plausibleOf({ point, exponent }, driver, await octetsAround(point, driver, points), { value, tolerance });
}

type ReadingRow = Omit<PointReadings['items'][number], 'is_present'>;

function readingRow({ decode, protocol, value, text }: OctetReading, rule: ValueRule, exponent: number): ReadingRow {
  const settings = protocol === undefined ? {} : { protocol: { ...protocol } };
  if (value === null || text !== undefined) return { decode, ...settings, raw: text ?? '', value, value_text: text ?? '' } as ReadingRow;
  const number = engineeringValue(rule, pointValue(value, exponent));
  return {
    decode,
    ...settings,
    raw: String(value),
    value: Number.isFinite(number) ? number : null,
    value_text: engineeringText(rule, pointValue(value, exponent), number),
  };
}

function pointValue(value: number | bigint, exponent = 0) {
  return {
    kind: 'value',
    pointId: 0,
    value,
    exponent,
    valueText: '',
    raw: NO_OCTETS,
    quality: 'good',
    flags: [],
    sourceTime: null,
  } as const;
}

/** True for the way in which the point is read now. */
function isPresent(point: PointConfig, { decode, protocol = point.protocol }: OctetReading): boolean {
  return isSame(decode, point.decode) && isLike(protocol, point.protocol);
}

/** Equal settings, whatever their order. */
function isLike(one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));
}

const NO_OCTETS = new Uint8Array(0);

function isSame(decode: string, other: string): boolean {
  const [one, two] = [findDecode(decode), findDecode(other)];
  return one !== undefined && one.type === two?.type && one.order === two.order;
}

function knownOf(text: string): Known {
  const decimals = text.split('.')[1]?.length ?? 0;
  return { value: Number(text), tolerance: 0.5 * 10 ** -decimals * (1 + 1e-9) };
}

/** Octets by address: those of the point, and those of its neighbours in the same address space of the same slave that hold now, the newest of an address. */
async function octetsAround(point: PointConfig, driver: ProtocolDriver, points: ReadTable): Promise<ReadonlyMap<number, Uint8Array>> {
  const space = driver.addressSpan?.(point).space;
  const reach = Math.max(...LENGTHS);
  const found = new Map<number, Uint8Array>();
  const ages = new Map<number, number>();
  const turns = new Turns();
  for (let row = 0; row < points.size; row += POINTS_A_LOOK) {
    for (const other of points.configs(row, POINTS_A_LOOK)) {
      if (other.slave_id !== point.slave_id || Math.abs(other.address - point.address) > reach) continue;
      const span = driver.addressSpan?.(other);
      if (span === undefined || span.space !== space) continue;
      const state = points.state(other.id);
      const isOwn = other.id === point.id;
      if (!state || (state.quality !== 'good' && !isOwn)) continue;
      const octets = Buffer.from(state.rawHex, 'hex');
      const size = octets.length / span.length;
      const readAt = isOwn ? Number.POSITIVE_INFINITY : (state.updatedAt ?? 0);
      for (let at = 0; size > 0 && at < span.length; at++) {
        const address = other.address + at;
        if (readAt < (ages.get(address) ?? 0)) continue;
        ages.set(address, readAt);
        found.set(address, octets.subarray(at * size, (at + 1) * size));
      }
    }
    await turns.breathe();
  }
  return found;
}

/** The octets of so many addresses one behind the other; null where one of them is not known. */
function joined(octets: ReadonlyMap<number, Uint8Array>, address: number, length: number): Uint8Array | null {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < length; at++) {
    const part = octets.get(address + at);
    if (!part) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** The settings under which the point has the known value, those with the fewest changes first. */
function plausibleOf(
  { point, exponent }: { readonly point: PointConfig; readonly exponent: number },
  driver: ProtocolDriver,
  octets: ReadonlyMap<number, Uint8Array>,
  known: Known,
): PlausibleReading[] {
  // a zero is a zero however it is read
  if (Math.abs(known.value) <= known.tolerance) return [];
  const found = new Map<string, { readonly weight: number; readonly row: PlausibleReading }>();
  for (const candidate of candidates(point, driver, octets, exponent)) {
    const factor = point.mul_coe * candidate.sign * 10 ** candidate.power;
    const mulCoe = Number(factor.toPrecision(12));
    const value = engineeringValue(valueRuleOf({ ...point, mul_coe: mulCoe }), pointValue(candidate.reading.value, exponent));
    if (!(Math.abs(value - known.value) <= known.tolerance)) continue;
    const row = plausibleRow(point, candidate, mulCoe, value);
    const weight = row.differs.length * 100 + Math.abs(candidate.power) * 10 + Math.abs(candidate.step);
    // two types of one order that give one number are one answer: the first that is met
    const kind = candidate.reading.protocol?.kind ?? '';
    const key = [row.changes.address, mulCoe, value, findDecode(candidate.reading.decode)?.order, kind].join(' ');
    if ((found.get(key)?.weight ?? Number.POSITIVE_INFINITY) > weight) found.set(key, { weight, row });
  }
  return [...found.values()]
    .sort((one, other) => one.weight - other.weight)
    .slice(0, MOST_PLAUSIBLE)
    .map(({ row }) => row);
}

function* candidates(
  point: PointConfig,
  driver: ProtocolDriver,
  octets: ReadonlyMap<number, Uint8Array>,
  exponent: number,
): Generator<Candidate> {
  for (const step of STEPS) {
    for (const length of LENGTHS) {
      const there = joined(octets, point.address + step, length);
      if (!there) continue;
      for (const reading of driver.readingsOf?.(point, there) ?? []) {
        const { value } = reading;
        // words, and moments, are no value that a display shows as a number
        if (value === null || reading.text !== undefined) continue;
        for (const power of POWERS) {
          const candidate = { step, octets: there, reading: { ...reading, value }, exponent, power };
          yield { ...candidate, sign: 1 };
          yield { ...candidate, sign: -1 };
        }
      }
    }
  }
}

function plausibleRow(
  point: PointConfig,
  { step, octets, reading, power, sign }: Candidate,
  mulCoe: number,
  value: number,
): PlausibleReading {
  const isDecoded = !isSame(reading.decode, point.decode);
  const isOtherwise = reading.protocol !== undefined && !isLike(reading.protocol, point.protocol);
  const isScaled = power !== 0 || sign < 0;
  return {
    value,
    raw_hex: Buffer.from(octets).toString('hex').toUpperCase(),
    changes: {
      ...(isDecoded ? { decode: reading.decode } : {}),
      ...(isOtherwise ? { protocol: { ...reading.protocol } } : {}),
      ...(step === 0 ? {} : { address: point.address + step }),
      ...(isScaled ? { mul_coe: mulCoe } : {}),
    },
    differs: [
      ...(isDecoded ? (['decode'] as const) : []),
      ...(isOtherwise ? (['kind'] as const) : []),
      ...(step === 0 ? [] : (['address'] as const)),
      ...(power === 0 ? [] : (['factor'] as const)),
      ...(sign > 0 ? [] : (['sign'] as const)),
    ],
  };
}
