/** How the factor of a row is found: in a column of factors, of decimals or of ranges, in its unit, or in a header. */
import { LEAVE_ROWS, type ListRole } from '#shared/domain/list-mapping.ts';
import type { OpenListQuestion } from '../../../drivers/spi/index.ts';
import { isNothing, numberOf } from './content-fit.ts';
import { headerKey } from './header-words.ts';
import { parseScale, scaleInName, type WrittenScale } from './scale.ts';
import { bracketsOf, isUnit } from './units.ts';
import { parseValueList } from './value-list.ts';

/** The scaling of a row. `open`: it waits for an answer. `left`: it is left out. */
export type RowScale =
  | { readonly kind: 'scale'; readonly factor: number; readonly offset: number; readonly unit: string }
  | { readonly kind: 'open'; readonly question: string }
  | { readonly kind: 'left'; readonly value: string };

export interface TableFactors {
  readonly questions: readonly OpenListQuestion[];
  /** What was taken from a header for all rows; null for nothing. */
  readonly ofHeader: { readonly header: string; readonly factor: number } | null;
  of(texts: Texts): RowScale;
  /** True where the factor of the row stands in its unit alone. */
  isInUnit(texts: Texts): boolean;
  /** The factor of its unit, where the column of factors says another one; null where both agree. */
  differs(texts: Texts): { readonly factor: number; readonly unit: string } | null;
}

type Texts = Readonly<Partial<Record<ListRole, string>>>;
type Headers = Texts;

/** What a number alone does. `power`: it is an exponent of ten. */
type Way = 'times' | 'by' | 'power';

const DIVIDES = /gain|divis|divid|除|增益|分频/;
const MULTIPLIES = /multip|coef|乘|resolution|分辨|精度|lsb|最小单位/;
const EXPONENT = /exponent|指数|次方/;
/** An exponent in one list, a factor in the next. */
const SCALE_FACTOR = /\bsf\b/;
const MOST_WORDS = 6;

/** Looks at the factors of a table as a whole. */
export function findFactors(rows: readonly Texts[], headers: Headers, answers: Readonly<Record<string, string>>): TableFactors {
  const written = rows.map((texts) => texts.factor ?? '').filter((text) => !isNothing(text));
  const way = wayOf(written, headers.factor ?? '');
  const asked = answers.factor_way === 'times' || answers.factor_way === 'by' ? answers.factor_way : null;
  const isWord = (text: string) => parseScale(text) === null && !isUnit(text) && !(way === 'power' && isExponent(numberOf(text)));
  const words = [...new Set(written.filter(isWord).map((text) => text.trim()))];
  const isAsked = words.length <= MOST_WORDS;
  const questions: OpenListQuestion[] = [];
  if (way === null) questions.push(question('factor_way', 'factor_way', {}, ['times', 'by'], 'times'));
  if (isAsked) questions.push(...words.map((word) => question(`factor:${word}`, 'factor', { word }, ['1', LEAVE_ROWS], '1')));
  const ofHeader = headers.factor === undefined ? scaleOfHeaders(headers) : null;
  const reader = new FactorReader({ way: way ?? asked, isAsked, answers, unit: unitOfHeaders(headers), ofHeader: ofHeader?.scale ?? null });
  return {
    questions,
    ofHeader: ofHeader && { header: ofHeader.header, factor: ofHeader.scale.factor },
    of: (texts) => reader.of(texts),
    isInUnit: (texts) => isNothing(texts.factor ?? '') && scaleInUnit(texts) !== null,
    differs: (texts) => reader.differs(texts),
  };
}

function question(
  id: string,
  kind: OpenListQuestion['kind'],
  params: OpenListQuestion['params'],
  choices: string[],
  proposed: string,
): OpenListQuestion {
  return { id, kind, params, choices, proposed, isTold: false };
}

/** Null where it has to be asked: 10 multiplies in one list and divides in the next. */
function wayOf(written: readonly string[], header: string): Way | null {
  const key = headerKey(header);
  const scales = written.map(parseScale);
  if (areExponents(written.map(numberOf), key)) return 'power';
  if (DIVIDES.test(key)) return 'by';
  if (MULTIPLIES.test(key)) return 'times';
  const unsure = scales.filter((scale) => scale !== null && !scale.isSure);
  // one that is smaller than 1 shows what the others do
  const small = scales.some((scale) => scale !== null && Math.abs(scale.factor) < 1);
  return unsure.length === 0 || small ? 'times' : null;
}

/** Every number is small and whole; and the header says so, or one of them is no factor under a header that says nothing. */
function areExponents(read: readonly (number | null)[], key: string): boolean {
  const numbers = read.filter((number) => number !== null);
  if (numbers.length === 0 || !numbers.every(isExponent)) return false;
  if (EXPONENT.test(key)) return true;
  if (SCALE_FACTOR.test(key)) return numbers.some((number) => number <= 0);
  const isFactor = MULTIPLIES.test(key) || DIVIDES.test(key);
  return !isFactor && numbers.length === read.length && numbers.some((number) => number < 0);
}

const isExponent = (number: number | null): number is number => Number.isInteger(number) && Math.abs(number ?? 0) < 10;

/** `Value (0.1 V)`, `数值×0.1`: a header that says the factor of its table. */
function scaleOfHeaders(headers: Headers): { readonly header: string; readonly scale: WrittenScale } | null {
  for (const role of ['unit', 'name', 'type', 'min_limit', 'max_limit'] as const) {
    const header = headers[role] ?? '';
    const inside = bracketsOf(header)?.inside ?? '';
    const scale = parseScale(inside);
    if (scale?.isSure && (scale.factor !== 1 || scale.offset !== 0)) return { header, scale };
  }
  return null;
}

