import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { APCI_LENGTH } from '../link/apci.ts';
import { anyAsdu, asduOf, rawAsdu, SIZES } from '../testing/arbitraries.ts';
import { readVectors } from '../testing/captures.ts';
import { type Asdu, decodeAsdu, encodeAsdu, openAsdu } from './asdu.ts';
import { ObjectCursor } from './cursor.ts';
import { type AsduSizes, STANDARD_SIZES } from './sizes.ts';
import { DECODED_TYPES } from './types.ts';

const goldenAsdus = readVectors()
  .filter((vector) => vector.format === 'I')
  .map((vector) => vector.bytes.subarray(APCI_LENGTH));

/** A golden ASDU with some octets changed, cut off or added. */
const mutated = fc
  .record({
    base: fc.constantFrom(...goldenAsdus),
    changes: fc.array(fc.tuple(fc.nat(250), fc.nat(255)), { maxLength: 4 }),
    cut: fc.nat(300),
    tail: fc.uint8Array({ maxLength: 4 }),
  })
  .map(({ base, changes, cut, tail }) => {
    const bytes = Uint8Array.from([...base.subarray(0, cut), ...tail]);
    for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
    return bytes;
  });

/** Decodes, and allows nothing but an ASDU or PROTOCOL_MALFORMED. */
function decodeOrRefuse(bytes: Uint8Array, sizes: AsduSizes): Asdu | null {
  try {
    return decodeAsdu(bytes, sizes);
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'PROTOCOL_MALFORMED') return null;
    throw thrown;
  }
}

function walk(bytes: Uint8Array, sizes: AsduSizes): number {
  const cursor = new ObjectCursor().open(openAsdu(bytes, sizes));
  let count = 0;
  while (cursor.next()) {
    cursor.time();
    count += 1;
  }
  return count;
}

describe('ASDU codec, any values', () => {
  it.each(DECODED_TYPES.map((type) => [type.mnemonic, type] as const))('%s decodes to what was encoded, in all sizes', (_, type) => {
    for (const sizes of SIZES) {
      fc.assert(
        fc.property(asduOf(type, sizes), (asdu) => {
          const octets = encodeAsdu(asdu, sizes);
          expect(octets.length).toBeLessThanOrEqual(249);
          expect(decodeAsdu(octets, sizes)).toEqual(asdu);
          expect(walk(octets, sizes)).toBe(type.isList ? asdu.objects.length : 0);
        }),
        { numRuns: 20 },
      );
    }
  });

  it('keeps the octets of types that stay raw', () => {
    fc.assert(
      fc.property(rawAsdu(STANDARD_SIZES), (asdu) => {
        expect(decodeAsdu(encodeAsdu(asdu, STANDARD_SIZES), STANDARD_SIZES)).toEqual(asdu);
      }),
      { numRuns: 100 },
    );
  });

  it('decodes at any place in the octets', () => {
    fc.assert(
      fc.property(anyAsdu, fc.uint8Array({ maxLength: 10 }), ({ asdu, sizes }, before) => {
        const octets = Uint8Array.from([...before, ...encodeAsdu(asdu, sizes)]);
        expect(decodeAsdu(octets, sizes, before.length)).toEqual(asdu);
      }),
      { numRuns: 100 },
    );
  });
});

describe('ASDU codec, any octets', () => {
  it('decodes them to an ASDU that survives encoding, or refuses them with PROTOCOL_MALFORMED', () => {
    let decoded = 0;
    fc.assert(
      fc.property(
        fc.oneof({ weight: 4, arbitrary: mutated }, { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }) }),
        fc.constantFrom(...SIZES),
        (bytes, sizes) => {
          const asdu = decodeOrRefuse(bytes, sizes);
          if (asdu === null) return;
          decoded += 1;
          const again = encodeAsdu(asdu, sizes);
          expect(again).toHaveLength(bytes.length);
          expect(decodeAsdu(again, sizes)).toEqual(asdu);
          walk(bytes, sizes);
        },
      ),
      { numRuns: 1000 },
    );
    expect(decoded).toBeGreaterThan(50);
  });

  it('says in the octets again what was in them, but for reserved bits', () => {
    fc.assert(
      fc.property(fc.constantFrom(...goldenAsdus), fc.array(fc.tuple(fc.nat(250), fc.nat(255)), { maxLength: 3 }), (base, changes) => {
        const bytes = Uint8Array.from(base);
        for (const [at, value] of changes) if (at >= 6 && at < bytes.length) bytes[at] = value;
        const asdu = decodeOrRefuse(bytes, STANDARD_SIZES);
        if (asdu === null) return;
        const again = encodeAsdu(asdu, STANDARD_SIZES);
        // a reserved bit may be lost, none may appear; a NaN may be another NaN
        if (asdu.objects.some((object) => 'value' in object && Number.isNaN(object.value))) return;
        for (let at = 0; at < bytes.length; at++) expect((again[at] ?? 0) & ~(bytes[at] ?? 0)).toBe(0);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps memory flat over 60,000 of them', () => {
    const random = fc.sample(mutated, { numRuns: 500, seed: 104 });
    const decodeAll = (rounds: number) => {
      for (let round = 0; round < rounds; round++) for (const bytes of random) decodeOrRefuse(bytes, STANDARD_SIZES);
    };
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const used = () => {
      collect();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    decodeAll(20);
    const before = used();
    decodeAll(120);
    // an object kept for each would be megabytes
    expect(used() - before).toBeLessThan(500_000);
  });
});
