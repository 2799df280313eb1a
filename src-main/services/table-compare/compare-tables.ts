import type { FieldChange } from '#shared/contract/field-change.ts';
import type { TableIssue } from '#shared/contract/point-files.ts';
import type { DifferenceKind } from '#shared/contract/table-compare.ts';
import type { NormalPoint } from '../../drivers/spi/index.ts';
import { runInTurns, type Steps } from '../../platform/steps.ts';
import { changedFields } from '../point-diff.ts';
import { type ReadTable, readTableFile, type SheetReader, type UploadedTable } from '../point-files/import-table.ts';
import { type Findings, newFindings } from '../point-files/issues.ts';
import { PointCheck, type PresentTable } from '../point-files/mode-plan.ts';
import type { PlannedPoint } from '../point-files/planned-point.ts';
import type { TableRow } from '../point-files/read-rows.ts';
import { checkTable } from '../point-files/table-check.ts';
import { isSaid, withReadable } from './known-fields.ts';
import { pairByPlace, type Unmatched } from './match.ts';

/** One of two tables that are compared. */
export type SideInput =
  | { readonly of: 'points'; readonly points: readonly NormalPoint[] }
  | { readonly of: 'file'; readonly upload: UploadedTable };

/** What reading a side brought to light. */
export interface SideOutcome {
  /** Points that were compared. */
  readonly size: number;
  readonly errors: readonly TableIssue[];
  readonly warnings: readonly TableIssue[];
  readonly counts: { readonly errors: number; readonly warnings: number };
}

/** Where a point of a file stands in it. */
export interface RowPlace {
  readonly sheet: string;
  readonly row: number;
}

/** A point of one side as it was compared. */
export interface ComparedPoint {
  /** Place in its table, from 0; for a file in the order of its rows. */
  readonly at: number;
  /** Null: the caller has it. */
  readonly point: NormalPoint | null;
  /** Of a file. */
  readonly place: RowPlace | null;
}

/** A row of the comparison. */
export interface ComparedRow {
  readonly kind: DifferenceKind;
  readonly matched: 'code' | 'place' | null;
  readonly before: ComparedPoint | null;
  readonly after: ComparedPoint | null;
  readonly fields: readonly FieldChange[];
}

export interface CompareOutcome {
  /** Those that differ: as the table before has them, then those that came. */
  readonly rows: readonly ComparedRow[];
  readonly same: number;
  readonly before: SideOutcome;
  readonly after: SideOutcome;
}

/** What the points of files are checked with. */
export type CompareTable = Omit<PresentTable, 'points'>;

/** A point of a side, which may not be made yet. */
interface Entry {
  readonly code: string;
  readonly at: number;
  readonly row: TableRow | null;
  point: NormalPoint | null;
  isRight: boolean;
}

/** Points that are compared between two steps. */
const POINTS_A_STEP = 128;

/**
 * Compares two tables, `breathe` between the bits. A file that is none is told in its side; nothing is thrown for it. `sheets` reads the sheets of files;
 * left out: it is done in place.
 */
export async function compareTables(
  before: SideInput,
  after: SideInput,
  table: CompareTable,
  breathe: () => Promise<void>,
  sheets?: SheetReader,
): Promise<CompareOutcome> {
  const sides = [await readSide(before, table, sheets), await readSide(after, table, sheets)] as const;
  await breathe();
  return runInTurns(compareSides(sides[0], sides[1], table), breathe);
}

async function readSide(input: SideInput, table: CompareTable, sheets?: SheetReader): Promise<Side> {
  if (input.of === 'points') return new Side(input.points, null, table);
  return new Side(null, await readTableFile(input.upload, table, sheets), table);
}

/** One table while it is compared. */
class Side {
  readonly entries: readonly Entry[];
  readonly byCode: ReadonlyMap<string, Entry>;
  readonly #table: CompareTable;
  readonly #read: ReadTable | null;
  readonly #findings: Findings;
  /** Tells what is wrong with the rows. */
  readonly #check: PointCheck;
  /** Looks at rows of which everything was told, or is told later, when it is known what they are compared with. */
  readonly #quiet: PointCheck;

  constructor(points: readonly NormalPoint[] | null, read: ReadTable | null, table: CompareTable) {
    this.#table = table;
    this.#read = read;
    this.#findings = read?.findings ?? newFindings();
    const present = { ...table, points: [] };
    this.#check = new PointCheck(present, this.#findings, 'refuse');
    this.#quiet = new PointCheck(present, newFindings(), 'refuse');
    this.entries = points ? points.map((point, at) => ({ code: point.code, at, row: null, point, isRight: true })) : entriesOf(read);
    this.byCode = new Map(this.entries.map((entry) => [entry.code, entry]));
  }

  /** The point of an entry: what the file does not say of it is as in `base`. */
  pointOf(entry: Entry, base: NormalPoint | undefined): NormalPoint {
    if (entry.point) return entry.point;
    // what cannot be read was told already
    const made = this.#make(entry, base, entry.isRight ? this.#check : this.#quiet);
    entry.point = made.point;
    entry.isRight &&= made.isRight;
    return made.point;
  }

