import fc from 'fast-check';
import { expect, it } from 'vitest';
import { concatBytes } from '../../../protocol-kit/bytes.ts';
import { encodeRead } from '../codec/request.ts';
import { encodeRtu } from '../rtu/framing.ts';
import { recogniseMbap, recogniseRtu } from './recognise.ts';

it('whatever arrives, every octet is in a frame, an echo or noise, and nothing throws', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 600 }),
      fc.array(fc.uint8Array({ minLength: 4, maxLength: 12 }), { maxLength: 3 }),
      (octets, sent) => {
        for (const recognise of [recogniseRtu, recogniseMbap]) {
          const seen = recognise(octets, sent);
          expect(seen.noise).toBeGreaterThanOrEqual(0);
          expect(seen.noise).toBeLessThanOrEqual(octets.length);
          if (seen.frames === 0 && !seen.hasEcho) expect(seen.noise).toBe(octets.length);
        }
      },
    ),
    { numRuns: 300 },
  );
});

it('answers of distinct units are found between any noise that has no frame of its own', () => {
  const unit = fc.integer({ min: 1, max: 247 });
  const noise = fc.array(fc.constantFrom(0xff, 0xfe, 0xfd), { maxLength: 5 }).map((list) => Uint8Array.from(list));
  fc.assert(
    fc.property(fc.uniqueArray(unit, { minLength: 1, maxLength: 6 }), noise, (units, between) => {
      const parts = units.flatMap((id) => [encodeRtu(id, encodeRead(3, 0, 1)), encodeRtu(id, Uint8Array.of(3, 2, 0, id)), between]);
      const seen = recogniseRtu(concatBytes(...parts), []);
      expect(seen).toMatchObject({ asked: units, answering: units, frames: 2 * units.length, noise: between.length * units.length });
    }),
    { numRuns: 200 },
  );
});
