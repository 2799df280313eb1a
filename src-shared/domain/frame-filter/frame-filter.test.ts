import { describe, expect, it } from 'vitest';
import { english } from '../../messages/index.ts';
import { completeFilter, written } from './complete.ts';
import { FIELD_NAMES, FRAME_FIELDS, type FrameField } from './fields.ts';
import { type Fact, fitsFilter } from './match.ts';
import { LONGEST_FILTER, parseFrameFilter } from './parse.ts';

type Facts = Partial<Record<FrameField, readonly Fact[]>>;

const ANSWER: Facts = {
  dir: ['rx'],
  kind: ['rx'],
  seq: [120],
  length: [9],
  slave: [3],
  function: [3, 'Read Holding Registers', '读保持寄存器'],
  error: [2],
  address: [{ from: 100, to: 119 }, 400],
  latency: [12.5],
  text: ['Exception 02: Illegal Data Address'],
  answer: [1],
};
const METER: Facts = { dir: ['tx'], slave: ['000000000012'], function: [17, 'read'], reference: ['02-01-01-00'], address: [0x02010100] };

function fits(text: string, facts: Facts = ANSWER): boolean {
  const parsed = parseFrameFilter(text);
  if ('fault' in parsed) throw new Error(`${english(parsed.fault.said)} at ${parsed.fault.at}`);
  if (!parsed.node) throw new Error('empty');
  return fitsFilter(parsed.node, { values: (field) => facts[field] ?? [] });
}

function faultOf(text: string): string {
  const parsed = parseFrameFilter(text);
  if (!('fault' in parsed)) throw new Error('is right');
  const { said, at, end } = parsed.fault;
  return `${at}-${end} ${english(said)}`;
}

describe('a filter of frames', () => {
  it.each([
    'dir == rx',
    'DIR == RX',
    "dir=='rx'",
    'slave == 3 and function == 3',
    'slave==3&&function==3',
    'slave == 5 or function == 3',
    'not slave == 5',
    '!(slave == 5)',
    'slave != 5',
    'slave in {1, 3, 7}',
    'slave in {1..4}',
    'slave in { 0x01 .. 0x04 }',
    'error',
    'error == 2',
    'address == 100',
    'address == 119',
    'address == 400',
    'address in {110..300}',
    'address > 399',
    'address < 101',
    'latency > 12',
    'latency <= 12.5',
    'length >= 9 and length < 10',
    'function == "read holding registers"',
    'function contains "holding"',
    'function contains 读保持',
    'function contains 3',
    'text contains "illegal data"',
    "text contains 'Illegal'",
    'answer',
    'not request',
    'slave == 5 or slave == 3 and error',
    '(slave == 5 or slave == 3) and error',
    'not not error',
  ])('lets a frame pass: %s', (text) => {
    expect(fits(text)).toBe(true);
  });

  it.each([
    'dir == tx',
    'slave == 5',
    'slave != 3',
    'address == 120',
    'address in {120..399}',
    'address > 400',
    'latency > 12.5',
    'since > 0',
    'cause != 20',
    'not error',
    'function == "Read"',
    'text == "Illegal"',
    'request',
    'slave == 3 and not error',
    'error == 3 or slave == 5',
    '(slave == 5 or slave == 3) and not error',
  ])('keeps a frame out: %s', (text) => {
    expect(fits(text)).toBe(false);
  });

  it.each([
    ['slave == 000000000012', true],
    ['slave == 12', true],
    ['slave == "000000000012"', true],
    ['slave contains "0012"', true],
    ['slave == 120', false],
    ['slave > 11', false],
    ['address == 0x02010100', true],
    ['reference == "02-01-01-00"', true],
  ])('a meter by its address: %s is %s', (text, isFit) => {
    expect(fits(text, METER)).toBe(isFit);
  });

  it('"and" binds closer than "or", "not" closest', () => {
    expect(parseFrameFilter('not error or slave == 1 and length == 2')).toMatchObject({
      node: { kind: 'or', nodes: [{ kind: 'not', node: { kind: 'has', field: 'error' } }, { kind: 'and' }] },
    });
  });

  it.each(['', '   '])('an empty one (%j) lets everything pass', (text) => {
    expect(parseFrameFilter(text)).toEqual({ node: null });
  });

  it.each([
    ['slave = 3', '6-7 To compare, write == (two signs).'],
    ['slavw == 3', '0-5 "slavw" is no field. Fields: dir, kind,'],
    ['slave == ', '9-9 A value to compare "slave" with is missing.'],
    ['slave == and', '9-12 A value to compare "slave" with is missing.'],
    ['(slave == 3', '0-1 This bracket is not closed.'],
    ['slave == 3)', '10-11 This bracket closes none.'],
    ['slave == 3 error', '11-16 Before "error" there has to be "and" or "or".'],
    ['text contains "abc', '14-18 The text that begins with " has no closing ".'],
    ['length contains 3', '7-15 "length" is a number: use ==, <, > or in'],
    ['text < 3', '5-6 "text" is a text: use ==, !=, contains'],
    ['length == long', '10-14 "length" is compared with a number here, not with "long".'],
    ['slave > "x"', '8-11 "slave" is compared with a number here, not with "x".'],
    ['answer == 1', '7-9 "answer" is true or not: write it alone, or not answer.'],
    ['slave in 3', '9-10 Behind "in" stands a list in braces'],
    ['slave in {3', '9-10 This list has no closing brace'],
    ['slave in {3 4}', '9-10 This list has no closing brace'],
    ['slave in {9..3}', '10-14 A range has a number at each end, the smaller one first'],
    ['slave in {}', '10-11 A value to compare "slave" with is missing.'],
    ['and', '0-3 "and" is no field.'],
    ['slave == 3 and', '14-14 A field is missing'],
    ['slave == 3 # x', '11-12 "#" means nothing in a filter'],
    ['not', '3-3 A field is missing'],
  ])('says what is wrong and where: %s', (text, fault) => {
    expect(faultOf(text)).toContain(fault);
  });

  it('is bounded in length and depth, and ends in time for whatever is written', () => {
    expect(faultOf('x'.repeat(LONGEST_FILTER + 1))).toContain(`${LONGEST_FILTER}`);
    expect(faultOf(`${'('.repeat(60)}error${')'.repeat(60)}`)).toContain('50 times');
    expect(fits(`${'('.repeat(40)}error${')'.repeat(40)}`)).toBe(true);
    const pieces = [
      'slave',
      '==',
      '!=',
      '3',
      '"x"',
      "'",
      '(',
      ')',
      '{',
      '}',
      ',',
      '..',
      'and',
      'not',
      'in',
      'contains',
      '<',
      '&&',
      '0x',
      '读',
      ' ',
      '-',
      '.',
      '1.5',
    ];
    let state = 7;
    const random = (most: number) => {
      state = (state * 1103515245 + 12345) & 0x7fffffff;
      return state % most;
    };
    for (let n = 0; n < 20_000; n++) {
      const text = Array.from({ length: random(14) }, () => pieces[random(pieces.length)]).join(random(2) === 0 ? ' ' : '');
      const parsed = parseFrameFilter(text);
      if ('fault' in parsed) {
        expect(parsed.fault.at).toBeLessThanOrEqual(parsed.fault.end);
        expect(parsed.fault.end).toBeLessThanOrEqual(text.length);
        expect(english(parsed.fault.said)).not.toContain('{{');
      } else if (parsed.node) fitsFilter(parsed.node, { values: () => [1, 'x', { from: 1, to: 2 }] });
    }
  });
});

