import type { FieldChange } from '#shared/contract/field-change.ts';
import type { TableIssue } from '#shared/contract/point-files.ts';
import type { ComparedSide, DifferenceKind } from '#shared/contract/table-compare.ts';
import type { NormalPoint, PointConfig, ProtocolDriver } from '../../drivers/spi/index.ts';
import type { Turns } from '../../platform/turns.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import type { CompareOutcome, ComparedPoint as PlacedPoint, RowPlace, SideInput, SideOutcome } from './compare-tables.ts';

/** Rows that are looked at between two questions whether the lines should have their turn. */
export const ROWS_A_LOOK = 128;

/** A table that is to be compared, as it is at this moment. */
export interface TakenSide {
  readonly of: ComparedSide['of'];
  /** Of the channel, or of the file. */
  readonly name: string;
  readonly channel: ChannelRuntime | null;
  readonly stepId: number | null;
  /** Of a channel. */
  readonly points: readonly PointConfig[] | null;
  readonly input: SideInput;
  /** Of the table of the channel, as it is now. */
  readonly revision: number | null;
}

/** A point of a side as it was compared. */
export interface KeptPoint {
  readonly point: NormalPoint;
  /** Id of a point of a channel; null for one of a file. */
  readonly id: number | null;
  readonly place: RowPlace | null;
}

/** A row of a comparison: one point, or one that is there on one side alone. */
export interface DifferenceRow {
  /** Code before, else the code after. */
  readonly code: string;
  readonly kind: DifferenceKind;
  readonly matched: 'code' | 'place' | null;
  readonly before: KeptPoint | null;
  readonly after: KeptPoint | null;
  readonly fields: readonly FieldChange[];
  /** What is wrong with the row of the file. */
  readonly faults: readonly TableIssue[];
}

/** A side as it is kept: without its points, of which the rows have those that differ. */
export interface ComparisonSide extends SideOutcome {
  readonly of: TakenSide['of'];
  readonly name: string;
  readonly channel: ChannelRuntime | null;
  readonly stepId: number | null;
  readonly revision: number | null;
}

/** Two tables that were compared. */
export interface Comparison {
  readonly id: string;
  /** UTC, ISO 8601. */
  readonly madeAt: string;
  readonly driver: ProtocolDriver;
  readonly before: ComparisonSide;
  readonly after: ComparisonSide;
  readonly rows: readonly DifferenceRow[];
  readonly counts: Readonly<Record<DifferenceKind | 'same', number>>;
}

interface Made {
  readonly id: string;
  readonly madeAt: string;
  readonly driver: ProtocolDriver;
}

/** What is kept of a comparison. */
export async function keepOutcome(
  made: Made,
  before: TakenSide,
  after: TakenSide,
  outcome: CompareOutcome,
  turns: Turns,
): Promise<Comparison> {
  const counts = { added: 0, removed: 0, changed: 0, renamed: 0, faulty: 0, same: outcome.same };
  const [faultsBefore, faultsAfter] = [faultsOf(outcome.before), faultsOf(outcome.after)];
  const rows: DifferenceRow[] = [];
  for (const row of outcome.rows) {
    if (rows.length % ROWS_A_LOOK === 0) await turns.breathe();
    const [was, is] = [keptPoint(row.before, before), keptPoint(row.after, after)];
    const code = (was ?? is)?.point.code;
    if (code === undefined) continue;
    counts[row.kind] += 1;
    const faults = [...faultsAt(faultsBefore, row.before), ...faultsAt(faultsAfter, row.after)];
    rows.push({ code, kind: row.kind, matched: row.matched, before: was, after: is, fields: row.fields, faults });
  }
  return { ...made, before: keptSide(before, outcome.before), after: keptSide(after, outcome.after), rows, counts };
}

function keptSide({ of, name, channel, stepId, revision }: TakenSide, outcome: SideOutcome): ComparisonSide {
  return { of, name, channel, stepId, revision, ...outcome };
}

function keptPoint(placed: PlacedPoint | null, { points }: TakenSide): KeptPoint | null {
  if (!placed) return null;
  if (placed.point) return { point: placed.point, id: null, place: placed.place };
  const stored: PointConfig | undefined = points?.[placed.at];
  return stored ? { point: stored, id: stored.id, place: null } : null;
}

type Faults = ReadonlyMap<string, readonly TableIssue[]>;

function faultsOf({ errors }: SideOutcome): Faults {
  return Map.groupBy(
    errors.filter(({ row }) => row !== null),
    ({ sheet, row }) => `${row} ${sheet}`,
  );
}

function faultsAt(faults: Faults, placed: PlacedPoint | null): readonly TableIssue[] {
  return placed?.place ? (faults.get(`${placed.place.row} ${placed.place.sheet}`) ?? []) : [];
}

/** False when a channel of it was changed since. */
export function isCurrent({ before, after }: Comparison): boolean {
  return [before, after].every(({ channel, revision }) => channel === null || channel.points.configRevision === revision);
}

/** The channel that differences can be taken over into; null where there is none. */
export function targetOf({ before }: Comparison): ChannelRuntime | null {
  return before.of === 'channel' ? before.channel : null;
}