  /** Where an entry would lie if it is compared with nothing. */
  glance(entry: Entry): NormalPoint {
    return entry.point ?? this.#make(entry, undefined, this.#quiet).point;
  }

  says({ row }: Entry, field: string): boolean {
    return row === null || isSaid(row, field, this.#table.driver.descriptor);
  }

  shown({ at, row, point }: Entry): ComparedPoint {
    return row === null ? { at, point: null, place: null } : { at, point, place: { sheet: row.layout.sheet.name, row: row.row } };
  }

  *end(): Steps<SideOutcome> {
    if (this.#read) {
      const planned = this.entries.flatMap(({ row, point, isRight }): PlannedPoint[] =>
        row && point && isRight ? [{ row, point, before: undefined }] : [],
      );
      yield* checkTable(planned, [], this.#table.driver, this.#findings.warnings);
    }
    const { errors, warnings } = this.#findings;
    const counts = { errors: errors.count, warnings: warnings.count };
    return { size: this.entries.length, errors: errors.listed, warnings: warnings.listed, counts };
  }

  #make({ row }: Entry, base: NormalPoint | undefined, check: PointCheck) {
    if (!row) throw new TypeError('a point of a table is made already');
    return check.look(withReadable(row, base), base);
  }
}

/** Points of a file in the order of its rows; of those that name one code the first that is right, else the first. */
function entriesOf(read: ReadTable | null): Entry[] {
  const { rows = [], broken = [], sheets = [] } = read ?? {};
  // a second right row of a code is among the broken ones
  const codes = new Map(rows.map((row) => [row.code, { row, isRight: true }]));
  for (const row of broken) if (!codes.has(row.code)) codes.set(row.code, { row, isRight: false });
  const sheetAt = new Map(sheets.map((name, at) => [name, at]));
  const placeOf = ({ layout, row }: TableRow) => (sheetAt.get(layout.sheet.name) ?? 0) * 2_000_000 + row;
  return [...codes]
    .sort(([, a], [, b]) => placeOf(a.row) - placeOf(b.row))
    .map(([code, { row, isRight }], at) => ({ code, at, row, point: null, isRight }));
}

function* compareSides(before: Side, after: Side, { driver }: CompareTable): Steps<CompareOutcome> {
  const rows: ComparedRow[] = [];
  let same = 0;
  const partners = new Map<Entry, Entry>();
  for (const [index, entry] of before.entries.entries()) {
    if (index % POINTS_A_STEP === 0) yield;
    const other = after.byCode.get(entry.code);
    if (!other) continue;
    partners.set(entry, other);
    partners.set(other, entry);
  }
  const gone = yield* unmatchedOf(before, partners);
  const come = yield* unmatchedOf(after, partners);
  for (const pair of yield* pairByPlace(gone, come, driver)) {
    const [one, other] = [before.entries[pair.before], after.entries[pair.after]];
    if (one && other) partners.set(one, other).set(other, one);
  }
  for (const [index, entry] of before.entries.entries()) {
    if (index % POINTS_A_STEP === 0) yield;
    const row = rowOf(entry, partners.get(entry), before, after);
    if (row) rows.push(row);
    else same += 1;
  }
  for (const [index, entry] of after.entries.entries()) {
    if (index % POINTS_A_STEP === 0) yield;
    if (partners.has(entry)) continue;
    after.pointOf(entry, undefined);
    rows.push({ kind: entry.isRight ? 'added' : 'faulty', matched: null, before: null, after: after.shown(entry), fields: [] });
  }
  yield;
  return { rows, same, before: yield* before.end(), after: yield* after.end() };
}

/** Points of a side that have no partner by their code, as they would be alone. */
function* unmatchedOf(side: Side, partners: ReadonlyMap<Entry, Entry>): Steps<Unmatched[]> {
  const unmatched: Unmatched[] = [];
  for (const [index, entry] of side.entries.entries()) {
    if (index % POINTS_A_STEP === 0) yield;
    if (!partners.has(entry)) unmatched.push({ at: entry.at, point: side.glance(entry) });
  }
  return unmatched;
}

/** The row of a point of the table before; null when nothing differs. */
function rowOf(entry: Entry, other: Entry | undefined, before: Side, after: Side): ComparedRow | null {
  // a row of a file takes what it does not say from the other side, where that is no file itself
  const was = before.pointOf(entry, other?.point ?? undefined);
  if (!other) return { kind: entry.isRight ? 'removed' : 'faulty', matched: null, before: before.shown(entry), after: null, fields: [] };
  const is = after.pointOf(other, was);
  const isRenamed = entry.code !== other.code;
  const fields = changedFields(was, is).filter(({ field }) => before.says(entry, field) && after.says(other, field));
  if (isRenamed) fields.unshift({ field: 'code', before: entry.code, after: other.code });
  const isFaulty = !entry.isRight || !other.isRight;
  if (fields.length === 0 && !isFaulty) return null;
  return {
    kind: isFaulty ? 'faulty' : isRenamed ? 'renamed' : 'changed',
    matched: isRenamed ? 'place' : 'code',
    before: before.shown(entry),
    after: after.shown(other),
    fields,
  };
}
