/** Factors as lists write them: `0.1`, `/10`, `x10^-1`, `1/100 V`, `0.1V/LSB`, `raw*0.1-40`. */
import { remembered } from '../../../platform/remembered.ts';
import { parseLinear } from './linear.ts';
import { isUnit } from './units.ts';

export interface WrittenScale {
  readonly factor: number;
  readonly offset: number;
  /** Unit that stands beside the factor; empty without one. */
  readonly unit: string;
  /** False for a number alone, or one with a sign of multiplication: 10 is a factor in one list, and divides in the next. */
  readonly isSure: boolean;
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const LONGEST = 60;
/** What a factor counts: `0.1 V/LSB`, `0.1kW per bit`. */
const PER_COUNT = /\s*(?:\/|per)\s*(?:lsb|bits?|counts?|digits?|inc(?:rement)?s?|步|位|字)\s*$/i;

/** Reads the text of a cell of factors; null for what says none. */
export const parseScale = remembered(readScale);

function readScale(text: string): WrittenScale | null {
  if (text.length > LONGEST) return null;
  const written = normalized(text).replace(PER_COUNT, '').trim();
  if (written === '') return null;
  return byNumber(written) ?? byUnit(written) ?? byExpression(written);
}

/** The factor in the brackets of a name, with its unit or with its sign: `0.1 V`, `×0.1`, `/10`. A number alone may count anything. */
export function scaleInName(inside: string): WrittenScale | null {
  const scale = parseScale(inside);
  if (scale?.unit !== '') return scale;
  return /^[x×✕*·÷/]/i.test(inside) && scale.isSure && scale.offset === 0 ? scale : null;
}

/** Signs in the forms of a keyboard, superscripts as powers, a decimal comma as a point. */
function normalized(text: string): string {
  return (
    text
      .replace(
        /(?<=[\d)])([⁺⁻]?)([⁰¹²³⁴⁵⁶⁷⁸⁹]+)/g,
        (_, sign: string, digits: string) =>
          `^${sign === '⁻' ? '-' : ''}${[...digits].map((digit) => SUPERSCRIPTS.indexOf(digit)).join('')}`,
      )
      // full-width forms; superscripts of units stay what they are
      .replace(/[！-～]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
      .replaceAll('\u3000', ' ')
      .replace(/[−–]/g, '-')
      .replace(/[×✕·⋅∙]/g, '*')
      .replace(/[÷]/g, '/')
      .replace(/除以/g, '/')
      .replace(/乘以?/g, '*')
      // "x10", "x 0.1": a sign; "x/10": the value
      .replace(/(?<![\p{L}\d])x\s*(?=[\d.])/giu, '*')
      .replace(/(?<=[\d)])\s*x\s*(?=[\d.])/gi, '*')
      // `1,000` may be a thousand as well: it stays as it is, and is no number
      .replace(/(?<![\d.])(?![1-9]\d{0,2},\d{3}(?!\d))(\d+),(\d+)(?![\d,])/g, '$1.$2')
  );
}

const NUMBER = String.raw`[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?`;
const PLAIN = new RegExp(`^(\\*?)\\s*(${NUMBER})$`, 'i');
const FRACTION = new RegExp(`^(\\*?)\\s*1\\s*/\\s*(${NUMBER})$`, 'i');
const POWER = new RegExp(`^(\\*?)\\s*(?:(${NUMBER})\\s*\\*\\s*)?10\\s*\\^\\s*\\(?\\s*([+-]?\\d{1,2})\\s*\\)?$`, 'i');

function byNumber(written: string): WrittenScale | null {
  const plain = PLAIN.exec(written);
  if (plain) return scale(Number(plain[2]), false);
  const fraction = FRACTION.exec(written);
  if (fraction) return scale(1 / Number(fraction[2]), true);
  const power = POWER.exec(written);
  if (!power) return null;
  const exponent = Number(power[3]);
  const magnitude = 10 ** Math.abs(exponent);
  const times = power[2] === undefined ? 1 : Number(power[2]);
  return scale(exponent < 0 ? times / magnitude : times * magnitude, exponent <= 0);
}

function scale(factor: number, isSure: boolean): WrittenScale | null {
  if (!Number.isFinite(factor) || factor === 0) return null;
  return { factor, offset: 0, unit: '', isSure: isSure || Math.abs(factor) <= 1 };
}

/** `0.1V`, `1/100 V`, `x0.1 kWh`: the longest beginning that is a factor, with a unit behind it. */
function byUnit(written: string): WrittenScale | null {
  const [, front = '', unit = ''] = /^([\d.*/^()+\-\s]*\d)\s*([^\d\s.*^()].*)$/.exec(written) ?? [];
  if (front === '' || !isUnit(unit)) return null;
  const found = byNumber(front.trim()) ?? byExpression(front.trim());
  // a number with its unit is what one count is
  return found && { ...found, unit: unit.trim(), isSure: true };
}

function byExpression(written: string): WrittenScale | null {
  const linear = parseLinear(written);
  if (!linear || (linear.factor === 1 && linear.offset === 0)) return null;
  // "*10" is a number with a sign
  const isPlainProduct = /^\*/.test(written) && linear.offset === 0;
  return { ...linear, unit: '', isSure: !isPlainProduct || Math.abs(linear.factor) <= 1 };
}
