import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DECODE_CODES, type DecodeCode } from '#shared/domain/decode.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { shownOrThrow } from '../testing/engineering.ts';
import { testPoint } from '../testing/points.ts';
import { integerRange, readerOf, writeNumber } from './registers/numbers.ts';
import { decodePoint } from './testing/decode-point.ts';
import { encodeWrite } from './values.ts';

const SETTINGS = { numRuns: 100 };

function rawValues(decode: DecodeCode): fc.Arbitrary<number | bigint> {
  const range = integerRange(decode);
  if (range) return fc.bigInt(range);
  return decode.type === 'float32' ? fc.float({ noNaN: true }) : fc.double({ noNaN: true });
}

function engineering(changes: Parameters<typeof testPoint>[0], octets: Uint8Array): number {
  const point = testPoint(changes);
  return shownOrThrow(point, decodePoint(point, octets)).value;
}

describe.each(DECODE_CODES)('$code $type $order', (decode) => {
  it('reads back every raw value it writes', () => {
    fc.assert(
      fc.property(rawValues(decode), (raw) => {
        const back = readerOf(decode)(writeNumber(decode, raw), 0);
        if (typeof raw === 'bigint') expect(BigInt(back)).toBe(raw);
        else expect(back).toBe(raw);
      }),
      SETTINGS,
    );
  });

  it('writes back the octets it reads', () => {
    const size = decode.registers * 2;
    fc.assert(
      fc.property(fc.uint8Array({ minLength: size, maxLength: size }), (octets) => {
        if (decode.order === '') octets[0] = 0;
        const raw = readerOf(decode)(octets, 0);
        fc.pre(!Number.isNaN(raw));
        expect(writeNumber(decode, raw)).toEqual(octets);
      }),
      SETTINGS,
    );
  });

  it('comes back within half a step of what was written, or is refused', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1e6, max: 1e6, noNaN: true }),
        fc.constantFrom(1, 0.1, 0.001, 10, -0.5),
        fc.integer({ min: -100, max: 100 }),
        (value, mulCoe, addCoe) => {
          const changes = { frame_type: FrameType.yt, func_code: 16, decode: decode.code, mul_coe: mulCoe, add_coe: addCoe };
          const range = integerRange(decode);
          const raw = (value - addCoe) / mulCoe;
          const isInside = range === null || (raw > Number(range.min) && raw < Number(range.max));
          if (!isInside) return;
          const intent = encodeWrite(testPoint(changes), value);
          if (intent.kind !== 'registers') throw new Error(intent.kind);
          const step = range ? Math.abs(mulCoe) / 2 : Math.abs(value - addCoe) * 2 ** -23;
          expect(Math.abs(engineering(changes, intent.octets) - value)).toBeLessThanOrEqual(step + 1e-6);
        },
      ),
      SETTINGS,
    );
  });
});

describe('bits of an integer', () => {
  const integers = DECODE_CODES.filter((item) => integerRange(item) !== null);

  it('are those of the integer the whole registers make', () => {
    const cases = fc.constantFrom(...integers).chain((decode) => {
      const width = decode.order === '' ? 8 : decode.registers * 16;
      return fc.tuple(
        fc.constant(decode),
        fc.uint8Array({ minLength: decode.registers * 2, maxLength: decode.registers * 2 }),
        fc.nat(width - 1),
      );
    });
    fc.assert(
      fc.property(cases, ([decode, octets, bit]) => {
        const raw = BigInt.asUintN(64, BigInt(readerOf(decode)(octets, 0)));
        const signal = { frame_type: FrameType.yx, func_code: 3, decode: decode.code, bit };
        expect(engineering(signal, octets)).toBe(Number((raw >> BigInt(bit)) & 1n));
      }),
      { numRuns: 300 },
    );
  });

  it('are written where they are read, and nothing else changes', () => {
    const cases = fc.constantFrom(...integers).chain((decode) => {
      const width = decode.order === '' ? 8 : decode.registers * 16;
      return fc.tuple(
        fc.constant(decode),
        fc.uint8Array({ minLength: decode.registers * 2, maxLength: decode.registers * 2 }),
        fc.nat(width - 1),
        fc.constantFrom(0, 1),
      );
    });
    fc.assert(
      fc.property(cases, ([decode, octets, bit, value]) => {
        const control = { frame_type: FrameType.yk, func_code: 22, decode: decode.code, bit };
        const intent = encodeWrite(testPoint(control), value);
        if (intent.kind !== 'bits') throw new Error(intent.kind);
        const after = octets.slice();
        const at = intent.registerOffset * 2;
        const register = ((after[at] ?? 0) << 8) | (after[at + 1] ?? 0);
        const changed = (register & ~intent.mask) | intent.bits;
        after[at] = changed >> 8;
        after[at + 1] = changed & 0xff;
        expect(engineering(control, after)).toBe(value);
      }),
      { numRuns: 300 },
    );
  });
});
