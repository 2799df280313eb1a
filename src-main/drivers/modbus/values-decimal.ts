interface Decimal {
  readonly digits: bigint;
  /** Digits after the decimal point. */
  readonly scale: number;
}

/**
 * raw × factor + offset as exact decimal text, the factor and offset taken as the decimals people wrote (0.1 is one tenth, not its nearest
 * binary fraction). For 64-bit integers and range messages, where a number would lose digits. Factor and offset are finite.
 */
export function exactDecimal(raw: bigint, factor: number, offset: number): string {
  if (factor === 1 && offset === 0) return raw.toString();
  const multiplier = toDecimal(factor);
  const addend = toDecimal(offset);
  const scale = Math.max(multiplier.scale, addend.scale);
  const sum = rescale({ digits: raw * multiplier.digits, scale: multiplier.scale }, scale) + rescale(addend, scale);
  return format(sum, scale);
}

function toDecimal(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

function rescale(value: Decimal, scale: number): bigint {
  return value.digits * 10n ** BigInt(scale - value.scale);
}

function format(digits: bigint, scale: number): string {
  const sign = digits < 0n ? '-' : '';
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0');
  const whole = text.slice(0, text.length - scale);
  const fraction = text.slice(text.length - scale).replace(/0+$/, '');
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}
