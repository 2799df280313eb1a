import type { ImportReport, TableChange } from '#shared/contract/point-files.ts';
import { describeDecode } from '#shared/domain/decode.ts';
import { FrameType } from '#shared/domain/enums.ts';
import type { NormalPoint, PointConfig } from '../../drivers/spi.ts';
import type { ReadTable, TablePlans } from './import-table.ts';
import { changedFields, type ModePlan, type PlannedPoint } from './mode-plan.ts';

/** Changes that are listed; the counts say how many there are. */
const LISTED = 2_000;

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
    errors: [...errors.listed],
    warnings: [...warnings.listed],
    changes: changesOf(plans),
  };
}

function tally(plan: ModePlan) {
  return { added: plan.added.length, changed: plan.changed.length, unchanged: plan.unchanged, removed: plan.removed.length };
}

/** The changes of both modes; one that is the same in both is listed once. */
function changesOf({ merge, replace }: TablePlans): TableChange[] {
  if (!merge || !replace) return listed(merge ?? replace, null);
  const ofMerge = listed(merge, null);
  const ofReplace = listed(replace, null);
  const merged = new Set(ofMerge.map(keyOf));
  const replaced = new Set(ofReplace.map(keyOf));
  return [
    ...ofMerge.filter((change) => replaced.has(keyOf(change))),
    ...ofMerge.filter((change) => !replaced.has(keyOf(change))).map((change) => ({ ...change, only: 'merge' as const })),
    ...ofReplace.filter((change) => !merged.has(keyOf(change))).map((change) => ({ ...change, only: 'replace' as const })),
  ].slice(0, LISTED);
}

function listed(plan: ModePlan | null, only: TableChange['only']): TableChange[] {
  if (!plan) return [];
  const changes: TableChange[] = [];
  for (const { point } of lazily(plan.removed)) changes.push(describe('removed', point, point.id, null, only));
  for (const planned of plan.changed)
    if (changes.length < LISTED) changes.push(describe('changed', planned.point, planned.before?.id ?? null, planned, only));
  for (const planned of plan.added) if (changes.length < LISTED) changes.push(describe('added', planned.point, null, planned, only));
  return changes;
}

function lazily(removed: readonly PointConfig[]): { point: PointConfig }[] {
  return removed.slice(0, LISTED).map((point) => ({ point }));
}

function describe(
  kind: TableChange['kind'],
  point: NormalPoint,
  id: number | null,
  planned: PlannedPoint | null,
  only: TableChange['only'],
): TableChange {
  return {
    kind,
    point_id: id,
    frame_type: point.frameType,
    code: point.code,
    name: point.name,
    address: point.address,
    decode: point.decode === '' ? '' : describeDecode(point.decode),
    sheet: planned?.row.layout.sheet.name ?? '',
    row: planned?.row.row ?? null,
    fields: planned?.before ? changedFields(planned.before, planned.point) : [],
    only,
  };
}

function keyOf(change: TableChange): string {
  return JSON.stringify([change.kind, change.code, change.fields, change.address]);
}
