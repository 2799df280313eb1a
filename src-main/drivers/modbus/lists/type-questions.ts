/** What is asked about types: words that nobody knows, rows without a type, types and lengths that contradict each other. */
import { LEAVE_ROWS } from '#shared/domain/list-mapping.ts';
import type { OpenListQuestion } from '../../spi/lists.ts';
import type { Lengths } from './lengths.ts';
import type { RowFacts } from './row-facts.ts';
import { parseType, type WrittenType } from './type-words.ts';
import { offeredTypes, registersOf, type WholeType } from './value-types.ts';
import { AREAS } from './written-address.ts';

/** What becomes of the type of a row. */
export type FoundType =
  | { readonly kind: 'type'; readonly type: WholeType }
  | { readonly kind: 'open'; readonly id: string }
  | { readonly kind: 'left'; readonly word: string }
  /** More registers than any type has, and no word for what they hold. */
  | { readonly kind: 'none'; readonly registers: number };

export interface ListTypes {
  readonly questions: readonly OpenListQuestion[];
  typeOf(row: RowFacts): FoundType;
}

/** Widths that a type may have by a word without one, where the list does not say how many registers it takes. */
const USUAL: Readonly<Record<string, number>> = { uint: 16, int: 16, float: 32, bool: 1, bcd: 16 };

/** Finds the questions about types, and the types as they are answered. */
export function findTypeQuestions(facts: readonly RowFacts[], lengths: Lengths, answers: Readonly<Record<string, string>>): ListTypes {
  const spread = spreadTypes(facts, lengths);
  const typeOf = (row: RowFacts): FoundType => resolve(row, lengths, spread, answers);
  const questions = new Map<string, OpenListQuestion>();
  for (const row of facts) {
    if (!row.written || isBitRow(row)) continue;
    const id = questionOf(row, lengths, spread);
    if (id === null || questions.has(id)) continue;
    const registers = lengths.stated(row);
    const isLength = id === 'length';
    if (!isLength && !row.type && offeredTypes(registers).length === 0) continue;
    const choices = isLength
      ? ['type', 'length', LEAVE_ROWS]
      : [...(spread.has(row.typeWord) ? (SPREAD[row.type?.kind ?? ''] ?? []) : offeredTypes(registers)), LEAVE_ROWS];
    const params = isLength ? {} : { word: row.typeWord, registers: registers ?? 0 };
    questions.set(id, {
      id,
      kind: isLength ? 'length' : 'type',
      params,
      choices,
      proposed: isLength ? 'type' : (choices[0] ?? null),
      isTold: false,
    });
  }
  return { questions: [...questions.values()], typeOf };
}

/** True for a coil, a discrete input or a bit of a register. */
export function isBitRow({ written, function: said, bit, row }: RowFacts): boolean {
  const area = said?.area ?? written?.area ?? null;
  return bit !== null || written?.bit != null || row.bit !== undefined || area === AREAS.coil || area === AREAS.discrete;
}

function questionOf(row: RowFacts, lengths: Lengths, spread: ReadonlySet<string>): string | null {
  const { type, typeWord } = row;
  const registers = lengths.stated(row);
  if (!type) {
    if (typeWord === '' && row.row.isNegative && (registers ?? 1) === 1) return null;
    return `type:${typeWord}${registers !== null && registers > 1 ? `/${registers}` : ''}`;
  }
  if (spread.has(typeWord)) return `type:${typeWord}`;
  return contradicts(type, registers) ? 'length' : null;
}

function contradicts({ kind, bits }: WrittenType, registers: number | null): boolean {
  if (registers === null || !['uint', 'int', 'float'].includes(kind)) return false;
  if (bits !== null) return registersOf(bits) !== registers;
  return kind === 'float' ? registers !== 2 && registers !== 4 : ![1, 2, 3, 4].includes(registers);
}

function resolve(row: RowFacts, lengths: Lengths, spread: ReadonlySet<string>, answers: Readonly<Record<string, string>>): FoundType {
  const registers = lengths.stated(row);
  const id = questionOf(row, lengths, spread);
  if (id === null) {
    if (!row.type) return { kind: 'type', type: { kind: 'int', bits: 16, order: null, isBits: false } };
    return { kind: 'type', type: whole(row.type, registers) };
  }
  if (!row.type && registers !== null && offeredTypes(registers).length === 0) return { kind: 'none', registers };
  const answer = answers[id];
  if (answer === undefined) return { kind: 'open', id };
  if (answer === LEAVE_ROWS) return { kind: 'left', word: row.typeWord };
  if (id === 'length' && row.type) {
    const type = answer === 'length' && registers !== null ? { ...row.type, bits: registers * 16 } : whole(row.type, null);
    return { kind: 'type', type: { ...type, bits: type.bits } };
  }
  const type = parseType(answer);
  if (!type) return { kind: 'open', id };
  return { kind: 'type', type: { ...whole(type, registers), order: row.type?.order ?? null } };
}

function whole(type: WrittenType, registers: number | null): WholeType {
  const stated = registers === null ? null : registers * 16;
  return { ...type, bits: type.bits ?? stated ?? USUAL[type.kind] ?? 16 };
}

const SPREAD: Readonly<Record<string, readonly string[]>> = { int: ['int16', 'int32'], uint: ['uint16', 'uint32'] };
/** So many rows tell what the distance of their neighbours is. */
const ENOUGH = 3;

/** Words without a width whose values stand two registers apart throughout: they may be of 32 bits, or leave every second register out. */
function spreadTypes(facts: readonly RowFacts[], lengths: Lengths): ReadonlySet<string> {
  const distances = new Map<string, number[]>();
  for (let at = 1; at < facts.length; at++) {
    const [row, next] = [facts[at - 1], facts[at]];
    if (!row?.type || row.type.bits !== null || !SPREAD[row.type.kind] || lengths.stated(row) !== null || row.row.table !== next?.row.table)
      continue;
    const distance = Number.parseInt(next?.written?.digits ?? '', 16) - Number.parseInt(row.written?.digits ?? '', 16);
    if (Number.isFinite(distance)) distances.set(row.typeWord, [...(distances.get(row.typeWord) ?? []), distance]);
  }
  return new Set(
    [...distances]
      .filter(([, all]) => all.length >= ENOUGH && all.every((distance) => distance % 2 === 0 && distance > 0))
      .map(([word]) => word),
  );
}
