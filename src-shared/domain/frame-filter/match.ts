import type { FrameField } from './fields.ts';
import type { Comparison, FilterNode, FilterTest, FilterValue } from './parse.ts';

/** Addresses `from` to `to`, both included. */
export interface FactRange {
  readonly from: number;
  readonly to: number;
}

/** One value of a field of a frame. */
export type Fact = number | string | FactRange;

/** What a frame has. Asked for field by field: what no test asks for is not worked out. */
export interface FrameReader {
  /** Values of a field; empty where the frame has none. */
  values(field: FrameField): readonly Fact[];
  /** Decides a test in another way than by its values; undefined: by them. */
  decide?(test: FilterTest): boolean | undefined;
}

/**
 * True for a frame that a filter lets pass. Of several values one has to fit; `!=` is true for a frame that has the field, and no value that is equal.
 * Texts are compared without regard to case.
 */
export function fitsFilter(node: FilterNode, frame: FrameReader): boolean {
  switch (node.kind) {
    case 'and':
      return node.nodes.every((each) => fitsFilter(each, frame));
    case 'or':
      return node.nodes.some((each) => fitsFilter(each, frame));
    case 'not':
      return !fitsFilter(node.node, frame);
    case 'has':
      return frame.values(node.field).length > 0;
    default:
      return frame.decide?.(node) ?? fitsTest(node, frame.values(node.field));
  }
}

function fitsTest({ comparison, values }: FilterTest, facts: readonly Fact[]): boolean {
  if (comparison === '!=') return facts.length > 0 && !facts.some((fact) => values.some((value) => isEqual(fact, value)));
  return facts.some((fact) => values.some((value) => compares(fact, comparison, value)));
}

/** How a value of a frame stands to one of a filter. Texts have no order. */
export function compares(fact: Fact, comparison: Comparison, value: FilterValue): boolean {
  if (comparison === '==' || comparison === 'in') return isEqual(fact, value);
  if (comparison === '!=') return !isEqual(fact, value);
  if (comparison === 'contains') return value.kind !== 'range' && lower(textOf(fact)).includes(lower(value.text));
  if (value.kind !== 'number') return false;
  const ends = endsOf(fact);
  if (ends === null) return false;
  switch (comparison) {
    case '<':
      return ends.from < value.number;
    case '<=':
      return ends.from <= value.number;
    case '>':
      return ends.to > value.number;
    default:
      return ends.to >= value.number;
  }
}

function isEqual(fact: Fact, value: FilterValue): boolean {
  if (value.kind === 'range') {
    const ends = endsOf(fact);
    return ends !== null && ends.from <= value.to && ends.to >= value.from;
  }
  if (typeof fact === 'string') {
    const [mine, theirs] = [lower(fact), lower(value.text)];
    // a meter may be named without the zeros in front
    return mine === theirs || (value.kind === 'number' && /^\d+$/.test(mine) && withoutZeros(mine) === withoutZeros(theirs));
  }
  if (value.kind === 'text') return false;
  const ends = endsOf(fact);
  return ends !== null && ends.from <= value.number && value.number <= ends.to;
}

function endsOf(fact: Fact): FactRange | null {
  if (typeof fact === 'number') return { from: fact, to: fact };
  return typeof fact === 'string' ? null : fact;
}

function textOf(fact: Fact): string {
  return typeof fact === 'object' ? `${fact.from}..${fact.to}` : String(fact);
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '');
}

function lower(text: string): string {
  return text.toLowerCase();
}
