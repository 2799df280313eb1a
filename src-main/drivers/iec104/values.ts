/** From the object of a device to the value of a point. */
import type { QualityFlag } from '#shared/domain/enums.ts';
import type { PointValue, ReadingDetail } from '../spi/index.ts';
import type { MonitoredPoint } from './client/point-index.ts';
import type { AsduView } from './codec/asdu.ts';
import type { ObjectCursor } from './codec/cursor.ts';
import type { ObjectKind } from './codec/objects.ts';
import { Quality, qualityFlags } from './quality.ts';

/** States of DPI 0 intermediate, 1 off, 2 on, 3 indeterminate as every protocol here writes them (decisions, "Points"). */
const TWO_BIT_STATES: readonly number[] = [2, 0, 1, 3];
const STATE_WORDS: readonly string[] = ['', '', 'intermediate', 'bad'];
const TRANSIENT = 0x80;
/** Above the octet of quality: the test bit was set; the value is a state. */
const TEST = 0x100;
const STATE = 0x200;

/**
 * A value with the octets it came from; those are only looked at by who copies them. Few fields, the rest is made of them when it is asked for:
 * a station may send a million of these in a second.
 */
export class ObjectReading implements PointValue {
  readonly pointId: number;
  readonly value: number;
  readonly valueText: string;
  readonly sourceTime: number | null;
  readonly detail: ReadingDetail;
  /** Octet of quality, TEST and STATE. */
  readonly #quality: number;
  readonly #octets: Uint8Array;
  readonly #at: number;
  readonly #length: number;

  constructor(
    pointId: number,
    value: number,
    valueText: string,
    quality: number,
    sourceTime: number | null,
    octets: Uint8Array,
    at: number,
    length: number,
    detail: ReadingDetail,
  ) {
    this.pointId = pointId;
    this.value = value;
    this.valueText = valueText;
    this.sourceTime = sourceTime;
    this.#octets = octets;
    this.#at = at;
    this.#length = length;
    this.detail = detail;
    this.#quality = quality;
  }

  get kind(): 'value' {
    return 'value';
  }

  get form(): 'state' | undefined {
    return (this.#quality & STATE) === 0 ? undefined : 'state';
  }

  get quality(): 'good' | 'invalid' {
    return (this.#quality & Quality.invalid) === 0 ? 'good' : 'invalid';
  }

  get flags(): readonly QualityFlag[] {
    const letters = qualityFlags(this.#quality & 0xff);
    return (this.#quality & TEST) === 0 ? letters : [...letters, 'test'];
  }

  get raw(): Uint8Array {
    return this.#octets.subarray(this.#at, this.#at + this.#length);
  }
}

/** What has to be done with the number of an element before it is a value. */
export type ValueForm = 'plain' | 'two-bit' | 'step';

/** The form of the elements of a kind. */
export function valueForm(kind: ObjectKind | undefined): ValueForm {
  if (kind === 'double' || kind === 'protectionEvent') return 'two-bit';
  return kind === 'step' ? 'step' : 'plain';
}

/** The number that the current object of the cursor is for a point; null where words belong to it. */
export function plainNumber(point: MonitoredPoint, cursor: ObjectCursor, { octets }: AsduView, form: ValueForm): number | null {
  let { value } = cursor;
  if (form === 'two-bit') {
    value = TWO_BIT_STATES[value] ?? 3;
    if (STATE_WORDS[value] !== '') return null;
  } else if (form === 'step' && ((octets[cursor.elementAt] ?? 0) & TRANSIENT) !== 0) return null;
  return point.bit >= 0 ? bitOf(value, point.bit) : value;
}

function bitOf(value: number, bit: number): number {
  return Math.floor(value / 2 ** bit) % 2;
}

/** The current object of the cursor as a value of a point. The octets of the view must not change while the reading is in use. */
export function readingOf(
  point: MonitoredPoint,
  cursor: ObjectCursor,
  view: AsduView,
  sourceTime: number | null,
  form: ValueForm,
  detail: ReadingDetail,
): ObjectReading {
  const { octets } = view;
  let { value } = cursor;
  let text = '';
  if (form === 'two-bit') {
    value = TWO_BIT_STATES[value] ?? 3;
    text = STATE_WORDS[value] ?? '';
  } else if (form === 'step' && ((octets[cursor.elementAt] ?? 0) & TRANSIENT) !== 0) text = `${value} in transit`;
  if (point.bit >= 0) value = bitOf(value, point.bit);
  const quality = cursor.quality | (view.isTest ? TEST : 0) | (point.isSignal ? STATE : 0);
  return new ObjectReading(point.id, value, text, quality, sourceTime, octets, cursor.elementAt, cursor.elementLength, detail);
}

/** The number of a device as it is shown for an object that is in no table. */
export function plainValue(kind: ObjectKind | undefined, value: number): number {
  return valueForm(kind) === 'two-bit' ? (TWO_BIT_STATES[value] ?? 3) : value;
}
