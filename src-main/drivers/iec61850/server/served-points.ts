/** The point table on the values that the simulated device serves. */

import { FrameType, type QualityFlag } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Steps } from '../../../platform/steps.ts';
import { BerReader } from '../../../protocol-kit/ber/reader.ts';
import type { PointConfig, PointFailure, PointReading } from '../../spi/index.ts';
import { type BoundPoint, bindPoints } from '../binding.ts';
import { decodeValue } from '../mms/data.ts';
import { utcTimeOctets } from '../mms/times.ts';
import type { MmsType, MmsValue } from '../mms/types.ts';
import type { ModelIndex } from '../model/places.ts';
import { valueFromText } from '../model/text-values.ts';
import { timeQualityOctet } from '../model/time.ts';
import { isLeaf } from '../model/types.ts';
import { misfit, numberValue, rawNumber } from '../model/values.ts';
import { readingOf } from '../reading.ts';
import { type ServedImage, type Variable, variableAt, variableKey } from './image.ts';

/** Words of the standard for flags that have other names here. */
const QUALITY_WORDS: Partial<Record<QualityFlag, string>> = {
  IV: 'invalid',
  NT: 'oldData',
  SB: 'substituted',
  BL: 'operatorBlocked',
  OV: 'overflow',
};

/** Flags of the time and not of the value. */
const CLOCK_FLAGS: ReadonlySet<QualityFlag> = new Set(['clock_failure', 'clock_not_synchronised', 'leap_second_known']);

/** Points that are looked at before other work may get its turn. */
const POINTS_A_STEP = 16;

interface ServedPoint {
  readonly bound: BoundPoint;
  readonly value: Variable;
  readonly quality: Variable | null;
  readonly time: Variable | null;
}

/** Where the points of a table lie in a model. */
interface PlacedPoints {
  readonly points: Map<number, ServedPoint>;
  readonly excluded: Map<number, PointFailure>;
  /** Points by the keys of their values. */
  readonly byKey: Map<string, number[]>;
}

/** Looks for the places of points in a model. */
export function* placedPoints(points: readonly PointConfig[], index: ModelIndex): Steps<PlacedPoints> {
  const placed: PlacedPoints = { points: new Map(), excluded: new Map(), byKey: new Map() };
  for (const [at, point] of points.entries()) {
    if (at % POINTS_A_STEP === 0) yield;
    const { bound, excluded } = bindPoints([point], index);
    for (const failure of excluded) placed.excluded.set(failure.pointId, failure);
    for (const each of bound) place(placed, each, index);
  }
  return placed;
}

function place({ points, excluded, byKey }: PlacedPoints, bound: BoundPoint, index: ModelIndex): void {
  const { domain, node, constraint, path, ownerDepth, point } = bound;
  const at = (parts: readonly string[]) => variableAt(index, domain, [node, constraint, ...parts]);
  const value = at(path);
  if (!value || !isLeaf(value.type)) {
    const error = new AppError('CONFIG_INVALID', say('iec61850.served_none', { point: point.code, reference: point.reference }));
    excluded.set(point.id, { kind: 'failure', pointId: point.id, error });
    return;
  }
  const owner = path.slice(0, ownerDepth);
  const quality = bound.hasQuality ? at([...owner, 'q']) : null;
  const time = bound.hasTime ? at([...owner, 't']) : null;
  points.set(point.id, { bound, value, quality, time });
  const key = variableKey(value);
  byKey.set(key, [...(byKey.get(key) ?? []), point.id]);
}

/** Reads and sets what is served as points of the table. */
export class ServedPoints {
  readonly #image: ServedImage;
  readonly #follow: (keys: readonly string[]) => readonly string[];
  #points: PlacedPoints['points'] = new Map();
  #excluded: PlacedPoints['excluded'] = new Map();
  #byKey: PlacedPoints['byKey'] = new Map();

  /** `follow` answers the keys of what the device changes by itself behind those that were set. */
  constructor(image: ServedImage, follow: (keys: readonly string[]) => readonly string[]) {
    this.#image = image;
    this.#follow = follow;
  }

  /** Takes over a changed table or model; the places are those of the model that the image has now. */
  update({ points, excluded, byKey }: PlacedPoints): void {
    this.#points = points;
    this.#excluded = excluded;
    this.#byKey = byKey;
  }