/** A unit in the brackets of a header, for all rows. */
function unitOfHeaders(headers: Headers): string {
  for (const role of ['factor', 'min_limit', 'max_limit', 'offset'] as const) {
    const inside = bracketsOf(headers[role] ?? '')?.inside ?? '';
    if (isUnit(inside)) return inside;
  }
  return '';
}

/** A factor within the unit: `0.1V`, `x10 kWh`. */
function scaleInUnit({ unit = '' }: Texts): WrittenScale | null {
  const text = unit.trim();
  if (text === '' || isUnit(text)) return null;
  const scale = parseScale(text);
  return scale && scale.unit !== '' ? scale : null;
}

interface FactorRules {
  readonly way: Way | null;
  readonly isAsked: boolean;
  readonly answers: Readonly<Record<string, string>>;
  readonly unit: string;
  readonly ofHeader: WrittenScale | null;
}

class FactorReader {
  readonly #rules: FactorRules;

  constructor(rules: FactorRules) {
    this.#rules = rules;
  }

  of(texts: Texts): RowScale {
    const column = this.#ofColumn(texts);
    if ('kind' in column) return column;
    const { unit, name } = this.#unitOf(texts, column.unit);
    const inUnit = scaleInUnit(texts);
    const factor = column.factor ?? inUnit?.factor ?? name?.factor ?? this.#rules.ofHeader?.factor ?? 1;
    return { kind: 'scale', factor, offset: column.offset ?? numberOf(texts.offset ?? '') ?? 0, unit };
  }

  differs(texts: Texts): { readonly factor: number; readonly unit: string } | null {
    const column = this.#ofColumn(texts);
    const inUnit = scaleInUnit(texts);
    if ('kind' in column || column.factor === null || inUnit === null || inUnit.factor === column.factor) return null;
    return { factor: column.factor, unit: texts.unit ?? '' };
  }

  /** What the columns of factors, decimals or ranges say. */
  #ofColumn(texts: Texts): RowScale | { readonly factor: number | null; readonly offset: number | null; readonly unit: string } {
    const ranged = byRanges(texts);
    if (ranged) return { ...ranged, unit: '' };
    const text = (texts.factor ?? '').trim();
    if (isNothing(text)) return { factor: decimalsOf(texts.decimals ?? ''), offset: null, unit: '' };
    const { way } = this.#rules;
    const exponent = numberOf(text);
    if (way === 'power' && isExponent(exponent)) return { factor: powerOfTen(exponent), offset: null, unit: '' };
    const scale = parseScale(text);
    if (!scale) return this.#ofWord(text);
    if (scale.isSure || scale.factor === 1)
      return {
        factor: scale.isSure && way === 'by' && isBare(text) ? 1 / scale.factor : scale.factor,
        offset: scale.offset === 0 ? null : scale.offset,
        unit: scale.unit,
      };
    if (way === null) return { kind: 'open', question: 'factor_way' };
    return { factor: way === 'by' ? 1 / scale.factor : scale.factor, offset: null, unit: scale.unit };
  }

  #ofWord(word: string): RowScale | { readonly factor: number | null; readonly offset: null; readonly unit: string } {
    if (isUnit(word)) return { factor: null, offset: null, unit: word };
    if (!this.#rules.isAsked) return { factor: null, offset: null, unit: '' };
    const id = `factor:${word}`;
    const answer = this.#rules.answers[id];
    if (answer === undefined) return { kind: 'open', question: id };
    return answer === LEAVE_ROWS ? { kind: 'left', value: word } : { factor: 1, offset: null, unit: '' };
  }

  /** The unit: its column, the factor, the brackets of the name, those of a header. */
  #unitOf(texts: Texts, beside: string): { readonly unit: string; readonly name: WrittenScale | null } {
    const text = (texts.unit ?? '').trim();
    const inside = bracketsOf(texts.name ?? '')?.inside ?? '';
    const name = isUnit(inside) ? null : scaleInName(inside);
    // some lists say in the place of the unit what the values mean
    const unit = isNothing(text) || parseValueList(text) ? '' : (scaleInUnit(texts)?.unit ?? text);
    return {
      unit: unit || beside || name?.unit || (isUnit(inside) ? inside : '') || this.#rules.unit || (this.#rules.ofHeader?.unit ?? ''),
      name,
    };
  }
}

/** `2`, `FIX2`, `DEC 2`: two places behind the point; null for anything else. */
function decimalsOf(text: string): number | null {
  const [, digit] = /^\s*(?:fix|dec)?\s*(\d)\s*$/i.exec(text) ?? [];
  return digit === undefined ? null : 1 / 10 ** Number(digit);
}

const isBare = (text: string): boolean => /^[\d.,]+$/.test(text);

/** 10 to the power of a whole number, as exact as a decimal is. */
function powerOfTen(exponent: number): number {
  const magnitude = 10 ** Math.abs(exponent);
  return exponent < 0 ? 1 / magnitude : magnitude;
}

/** Two numbers on the wire and what they mean: `raw low`, `raw high`, `scaled low`, `scaled high`. */
function byRanges(texts: Texts): { readonly factor: number; readonly offset: number } | null {
  const read = (role: ListRole) => numberOf(texts[role] ?? '') ?? Number.NaN;
  const [rawLow, low] = [read('raw_low'), read('scaled_low')];
  const factor = Number(((read('scaled_high') - low) / (read('raw_high') - rawLow)).toPrecision(12));
  const offset = Number((low - rawLow * factor).toPrecision(12));
  return Number.isFinite(factor) && Number.isFinite(offset) && factor !== 0 ? { factor, offset } : null;
}
