import { deflateSync, inflateSync } from 'node:zlib';
import { OctetReader, OctetWriter } from './octets.ts';
import { Samples } from './samples.ts';

const VERSION = 1;
/** Samples that one block may have: what a damaged one claims is not believed beyond. */
export const MOST_IN_BLOCK = 4096;
/** Octets of a block before it is packed: a sample has 8 of its value and at most 8 each of time and quality. */
const LARGEST = 64 + MOST_IN_BLOCK * 25;

/**
 * Packs samples `from` to `to` (not included) of a point, exactly: times in whole milliseconds as differences of differences, values as their eight octets
 * XOR those of the one before, all first octets, then all second ones; qualities by runs. zlib packs the rest, and its check sum tells a damaged block.
 */
export function encodeBlock({ at, value, quality }: Samples, from: number, to: number, level = 6): Buffer {
  const count = to - from;
  if (count < 1 || count > MOST_IN_BLOCK) throw new RangeError(`a block has 1 to ${MOST_IN_BLOCK} samples`);
  const out = new OctetWriter();
  out.octet(VERSION);
  out.whole(count);
  let last = 0;
  let lastDelta = 0;
  for (let index = from; index < to; index++) {
    const delta = (at[index] as number) - last;
    out.signed(delta - lastDelta);
    last += delta;
    // the first difference is the time itself
    lastDelta = index === from ? 0 : delta;
  }
  const octets = new Uint8Array(value.buffer, value.byteOffset, value.length * 8);
  const planes = out.room(8 * count);
  for (let index = 0; index < count; index++) {
    const place = 8 * (from + index);
    for (let octet = 0; octet < 8; octet++) {
      const before = index === 0 ? 0 : (octets[place - 8 + octet] as number);
      planes[octet * count + index] = (octets[place + octet] as number) ^ before;
    }
  }
  for (let index = from; index < to; ) {
    let end = index + 1;
    while (end < to && quality[end] === quality[index]) end += 1;
    out.octet(quality[index] as number);
    out.whole(end - index);
    index = end;
  }
  return deflateSync(out.take(), { level });
}

/** The samples of a block. Throws for one that is damaged. */
export function decodeBlock(block: Uint8Array): Samples {
  const reader = new OctetReader(inflateSync(block, { maxOutputLength: LARGEST }));
  if (reader.octet() !== VERSION) throw new RangeError('block of another version');
  const count = reader.whole();
  if (count < 1 || count > MOST_IN_BLOCK) throw new RangeError('block of another size');
  const samples = new Samples(count);
  let last = 0;
  let delta = 0;
  for (let index = 0; index < count; index++) {
    delta += reader.signed();
    last += delta;
    samples.at[index] = last;
    if (index === 0) delta = 0;
  }
  const planes = reader.room(8 * count);
  const octets = new Uint8Array(samples.value.buffer);
  for (let octet = 0; octet < 8; octet++) {
    let present = 0;
    const plane = octet * count;
    for (let index = 0; index < count; index++) {
      present ^= planes[plane + index] as number;
      octets[8 * index + octet] = present;
    }
  }
  for (let index = 0; index < count; ) {
    const quality = reader.octet();
    const end = index + reader.whole();
    if (end <= index || end > count) throw new RangeError('qualities do not fit');
    samples.quality.fill(quality, index, end);
    index = end;
  }
  if (!reader.isAtEnd) throw new RangeError('block goes on');
  samples.length = count;
  return samples;
}

/** Packs samples of several points as they came, quickly. */
export function encodeLoose(batch: {
  readonly points: Float64Array;
  readonly at: Float64Array;
  readonly value: Float64Array;
  readonly quality: Uint8Array;
}): Buffer {
  const columns = [batch.points, batch.at, batch.value, batch.quality];
  return deflateSync(Buffer.concat(columns.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength))), {
    level: 1,
  });
}

/** Octets of one loose sample before it is packed. */
const LOOSE = 25;
/** Samples that come together. */
const MOST_LOOSE = 1_000_000;

/** Calls `take` for each sample. Throws for a damaged one. */
export function decodeLoose(octets: Uint8Array, take: (point: number, at: number, value: number, quality: number) => void): void {
  const all = new Uint8Array(inflateSync(octets, { maxOutputLength: LOOSE * MOST_LOOSE }));
  const count = all.length / LOOSE;
  if (!Number.isInteger(count)) throw new RangeError('loose samples do not fit');
  const view = new DataView(all.buffer, all.byteOffset, all.byteLength);
  for (let index = 0; index < count; index++) {
    const float = (column: number) => view.getFloat64(8 * (column * count + index), true);
    take(float(0), float(1), float(2), all[24 * count + index] as number);
  }
}
