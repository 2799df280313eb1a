/** An exact decimal number: `digits` × 10^-`scale`. */
interface Decimal {
  readonly digits: bigint;
  /** Digits after the decimal point; 0 or more. */
  readonly scale: number;
}

/** Digits of a quotient that are worked out: more than any two numbers of 64 bits need to be told apart. */
const QUOTIENT_DIGITS = 40;

/** The number as the decimal that people write and see: 0.1 is one tenth, not its nearest binary fraction. Whole numbers are exact. It has to be finite. */
export function toDecimal(value: number | bigint): Decimal {
  if (typeof value === 'bigint' || Number.isInteger(value)) return { digits: BigInt(value), scale: 0 };
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

/** a × factor + offset, without any rounding. */
export function multiplyAdd(a: Decimal, factor: Decimal, offset: Decimal): Decimal {
  const product = { digits: a.digits * factor.digits, scale: a.scale + factor.scale };
  const scale = Math.max(product.scale, offset.scale);
  return { digits: rescale(product, scale) + rescale(offset, scale), scale };
}

/** The decimal × 10^`exponent`, which is a whole number. */
export function timesPowerOfTen({ digits, scale }: Decimal, exponent: number): Decimal {
  const moved = scale - exponent;
  return moved >= 0 ? { digits, scale: moved } : { digits: digits * 10n ** BigInt(-moved), scale: 0 };
}

/** The decimal as text, without zeros behind the last digit that counts; zero has no sign. */
export function decimalText({ digits, scale }: Decimal): string {
  const sign = digits < 0n ? '-' : '';
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0');
  const whole = text.slice(0, text.length - scale);
  const fraction = text.slice(text.length - scale).replace(/0+$/, '');
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}

/** (value − offset) ÷ factor as a fraction of whole numbers; the factor is not 0. */
export function subtractDivide(value: Decimal, factor: Decimal, offset: Decimal): { readonly dividend: bigint; readonly divisor: bigint } {
  const scale = Math.max(value.scale, offset.scale);
  const difference = rescale(value, scale) - rescale(offset, scale);
  const common = Math.max(scale, factor.scale);
  return { dividend: difference * 10n ** BigInt(common - scale), divisor: factor.digits * 10n ** BigInt(common - factor.scale) };
}

/** The number nearest to a fraction. */
export function nearestQuotient(dividend: bigint, divisor: bigint): number {
  const [numerator, denominator] = [Number(dividend), Number(divisor)];
  // division of two numbers that are exact is rounded once
  if (Number.isSafeInteger(numerator) && Number.isSafeInteger(denominator)) return numerator / denominator + 0;
  const isNegative = dividend < 0n !== divisor < 0n;
  const [over, under] = [magnitude(dividend), magnitude(divisor)];
  const shift = Math.max(0, QUOTIENT_DIGITS - String(over).length + String(under).length);
  const scaled = over * 10n ** BigInt(shift);
  const digits = scaled / under;
  // a last digit that is not 0 says that something is left, so that a tie is none
  const text = `${digits}${scaled % under === 0n ? '0' : '1'}e${-shift - 1}`;
  return Number(isNegative ? `-${text}` : text) + 0;
}

/** The whole number nearest to a fraction, halves away from zero. */
export function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  const isNegative = dividend < 0n !== divisor < 0n;
  const [over, under] = [magnitude(dividend), magnitude(divisor)];
  const rounded = (2n * over + under) / (2n * under);
  return isNegative ? -rounded : rounded;
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function rescale(value: Decimal, scale: number): bigint {
  return value.digits * 10n ** BigInt(scale - value.scale);
}
