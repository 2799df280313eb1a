/** Which reading of the addresses a list itself tells, and why. What it leaves open is asked. */
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { type AddressReading, referenceParts } from './address-style.ts';
import { SAYS_HEX } from './number-form.ts';
import { AREAS, type Area, type WrittenAddress } from './written-address.ts';

/** An address of a table of the list with what its row says beside it. */
export interface AddressSample {
  readonly written: WrittenAddress;
  /** Table that the row names by its function or title; null for none. */
  readonly area: Area | null;
  /** Registers of the value; null where the row does not say. */
  readonly registers: number | null;
  /** The same address in another column; null without one. */
  readonly check: WrittenAddress | null;
}

export interface AddressHints {
  readonly header: string;
  readonly checkHeader: string;
  readonly prose: readonly string[];
  readonly isHex: boolean;
  readonly hasTables: boolean;
}

/** `reading` is null where the list does not tell; `choices` are then what it can mean. Null for a list whose addresses need no reading. */
export interface FoundReading {
  readonly reading: AddressReading | null;
  readonly why: Message | null;
  readonly choices: readonly AddressReading[];
  /** Where the places of the values may tell, together with those of other tables: the values. */
  readonly places: readonly AddressSample[];
}

const found = (reading: AddressReading, why: Message): FoundReading => ({ reading, why, choices: [], places: [] });
const open = (...choices: AddressReading[]): FoundReading => ({ reading: null, why: null, choices, places: [] });

/** How the addresses of one table are read. */
export function findReading(samples: readonly AddressSample[], hints: AddressHints): FoundReading | null {
  const unclear = samples.filter(({ written }) => needsReading(written, hints) && numberOf(written, hints.isHex) !== null);
  if (unclear.length === 0) return null;
  return (
    byCheck(unclear, hints) ??
    byNeighbour(unclear, hints) ??
    byReferences(unclear, samples, hints) ??
    byHexadecimal(unclear, hints) ??
    byNumbers(unclear) ??
    byWords(hints) ?? { ...open('plain0', 'plain1'), places: unclear }
  );
}

const COUNTED_FROM_ZERO = new Set(['%MW', '%M', '%IW']);

function needsReading({ form, word, area }: WrittenAddress, { hasTables }: AddressHints): boolean {
  if (form === 'table') return false;
  if (form === 'word') return area !== null && !COUNTED_FROM_ZERO.has(word);
  return form === 'plain' || !hasTables;
}

/** The distance of two columns of plain numbers: the smaller one is the address. */
function byNeighbour(samples: readonly AddressSample[], hints: AddressHints): FoundReading | null {
  const pairs = samples.flatMap(({ written, check }) =>
    check?.form === 'plain' && written.form === 'plain' && !hints.isHex ? [Number(written.digits) - Number(check.digits)] : [],
  );
  const ahead = pairs.filter((distance) => distance === 1).length;
  const behind = pairs.filter((distance) => distance === -1).length;
  if (pairs.length < 2 || Math.max(ahead, behind) < pairs.length * 0.9) return null;
  return found(ahead > behind ? 'plain1' : 'plain0', say('list.why_check', { header: hints.checkHeader }));
}

/** Another column with the same addresses tells, where the distance is the same in all rows. */
function byCheck(samples: readonly AddressSample[], hints: AddressHints): FoundReading | null {
  const distances = new Map<string, number>();
  for (const { written, check } of samples) {
    if (!check || written.form === 'word') continue;
    const here = numberOf(written, hints.isHex);
    const there = SAYS_HEX.test(hints.checkHeader) && check.form === 'plain' ? Number.parseInt(check.digits, 16) : wireOf(check);
    if (here === null || there === null) continue;
    const parts = hints.isHex ? null : referenceParts(written.digits);
    for (const [key, distance] of [
      ['plain', here - there],
      ['ref', parts ? parts.number - there : Number.NaN],
    ] as const) {
      if (distance === 0 || distance === 1) distances.set(`${key}${distance}`, (distances.get(`${key}${distance}`) ?? 0) + 1);
    }
  }
  const best = [...distances].sort((a, b) => b[1] - a[1])[0];
  const checked = samples.filter(({ check }) => check !== null).length;
  if (!best || best[1] < checked * 0.9 || best[1] < 2) return null;
  return found(best[0] as AddressReading, say('list.why_check', { header: hints.checkHeader }));
}

