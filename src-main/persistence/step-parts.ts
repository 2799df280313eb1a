import { promisify } from 'node:util';
import { deflateRawSync, inflateRaw } from 'node:zlib';
import { hasFewValues } from './json-tokens.ts';
import { addedTexts, inParts, LARGEST_PART, type PackedPart, POINTS_A_PART, packPoint, partTexts, unpacker } from './packed-points.ts';
import type { StepSide } from './repositories.ts';
import { storedObject } from './store-error.ts';

/** Most values of a part: of its rows two points each, with some fields and settings. */
const MOST_VALUES = 400 * POINTS_A_PART;

/**
 * One side of a step, packed in parts of a bounded size. `texts`: the texts of its added points, where they were made before (`PointLoad`).
 */
export function* packedParts({ removed, changed, added }: StepSide, texts?: Iterable<string | Uint8Array>): Generator<Buffer> {
  const pack = (text: string | Uint8Array) => deflateRawSync(text, { level: 1 });
  for (const points of inParts(removed))
    for (const text of partTexts(points.map(packPoint), (rows) => ({ removed: rows }))) yield pack(text);
  const pairOf = ({ before, after }: StepSide['changed'][number]) => [packPoint(before), packPoint(after)] as const;
  for (const pairs of inParts(changed)) for (const text of partTexts(pairs.map(pairOf), (rows) => ({ changed: rows }))) yield pack(text);
  if (texts) for (const text of texts) yield pack(text);
  else for (const points of inParts(added)) for (const text of addedTexts(points)) yield pack(text);
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
