import { FIELD_NAMES, FRAME_FIELDS, type FrameField, isFrameField, KNOWN_VALUES } from './fields.ts';
import { COMPARISONS, type Comparison } from './parse.ts';
import { FilterFault, type Token, tokensOf } from './tokens.ts';

/** What may stand at a place of a filter: it takes the place of the text from `from` to `to`. */
export interface Completion {
  readonly from: number;
  readonly to: number;
  readonly items: readonly string[];
}

const JOINS = ['and', 'or'] as const;
const NONE: readonly string[] = [];

/** Comparisons that a field takes. */
export function comparisonsOf(field: FrameField): readonly Comparison[] {
  const type = FRAME_FIELDS[field];
  if (type === 'flag') return [];
  if (type === 'number') return COMPARISONS.filter((each) => each !== 'contains');
  return type === 'text' ? COMPARISONS.filter((each) => !/^[<>]/.test(each)) : COMPARISONS;
}

/** What can be written at `caret`: fields, comparisons, values of a field as far as they are known (`valuesOf` adds to them), or `and` and `or`. */
export function completeFilter(text: string, caret: number, valuesOf: (field: FrameField) => readonly string[] = () => NONE): Completion {
  const nothing: Completion = { from: caret, to: caret, items: [] };
  let tokens: Token[];
  try {
    tokens = tokensOf(text.slice(0, caret)).slice(0, -1);
  } catch (thrown) {
    if (thrown instanceof FilterFault) return nothing;
    throw thrown;
  }
  const last = tokens.at(-1);
  const isWriting = last !== undefined && last.end === caret && last.kind !== 'sign' && last.kind !== 'quoted';
  const before = isWriting ? tokens.slice(0, -1) : tokens;
  const begun = isWriting ? last.text.toLowerCase() : '';
  const items = itemsBehind(before, valuesOf).filter((item) => item.toLowerCase().startsWith(begun) && item.toLowerCase() !== begun);
  return { from: isWriting ? last.at : caret, to: caret, items };
}

function itemsBehind(before: readonly Token[], valuesOf: (field: FrameField) => readonly string[]): readonly string[] {
  const last = before.at(-1);
  const text = last?.kind === 'quoted' ? '"' : (last?.text.toLowerCase() ?? '');
  if (last === undefined || ['(', 'and', 'or', 'not', '&&', '||', '!'].includes(text)) return [...FIELD_NAMES, 'not'];
  const field = fieldBefore(before);
  if (COMPARISONS.some((each) => each === text) && text !== 'in') return field ? known(field, valuesOf) : NONE;
  if (text === 'in') return ['{'];
  if (text === '{' || text === ',') return field ? known(field, valuesOf) : NONE;
  const isField = last.kind === 'word' && isFrameField(text) && !isComparison(before.at(-2));
  if (isField) return [...comparisonsOf(text), ...JOINS];
  return insideSet(before) ? [',', '}'] : JOINS;
}

function isComparison(token: Token | undefined): boolean {
  return token !== undefined && token.kind !== 'quoted' && COMPARISONS.some((each) => each === token.text.toLowerCase());
}

function insideSet(before: readonly Token[]): boolean {
  const open = before.findLastIndex((token) => token.kind === 'sign' && token.text === '{');
  return open > before.findLastIndex((token) => token.kind === 'sign' && token.text === '}');
}

/** The field of the last comparison. */
function fieldBefore(before: readonly Token[]): FrameField | null {
  const at = before.findLastIndex(isComparison);
  const name = before[at - 1]?.text.toLowerCase() ?? '';
  return isFrameField(name) ? name : null;
}

function known(field: FrameField, valuesOf: (field: FrameField) => readonly string[]): readonly string[] {
  return [...new Set([...(KNOWN_VALUES[field] ?? []), ...valuesOf(field)])].map(written);
}

/** A value as a filter has it: in quotes where it would not be one word. */
export function written(value: string): string {
  if (/^-?\d+$/.test(value) || /^[\p{L}_][\p{L}\p{N}_$/#-]*$/u.test(value)) return value;
  return value.includes('"') ? `'${value}'` : `"${value}"`;
}
