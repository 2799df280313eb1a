/** Readings of points from the results of a Read: value, quality and time taken together. */

import { FrameType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { english, say } from '#shared/messages/index.ts';
import { BerWriter } from '../../protocol-kit/ber/writer.ts';
import type { ReadingRun } from '../kit/reading-run.ts';
import type { PointConfig, PointFailure, PointReading, PointValue, ReadingDetail } from '../spi/index.ts';
import { encodeValue } from './mms/data.ts';
import type { MmsFailure, MmsResult, MmsValue } from './mms/types.ts';
import { accessErrorText } from './mms/words.ts';
import { GOOD, type ReadQuality, readQuality } from './model/quality.ts';
import { timeQuality, utcMs } from './model/time.ts';
import { plainValue } from './model/values.ts';
import type { Locator, Slot } from './read-units.ts';

/** Values become octets one after the other. */
const rawWriter = new BerWriter();
/** Data access errors that say that there is nothing of this name: 4 object-undefined, 10 object-non-existent. */
const MISSING: ReadonlySet<number> = new Set([4, 10]);

/** An item that was not answered, because it could not be asked or would not fit an answer, and why. */
export interface RefusedItem {
  readonly kind: 'refused';
  readonly error: AppError;
}

/** What came of one item. */
export type ItemResult = MmsResult | RefusedItem;

/** Why an item has no value; null where it has one. */
export function itemError(result: ItemResult): AppError | null {
  if (result.kind === 'refused') return result.error;
  return result.kind === 'failure' ? accessError(result) : null;
}

/** The reading of a point from the results of its request, those of its unit from place `first` on. */
export function readingOf(slot: Slot, results: readonly ItemResult[], first = 0): PointReading {
  const found = at(slot.value, results, first);
  if (found === null || !isValue(found)) return failureOf(slot, found);
  const raw = encodeValue(rawWriter.clear(), found).finish();
  return pointValue(slot, found, results, first, DETAILS, raw);
}

/** Where readings go: those that are news, and those that only tell again what is so; what has no value is no news. */
export interface ReadingRuns {
  readonly changes: ReadingRun;
  readonly states: ReadingRun;
}

/** Passes on the reading of a point from these results, with one of these details. */
export function passReading(
  slot: Slot,
  results: readonly ItemResult[],
  details: Details | undefined,
  to: ReadingRuns,
  isNews: boolean,
): void {
  const found = at(slot.value, results, 0);
  if (found === null || !isValue(found)) {
    to.states.push(failureOf(slot, found), false);
    return;
  }
  encodeValue(rawWriter.clear(), found);
  const value = pointValue(slot, found, results, 0, details ?? DETAILS, rawWriter.room);
  (isNews ? to.changes : to.states).add(value, rawWriter.length, isNews);
}

function pointValue(
  slot: Slot,
  found: MmsValue,
  results: readonly ItemResult[],
  first: number,
  details: Details,
  raw: Uint8Array,
): PointValue {
  const { bound, quality, time } = slot;
  const { point } = bound;
  const { number, text, isValid } = plainValue(found, bound.words, bound.path.at(-1));
  const said = quality ? qualityAt(quality, results, first) : GOOD;
  const stamp = time ? valueAt(time, results, first) : null;
  const clock = timeQuality(stamp ?? found);
  return {
    kind: 'value',
    pointId: point.id,
    value: number,
    form: isState(point) ? 'state' : undefined,
    valueText: text,
    raw,
    quality: isValid ? said.quality : 'invalid',
    flags: clock && clock.flags.length > 0 ? [...said.flags, ...clock.flags] : said.flags,
    sourceTime: utcMs(stamp),
    detail: details[clock?.accuracy ?? UNTIMED],
  };
}

function failureOf({ bound: { point, path } }: Slot, found: MmsFailure | RefusedItem | null): PointFailure {
  return { kind: 'failure', pointId: point.id, error: (found && itemError(found)) ?? missingPart(path) };
}

/** Details by accuracy of the time, 0 to 24 bits, and behind them that of a value without one; each once. */
export type Details = readonly (ReadingDetail | undefined)[];

const UNTIMED = 25;

/** Details that tell `more` beside the accuracy of the time. */
export function detailsWith(more?: ReadingDetail): Details {
  return [...Array.from({ length: UNTIMED }, (_, timeAccuracy) => Object.freeze({ ...more, timeAccuracy })), more && Object.freeze(more)];
}

const DETAILS = detailsWith();

/** Quality of a value; questionable where the device has one and does not give it. */
function qualityAt(locator: Locator, results: readonly ItemResult[], first: number): ReadQuality {
  const found = at(locator, results, first);
  if (found?.kind === 'failure') return MISSING.has(found.code) ? GOOD : UNTOLD;
  if (found?.kind === 'bit-string') return readQuality(found);
  return found?.kind === 'refused' || found === null ? GOOD : UNTOLD;
}

const UNTOLD: ReadQuality = Object.freeze({ quality: 'good', flags: Object.freeze(['questionable'] as const) });

/** The data access error of the value of a slot, whose unit has its results from place `first` on; null where it has a value. */
export function refusalOfSlot({ value }: Slot, results: readonly MmsResult[], first: number): number | null {
  const result = results[first + value.item];
  return result?.kind === 'failure' ? result.code : null;
}

/** True for a data access error that a smaller question may not have. */
export function mayBeNarrower(code: number): boolean {
  return !MISSING.has(code);
}

/** `DEVICE_REJECTED` with the words of a data access error. */
function accessError({ code }: MmsFailure): AppError {
  const detail = accessErrorText(code);
  const data = { kind: 'data-access-error', detail: english(detail) };
  return new AppError('DEVICE_REJECTED', say('iec61850.refused_item', { detail }), { data });
}

function missingPart(path: readonly string[]): AppError {
  return new AppError('PROTOCOL_MALFORMED', say('iec61850.part_missing', { path: path.join('.') }));
}

/** Narrows to what was answered with a value. */
export function isValue(result: ItemResult): result is MmsValue {
  return result.kind !== 'failure' && result.kind !== 'refused';
}

function valueAt(locator: Locator, results: readonly ItemResult[], first: number): MmsValue | null {
  const found = at(locator, results, first);
  return found !== null && isValue(found) ? found : null;
}

function at({ item, places }: Locator, results: readonly ItemResult[], first: number): ItemResult | null {
  let value: ItemResult | null = results[first + item] ?? null;
  for (const place of places) {
    if (value === null || !isValue(value)) return value;
    if (value.kind !== 'structure' && value.kind !== 'array') return null;
    value = value.items[place] ?? null;
  }
  return value;
}

function isState({ frame_type: frameType }: PointConfig): boolean {
  return frameType === FrameType.yx || frameType === FrameType.yk;
}