/** The address of a cell that says by itself what it is: hexadecimal, or with its table. */
function wireOf({ form, digits }: WrittenAddress): number | null {
  if (form === 'hex') return Number.parseInt(digits, 16);
  if (form === 'table') return Number(digits) - 1;
  if (form !== 'plain') return null;
  if (/[a-f]/i.test(digits)) return Number.parseInt(digits, 16);
  const parts = referenceParts(digits);
  return parts ? parts.number - 1 : null;
}

const numberOf = ({ digits, form }: WrittenAddress, isHex: boolean): number | null =>
  isHex || form === 'hex' ? Number.parseInt(digits, 16) : /^\d+$/.test(digits) ? Number(digits) : null;

/** SunSpec and its kind write addresses beyond 40000 that are no references. */
const PLAIN_FORTY = /sunspec|sun spec|c_sunspec/i;
/** References of a table begin within so many of its first. */
const NEAR_BEGIN = 100;

function byReferences(samples: readonly AddressSample[], all: readonly AddressSample[], hints: AddressHints): FoundReading | null {
  if (hints.isHex) return null;
  const plain = samples.filter(({ written }) => written.form === 'plain');
  const referring = plain.filter(({ written }) => referenceParts(written.digits) !== null);
  if (referring.length === 0) return null;
  const isCoil = ({ area, written }: AddressSample) => written.digits.length < 5 && (area === AREAS.coil || area === null);
  if (plain.some((sample) => referenceParts(sample.written.digits) === null && !isCoil(sample))) return null;
  const base = referring.some(({ written }) => Number(written.digits.slice(1)) === 0) ? 'ref0' : 'ref1';
  if (referring.some(({ written }) => Number(written.digits) > 65_535)) return found(base, say('list.why_six'));
  if (all.some(({ written }) => written.form === 'table')) return found(base, say('list.why_table'));
  const own = (sample: AddressSample) => referenceParts(sample.written.digits)?.area;
  const stated = referring.filter(({ area }) => area !== null);
  const against = stated.filter((sample) => own(sample) !== sample.area);
  if (against.length > stated.length * 0.1) return null;
  if (plain.length > referring.length && plain.some((sample) => sample.written.digits.length < 5 && sample.area === null))
    return open('ref1', 'plain0', 'plain1');
  if (base === 'ref0' || hints.prose.some((text) => PLAIN_FORTY.test(text))) return open('ref1', 'ref0', 'plain0', 'plain1');
  if (stated.length === referring.length) return found('ref1', say('list.why_function'));
  const least = Math.min(...referring.map(({ written }) => Number(written.digits)));
  const begins = new Set(referring.map((sample) => own(sample)));
  const isNear = [...begins].every((area) => {
    const numbers = referring.filter((sample) => own(sample) === area).map(({ written }) => Number(written.digits.slice(1)));
    return Math.min(...numbers) <= NEAR_BEGIN;
  });
  return isNear ? found('ref1', say('list.why_reference', { first: least })) : open('ref1', 'plain0', 'plain1');
}

function byHexadecimal(samples: readonly AddressSample[], { isHex }: AddressHints): FoundReading | null {
  const isAll = samples.every(({ written }) => written.form === 'hex' || (written.form === 'plain' && isHex));
  return isAll ? found('plain0', say('list.why_hex')) : null;
}

