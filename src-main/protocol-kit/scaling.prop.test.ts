import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scaled, scaledText, unscaled, unscaledInteger } from './scaling.ts';

/** A decimal as people write it into a point table: up to 7 digits, up to 6 of them behind the point. */
const written = fc
  .record({ digits: fc.integer({ min: -9_999_999, max: 9_999_999 }), places: fc.nat({ max: 6 }) })
  .map(({ digits, places }) => Number(`${digits}e-${places}`));
const factor = written.filter((value) => value !== 0);
const anyNumber = fc.double({ noNaN: true, noDefaultInfinity: true });

/** raw × factor + offset as a fraction of whole numbers over a power of ten, by the digits of the spelling alone. */
function exact(raw: number | bigint, mulCoe: number, addCoe: number): { digits: bigint; places: number } {
  const [a, b, c] = [spelled(raw), spelled(mulCoe), spelled(addCoe)];
  const places = Math.max(a.places + b.places, c.places);
  const product = a.digits * b.digits * 10n ** BigInt(places - a.places - b.places);
  return { digits: product + c.digits * 10n ** BigInt(places - c.places), places };
}

function spelled(value: number | bigint): { digits: bigint; places: number } {
  if (typeof value === 'number' && Number.isInteger(value)) return { digits: BigInt(value), places: 0 };
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const behind = mantissa.split('.')[1] ?? '';
  const digits = BigInt(mantissa.replace('.', ''));
  const places = behind.length - Number(exponent);
  return places >= 0 ? { digits, places } : { digits: digits * 10n ** BigInt(-places), places: 0 };
}

describe('the scaling of a point', () => {
  it.each([
    [3132, 0.1, 0, 313.2],
    [3, 0.3, 0, 0.9],
    [1, 0.1, 0.2, 0.3],
    [-7, 0.1, 0, -0.7],
    [220.1, 0.1, 0, 22.01],
    [1e21, 0.001, 0, 1e18],
    [9_007_199_254_740_993n, 1, 0, 9_007_199_254_740_992],
    [0, -1, 0, 0],
    [-0, 1, 0, 0],
    [-5e-324, 0.1, 0, 0],
    [5, 0, 3, 3],
  ])('%s × %s + %s is %s', (raw, mulCoe, addCoe, value) => {
    expect(scaled({ mul_coe: mulCoe, add_coe: addCoe }, raw)).toBe(value);
  });

  it('leaves NaN and infinities what they are', () => {
    expect(scaled({ mul_coe: 0.1, add_coe: 1 }, Number.NaN)).toBeNaN();
    expect(scaled({ mul_coe: -0.1, add_coe: 1 }, Number.POSITIVE_INFINITY)).toBe(Number.NEGATIVE_INFINITY);
  });

  it('is the number nearest to the exact decimal', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n }), written, anyNumber),
        factor,
        written,
        (raw, mulCoe, addCoe) => {
          const { digits, places } = exact(raw, mulCoe, addCoe);
          // text to number is rounded once
          expect(scaled({ mul_coe: mulCoe, add_coe: addCoe }, raw)).toBe(Number(`${digits}e-${places}`) + 0);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('as text is exact', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n }), written, written, (raw, mulCoe, addCoe) => {
        const text = scaledText({ mul_coe: mulCoe, add_coe: addCoe }, raw);
        expect(text).toMatch(/^(?:0|-?(?:0\.\d*[1-9]|[1-9]\d*(?:\.\d*[1-9])?))$/);
        const said = spelledText(text);
        const { digits, places } = exact(raw, mulCoe, addCoe);
        expect(said.digits * 10n ** BigInt(places)).toBe(digits * 10n ** BigInt(said.places));
      }),
      { numRuns: 1000 },
    );
  });
});

function spelledText(text: string): { digits: bigint; places: number } {
  const behind = text.split('.')[1] ?? '';
  return { digits: BigInt(text.replace('.', '')), places: behind.length };
}

