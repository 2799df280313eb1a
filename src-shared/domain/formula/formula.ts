import jsep from 'jsep';
import { either, say } from '../../messages/index.ts';
import type { Message } from '../../messages/message.ts';
import { FORMULA_FUNCTIONS, isTrue } from './functions.ts';
import type { Work } from './scope.ts';

/** Most letters of a formula. */
export const LONGEST_FORMULA = 500;

/** A point that a formula names. */
export interface FormulaReference {
  /** Name of its channel; null for the one the formula belongs to. */
  readonly channel: string | null;
  readonly code: string;
  /** True where the formula asks only for what the point was before: inside of `delay`, and so no part of a circle. */
  readonly isDelayed: boolean;
}

/** A column of a file of recorded values that a formula follows. */
export interface SeriesReference {
  readonly file: string;
  readonly column: string;
  /** Each value until the next one; else straight lines between them. */
  readonly holds: boolean;
  /** The last value stays; else it begins anew. */
  readonly isOnce: boolean;
}

/** A formula that was understood. */
export interface Formula {
  readonly text: string;
  /** In the order of their first mention. */
  readonly references: readonly FormulaReference[];
  readonly series: readonly SeriesReference[];
  /** The column whose values it is, each until the next one, and nothing else; null: it works something out. */
  readonly recording: SeriesReference | null;
  /** Begins to work it out: what it remembers from step to step belongs to what this answers. */
  begin(): Work;
}

export type ParsedFormula = { readonly formula: Formula } | { readonly fault: Message };

type Node = jsep.Expression;
/** Makes the work of a node, which remembers nothing yet. */
type Maker = () => Work;

const CONSTANTS: Readonly<Record<string, Work>> = {
  t: ({ t }) => t,
  dt: ({ dt }) => dt,
  last: ({ last }) => last,
  pi: () => Math.PI,
  e: () => Math.E,
};

const bit = (is: boolean) => (is ? 1 : 0);

/** A comparison with a value that nobody knows is neither true nor false: it is no number. */
const compared = (is: (left: number, right: number) => boolean) => (left: number, right: number) =>
  Number.isNaN(left) || Number.isNaN(right) ? Number.NaN : bit(is(left, right));

function not(value: number): number {
  return Number.isNaN(value) ? Number.NaN : bit(value === 0);
}

/** False where one side is, whatever the other one is. */
function and(left: number, right: number): number {
  if (left === 0 || right === 0) return 0;
  return isTrue(left) && isTrue(right) ? 1 : Number.NaN;
}

/** True where one side is, whatever the other one is. */
function or(left: number, right: number): number {
  if (isTrue(left) || isTrue(right)) return 1;
  return left === 0 && right === 0 ? 0 : Number.NaN;
}

const BINARY: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
  '<': compared((left, right) => left < right),
  '<=': compared((left, right) => left <= right),
  '>': compared((left, right) => left > right),
  '>=': compared((left, right) => left >= right),
  '==': compared((left, right) => left === right),
  '!=': compared((left, right) => left !== right),
  '&&': and,
  '||': or,
};

/** Why a formula is none. */
class FormulaFault extends Error {
  readonly said: Message;

  constructor(said: Message) {
    super(said.code);
    this.said = said;
  }
}

/**
 * Understands a formula: numbers, `+ - * / %`, comparisons, `&& || !`, `? :`, the functions of the language, columns of files (`series("file", "column")`), `t` (seconds since the beginning), `dt`, `last`
 * (the value before), `pi`, and points: `point("code")`, `point("channel", "code")`, or the code alone where it is a name. Nothing of it is ever run as
 * a program of this computer: it is read into works of our own. Pure.
 */
export function parseFormula(written: string): ParsedFormula {
  const text = written.trim();
  if (text.length > LONGEST_FORMULA) return { fault: say('simulation.long', { length: text.length, most: LONGEST_FORMULA }) };
  if (text === '') return { fault: say('simulation.empty') };
  let tree: Node;
  try {
    tree = jsep(text);
  } catch (thrown) {
    const at = thrown instanceof Error && 'index' in thrown && typeof thrown.index === 'number' ? thrown.index : text.length;
    return { fault: say('simulation.syntax', { at: at + 1, before: text.slice(Math.max(0, at - 20), at) }) };
  }
  const reader = new FormulaReader();
  try {
    const begin = reader.read(tree, false);
    const { references, series } = reader;
    const [followed] = isCallOf(tree, 'series') ? series : [];
    return { formula: { text, references, series, recording: followed?.holds ? followed : null, begin } };
  } catch (thrown) {
    if (thrown instanceof FormulaFault) return { fault: thrown.said };
    throw thrown;
  }
}

class FormulaReader {
  readonly references: FormulaReference[] = [];
  readonly series: SeriesReference[] = [];

  read(node: Node, isDelayed: boolean): Maker {
    if (isKind(node, 'Literal')) return literal(node);
    if (isKind(node, 'Identifier')) return this.#name(node.name, isDelayed);
    if (isKind(node, 'UnaryExpression')) return this.#unary(node, isDelayed);
    if (isKind(node, 'BinaryExpression')) return this.#binary(node, isDelayed);
    if (isKind(node, 'ConditionalExpression')) return this.#conditional(node, isDelayed);
    if (isKind(node, 'CallExpression')) return this.#call(node, isDelayed);
    if (isKind(node, 'Compound') || isKind(node, 'SequenceExpression')) throw new FormulaFault(say('simulation.one'));
    const sign = isKind(node, 'MemberExpression') ? '.' : isKind(node, 'ArrayExpression') ? '[ ]' : node.type;
    throw new FormulaFault(say('simulation.sign', { sign }));
  }

