import type { InputOf } from '#shared/contract/index.ts';
import { api } from '../../api/client.ts';
import { type PointsView, tableQuery } from '../points/points-store.ts';
import type { PointKey } from '../points/table-scope.ts';
import { type configOf, countFilters, type ReadDraft } from './task-config.ts';

/** Most points that are read by name for a filter which a read task cannot say itself. */
export const MOST_NAMED = 10_000;

type TaskConfig = NonNullable<ReturnType<typeof configOf>>;
type ManualConfig = Omit<InputOf<'manualRead'>, 'device_name'>;

/** What the point table in sight adds to a read; null while it is not on the screen. */
export interface TableScope {
  readonly ticked: readonly PointKey[];
  readonly view: PointsView;
}

/** What "read once" would read: the ticked rows, what passes the filters, whole data sets, or all that can be read. */
export type ReadScope = 'ticked' | 'filtered' | 'dataset' | 'all';

/** Why a scope cannot be read. */
export type ScopeProblem = { readonly kind: 'nothing' } | { readonly kind: 'tooMany'; readonly total: number };

function isNarrowed({ frameType, slaveId, quality, search }: PointsView): boolean {
  return frameType !== null || slaveId !== null || quality !== null || search !== '';
}

/** What "read once" reads now. Ticked rows come first; data sets are read whole, whatever the table shows. */
export function readScope(draft: ReadDraft, table: TableScope | null): ReadScope {
  if (table && table.ticked.length > 0) return 'ticked';
  if (draft.mode === 'dataset') return 'dataset';
  return countFilters(draft) > 0 || (table && isNarrowed(table.view)) ? 'filtered' : 'all';
}

/** Both filters have to fit: the values both allow; null where that is none. Undefined stands for "no filter". */
function both<Value>(one: Value | undefined, other: Value | undefined): Value | undefined | null {
  if (one === undefined || other === undefined) return one ?? other;
  return one === other ? one : null;
}

/** The filters of bar and table together, as far as a task can say them. */
function sayable(config: TaskConfig, view: PointsView): TaskConfig | ScopeProblem {
  const slaveId = both(config.slave_id ?? undefined, view.slaveId ?? undefined);
  const isTypeOut = view.frameType !== null && config.point_types.length > 0 && !config.point_types.includes(view.frameType);
  if (slaveId === null || isTypeOut) return { kind: 'nothing' };
  const pointTypes = view.frameType === null ? config.point_types : [view.frameType];
  return { ...config, slave_id: slaveId ?? null, point_types: pointTypes };
}

/** The points that pass the filters of the table, by name. */
async function pointsOf(channelId: number, view: PointsView): Promise<readonly PointKey[] | ScopeProblem> {
  const query = { ...tableQuery(channelId, { ...view, sort: 'id', order: 'asc' }), page: 1, page_size: MOST_NAMED };
  const { data } = await api.call('pointTable', query);
  if (data.total > MOST_NAMED) return { kind: 'tooMany', total: data.total };
  if (data.total === 0) return { kind: 'nothing' };
  return data.items.map(({ frame_type, id }) => ({ frame_type, id }));
}

/**
 * The body of a manual read of what the screen shows as its scope. A search or a quality cannot be said by a task: the points that pass are
 * named then, `MOST_NAMED` at most. Throws when the service cannot be asked for them.
 */
export async function manualConfig(channelId: number, config: TaskConfig, table: TableScope | null): Promise<ManualConfig | ScopeProblem> {
  if (!table) return config;
  const { ticked, view } = table;
  if (ticked.length > 0) {
    const mode = config.mode === 'dataset' ? 'batch' : config.mode;
    return { ...config, mode, slave_id: null, category: '', item: '', point_types: [], points: [...ticked] };
  }
  if (config.mode === 'dataset' || !isNarrowed(view)) return config;
  const filtered = sayable(config, view);
  if ('kind' in filtered || (view.search === '' && view.quality === null)) return filtered;
  const points = await pointsOf(channelId, view);
  return 'kind' in points ? points : { ...filtered, points: [...points] };
}
