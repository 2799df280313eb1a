import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBlock, decodeLoose, encodeBlock, encodeLoose, MOST_IN_BLOCK } from './block-codec.ts';
import { Samples } from './samples.ts';

const sample = fc.record({
  at: fc.integer({ min: 0, max: 8_640_000_000_000_000 / 4 }),
  value: fc.oneof(fc.double(), fc.float(), fc.constantFrom(Number.NaN, -0, Number.POSITIVE_INFINITY, Number.MIN_VALUE)),
  quality: fc.integer({ min: 0, max: 3 }),
});

function columns(list: readonly { at: number; value: number; quality: number }[]): Samples {
  const samples = new Samples(1);
  for (const { at, value, quality } of list) samples.push(at, value, quality);
  return samples;
}
const bits = ({ at, value, quality, length }: Samples, from = 0, to = length) => [
  [...at.slice(from, to)],
  [...new BigUint64Array(value.slice(from, to).buffer)],
  [...quality.slice(from, to)],
];

describe('blocks of samples', () => {
  it('come back bit by bit, whatever the times, values and qualities, from any part of the samples', () => {
    fc.assert(
      fc.property(fc.array(sample, { minLength: 1, maxLength: 60 }), fc.nat(), (list, cut) => {
        const samples = columns(list);
        const from = cut % list.length;
        expect(bits(decodeBlock(encodeBlock(samples, from, list.length)))).toEqual(bits(samples, from));
      }),
    );
  });

  it('keep the bits of a value that is no number', () => {
    const samples = columns([{ at: 1, value: 0, quality: 1 }]);
    new BigUint64Array(samples.value.buffer)[0] = 0x7ff8_dead_beef_0001n;
    expect(bits(decodeBlock(encodeBlock(samples, 0, 1)))).toEqual(bits(samples));
  });

  it('are told from damaged ones: a turned bit never gives other samples', () => {
    const samples = columns(Array.from({ length: 50 }, (_, index) => ({ at: 1000 * index, value: Math.sin(index), quality: 1 })));
    const block = encodeBlock(samples, 0, 50);
    for (let bit = 0; bit < 8 * block.length; bit++) {
      const turned = Buffer.from(block);
      turned[bit >> 3] = (turned[bit >> 3] as number) ^ (1 << (bit & 7));
      let got: unknown = 'refused';
      try {
        got = bits(decodeBlock(turned));
      } catch {
        continue;
      }
      expect(got).toEqual(bits(samples));
    }
  });

  it('are of a bounded size', () => {
    expect(() => encodeBlock(new Samples(), 0, 0)).toThrow(RangeError);
    expect(() => encodeBlock(new Samples(), 0, MOST_IN_BLOCK + 1)).toThrow(RangeError);
    expect(() => decodeBlock(Buffer.from('no block'))).toThrow();
  });

  it('a day of a value that moves a little takes few octets', () => {
    const steady = columns(
      Array.from({ length: 4096 }, (_, index) => ({ at: 1e12 + 1000 * index, value: 230 + (index % 7) / 10, quality: 1 })),
    );
    expect(encodeBlock(steady, 0, 4096).length).toBeLessThan(4096);
  });
});

it('loose samples come back as they were', () => {
  const at = Float64Array.of(5, 6, 7);
  const value = Float64Array.of(0.1, -0, 1e300);
  const octets = encodeLoose({ points: Float64Array.of(1, 2 ** 40, 3), at, value, quality: Uint8Array.of(1, 2, 3) });
  const got: number[][] = [];
  decodeLoose(octets, (...one) => got.push(one));
  expect(got).toEqual([
    [1, 5, 0.1, 1],
    [2 ** 40, 6, -0, 2],
    [3, 7, 1e300, 3],
  ]);
});
