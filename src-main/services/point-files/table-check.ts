import type { NormalPoint, ProtocolDriver } from '../../drivers/spi/index.ts';
import type { Steps } from '../../platform/steps.ts';
import { checkTablePoints } from '../table-check/check-points.ts';
import type { IssueList } from './issues.ts';
import type { PlannedPoint } from './planned-point.ts';
import { placeOf } from './read-rows.ts';
import { relatedKey } from './row-draft.ts';

/**
 * Looks at the table that would come out by the rules of all tables; what is found at a row of the file is told there. Points that stay are looked at
 * for the sake of the rows. Hints are left to the table as it stands later.
 */
export function* checkTable(
  planned: readonly PlannedPoint[],
  staying: readonly NormalPoint[],
  driver: ProtocolDriver,
  warnings: IssueList,
): Steps<void> {
  const points = [...staying, ...planned.map(({ point }) => point)];
  const isOwn = (at: number) => at >= staying.length;
  yield* checkTablePoints({ points, driver, isOwn }, ({ rule, severity, params, at, field }) => {
    const row = planned[at - staying.length]?.row;
    if (!row || severity === 'hint') return;
    const key = field === 'related_code' ? relatedKey(row) : field;
    warnings.add(rule, params, placeOf(row.layout, row.row - 1, row.layout.columns.get(key ?? 'code')));
  });
}
