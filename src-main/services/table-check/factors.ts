import type { NormalPoint } from '../../drivers/spi/index.ts';
import type { Steps } from '../../platform/steps.ts';
import { type ChannelTable, type Mend, POINTS_A_STEP } from './finding.ts';
import { groupKey, LEAST_ALIKE, readAs } from './units.ts';

interface Group {
  readonly factor: number;
  count: number;
  isOne: boolean;
}

/** The factor that a point without one has to have: that of all points of like names and unit that are read alike, where there are enough of them. Alone nobody can tell it. */
export function* likeFactors({ points }: Pick<ChannelTable, 'points'>): Steps<(point: NormalPoint) => Mend | null> {
  // a table without such a point is looked through once, and no group is made
  if (!points.some(({ mul_coe }) => mul_coe === 0)) return () => null;
  const groups = new Map<string, Group>();
  for (const [at, point] of points.entries()) {
    if (at % POINTS_A_STEP === 0) yield;
    const { mul_coe: factor } = point;
    if (factor === 0) continue;
    const group = groups.get(keyOf(point));
    if (!group) groups.set(keyOf(point), { factor, count: 1, isOne: true });
    else {
      group.count += 1;
      group.isOne &&= group.factor === factor;
    }
  }
  return (point) => {
    const group = groups.get(keyOf(point));
    return group?.isOne && group.count >= LEAST_ALIKE ? { mul_coe: group.factor } : null;
  };
}

function keyOf(point: NormalPoint): string {
  return JSON.stringify([point.unit, readAs(point), groupKey(point)]);
}
