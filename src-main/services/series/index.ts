import { NewPoint } from '#shared/contract/points.ts';
import { MOST_SERIES, MOST_SERIES_TOTAL, type Series } from '#shared/contract/simulation.ts';
import { AppError, invalidField } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Conversation } from '../../capture/conversations.ts';
import type { CapturedPlace, ProtocolDriver, ReadFinder } from '../../drivers/spi/index.ts';
import type { SeriesNumbers, StoredSeries } from '../../persistence/repositories.ts';
import { Turns } from '../../platform/turns.ts';
import { periodOf } from '../../runtime/simulation/series.ts';
import { requireSession } from '../expectation.ts';
import type { Handlers } from '../handlers.ts';
import type { ProjectSession, ServiceDeps } from '../ports.ts';
import { isoTime } from '../rows.ts';
import { captureSeries, lookIntoCapture, type Understanding } from './capture-series.ts';
import type { SeriesLine } from './series-file.ts';

const ROWS_A_LOOK = 500;

/** Files of recorded values that simulated points follow. */
export function seriesHandlers(
  deps: ServiceDeps,
): Pick<Handlers, 'listSeries' | 'addSeries' | 'removeSeries' | 'lookCapture' | 'takeCapture'> {
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
    listSeries: () => {
      const session = deps.projects.current();
      return { items: session.store.series.list().map((stored) => seriesRow(session, stored)) };
    },
    async addSeries({ name: asked, file }) {
      const session = deps.projects.current();
      const lines = await deps.tables.series(new Uint8Array(await file.arrayBuffer()));
      return keep(session, asked ?? nameOf(file.name), await numbersOf(lines));
    },
    async lookCapture({ file }) {
      const { conversations, passedOver } = await lookIntoCapture(new Uint8Array(await file.arrayBuffer()), new Turns());
      return { conversations: conversations.map(conversationRow), passed_over: passedOver };
    },
    async takeCapture({ conversation = 0, name: asked, once = 'false', protocol_type: wanted, file }) {
      const session = deps.projects.current();
      const drivers = deps.drivers.all.filter(({ descriptor }) => wanted === undefined || descriptor.protocolType === wanted);
      const octets = new Uint8Array(await file.arrayBuffer());
      const { numbers, places, reads, driver, settings } = await captureSeries(
        octets,
        conversation,
        (form) => drivers.flatMap((each) => ({ driver: each, finder: each.capturedReads?.(form) ?? null })).filter(isWay),
        new Turns(),
      );
      // the texts of a formula have no escapes
      const name = (asked ?? nameOf(file.name)).replace(/["\\]/g, '_');
      const series = keep(session, name, numbers);
      const points = places.map((place) => {
        const point = pointOf(name, place, once === 'true');
        // what a master asked for later was there before; what a device tells by itself was not told yet
        const first = driver.descriptor.reportsChanges
          ? undefined
          : numbers.columns.get(place.column)?.find((value) => !Number.isNaN(value));
        return first === undefined ? point : { ...point, protocol: { ...point.protocol, start_value: first } };
      });
      return { series, reads, protocol_type: driver.descriptor.protocolType, protocol: { ...settings }, points };
    },
    removeSeries({ name }) {
      if (!deps.projects.current().series.remove(name)) throw new AppError('CONFIG_NOT_FOUND', say('simulation.series_none', { name }));
      return { removed: true };
    },
  };
}

function conversationRow({ rolesBy, firstNs, lastNs, ...found }: Conversation, index: number) {
  const { carrier, master, device, line, packets, gaps } = found;
  const timeOf = (ns: bigint | null) => (ns === null ? null : isoTime(Number(ns / 1_000_000n)));
  return { index, carrier, master, device, line, roles_by: rolesBy, packets, gaps, from: timeOf(firstNs), to: timeOf(lastNs) };
}

function isWay(way: { readonly driver: ProtocolDriver; readonly finder: ReadFinder | null }): way is Understanding<ProtocolDriver> {
  return way.finder !== null;
}

/** A point that serves a column; its address is as it travels. */
function pointOf(name: string, { column, point }: CapturedPlace, isOnce: boolean): NewPoint {
  const simulate = `series("${name}", "${column}", "hold"${isOnce ? ', "once"' : ''})`;
  return NewPoint.parse({ ...point, protocol: { ...point.protocol, simulate } });
}

function valuesIn(series: readonly StoredSeries[]): number {
  return series.reduce((sum, { rows, columns }) => sum + rows * columns.length, 0);
}

function seriesRow({ series }: Pick<ProjectSession, 'series'>, { name, rows, columns }: StoredSeries): Series {
  const numbers = series.find(name);
  return { name, rows, seconds: numbers ? periodOf(numbers) : 0, columns: columns.map((column) => ({ ...column })) };
}

/** A file name without folders and ending. */
function nameOf(file: string): string {
  return (file.split(/[\\/]/).at(-1) ?? '')
    .replace(/\.[^.]*$/, '')
    .trim()
    .slice(0, 100);
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