  /** Takes over points that lie where they lay. */
  edit(points: readonly PointConfig[]): void {
    const { bound, excluded } = bindPoints(points, this.#image.index);
    for (const failure of excluded) this.#excluded.set(failure.pointId, failure);
    for (const each of bound) {
      const served = this.#points.get(each.point.id);
      if (served) this.#points.set(each.point.id, { ...served, bound: each });
    }
  }

  /** The points that are served. */
  bound(): readonly BoundPoint[] {
    return [...this.#points.values()].map(({ bound }) => bound);
  }

  /** Why a point is not served; undefined for one that is. */
  exclusion(pointId: number): PointFailure | undefined {
    return this.#excluded.get(pointId);
  }

  /** A point as it is served; undefined for one that is not. */
  read(pointId: number): PointReading | undefined {
    const served = this.#points.get(pointId);
    if (!served) return undefined;
    const { bound, value, quality, time } = served;
    const place = (item: number) => ({ item, places: [] });
    const results = [value, quality, time].map((variable) =>
      variable ? this.#image.value(variable) : ({ kind: 'failure', code: 10 } as const),
    );
    return readingOf({ bound, value: place(0), quality: quality && place(1), time: time && place(2) }, results);
  }

  /** Sets the value of a point with its quality and time; answers the points that show the same. Throws `CONFIG_INVALID`, `CONFIG_RANGE`. */
  set(point: PointConfig, value: number, flags: readonly QualityFlag[], wallMs: number): readonly PointReading[] {
    const served = this.#points.get(point.id);
    if (!served) {
      throw this.#excluded.get(point.id)?.error ?? new AppError('CONFIG_NOT_FOUND', say('iec61850.not_served', { point: point.code }));
    }
    this.#image.set(served.value, engineered(point, served.value.type, value));
    if (served.quality) this.#setQuality(served.quality, flags);
    if (served.time) this.#image.set(served.time, { kind: 'utc-time', octets: utcTimeOctets(wallMs, timeQualityOctet(flags)) });
    const keys = [variableKey(served.value)];
    return this.readingsOf([...keys, ...this.#follow(keys)]);
  }

  /** Readings of the points whose values have these keys; those of a setting group when another group became active. */
  readingsOf(keys: readonly string[]): readonly PointReading[] {
    const ids = keys.flatMap((key) => (key.endsWith('$SP$SGCB$ActSG') ? this.#ofGroups(key) : (this.#byKey.get(key) ?? [])));
    return [...new Set(ids)].flatMap((id) => this.read(id) ?? []);
  }

  /** Goes on with the octets that a point had before; they may be of another type meanwhile. */
  restore(pointId: number, octets: Uint8Array): void {
    const served = this.#points.get(pointId);
    const value = served && decodedValue(octets);
    if (served && value && value.kind === served.value.type.kind) this.#image.set(served.value, value);
  }

  #setQuality(variable: Variable, flags: readonly QualityFlag[]): void {
    const words = flags.flatMap((flag) => (CLOCK_FLAGS.has(flag) ? [] : [QUALITY_WORDS[flag] ?? flag])).join(' ');
    const value = valueFromText(variable.type, words === '' ? 'good' : words);
    if (!('reason' in value)) this.#image.set(variable, value);
  }

  #ofGroups(key: string): number[] {
    const domain = key.slice(0, key.indexOf('/'));
    return [...this.#points].flatMap(([id, { bound }]) => (bound.domain === domain && bound.constraint === 'SG' ? [id] : []));
  }
}

/** An engineering value as the device has it. Throws `CONFIG_RANGE` when its type cannot. */
function engineered(
  { code, frame_type: frameType, mul_coe: mulCoe, add_coe: addCoe, reverse }: PointConfig,
  type: MmsType,
  value: number,
): MmsValue {
  const isState = frameType === FrameType.yx || frameType === FrameType.yk;
  const raw = isState
    ? reverse && frameType === FrameType.yx && (value === 0 || value === 1)
      ? 1 - value
      : value
    : rawNumber({ mul_coe: mulCoe, add_coe: addCoe }, type, value);
  const problem = misfit(type, raw);
  const made = problem === null ? numberValue(type, type.kind === 'float' && type.width === 32 ? Math.fround(raw) : raw) : null;
  if (!made)
    throw new AppError('CONFIG_RANGE', say('iec61850.served_unfit', { point: code, value, reason: problem ?? say('iec61850.no_numbers') }));
  return made;
}

function decodedValue(octets: Uint8Array): MmsValue | null {
  try {
    return decodeValue(new BerReader(octets));
  } catch {
    return null;
  }
}
