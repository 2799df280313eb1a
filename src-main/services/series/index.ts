import { MOST_SERIES, MOST_SERIES_TOTAL, type Series } from '#shared/contract/simulation.ts';
import { AppError, invalidField } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { SeriesNumbers, StoredSeries } from '../../persistence/repositories.ts';
import { Turns } from '../../platform/turns.ts';
import { periodOf } from '../../runtime/simulation/series.ts';
import { requireSession } from '../expectation.ts';
import type { Handlers } from '../handlers.ts';
import type { PointChanger } from '../point-changes/point-changer.ts';
import type { ProjectSession, ServiceDeps } from '../ports.ts';
import { captureHandlers, nameOf } from './captures.ts';
import type { SeriesLine } from './series-file.ts';

const ROWS_A_LOOK = 500;

/** Files of recorded values that simulated points follow. */
export function seriesHandlers(
  deps: ServiceDeps,
  changer: PointChanger,
): Pick<Handlers, 'listSeries' | 'addSeries' | 'removeSeries' | 'lookCapture' | 'takeCapture' | 'lookKept' | 'takeKept'> {
  /** Stores it, in the place of one with the same name. */
  const keep = (session: ProjectSession, name: string, numbers: SeriesNumbers): Series => {
    if (name === '') throw invalidField('name', say('simulation.series_name'));
    requireSession(session, deps.projects.current().id);
    const others = session.store.series.list().filter((each) => each.name !== name);
    if (others.length >= MOST_SERIES) throw new AppError('STATE_CONFLICT', say('simulation.series_many', { most: MOST_SERIES }));
    const count = valuesIn(others) + numbers.times.length * numbers.columns.size;
    if (count > MOST_SERIES_TOTAL) {
      throw new AppError('STATE_CONFLICT', say('simulation.series_full', { count, most: MOST_SERIES_TOTAL }));
    }
    session.series.write(name, numbers);
    const stored = session.store.series.list().find((each) => each.name === name);
    if (!stored) throw new AppError('CONFIG_NOT_FOUND', say('simulation.series_none', { name }));
    return seriesRow(session, stored);
  };
  return {
    ...captureHandlers(deps, changer, keep),
    listSeries: () => {
      const session = deps.projects.current();
      return { items: session.store.series.list().map((stored) => seriesRow(session, stored)) };
    },
    async addSeries({ name: asked, file }) {
      const session = deps.projects.current();
      const lines = await deps.tables.series(new Uint8Array(await file.arrayBuffer()));
      return keep(session, asked ?? nameOf(file.name), await numbersOf(lines));
    },
    removeSeries({ name }) {
      if (!deps.projects.current().series.remove(name)) throw new AppError('CONFIG_NOT_FOUND', say('simulation.series_none', { name }));
      return { removed: true };
    },
  };
}

function valuesIn(series: readonly StoredSeries[]): number {
  return series.reduce((sum, { rows, columns }) => sum + rows * columns.length, 0);
}

function seriesRow({ series }: Pick<ProjectSession, 'series'>, { name, rows, columns }: StoredSeries): Series {
  const numbers = series.find(name);
  return { name, rows, seconds: numbers ? periodOf(numbers) : 0, columns: columns.map((column) => ({ ...column })) };
}

async function numbersOf([names = [], ...rows]: readonly SeriesLine[]): Promise<SeriesNumbers> {
  const turns = new Turns();
  const times = new Float64Array(rows.length);
  const columns = names.map((name): [string, Float64Array] => [String(name), new Float64Array(rows.length)]);
  for (const [at, row] of rows.entries()) {
    if (at % ROWS_A_LOOK === 0) await turns.breathe();
    times[at] = Number(row[0]);
    for (const [place, [, numbers]] of columns.entries()) numbers[at] = (row[place + 1] as number | null) ?? Number.NaN;
  }
  return { times, columns: new Map(columns) };
}
