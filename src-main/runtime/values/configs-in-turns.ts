import type { PointConfig } from '../../drivers/spi/index.ts';
import type { PointStore } from './point-table.ts';

/** Points that are taken before other work gets its turn. */
const POINTS_A_TURN = 500;

/**
 * All points of a table in id order, as they are at one moment: a large table is taken bit by bit, `breathe` between the bits, and from the start
 * again when it was changed meanwhile.
 */
export async function configsInTurns(
  points: Pick<PointStore, 'size' | 'configs' | 'configRevision'>,
  breathe: () => Promise<void>,
): Promise<PointConfig[]> {
  for (;;) {
    const revision = points.configRevision;
    const taken: PointConfig[] = [];
    while (taken.length < points.size && points.configRevision === revision) {
      taken.push(...points.configs(taken.length, POINTS_A_TURN));
      if (taken.length < points.size) await breathe();
    }
    if (points.configRevision === revision) return taken;
  }
}