describe('the raw value of an engineering one', () => {
  it.each([
    [313.2, 0.1, 0, 3132, 3132n],
    [0.15, 0.1, 0, 1.5, 2n],
    [-0.15, 0.1, 0, -1.5, -2n],
    [0.3, 0.1, 0.2, 1, 1n],
    [25, 0.1, -40, 650, 650n],
    [1, 3, 0, 1 / 3, 0n],
    [0, -2, 0, 0, 0n],
  ])('%s with × %s + %s is %s, whole %s', (value, mulCoe, addCoe, raw, whole) => {
    expect(unscaled({ mul_coe: mulCoe, add_coe: addCoe }, value)).toBe(raw);
    expect(unscaledInteger({ mul_coe: mulCoe, add_coe: addCoe }, value)).toBe(whole);
  });

  it('counts the last decimal of a format', () => {
    expect(unscaledInteger({ mul_coe: 1, add_coe: 0 }, 1.005, 2)).toBe(101n);
    expect(unscaledInteger({ mul_coe: 1, add_coe: 0 }, -0.004, 2)).toBe(0n);
    expect(unscaledInteger({ mul_coe: 0.1, add_coe: 0 }, 22.01, 1)).toBe(2201n);
  });

  it('is not finite where there is none, and no whole number either', () => {
    expect(unscaled({ mul_coe: 0, add_coe: 0 }, 1)).toBe(Number.POSITIVE_INFINITY);
    expect(unscaled({ mul_coe: 0.1, add_coe: 0 }, Number.NaN)).toBeNaN();
    expect(() => unscaledInteger({ mul_coe: 0, add_coe: 0 }, 1)).toThrow(RangeError);
    expect(() => unscaledInteger({ mul_coe: 1, add_coe: 0 }, Number.POSITIVE_INFINITY)).toThrow(RangeError);
  });

  it('of a scaled whole number is that number, whatever the scale', () => {
    fc.assert(
      fc.property(fc.integer(), factor, written, (raw, mulCoe, addCoe) => {
        const value = scaled({ mul_coe: mulCoe, add_coe: addCoe }, raw);
        expect(unscaledInteger({ mul_coe: mulCoe, add_coe: addCoe }, value)).toBe(BigInt(raw));
        // fifteen digits are what a number holds of any decimal
        const digits = String(exact(raw, mulCoe, addCoe).digits).replace('-', '').length;
        if (digits <= 15) expect(unscaled({ mul_coe: mulCoe, add_coe: addCoe }, value)).toBe(raw);
      }),
      { numRuns: 3000 },
    );
  });

  it('is the number nearest to the exact fraction', () => {
    fc.assert(
      fc.property(fc.oneof(written, anyNumber), factor, written, (value, mulCoe, addCoe) => {
        const raw = unscaled({ mul_coe: mulCoe, add_coe: addCoe }, value);
        fc.pre(Math.abs(raw) < 1e300 && (raw === 0 || Math.abs(raw) > 1e-300));
        const [v, m, a] = [spelled(value), spelled(mulCoe), spelled(addCoe)];
        const places = Math.max(v.places, a.places, m.places);
        const whole = ({ digits, places: own }: { digits: bigint; places: number }) => digits * 10n ** BigInt(places - own);
        const [over, under] = [whole(v) - whole(a), whole(m)];
        const distance = (number: number) => {
          const { numerator, denominator } = binary(number);
          const off = numerator * under - over * denominator;
          return { off: off < 0n ? -off : off, denominator };
        };
        const best = distance(raw);
        for (const other of [nextTo(raw, 1), nextTo(raw, -1)]) {
          const { off, denominator } = distance(other);
          expect(best.off * denominator <= off * best.denominator).toBe(true);
        }
      }),
      { numRuns: 1500 },
    );
  });
});

/** A number as the fraction it is. */
function binary(value: number): { numerator: bigint; denominator: bigint } {
  let [rest, denominator] = [value, 1n];
  while (!Number.isInteger(rest)) [rest, denominator] = [rest * 2, denominator * 2n];
  return { numerator: BigInt(rest), denominator };
}

/** The number above or below. */
function nextTo(value: number, direction: 1 | -1): number {
  if (value === 0) return direction * Number.MIN_VALUE;
  const bits = new BigInt64Array(1);
  const numbers = new Float64Array(bits.buffer);
  numbers[0] = value;
  bits[0] = (bits[0] ?? 0n) + (value > 0 === direction > 0 ? 1n : -1n);
  const next = numbers[0] ?? 0;
  return Number.isFinite(next) ? next : value;
}