/** Numbers that only one reading can have. */
function byNumbers(samples: readonly AddressSample[]): FoundReading | null {
  const numbers = samples.map(({ written }) => numberOf(written, false));
  if (numbers.includes(0)) return found('plain0', say('list.why_zero'));
  return numbers.includes(65_536) ? found('plain1', say('list.why_high')) : null;
}

const FROM_ZERO =
  /\b(0|zero)[- ]?based\b|\bbase[ :=]*0\b|\bpdu\b|protocol address|data address|on the wire|(从|以|由)\s*0\s*(开始|起|为)|起始为0|\bstart(s|ing)? (at|from|with) (0|zero)\b/i;
const FROM_ONE =
  /\b(1|one)[- ]?based\b|\bbase[ :=]*1\b|plc address|register number|(从|以|由)\s*1\s*(开始|起|为)|起始为1|\bstart(s|ing)? (at|from|with) (1|one)\b|(subtract|minus|decrement(ed)? by|reduced? by|减去?)\s*(1|one|一)\b|address\w*\s*[=:]?\s*\w*\s*[-–]\s*1\b/i;

function byWords({ header, prose }: AddressHints): FoundReading | null {
  for (const [texts, why] of [
    [[header], (text: string) => say('list.why_header', { header: text })],
    [prose, (text: string) => say('list.why_prose', { text })],
  ] as const) {
    const zero = texts.find((text) => FROM_ZERO.test(text));
    const one = texts.find((text) => FROM_ONE.test(text));
    if (zero !== undefined && one === undefined) return found('plain0', why(clip(zero)));
    if (one !== undefined && zero === undefined) return found('plain1', why(clip(one)));
  }
  return null;
}

const clip = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text);

/**
 * What the places of the values of a whole list tell: values of two registers stand at even addresses, and blocks begin at round ones; where a list is one off in
 * both, it counts from 1. Null where they tell nothing.
 */
export function byPlaces(samples: readonly AddressSample[]): FoundReading | null {
  const numbered = samples.flatMap(({ written, registers, area }) => {
    const number = numberOf(written, false);
    return number === null ? [] : [{ number, registers, area }];
  });
  const wide = numbered.filter(({ registers }) => registers === 2 || registers === 4);
  const odd = wide.filter(({ number }) => number % 2 === 1).length;
  const parity = wide.length < 4 ? null : odd === 0 ? 0 : odd === wide.length ? 1 : null;
  const starts = blockStarts(numbered);
  const first = starts[0];
  const round = starts.length === 0 ? null : roundness(starts);
  if (parity !== null && round !== null && parity !== round) return null;
  if (round !== null && first !== undefined)
    return found(round === 1 ? 'plain1' : 'plain0', say('list.why_starts', { first: starts.slice(0, 5).map(String) }));
  if (parity === null) return null;
  return found(parity === 1 ? 'plain1' : 'plain0', say(parity === 1 ? 'list.why_odd' : 'list.why_even', { count: wide.length }));
}

/** Registers that may lie between two values of one block. */
const WITHIN_BLOCK = 8;

function blockStarts(
  numbered: readonly { readonly number: number; readonly registers: number | null; readonly area: Area | null }[],
): number[] {
  const starts: number[] = [];
  for (const area of new Set(numbered.map((item) => item.area))) {
    let end = Number.NEGATIVE_INFINITY;
    for (const { number, registers } of numbered.filter((item) => item.area === area).toSorted((a, b) => a.number - b.number)) {
      if (number > end + WITHIN_BLOCK) starts.push(number);
      end = Math.max(end, number + (registers ?? 1) - 1);
    }
  }
  return starts;
}

/** 0 where all blocks begin at round numbers, 1 where all begin one behind a round number, null for anything else. */
function roundness(starts: readonly number[]): 0 | 1 | null {
  const [first = 0] = starts;
  for (const digit of [0, 1] as const) {
    if (!starts.every((start) => start % 10 === digit)) continue;
    // a single block has to begin more remarkably
    if (starts.length > 1 || first === 1 || first % 100 === digit) return digit;
  }
  return null;
}
