import type { Steps } from '../../platform/steps.ts';
import { type LookedTable, POINTS_A_STEP, type Tell } from './finding.ts';

/** Points of one type that nobody can tell apart by their names: at the same device, and filed under the same heads. */
export function* nameRules(table: LookedTable, tell: Tell): Steps<void> {
  const first = new Map<string, number>();
  for (const [at, point] of table.points.entries()) {
    if (at % POINTS_A_STEP === 0) yield;
    const { frame_type, slave_id, category, item, name, code } = point;
    // a name that was left out is the code, which is there once
    if (name === code || name.trim() === '') continue;
    const key = JSON.stringify([frame_type, slave_id, category, item, name.trim()]);
    const twin = first.get(key);
    const other = twin === undefined ? undefined : table.points[twin];
    if (other === undefined) first.set(key, at);
    else if (table.isOwn(at)) {
      tell({ rule: 'name_twice', severity: 'hint', params: { code: other.code }, at, field: 'name', about: other.code, mend: null });
    }
  }
}