describe('the completion of a filter', () => {
  const at = (marked: string, values?: (field: FrameField) => readonly string[]) => {
    const caret = marked.indexOf('|');
    const { from, to, items } = completeFilter(marked.replace('|', ''), caret, values);
    return { replaced: marked.replace('|', '').slice(from, to), items };
  };

  it('offers fields at the begin, behind a bracket, not, and, or', () => {
    for (const text of ['|', '(|', 'not |', 'error and |', '!|']) expect(at(text).items).toEqual([...FIELD_NAMES, 'not']);
    expect(at('la|')).toEqual({ replaced: 'la', items: ['latency'] });
    expect(at('error and sl|ave')).toEqual({ replaced: 'sl', items: ['slave'] });
  });

  it('offers what a field takes', () => {
    expect(at('latency |').items).toEqual(['==', '!=', '<', '<=', '>', '>=', 'in', 'and', 'or']);
    expect(at('text |').items).toEqual(['==', '!=', 'in', 'contains', 'and', 'or']);
    expect(at('answer |').items).toEqual(['and', 'or']);
    for (const field of FIELD_NAMES) expect(FRAME_FIELDS[field] === 'flag' || at(`${field} |`).items.length > 3).toBe(true);
  });

  it('offers values that are known, in quotes where they need them', () => {
    expect(at('dir == |').items).toEqual(['tx', 'rx']);
    expect(at('dir == r|').items).toEqual(['rx']);
    const seen = (field: FrameField) => (field === 'function' ? ['3', 'Read Coils', 'M_ME_NC_1'] : []);
    expect(at('function == |', seen).items).toEqual(['3', '"Read Coils"', 'M_ME_NC_1']);
    expect(at('function in {3, |', seen).items).toContain('M_ME_NC_1');
    expect(at('slave in |').items).toEqual(['{']);
    expect(at('slave in {3 |').items).toEqual([',', '}']);
    expect(at('slave == 3 |').items).toEqual(['and', 'or']);
  });

  it('offers nothing within a text, and never fails', () => {
    expect(at('text contains "a|').items).toEqual([]);
    expect(at('slave = |').items).toEqual([]);
    expect(written('a "b"')).toBe(`'a "b"'`);
  });
});
