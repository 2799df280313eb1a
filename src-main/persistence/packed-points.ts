import { likeRecords } from '#shared/domain/like-records.ts';
import { POINT_FIELD_KEYS, POINT_FIELDS, type PointField } from '#shared/domain/point-fields.ts';
import type { PointConfig } from '../drivers/spi/index.ts';

/** The values of a point in the order of the named fields, its id before them. */
export type PackedPoint = readonly unknown[];

/** What lies in the file of many points, as JSON; `fields` names what stands in its rows, so that a later version reads those of this one. */
export interface PackedPart {
  readonly fields: readonly string[];
  readonly removed?: readonly PackedPoint[];
  readonly changed?: readonly (readonly [PackedPoint, PackedPoint])[];
  readonly added?: readonly PackedPoint[];
}

/** Points of one part: some milliseconds to pack. */
export const POINTS_A_PART = 1000;
/** Most octets of the text of a part. */
export const LARGEST_PART = 16 * 1024 * 1024;
/** Units of text that are surely no more octets than that. */
const LONGEST_TEXT = LARGEST_PART / 4;

/** The text of a part; those of several, where the rows are long ones. */
export function* partTexts<Row>(
  rows: readonly Row[],
  contentOf: (rows: readonly Row[]) => Omit<PackedPart, 'fields'>,
): Generator<string, void, void> {
  const text = JSON.stringify({ fields: POINT_FIELD_KEYS, ...contentOf(rows) } satisfies PackedPart);
  if (text.length <= LONGEST_TEXT || rows.length === 1) {
    yield text;
    return;
  }
  const half = Math.ceil(rows.length / 2);
  yield* partTexts(rows.slice(0, half), contentOf);
  yield* partTexts(rows.slice(half), contentOf);
}

/** The texts of added points, `POINTS_A_PART` of them at most. */
export function addedTexts(points: readonly PointConfig[]): Generator<string, void, void> {
  return partTexts(points.map(packPoint), (added) => ({ added }));
}

/** The id of a point, then its values in the order of `POINT_FIELD_KEYS`; its channel stands beside the part. */
export function packPoint(point: PointConfig): PackedPoint {
  return [point.id, ...POINT_FIELD_KEYS.map((key) => point[key])];
}

const makePoint = likeRecords(['id', 'channel_id', ...POINT_FIELD_KEYS]);

/** Makes points of such values, whatever fields they were packed with. */
export function unpacker(channelId: number, fields: readonly string[]): (values: PackedPoint) => PointConfig {
  const takers = POINT_FIELD_KEYS.map((key) => {
    const place = fields.indexOf(key);
    return place < 0 ? () => startOf(POINT_FIELDS[key]) : (values: PackedPoint) => values[1 + place];
  });
  const all = [(values: PackedPoint) => values[0], () => channelId, ...takers];
  return (values) => makePoint((_, index) => all[index]?.(values)) as unknown as PointConfig;
}

/** What a field that the packer did not know has in a point that says nothing of it. */
function startOf({ start }: PointField): unknown {
  return typeof start === 'object' ? start.value : null;
}

/** A list in slices of `size`, the last one as long as is left; none for an empty list. */
export function* inParts<Item>(items: readonly Item[], size = POINTS_A_PART): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
