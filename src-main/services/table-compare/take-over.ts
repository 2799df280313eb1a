import type { NewPoint } from '#shared/contract/points.ts';
import type { DifferenceKind } from '#shared/contract/table-compare.ts';
import { AppError, invalidField } from '#shared/domain/errors.ts';
import { type PointFieldKey, pointFieldsWhere } from '#shared/domain/point-fields.ts';
import { firstOf, say } from '#shared/messages/index.ts';
import type { NormalPoint, PointConfig } from '../../drivers/spi/index.ts';
import { Turns } from '../../platform/turns.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import type { CallContext } from '../handlers.ts';
import type { PointOp } from '../point-changes/change-plan.ts';
import { POINTS_A_LOOK } from '../point-changes/code-rules.ts';
import type { PointChanger } from '../point-changes/point-changer.ts';
import { takeName } from '../point-changes/step-name.ts';
import { isSamePoint } from '../point-changes/step-turn.ts';
import type { PointChanges } from '../point-drafts.ts';
import { type Comparison, type DifferenceRow, type KeptPoint, ROWS_A_LOOK, targetOf } from './comparison.ts';

/** Codes of changed points that a refusal names. */
const MOST_NAMED = 1_000;

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
  const turns = new Turns();
  const rows = await chosenRows(comparison, { codes, kinds }, turns);
  const ops: PointOp[] = [];
  /** Row of each change. */
  const owners: DifferenceRow[] = [];
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_A_LOOK === 0) await turns.breathe();
    for (const op of opsOf(row)) {
      ops.push(op);
      owners.push(row);
    }
  }
  const at = new Map(codes?.map((code, index) => [code, index]));
  const request = {
    channel,
    ops,
    pathOf: (index: number) => pathOfRow(owners[index], at),
    placeOfAll: codes ? 'codes' : 'kinds',
    context,
    requireStill: (inTurn: Turns) => requireStill(comparison, channel, rows, inTurn),
  };
  const count = (kind: PointOp['op']) => ops.reduce((sum, { op }) => (op === kind ? sum + 1 : sum), 0);
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

async function chosenRows({ rows }: Comparison, { codes, kinds }: Chosen, turns: Turns): Promise<DifferenceRow[]> {
  if ((codes === undefined) === (kinds === undefined)) throw invalidField('codes', say('table.codes_or_kinds'));
  const wanted = codes && new Set(codes);
  const found: DifferenceRow[] = [];
  const faulty: string[] = [];
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_A_LOOK === 0) await turns.breathe();
    if (wanted ? !wanted.delete(row.code) : !kinds?.includes(row.kind)) continue;
    if (row.kind === 'faulty') faulty.push(`"${row.code}"`);
    else found.push(row);
  }
  const missing = [...(wanted ?? [])].map((code) => `"${code}"`);
  if (missing.length > 0) throw invalidField('codes', say('table.no_difference', { codes: firstOf(missing) }));
  if (codes && faulty.length > 0) throw invalidField('codes', say('table.faulty_rows', { codes: firstOf(faulty) }));
  if (found.length === 0) throw invalidField(codes ? 'codes' : 'kinds', say('table.nothing_to_take'));
  return found;
}

/** The points of the rows have to be as they were compared, on both sides. */
async function requireStill({ after }: Comparison, channel: ChannelRuntime, rows: readonly DifferenceRow[], turns: Turns): Promise<void> {
  const there = after.of === 'channel' ? after.channel : null;
  const codes: string[] = [];
  for (const [index, { code, before: was, after: is }] of rows.entries()) {
    if (index % POINTS_A_LOOK === 0) await turns.breathe();
    if (!isStill(channel, was) || (there && !isStill(there, is))) codes.push(code);
  }
  if (codes.length === 0) return;
  const said = say('table.compared_changed', { points: firstOf(codes.map((code) => `"${code}"`)) });
  throw new AppError('STATE_CONFLICT', said, { data: { codes: codes.slice(0, MOST_NAMED) } });
}

function isStill({ points }: ChannelRuntime, kept: KeptPoint | null): boolean {
  return kept?.id == null || isSamePoint(points.config(kept.id), kept.point as PointConfig);
}
