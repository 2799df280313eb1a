import { promisify } from 'node:util';
import { deflateRawSync, inflateRaw } from 'node:zlib';
import { likeRecords } from '#shared/domain/like-records.ts';
import { POINT_FIELD_KEYS, POINT_FIELDS, type PointField } from '#shared/domain/point-fields.ts';
import type { PointConfig } from '../drivers/spi/index.ts';
import { hasFewValues } from './json-tokens.ts';
import type { StepSide } from './repositories.ts';
import { storedObject } from './store-error.ts';

/** Points of one part: some milliseconds to pack. */
const POINTS_A_PART = 1000;
/** Most octets of a part unpacked: what somebody wrote into the file must fill neither the memory nor the time of the lines. */
const LARGEST_PART = 16 * 1024 * 1024;
/** Most values of a part: of its rows two points each, with some fields and settings. */
const MOST_VALUES = 400 * POINTS_A_PART;
/** Units of text that are surely no more octets than that. */
const LONGEST_TEXT = LARGEST_PART / 4;

/** A part as it lies in the file; `fields` names what stands in its rows, so that a later version reads those of this one. */
interface PackedPart {
  readonly fields: readonly string[];
  readonly removed?: readonly PackedPoint[];
  readonly changed?: readonly (readonly [PackedPoint, PackedPoint])[];
  readonly added?: readonly PackedPoint[];
}

/** The values of a point, its id first. */
type PackedPoint = readonly unknown[];

/** The sides of a step, packed in parts of a bounded size. */
export function* packedParts(sides: readonly StepSide[]): Generator<{ readonly channelId: number; readonly packed: Buffer }> {
  for (const { channelId, removed, changed, added } of sides) {
    for (const points of chunks(removed)) yield* packed(channelId, points.map(packPoint), (rows) => ({ removed: rows }));
    const pack = ({ before, after }: StepSide['changed'][number]) => [packPoint(before), packPoint(after)] as const;
    for (const pairs of chunks(changed)) yield* packed(channelId, pairs.map(pack), (rows) => ({ changed: rows }));
    for (const points of chunks(added)) yield* packed(channelId, points.map(packPoint), (rows) => ({ added: rows }));
  }
}

/** One part; several, where the rows are long ones. */
function* packed<Row>(
  channelId: number,
  rows: readonly Row[],
  contentOf: (rows: readonly Row[]) => Omit<PackedPart, 'fields'>,
): ReturnType<typeof packedParts> {
  const text = JSON.stringify({ fields: POINT_FIELD_KEYS, ...contentOf(rows) } satisfies PackedPart);
  if (text.length <= LONGEST_TEXT || rows.length === 1) {
    yield { channelId, packed: deflateRawSync(text, { level: 1 }) };
    return;
  }
  const half = Math.ceil(rows.length / 2);
  yield* packed(channelId, rows.slice(0, half), contentOf);
  yield* packed(channelId, rows.slice(half), contentOf);
}

const inflate = promisify<Uint8Array, { readonly maxOutputLength: number }, Buffer>(inflateRaw);

/** What one part says of its channel, and how many octets it has unpacked; null where it is larger than any that was packed here. Rejects for a damaged part with what `guarded` tells as damage. */
export async function unpackPart(
  channelId: number,
  packed: Uint8Array,
  breathe: () => Promise<void>,
): Promise<(Omit<StepSide, 'channelId'> & { readonly octets: number }) | null> {
  const text = await inflate(packed, { maxOutputLength: LARGEST_PART });
  if (!(await hasFewValues(text, MOST_VALUES, breathe))) return null;
  const { fields, removed = [], changed = [], added = [] } = storedObject<PackedPart>(text.toString());
  const lists: readonly unknown[] = [fields, removed, changed, added];
  if (!lists.every(Array.isArray)) throw new SyntaxError('no part of a step');
  if (removed.length + changed.length + added.length > POINTS_A_PART) return null;
  if (![removed, changed, added].flat().every(Array.isArray)) throw new SyntaxError('no part of a step');
  const point = unpacker(channelId, fields);
  return {
    octets: text.length,
    removed: removed.map(point),
    changed: changed.map(([before, after]) => ({ before: point(before), after: point(after) })),
    added: added.map(point),
  };
}

function packPoint(point: PointConfig): PackedPoint {
  return [point.id, ...POINT_FIELD_KEYS.map((key) => point[key])];
}

const makePoint = likeRecords(['id', 'channel_id', ...POINT_FIELD_KEYS]);

function unpacker(channelId: number, fields: readonly string[]): (values: PackedPoint) => PointConfig {
  const takers = POINT_FIELD_KEYS.map((key) => {
    const place = fields.indexOf(key);
    return place < 0 ? () => startOf(POINT_FIELDS[key]) : (values: PackedPoint) => values[1 + place];
  });
  const all = [(values: PackedPoint) => values[0], () => channelId, ...takers];
  return (values) => makePoint((_, index) => all[index]?.(values)) as unknown as PointConfig;
}

/** What a field that the step does not know yet has in a point that says nothing of it. */
function startOf({ start }: PointField): unknown {
  return typeof start === 'object' ? start.value : null;
}

function* chunks<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += POINTS_A_PART) yield items.slice(from, from + POINTS_A_PART);
}
