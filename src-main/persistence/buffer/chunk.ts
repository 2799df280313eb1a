import { deflateSync, inflateSync } from 'node:zlib';
import { z } from 'zod';
import { QUALITIES } from '#shared/domain/enums.ts';
import type { BufferRecord } from '../buffer-repositories.ts';

/** The quickest that makes it small: names repeat. */
const LEVEL = 1;
/** Octets that a chunk may have unpacked; one that says more is damaged. */
const MOST_OCTETS = 64 * 1024 * 1024;

const About = z.tuple([z.string(), z.string(), z.literal([0, 1, 2, 3]), z.string(), z.string()]);
const Row = z.tuple([
  z.int().nonnegative(),
  z.number().nullable(),
  z
    .int()
    .min(0)
    .max(QUALITIES.length - 1),
  z.number(),
]);
const Chunk = z.object({ about: z.array(About), rows: z.array(Row) });

/** Records packed as JSON by zlib, whose check sum tells damage: what is said of a point stands once. */
export function encodeChunk(records: readonly BufferRecord[]): Buffer {
  const places = new Map<BufferRecord['about'], number>();
  const about: z.infer<typeof About>[] = [];
  const rows = records.map(({ about: of, value, quality, at }): z.infer<typeof Row> => {
    let place = places.get(of);
    if (place === undefined) {
      place = about.push([of.device, of.code, of.frameType, of.name, of.unit]) - 1;
      places.set(of, place);
    }
    return [place, value, QUALITIES.indexOf(quality), at];
  });
  return deflateSync(JSON.stringify({ about, rows }), { level: LEVEL });
}

/** The records of a chunk. Throws for one that is damaged. */
export function decodeChunk(data: Uint8Array): BufferRecord[] {
  const { about, rows } = Chunk.parse(JSON.parse(inflateSync(data, { maxOutputLength: MOST_OCTETS }).toString('utf8')));
  const abouts = about.map(([device, code, frameType, name, unit]) => ({ device, code, frameType, name, unit }));
  return rows.map(([place, value, quality, at]) => {
    const of = abouts[place];
    const word = QUALITIES[quality];
    if (!of || !word) throw new RangeError('damaged');
    return { about: of, value, quality: word, at };
  });
}
