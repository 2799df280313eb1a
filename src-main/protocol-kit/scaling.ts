/**
 * Scaling of points: engineering value = raw × `mul_coe` + `add_coe`, worked out in decimals and rounded once, to the nearest number. So a raw
 * 3132 with 0.1 is 313.2 whatever protocol brought it, and comes back as 3132.
 */
import { decimalText, multiplyAdd, nearestQuotient, roundedQuotient, subtractDivide, timesPowerOfTen, toDecimal } from './decimal.ts';

/** Factor and offset of a point; finite. */
export interface Scale {
  readonly mul_coe: number;
  readonly add_coe: number;
}

/** Makes an engineering value of a raw one. NaN and infinities stay what they are. */
export type Scaler = (raw: number | bigint) => number;

const PLAIN: Scaler = (raw) => Number(raw) + 0;
/** Powers of ten up to this exponent are exact numbers. */
const MOST_EXACT_TENS = 22;
const KEPT_SCALERS = 1000;
const scalers = new Map<string, Scaler>();

/** The scaler of a factor and an offset; points with the same two share one. */
export function scalerOf({ mul_coe: mulCoe, add_coe: addCoe }: Scale): Scaler {
  if (mulCoe === 1 && addCoe === 0) return PLAIN;
  const key = `${mulCoe} ${addCoe}`;
  let scaler = scalers.get(key);
  if (!scaler) {
    if (scalers.size >= KEPT_SCALERS) scalers.clear();
    scaler = makeScaler(mulCoe, addCoe);
    scalers.set(key, scaler);
  }
  return scaler;
}

/** The engineering value of a raw one. */
export function scaled(scale: Scale, raw: number | bigint): number {
  return scalerOf(scale)(raw);
}

/** As `scaled`, of a raw number that comes with a power of ten of its own: raw × 10^`exponent` × factor + offset. */
export function scaledWith({ mul_coe: mulCoe, add_coe: addCoe }: Scale, raw: number | bigint, exponent: number): number {
  if (typeof raw === 'number' && !Number.isFinite(raw)) return raw * mulCoe + addCoe;
  return Number(decimalText(multiplyAdd(timesPowerOfTen(toDecimal(raw), exponent), toDecimal(mulCoe), toDecimal(addCoe)))) + 0;
}

/** As `scaled`, as exact text: for integers of 64 bits and for range messages, where a number would lose digits. */
export function scaledText({ mul_coe: mulCoe, add_coe: addCoe }: Scale, raw: bigint, exponent = 0): string {
  return decimalText(multiplyAdd(timesPowerOfTen(toDecimal(raw), exponent), toDecimal(mulCoe), toDecimal(addCoe)));
}

/** The raw value of an engineering one. Not finite for a value that is not, and for a factor of 0. `exponent` as in `scaledWith`. */
export function unscaled({ mul_coe: mulCoe, add_coe: addCoe }: Scale, value: number, exponent = 0): number {
  if (mulCoe === 1 && addCoe === 0 && exponent === 0) return value + 0;
  if (!Number.isFinite(value) || mulCoe === 0) return (value - addCoe) / mulCoe;
  const { dividend, divisor } = subtractDivide(toDecimal(value), timesPowerOfTen(toDecimal(mulCoe), exponent), toDecimal(addCoe));
  return nearestQuotient(dividend, divisor);
}

/**
 * The raw value of an engineering one, rounded to a whole number, halves away from zero. `decimals`: digits after the point that the raw value
 * has; the whole number counts the last of them. Throws RangeError for a value that is not finite and for a factor of 0.
 */
export function unscaledInteger({ mul_coe: mulCoe, add_coe: addCoe }: Scale, value: number, decimals = 0, exponent = 0): bigint {
  if (!Number.isFinite(value) || mulCoe === 0) throw new RangeError(`${value} has no raw value with a factor of ${mulCoe}.`);
  const { dividend, divisor } = subtractDivide(toDecimal(value), timesPowerOfTen(toDecimal(mulCoe), exponent), toDecimal(addCoe));
  return roundedQuotient(dividend * 10n ** BigInt(decimals), divisor);
}

/** As `unscaledInteger` as a number: NaN for a value that is not finite or a factor of 0. */
export function unscaledWhole(scale: Scale, value: number): number {
  return Number.isFinite(value) && scale.mul_coe !== 0 ? Number(unscaledInteger(scale, value)) : Number.NaN;
}

function makeScaler(mulCoe: number, addCoe: number): Scaler {
  const factor = toDecimal(mulCoe);
  const offset = toDecimal(addCoe);
  const scale = Math.max(factor.scale, offset.scale);
  const multiplier = Number(factor.digits) * 10 ** (scale - factor.scale);
  const addend = Number(offset.digits) * 10 ** (scale - offset.scale);
  const isShort = scale <= MOST_EXACT_TENS && Number.isSafeInteger(multiplier) && Number.isSafeInteger(addend);
  const divisor = isShort ? 10 ** scale : 0;
  return (raw) => {
    if (isShort && typeof raw === 'number') {
      // whole numbers below 2^53 are exact, so the division is the only rounding
      const sum = raw * multiplier + addend;
      if (Number.isInteger(raw) && Number.isSafeInteger(sum) && Number.isSafeInteger(raw * multiplier)) return sum / divisor + 0;
    }
    if (typeof raw === 'number' && !Number.isFinite(raw)) return raw * mulCoe + addCoe;
    // what is too small for a number is 0, which has no sign
    return Number(decimalText(multiplyAdd(toDecimal(raw), factor, offset))) + 0;
  };
}
