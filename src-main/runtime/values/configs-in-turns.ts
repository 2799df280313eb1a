import type { PointConfig } from '../../drivers/spi/index.ts';
import type { PointStore, TableChange } from './point-table.ts';

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

/** All points of a table in id order as they are going to be behind a change; nobody else changes the table meanwhile. */
export async function changedConfigs(
  points: Pick<PointStore, 'size' | 'configs' | 'configRevision'>,
  { removed, changed, added, restored = [] }: TableChange,
  breathe: () => Promise<void>,
): Promise<PointConfig[]> {
  const present = await configsInTurns(points, breathe);
  const leaving = new Set(removed);
  const edited = new Map(changed.map((point) => [point.id, point]));
  const back = [...restored].sort((one, other) => one.id - other.id);
  const made: PointConfig[] = [];
  let next = 0;
  for (const [at, point] of present.entries()) {
    if (at % POINTS_A_TURN === 0) await breathe();
    for (let each = back[next]; each && each.id < point.id; each = back[next]) {
      made.push(each);
      next += 1;
    }
    if (!leaving.has(point.id)) made.push(edited.get(point.id) ?? point);
  }
  for (const rest of [back.slice(next), added]) for (const point of rest) made.push(point);
  return made;
}
