import { say } from '../../messages/index.ts';
import { FIELD_NAMES, FRAME_FIELDS, type FrameField, isFrameField } from './fields.ts';
import { FilterFault, type Token, tokensOf } from './tokens.ts';

export const COMPARISONS = ['==', '!=', '<', '<=', '>', '>=', 'in', 'contains'] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** A number with the text it was written as: a meter address keeps its zeros. */
export interface FilterNumber {
  readonly kind: 'number';
  readonly number: number;
  readonly text: string;
}

export interface FilterText {
  readonly kind: 'text';
  readonly text: string;
}

/** Both ends included. */
export interface FilterRange {
  readonly kind: 'range';
  readonly from: number;
  readonly to: number;
}

export type FilterValue = FilterNumber | FilterText | FilterRange;

export interface FilterTest {
  readonly kind: 'test';
  readonly field: FrameField;
  readonly comparison: Comparison;
  readonly values: readonly FilterValue[];
}

/** A filter as a tree. */
export type FilterNode =
  | { readonly kind: 'and' | 'or'; readonly nodes: readonly FilterNode[] }
  | { readonly kind: 'not'; readonly node: FilterNode }
  /** The frame has the field at all. */
  | { readonly kind: 'has'; readonly field: FrameField }
  | FilterTest;

/** Longest filter, in characters, and most levels of brackets and `not`. */
export const LONGEST_FILTER = 1000;
const MOST_LEVELS = 50;
const WORDS_BETWEEN: ReadonlySet<string> = new Set(['and', 'or', 'not', 'in', 'contains', '&&', '||', '!']);

/** What a parse answers: the tree, null for an empty text, or what is wrong and where. */
export type ParsedFilter = { readonly node: FilterNode | null } | { readonly fault: FilterFault };

/** Reads a filter; never throws. */
export function parseFrameFilter(text: string): ParsedFilter {
  try {
    if (text.length > LONGEST_FILTER) throw new FilterFault(say('filter.long', { most: LONGEST_FILTER }), LONGEST_FILTER, text.length);
    const tokens = tokensOf(text);
    return { node: tokens.length === 1 ? null : new FilterParser(tokens).whole() };
  } catch (thrown) {
    if (thrown instanceof FilterFault) return { fault: thrown };
    throw thrown;
  }
}

class FilterParser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #levels = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): FilterNode {
    const node = this.#or();
    const rest = this.#peek();
    if (rest.kind === 'end') return node;
    throw new FilterFault(rest.text === ')' ? say('filter.no_open') : say('filter.and_or', { found: rest.text }), rest.at, rest.end);
  }

  #peek(): Token {
    // the last one is always the end
    return this.#tokens[this.#next] as Token;
  }

  #take(): Token {
    const token = this.#peek();
    if (token.kind !== 'end') this.#next += 1;
    return token;
  }

  /** Takes the next token where it is one of these, in any case, and not quoted. */
  #accepts(...texts: readonly string[]): Token | null {
    const token = this.#peek();
    if (token.kind === 'quoted' || token.kind === 'end' || !texts.includes(token.text.toLowerCase())) return null;
    return this.#take();
  }

  #or(): FilterNode {
    return this.#joined('or', () => this.#joined('and', () => this.#not(), 'and', '&&'), 'or', '||');
  }

  #joined(kind: 'and' | 'or', one: () => FilterNode, ...words: readonly string[]): FilterNode {
    const nodes = [one()];
    while (this.#accepts(...words)) nodes.push(one());
    return nodes.length === 1 && nodes[0] ? nodes[0] : { kind, nodes };
  }

  #not(): FilterNode {
    const token = this.#peek();
    this.#levels += 1;
    if (this.#levels > MOST_LEVELS) throw new FilterFault(say('filter.deep', { most: MOST_LEVELS }), token.at, token.end);
    const node = this.#single();
    this.#levels -= 1;
    return node;
  }

  #single(): FilterNode {
    if (this.#accepts('not', '!')) return { kind: 'not', node: this.#not() };
    const open = this.#accepts('(');
    if (!open) return this.#test();
    const node = this.#or();
    if (!this.#accepts(')')) throw new FilterFault(say('filter.no_close'), open.at, open.end);
    return node;
  }

  #test(): FilterNode {
    const token = this.#take();
    const name = token.text.toLowerCase();
    if (token.kind === 'end') throw new FilterFault(say('filter.field_missing', { fields: FIELD_NAMES.join(', ') }), token.at, token.end);
    if (token.kind !== 'word' || !isFrameField(name)) {
      throw new FilterFault(say('filter.no_field', { found: token.text, fields: FIELD_NAMES.join(', ') }), token.at, token.end);
    }
    const sign = this.#accepts(...COMPARISONS);
    if (!sign) return { kind: 'has', field: name };
    return this.#comparison(name, sign.text.toLowerCase() as Comparison, sign);
  }

  #comparison(field: FrameField, comparison: Comparison, sign: Token): FilterTest {
    const type = FRAME_FIELDS[field];
    if (type === 'flag') throw new FilterFault(say('filter.flag', { field }), sign.at, sign.end);
    if (comparison === 'contains' && type === 'number') throw new FilterFault(say('filter.number_contains', { field }), sign.at, sign.end);
    const isOrder = /^[<>]/.test(comparison);
    if (isOrder && type === 'text') throw new FilterFault(say('filter.text_order', { field }), sign.at, sign.end);
    const values = comparison === 'in' ? this.#set(field) : [this.#value(field, isOrder || type === 'number')];
    return { kind: 'test', field, comparison, values };
  }

  #set(field: FrameField): FilterValue[] {
    const open = this.#accepts('{');
    if (!open) {
      const { at, end } = this.#peek();
      throw new FilterFault(say('filter.set_wanted'), at, end);
    }
    const isNumber = FRAME_FIELDS[field] === 'number';
    const values: FilterValue[] = [];
    do values.push(this.#rangeOrValue(field, isNumber));
    while (this.#accepts(','));
    if (!this.#accepts('}')) throw new FilterFault(say('filter.set_close'), open.at, open.end);
    return values;
  }

  #rangeOrValue(field: FrameField, isNumber: boolean): FilterValue {
    const begin = this.#peek();
    const from = this.#value(field, isNumber);
    if (!this.#accepts('..')) return from;
    const to = this.#value(field, true);
    if (from.kind === 'number' && to.kind === 'number' && from.number <= to.number) {
      return { kind: 'range', from: from.number, to: to.number };
    }
    throw new FilterFault(say('filter.range'), begin.at, this.#tokens[this.#next - 1]?.end ?? begin.end);
  }

  #value(field: FrameField, isNumber: boolean): FilterNumber | FilterText {
    const token = this.#peek();
    const isValue =
      token.kind === 'number' || token.kind === 'quoted' || (token.kind === 'word' && !WORDS_BETWEEN.has(token.text.toLowerCase()));
    if (!isValue) throw new FilterFault(say('filter.value_missing', { field }), token.at, token.end);
    this.#take();
    if (token.kind === 'number' && FRAME_FIELDS[field] !== 'text') return { kind: 'number', number: Number(token.text), text: token.text };
    if (isNumber) throw new FilterFault(say('filter.number_wanted', { field, found: token.text }), token.at, token.end);
    return { kind: 'text', text: token.text };
  }
}
