import type { NewPoint } from '#shared/contract/points.ts';
import type { DifferenceKind } from '#shared/contract/table-compare.ts';
import { AppError, invalidField } from '#shared/domain/errors.ts';
import { type PointFieldKey, pointFieldsWhere } from '#shared/domain/point-fields.ts';
import { firstOf, say } from '#shared/messages/index.ts';
import type { NormalPoint, PointConfig } from '../../drivers/spi/index.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import type { CallContext } from '../handlers.ts';
import type { PointOp } from '../point-changes/change-plan.ts';
import type { PointChanger } from '../point-changes/point-changer.ts';
import { takeName } from '../point-changes/step-name.ts';
import { isSamePoint } from '../point-changes/step-turn.ts';
import type { PointChanges } from '../point-drafts.ts';
import { type Comparison, type DifferenceRow, targetOf } from './comparison.ts';

/** Which rows are taken over. */
export interface Chosen {
  readonly codes: readonly string[] | undefined;
  readonly kinds: readonly DifferenceKind[] | undefined;
}

/** Changes of the table for one row; a point of another type is a new one. */
function opsOf({ before, after, fields }: DifferenceRow): PointOp[] {
  const gone: PointOp[] = before?.id == null ? [] : [{ op: 'delete', id: before.id, frameType: before.point.frame_type }];
  if (!after) return gone;
  const come: PointOp = { op: 'add', point: newPoint(after.point) };
  if (before?.id == null) return [come];
  if (before.point.frame_type !== after.point.frame_type) return [...gone, come];
  return [
    {
      op: 'edit',
      id: before.id,
      frameType: before.point.frame_type,
      changes: changesOf(after.point, new Set(fields.map(({ field }) => field))),
    },
  ];
}

const FIELDS = pointFieldsWhere(() => true);

function newPoint(point: NormalPoint): NewPoint {
  return Object.fromEntries(FIELDS.map((key) => [key, point[key]])) as unknown as NewPoint;
}

/** The fields that differ, as the other table has them; of the settings of the protocol all, where one of them differs. */
function changesOf(after: NormalPoint, differing: ReadonlySet<string>): PointChanges {
  const differs = (key: PointFieldKey) =>
    differing.has(key) || (key === 'protocol' && [...differing].some((field) => field.startsWith('protocol.')));
  return Object.fromEntries(FIELDS.filter((key) => key !== 'frame_type' && differs(key)).map((key) => [key, after[key]])) as PointChanges;
}

interface TakeRequest extends Chosen {
  readonly comparison: Comparison;
  readonly context: CallContext;
}

/**
 * Takes rows over, all or none, in one step of the history. Throws `STATE_CONFLICT` naming points that were changed since the comparison, and
 * `CONFIG_INVALID` for rows that cannot be taken.
 */
export async function takeOver(changer: PointChanger, { comparison, codes, kinds, context }: TakeRequest) {
  const channel = targetOf(comparison);
  if (!channel) throw new AppError('STATE_CONFLICT', say('table.take_nowhere'));
  const rows = chosenRows(comparison, { codes, kinds });
  const placed = rows.flatMap((row) => opsOf(row).map((op) => ({ op, row })));
  const ops = placed.map(({ op }) => op);
  const at = new Map(codes?.map((code, index) => [code, index]));
  const request = {
    channel,
    ops,
    pathOf: (index: number) => pathOfRow(placed[index]?.row, at),
    placeOfAll: codes ? 'codes' : 'kinds',
    context,
    requireStill: () => requireStill(comparison, channel, rows),
  };
  const count = (op: PointOp['op']) => ops.filter((each) => each.op === op).length;
  const counts = { added: count('add'), changed: count('edit'), removed: count('delete') };
  const { name } = comparison.after;
  const nameOf = takeName(name);
  // a point that gets another type is one difference
  return changer.make(
    request,
    (_, code) => nameOf(rows.length, code),
    async ({ stepId }) => ({ ...counts, step_id: stepId }),
  );
}

/** Where a refusal stands: at the code that was named. */
function pathOfRow(row: DifferenceRow | undefined, at: ReadonlyMap<string, number>): string {
  const index = row && at.get(row.code);
  return index === undefined ? `rows.${row?.code ?? ''}` : `codes.${index}`;
}

function chosenRows({ rows }: Comparison, { codes, kinds }: Chosen): DifferenceRow[] {
  if ((codes === undefined) === (kinds === undefined)) throw invalidField('codes', say('table.codes_or_kinds'));
  const byCode = new Map(rows.map((row) => [row.code, row]));
  const missing = codes?.filter((code) => !byCode.has(code)) ?? [];
  if (missing.length > 0) throw invalidField('codes', say('table.no_difference', { codes: firstOf(missing.map((code) => `"${code}"`)) }));
  const wanted = codes ? [...new Set(codes)].flatMap((code) => byCode.get(code) ?? []) : rows.filter(({ kind }) => kinds?.includes(kind));
  const faulty = wanted.filter(({ kind }) => kind === 'faulty').map(({ code }) => `"${code}"`);
  if (codes && faulty.length > 0) throw invalidField('codes', say('table.faulty_rows', { codes: firstOf(faulty) }));
  const taken = wanted.filter(({ kind }) => kind !== 'faulty');
  if (taken.length === 0) throw invalidField(codes ? 'codes' : 'kinds', say('table.nothing_to_take'));
  return taken;
}

/** The points of the rows have to be as they were compared, on both sides. */
function requireStill({ after }: Comparison, channel: ChannelRuntime, rows: readonly DifferenceRow[]): void {
  const changed = rows.filter(({ before: was, after: is }) => {
    const isOther = was?.id != null && !isSamePoint(channel.points.config(was.id), was.point as PointConfig);
    const isOtherThere =
      after.of === 'channel' && is?.id != null && !isSamePoint(after.channel?.points.config(is.id), is.point as PointConfig);
    return isOther || isOtherThere;
  });
  if (changed.length === 0) return;
  const codes = changed.map(({ code }) => code);
  const said = say('table.compared_changed', { points: firstOf(codes.map((code) => `"${code}"`)) });
  throw new AppError('STATE_CONFLICT', said, { data: { codes: codes.slice(0, 1000) } });
}