  #name(name: string, isDelayed: boolean): Maker {
    const constant = Object.hasOwn(CONSTANTS, name) ? CONSTANTS[name] : undefined;
    return constant ? () => constant : this.#point(null, name, isDelayed);
  }

  #point(channel: string | null, code: string, isDelayed: boolean): Maker {
    const known = this.references.findIndex((each) => each.channel === channel && each.code === code);
    const place = known < 0 ? this.references.length : known;
    const before = this.references[place];
    this.references[place] = { channel, code, isDelayed: isDelayed && (before?.isDelayed ?? true) };
    return () => (scope) => scope.value(place);
  }

  #unary({ operator, argument }: jsep.UnaryExpression, isDelayed: boolean): Maker {
    const make = this.read(argument, isDelayed);
    if (operator === '+') return make;
    if (operator === '-')
      return begun(
        [make],
        ([value]) =>
          (scope) =>
            -value(scope),
      );
    if (operator === '!')
      return begun(
        [make],
        ([value]) =>
          (scope) =>
            not(value(scope)),
      );
    throw new FormulaFault(say('simulation.sign', { sign: operator }));
  }

  #binary({ operator, left, right }: jsep.BinaryExpression, isDelayed: boolean): Maker {
    const makers = [this.read(left, isDelayed), this.read(right, isDelayed)] as const;
    // both sides are worked out at each step, those of && and || too: what they remember goes on
    const work = Object.hasOwn(BINARY, operator) ? BINARY[operator] : undefined;
    if (!work) throw new FormulaFault(say('simulation.sign', { sign: operator }));
    return begun(
      makers,
      ([one, other]) =>
        (scope) =>
          work(one(scope), other(scope)),
    );
  }

  #conditional({ test, consequent, alternate }: jsep.ConditionalExpression, isDelayed: boolean): Maker {
    const makers = [this.read(test, isDelayed), this.read(consequent, isDelayed), this.read(alternate, isDelayed)] as const;
    return begun(makers, ([condition, then, otherwise]) => (scope) => {
      const [is, one, other] = [condition(scope), then(scope), otherwise(scope)];
      return isTrue(is) ? one : other;
    });
  }

  #call({ callee, arguments: args }: jsep.CallExpression, isDelayed: boolean): Maker {
    if (!isKind(callee, 'Identifier')) throw new FormulaFault(say('simulation.one'));
    const { name } = callee;
    if (name === 'point') return this.#named(args, isDelayed);
    if (name === 'series') return this.#follow(args);
    const known = Object.hasOwn(FORMULA_FUNCTIONS, name) ? FORMULA_FUNCTIONS[name] : undefined;
    if (!known) {
      throw new FormulaFault(
        say('simulation.function', { name, names: either(['point', 'series', ...Object.keys(FORMULA_FUNCTIONS)].sort()) }),
      );
    }
    const isWhole = name !== 'steps' || args.length % 2 === 0;
    if (args.length < known.least || args.length > known.most || !isWhole) {
      throw new FormulaFault(say('simulation.arguments', { name, takes: known.takes, count: args.length }));
    }
    const makers = args.map((arg, at) => this.read(arg, isDelayed || (name === 'delay' && at === 0)));
    return () => known.make(makers.map((make) => make()));
  }

  #named(args: readonly Node[], isDelayed: boolean): Maker {
    const texts = args.map((arg) => (isKind(arg, 'Literal') && typeof arg.value === 'string' ? arg.value : null));
    const [first, second] = texts;
    if (texts.length === 1 && first) return this.#point(null, first, isDelayed);
    if (texts.length === 2 && first && second) return this.#point(first, second, isDelayed);
    throw new FormulaFault(say('simulation.point_text'));
  }

  #follow(args: readonly Node[]): Maker {
    const [file, column, ...ways] = args.map((arg) => (isKind(arg, 'Literal') && typeof arg.value === 'string' ? arg.value : null));
    const isWay = (way: string | null) => way === 'hold' || way === 'once';
    if (!file || !column || ways.length > 2 || !ways.every(isWay)) throw new FormulaFault(say('simulation.series_text'));
    const place = this.series.push({ file, column, holds: ways.includes('hold'), isOnce: ways.includes('once') }) - 1;
    return () => (scope) => scope.series(place);
  }
}

interface Kinds {
  readonly Literal: jsep.Literal;
  readonly Identifier: jsep.Identifier;
  readonly UnaryExpression: jsep.UnaryExpression;
  readonly BinaryExpression: jsep.BinaryExpression;
  readonly ConditionalExpression: jsep.ConditionalExpression;
  readonly CallExpression: jsep.CallExpression;
  readonly Compound: jsep.Compound;
  readonly SequenceExpression: jsep.SequenceExpression;
  readonly MemberExpression: jsep.MemberExpression;
  readonly ArrayExpression: jsep.ArrayExpression;
}

function isKind<Kind extends keyof Kinds>(node: Node, kind: Kind): node is Kinds[Kind] {
  return node.type === kind;
}

function isCallOf(node: Node, name: string): boolean {
  return isKind(node, 'CallExpression') && isKind(node.callee, 'Identifier') && node.callee.name === name;
}

function literal({ value, raw }: jsep.Literal): Maker {
  if (typeof value === 'string') throw new FormulaFault(say('simulation.text', { text: value }));
  if (typeof value === 'boolean') return () => () => bit(value);
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new FormulaFault(say('simulation.number', { text: raw }));
  return () => () => value;
}

/** Works of the parts, then that of the whole. */
function begun<const Makers extends readonly Maker[]>(
  makers: Makers,
  whole: (works: { readonly [At in keyof Makers]: Work }) => Work,
): Maker {
  return () => whole(makers.map((make) => make()) as unknown as { readonly [At in keyof Makers]: Work });
}
