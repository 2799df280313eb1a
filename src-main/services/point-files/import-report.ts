import type { ImportReport, TableChange, TableIssue } from '#shared/contract/point-files.ts';
import { describeDecode } from '#shared/domain/decode.ts';
import { FrameType } from '#shared/domain/enums.ts';
import type { NormalPoint } from '../../drivers/spi/index.ts';
import { changedFields } from '../point-diff.ts';
import type { ReadTable, TablePlans } from './import-table.ts';
import type { ModePlan } from './mode-plan.ts';
import type { PlannedPoint } from './planned-point.ts';

/** Changes of each kind that are listed; the counts say how many there are. */
const LISTED = 1_000;

/** The answer to an import: what the file holds, what is wrong with it, and what it changes. */
export function importReport(
  mode: ImportReport['mode'],
  applied: boolean,
  fileName: string,
  read: ReadTable,
  plans: TablePlans,
): ImportReport {
  const count = (type: FrameType) => read.rows.filter((row) => row.frameType === type).length;
  const { errors, warnings } = plans.findings;
  return {
    mode,
    applied,
    foreign: read.isForeign,
    file: { name: fileName, format: read.file?.format ?? null, encoding: read.file?.encoding ?? '', delimiter: read.file?.delimiter ?? '' },
    counts: {
      rows: read.seen,
      yc: count(FrameType.yc),
      yx: count(FrameType.yx),
      yk: count(FrameType.yk),
      yt: count(FrameType.yt),
      errors: errors.count,
      warnings: warnings.count,
      merge: plans.merge && tally(plans.merge),
      replace: plans.replace && tally(plans.replace),
    },
    errors: inFileOrder(errors.listed, read.sheets),
    warnings: inFileOrder(warnings.listed, read.sheets),
    changes: changesOf(plans),
  };
}

function tally(plan: ModePlan) {
  return { added: plan.added.length, changed: plan.changed.length, unchanged: plan.unchanged, removed: plan.removed.length };
}

/** What is about the file as a whole first, then as a reader goes through the sheets. */
function inFileOrder(issues: readonly TableIssue[], sheets: readonly string[]): TableIssue[] {
  const place = (issue: TableIssue) => (sheets.indexOf(issue.sheet) + 1) * 2_000_000 + (issue.row ?? 0);
  return issues.toSorted((a, b) => place(a) - place(b));
}

/** The changes of both modes, what goes first; a change that is the same in both is listed once. */
function changesOf({ merge, replace }: TablePlans): TableChange[] {
  const ofMerge = merge ? listed(merge) : [];
  const ofReplace = replace ? listed(replace) : [];
  if (!merge || !replace) return [...ofMerge, ...ofReplace];
  const merged = new Set(ofMerge.map(keyOf));
  const replaced = new Set(ofReplace.map(keyOf));
  const tagged = [
    ...ofMerge.map((change) => (replaced.has(keyOf(change)) ? change : { ...change, only: 'merge' as const })),
    ...ofReplace.filter((change) => !merged.has(keyOf(change))).map((change) => ({ ...change, only: 'replace' as const })),
  ];
  return KINDS.flatMap((kind) => tagged.filter((change) => change.kind === kind));
}

const KINDS = ['removed', 'changed', 'added'] as const;

function listed(plan: ModePlan): TableChange[] {
  return [
    ...plan.removed.slice(0, LISTED).map((point) => describe('removed', point, point.id, null)),
    ...plan.changed.slice(0, LISTED).map((planned) => describe('changed', planned.point, planned.before?.id ?? null, planned)),
    ...plan.added.slice(0, LISTED).map((planned) => describe('added', planned.point, null, planned)),
  ];
}

function describe(kind: TableChange['kind'], point: NormalPoint, id: number | null, planned: PlannedPoint | null): TableChange {
  return {
    kind,
    point_id: id,
    frame_type: point.frame_type,
    code: point.code,
    name: point.name,
    address: point.address,
    reference: point.reference,
    decode: point.decode === '' ? '' : describeDecode(point.decode),
    sheet: planned?.row.layout.sheet.name ?? '',
    row: planned?.row.row ?? null,
    fields: planned?.before ? changedFields(planned.before, planned.point) : [],
    only: null,
  };
}

function keyOf(change: TableChange): string {
  return JSON.stringify([change.kind, change.code, change.fields, change.address, change.reference]);
}
