/** Integers that are written otherwise than in two's complement: digits, sign and magnitude. */

/** Lowest and highest integer. */
export interface IntegerRange {
  readonly min: bigint;
  readonly max: bigint;
}

/** `bits` of both ways are the registers as one number, the first of them in the value's order highest. */
export interface DigitKind {
  /** The integer; null for bits that stand for none. */
  decode(bits: bigint, registers: number): bigint | null;
  /** The bits of an integer within the range. */
  encode(value: bigint, registers: number): bigint;
  range(registers: number): IntegerRange;
}

const REGISTER_BITS = 16n;
const NIBBLE_BITS = 4n;
const DIGITS = 4;
const PART = 10_000n;

/** Packed BCD, four digits a register; no sign. */
const bcd: DigitKind = {
  decode(bits, registers) {
    const digits = bits.toString(16).padStart(DIGITS * registers, '0');
    return /^\d+$/.test(digits) ? BigInt(digits) : null;
  },
  encode(value) {
    let bits = 0n;
    for (const digit of value.toString()) bits = (bits << NIBBLE_BITS) | BigInt(digit);
    return bits;
  },
  range: (registers) => ({ min: 0n, max: 10n ** BigInt(DIGITS * registers) - 1n }),
};

/** The highest bit is the sign, those below it the magnitude; a zero with a sign is zero. */
const signMagnitude: DigitKind = {
  decode(bits, registers) {
    const sign = signOf(registers);
    return (bits & sign) === 0n ? bits : -(bits ^ sign);
  },
  encode: (value, registers) => (value < 0n ? -value | signOf(registers) : value),
  range: (registers) => ({ min: 1n - signOf(registers), max: signOf(registers) - 1n }),
};

function signOf(registers: number): bigint {
  return 1n << (REGISTER_BITS * BigInt(registers) - 1n);
}

/** Modulo 10,000 (Mod10, M10K): each register has four decimal digits as a signed number, and all of them the sign of the whole. */
const mod10k: DigitKind = {
  decode(bits, registers) {
    const parts = Array.from({ length: registers }, (_, at) => BigInt.asIntN(16, bits >> (REGISTER_BITS * BigInt(registers - 1 - at))));
    const isOneSigned = parts.every((part) => part >= 0n) || parts.every((part) => part <= 0n);
    if (!isOneSigned || parts.some((part) => part >= PART || part <= -PART)) return null;
    return parts.reduce((sum, part) => sum * PART + part, 0n);
  },
  encode(value, registers) {
    let bits = 0n;
    for (let at = registers - 1; at >= 0; at--) {
      const part = (value / PART ** BigInt(at)) % PART;
      bits = (bits << REGISTER_BITS) | BigInt.asUintN(16, part);
    }
    return bits;
  },
  range(registers) {
    const max = PART ** BigInt(registers) - 1n;
    return { min: -max, max };
  },
};

export const DIGIT_KINDS = { bcd, sign_magnitude: signMagnitude, mod10k } as const;
