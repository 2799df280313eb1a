import { type Expectation, Expectation as ExpectationSchema } from '#shared/contract/check.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { exactNumber } from '../points/point-text.ts';
import { parseNumber } from '../write/write-rules.ts';
import { boundedNumber, type DraftIssue } from './points-draft.ts';

export type ExpectationKind = Expectation['kind'];

const KINDS: Readonly<Record<FrameType, readonly ExpectationKind[]>> = {
  [FrameType.yc]: ['values', 'states', 'text', 'pulse'],
  [FrameType.yx]: ['states'],
  [FrameType.yk]: ['command'],
  [FrameType.yt]: ['setpoint', 'values'],
};

/** Kinds that all these types can have; none where they have nothing in common. */
export function kindsFor(types: readonly FrameType[]): readonly ExpectationKind[] {
  const [first, ...others] = [...new Set(types)];
  if (first === undefined) return [];
  return KINDS[first].filter((kind) => others.every((type) => KINDS[type].includes(kind)));
}

/** An expectation as it is written in a form. */
export interface ExpectationDraft {
  readonly kind: ExpectationKind;
  readonly values: string;
  readonly states: string;
  readonly text: string;
  readonly send: string;
  readonly feedback: string;
  readonly within: string;
  readonly count: string;
  readonly tolerance: string;
  readonly percent: string;
  readonly restore: boolean;
}

const EMPTY = {
  values: '',
  states: '0 1',
  text: '',
  send: '1',
  feedback: '',
  within: '5',
  count: '10',
  tolerance: '0',
  percent: '0',
  restore: true,
} as const;

/** The form as it begins with an expectation; tolerances of references that differ begin with that of the first. */
export function draftOf(kind: ExpectationKind, present: Expectation): ExpectationDraft {
  const empty: ExpectationDraft = { ...EMPTY, kind, send: kind === 'setpoint' ? '' : '1' };
  if (present.kind !== kind) return empty;
  const bounds = (each: { readonly tolerance: number; readonly percent?: number }) => ({
    tolerance: exactNumber(each.tolerance),
    percent: exactNumber(each.percent ?? 0),
  });
  switch (present.kind) {
    case 'values': {
      const [first] = present.references;
      return { ...empty, ...(first && bounds(first)), values: present.references.map(({ value }) => exactNumber(value)).join(' ') };
    }
    case 'states':
      return { ...empty, states: present.states.join(' ') };
    case 'text':
      return { ...empty, text: present.text };
    case 'command': {
      const { value, feedback, within_ms } = present;
      return { ...empty, send: exactNumber(value), feedback: feedback === null ? '' : String(feedback), within: String(within_ms / 1000) };
    }
    case 'setpoint': {
      const { value, restore } = present;
      return { ...empty, ...bounds(present), send: value === null ? '' : exactNumber(value), restore };
    }
    case 'pulse':
      return { ...empty, ...bounds(present), count: exactNumber(present.count) };
  }
}

export type ExpectationIssue = DraftIssue | { readonly key: 'edit.numbers' | 'edit.one' | 'edit.tooMany'; readonly most?: number };
export type ExpectationIssues = Partial<Record<keyof ExpectationDraft, ExpectationIssue>>;

/** Numbers apart by blanks or semicolons; a comma is a decimal sign, unless a blank stands behind it. */
function numbersOf(text: string, least: number, most: number): number[] | ExpectationIssue {
  const words = text.split(/(?:[;\s]|,\s)+/).filter((word) => word !== '');
  const numbers = words.map(parseNumber);
  if (numbers.some((number) => number === null)) return { key: 'edit.numbers' };
  if (numbers.length < least) return { key: 'edit.one' };
  return numbers.length > most ? { key: 'edit.tooMany', most } : numbers.filter((number) => number !== null);
}

class Reader {
  readonly issues: { -readonly [Key in keyof ExpectationIssues]: ExpectationIssues[Key] } = {};
  readonly #draft: ExpectationDraft;

  constructor(draft: ExpectationDraft) {
    this.#draft = draft;
  }

  #note<Value>(field: keyof ExpectationDraft, read: Value | ExpectationIssue, otherwise: Value): Value {
    if (typeof read !== 'object' || read === null || !('key' in read)) return read as Value;
    this.issues[field] = read;
    return otherwise;
  }

  numbers(field: 'values' | 'states', least: number, most: number): number[] {
    return this.#note(field, numbersOf(this.#draft[field], least, most), []);
  }

  number(field: 'send' | 'feedback'): number {
    return this.#note<number>(field, parseNumber(this.#draft[field]) ?? { key: 'form.number' }, 0);
  }

  optional(field: 'send' | 'feedback'): number | null {
    return this.#draft[field].trim() === '' ? null : this.number(field);
  }

  bounded(field: 'tolerance' | 'percent' | 'within' | 'count', least: number, most: number): number {
    return this.#note(field, boundedNumber(this.#draft[field], least, most), 0);
  }

  bounds(): { tolerance: number; percent: number } {
    return { tolerance: this.bounded('tolerance', 0, 1e15), percent: this.bounded('percent', 0, 100) };
  }

  read(): Expectation {
    const { kind, text, restore } = this.#draft;
    switch (kind) {
      case 'values': {
        const bounds = this.bounds();
        return { kind, references: this.numbers('values', 0, 10).map((value) => ({ value, ...bounds })) };
      }
      case 'states':
        return { kind, states: this.numbers('states', 1, 16) };
      case 'text':
        return { kind, text };
      case 'command': {
        const within_ms = Math.round(this.bounded('within', 0.1, 600) * 1000);
        return { kind, value: this.number('send'), feedback: this.optional('feedback'), within_ms };
      }
      case 'setpoint':
        return { kind, value: this.optional('send'), ...this.bounds(), restore };
      case 'pulse':
        return { kind, count: this.bounded('count', 0, 1e9), tolerance: this.bounded('tolerance', 0, 1e15) };
    }
  }
}

/** The expectation that a draft means, or what is wrong with its fields. */
export function readExpectation(draft: ExpectationDraft): { readonly issues: ExpectationIssues; readonly expectation: Expectation | null } {
  const reader = new Reader(draft);
  const expectation = reader.read();
  const isRight = Object.keys(reader.issues).length === 0 && ExpectationSchema.safeParse(expectation).success;
  return { issues: reader.issues, expectation: isRight ? expectation : null };
}
