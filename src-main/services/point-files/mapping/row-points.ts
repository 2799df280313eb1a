/** Points of a row of a list, before they have their codes. */
import { isPlainText } from '#shared/contract/common.ts';
import { FrameType, isCommandType } from '#shared/domain/enums.ts';
import type { ValueTexts } from '#shared/domain/value-texts.ts';
import type { ListPoint } from '../../../drivers/spi/index.ts';
import { visible } from '../cells.ts';
import type { CodeSource } from './codes.ts';
import { isNothing, numberOf } from './content-fit.ts';
import type { RowScale } from './factors.ts';
import { type KeptColumn, type RoleTexts, TexterOfTable } from './row-texts.ts';
import { scaleInName } from './scale.ts';
import type { DataRow } from './table-rows.ts';
import { bracketsOf, isUnit } from './units.ts';
import { parseValueList, type ValueList } from './value-list.ts';

const LONGEST = { name: 200, unit: 32, category: 100, note: 4_000 } as const;

/** What a row says beside the words of its protocol. */
export interface RowFacts {
  readonly name: string;
  readonly code: string;
  readonly unit: string;
  readonly category: string;
  readonly note: string;
  readonly factor: number;
  readonly offset: number;
  readonly min: number | null;
  readonly max: number | null;
  /** A limit was kept in the note, since the registers cannot hold it once scaled. */
  readonly isRaw: boolean;
  /** Its name or its note was longer than a point can hold. */
  readonly isCut: boolean;
  /** What its values or bits mean; null where it does not say. */
  readonly list: ValueList | null;
}

/** Puts the row together; `range` is what its registers can hold. */
export function factsOf(
  data: DataRow,
  texts: RoleTexts,
  kept: readonly KeptColumn[],
  scale: Extract<RowScale, { kind: 'scale' }>,
  range?: readonly [number, number],
): RowFacts {
  const { factor, offset } = scale;
  const bounds = range && [range[0] * factor + offset, range[1] * factor + offset].sort((a, b) => a - b);
  const isOutside = (limit: number | null) =>
    limit !== null && bounds !== undefined && (limit < (bounds[0] ?? 0) || limit > (bounds[1] ?? 0));
  const [min, max] = [numberOf(texts.min_limit ?? ''), numberOf(texts.max_limit ?? '')];
  const isRaw = isOutside(min) || isOutside(max) || (min !== null && max !== null && min > max);
  // both the same, mostly 0, is no range
  const hasLimits = !isRaw && min !== max;
  const limits = isRaw ? [`${texts.min_limit ?? ''}…${texts.max_limit ?? ''}`] : [];
  const listed = [...kept.map(({ index }) => data.texts.get(index) ?? ''), texts.unit ?? ''];
  const list = listed.map(parseValueList).find((found) => found !== null) ?? null;
  const note = [...notesOf(data, kept, list), ...limits].join('; ');
  return {
    name: line(nameOf(texts), LONGEST.name),
    code: line(texts.code ?? '', 100),
    unit: line(scale.unit, LONGEST.unit),
    category: line(
      [...data.groups.toReversed(), ...keptTexts(data, kept, 'category')].filter((text) => text !== '').join('/'),
      LONGEST.category,
    ),
    note: prose(note),
    factor,
    offset,
    min: hasLimits ? min : null,
    max: hasLimits ? max : null,
    isRaw,
    isCut: nameOf(texts).length > LONGEST.name || note.length > LONGEST.note,
    list,
  };
}

/** The name without the unit or factor in brackets behind it, which have fields of their own. */
function nameOf({ name = '' }: RoleTexts): string {
  const brackets = bracketsOf(name);
  if (!brackets) return name;
  return isUnit(brackets.inside) || scaleInName(brackets.inside) ? brackets.before : name;
}

function keptTexts({ texts }: DataRow, kept: readonly KeptColumn[], role: KeptColumn['role']): string[] {
  return kept.filter((column) => column.role === role).map(({ index }) => texts.get(index) ?? '');
}

/** What is kept beside the point; a list of values that became texts stands there already. */
function notesOf({ texts }: DataRow, kept: readonly KeptColumn[], list: ValueList | null): string[] {
  return kept
    .filter(({ role }) => role !== 'category')
    .flatMap((column) => {
      const text = texts.get(column.index) ?? '';
      if (isNothing(text) || (list?.kind === 'values' && column.role === 'texts' && parseValueList(text) !== null)) return [];
      return [TexterOfTable.isPlainNote(column) || column.header === '' ? text : `${column.header}=${text}`];
    });
}

const line = (text: string, most: number): string => {
  const clean = visible(text.replace(/\s+/g, ' ').trim())
    .slice(0, most)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim();
  return isPlainText(clean, false) ? clean : '';
};

const prose = (text: string): string =>
  text
    .replace(/[^\P{Cc}\n\t]|\p{Cs}/gu, '\uFFFD')
    .slice(0, LONGEST.note)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim();

/** A point with everything but its code. */
export interface UncodedPoint {
  readonly point: ListPoint;
  readonly facts: RowFacts;
  readonly source: CodeSource;
  /** Texts of its values; null for none. */
  readonly texts: ValueTexts | null;
  /** Which of the points of its row shows its effect; null for none. */
  readonly shownBy: number | null;
}

/** The points of a row; `bits` are those of its single bits, where its list says what they mean. */
export function pointsOf(
  facts: RowFacts,
  points: readonly ListPoint[],
  bits: readonly { readonly point: ListPoint; readonly bit: number; readonly text: string }[],
): UncodedPoint[] {
  const texts = facts.list?.kind === 'values' ? facts.list.texts : null;
  const first = points.findIndex(({ frame_type }) => !isCommandType(frame_type));
  const plain = points.map((point, at): UncodedPoint => {
    const isBeside = first >= 0 && at !== first && isCommandType(point.frame_type);
    return { point, facts, source: sourceOf(facts, point, facts.name, isBeside ? '_SET' : ''), texts, shownBy: isBeside ? first : null };
  });
  const single = bits.map(({ point, bit, text }): UncodedPoint => {
    const name = line(`${facts.name} ${text}`, LONGEST.name);
    const own = { ...facts, name, unit: '', min: null, max: null, factor: 1, offset: 0 };
    return { point, facts: own, source: sourceOf(own, point, name, facts.code === '' ? '' : `_B${bit}`), texts: null, shownBy: null };
  });
  return [...plain, ...single];
}

function sourceOf(facts: RowFacts, point: ListPoint, name: string, end: string): CodeSource {
  const { slave_id, func_code, address, bit } = point;
  const place = [slave_id, isCommandType(point.frame_type) ? undefined : func_code, address, bit]
    .filter((part) => part !== undefined && part !== null)
    .join('_');
  return { code: facts.code, name, place, end };
}

/** True where a point has no factor, offset or limits. */
export function isState(point: ListPoint): boolean {
  return point.frame_type === FrameType.yx || point.frame_type === FrameType.yk;
}
