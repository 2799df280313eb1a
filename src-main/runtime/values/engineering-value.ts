/** From the number of a device to the value of its point: the one place where readings are scaled, reversed and put into words. */
import { FrameType } from '#shared/domain/enums.ts';
import type { PointConfig, PointValue } from '../../drivers/spi/index.ts';
import { type Scale, type Scaler, scaledText, scaledWith, scalerOf } from '../../protocol-kit/scaling.ts';

/** What the values of a point are made with; points with the same settings may share one. */
export interface ValueRule extends Scale {
  readonly scale: Scaler;
  /** True when the value is the number of the device. */
  readonly isPlain: boolean;
  /** True for a YX that shows the opposite of what the device sends. */
  readonly isReversed: boolean;
}

/** The rule of a point. `reverse` inverts a YX and nothing else. */
export function valueRuleOf({
  frame_type: frameType,
  mul_coe: mulCoe,
  add_coe: addCoe,
  reverse,
}: Pick<PointConfig, 'frame_type' | 'mul_coe' | 'add_coe' | 'reverse'>): ValueRule {
  const isReversed = reverse && frameType === FrameType.yx;
  return {
    mul_coe: mulCoe,
    add_coe: addCoe,
    scale: scalerOf({ mul_coe: mulCoe, add_coe: addCoe }),
    isPlain: mulCoe === 1 && addCoe === 0 && !isReversed,
    isReversed,
  };
}

/**
 * The engineering value of a reading: raw × factor + offset, and the power of ten that came with it, worked out in decimals and rounded once. A reversed number is 1 where it was 0, else
 * 0; a reversed state changes off with on and keeps what is neither. 0 where the device sent no number. Not finite where it sent NaN or an
 * infinity, and where the result is beyond the range of a number: such a value is shown as 0 and invalid.
 */
export function engineeringValue(rule: ValueRule, { value, form, exponent = 0 }: PointValue): number {
  if (value === null) return 0;
  if (form === 'written') return Number(value);
  if (exponent !== 0 && form === undefined && !rule.isReversed) return scaledWith(rule, value, exponent);
  return typeof value === 'number' ? engineeringNumber(rule, value, form === 'state') : engineeringInteger(rule, value, form === 'state');
}

/** The same of a number alone, a quantity or a state. */
export function engineeringNumber(rule: ValueRule, number: number, isState: boolean): number {
  // a zero has no sign
  if (rule.isPlain) return number + 0;
  if (!isState) return rule.scale(rule.isReversed ? (number ? 0 : 1) : number);
  return rule.isReversed && (number === 0 || number === 1) ? 1 - number : number + 0;
}

function engineeringInteger(rule: ValueRule, integer: bigint, isState: boolean): number {
  if (isState) return engineeringNumber(rule, Number(integer), true);
  return rule.scale(rule.isReversed ? (integer ? 0 : 1) : integer);
}

/** What is shown beside `value`, which is the engineering value of the reading: its words, or what a number cannot say. */
export function engineeringText(rule: ValueRule, reading: PointValue, value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (reading.textBehind !== undefined) return `${value} ${reading.textBehind}`;
  if (typeof reading.value !== 'bigint' || reading.valueText !== '') return reading.valueText;
  if (reading.form !== undefined) return String(reading.value);
  return rule.isReversed ? '' : scaledText(rule, reading.value, reading.exponent);
}

/** Rules by number, each once. */
export class ValueRules {
  readonly #numbers = new Map<string, number>();
  readonly #rules: ValueRule[] = [];

  get(number: number): ValueRule {
    return this.#rules[number] ?? PLAIN;
  }

  /** Number of the rule of a point. */
  add(point: Pick<PointConfig, 'frame_type' | 'mul_coe' | 'add_coe' | 'reverse'>): number {
    const rule = valueRuleOf(point);
    const key = `${rule.mul_coe} ${rule.add_coe} ${rule.isReversed}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#rules.push(rule);
    this.#numbers.set(key, this.#rules.length - 1);
    return this.#rules.length - 1;
  }
}

const PLAIN: ValueRule = valueRuleOf({ frame_type: FrameType.yc, mul_coe: 1, add_coe: 0, reverse: false });
