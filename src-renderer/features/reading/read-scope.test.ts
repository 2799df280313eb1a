import { beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_VIEW } from '../points/points-store.ts';
import { aPoint, fakeService } from '../testing/fake-service.ts';
import { MOST_NAMED, manualConfig, readScope, type TableScope } from './read-scope.ts';
import { configOf, DEFAULT_DRAFT, type ReadDraft } from './task-config.ts';

const KEYS = [
  { frame_type: 0, id: 7 },
  { frame_type: 1, id: 9 },
] as const;
const ROWS = [aPoint({ id: 7 }), aPoint({ id: 9, frame_type: 1 })];

const table = (view: Partial<TableScope['view']> = {}, ticked: TableScope['ticked'] = []): TableScope => ({
  ticked,
  view: { ...DEFAULT_VIEW, ...view },
});

function ask(change: Partial<ReadDraft>, scope: TableScope | null) {
  const config = configOf({ ...DEFAULT_DRAFT, ...change });
  if (!config) throw new Error('the draft is out of bounds');
  return manualConfig(1, config, scope);
}

let total = ROWS.length;
let service: ReturnType<typeof fakeService>;
beforeEach(() => {
  total = ROWS.length;
  service = fakeService({ pointTable: () => ({ total, items: total === 0 ? [] : ROWS }) });
});

describe('what a single round reads', () => {
  it.each([
    ['all', {}, null],
    ['all', {}, table()],
    ['filtered', { slaveId: 3 }, null],
    ['filtered', {}, table({ search: 'U' })],
    ['filtered', {}, table({ quality: 'stale' })],
    ['filtered', {}, table({ slaveId: 3 })],
    ['filtered', {}, table({ frameType: 0 })],
    ['ticked', { slaveId: 3 }, table({ search: 'U' }, KEYS)],
    ['ticked', { mode: 'dataset' }, table({}, KEYS)],
    ['dataset', { mode: 'dataset', slaveId: 3 }, table({ search: 'U' })],
  ] as const)('%s: %j', (scope, draft, shown) => {
    expect(readScope({ ...DEFAULT_DRAFT, ...draft }, shown)).toBe(scope);
  });

  it('is named by its points when rows are ticked; no filter takes one away again', async () => {
    const body = await ask(
      { slaveId: 3, category: 'a', item: 'b', pointTypes: [2], mode: 'single', pauseMs: 20 },
      table({ search: 'U' }, KEYS),
    );
    expect(body).toMatchObject({
      points: KEYS,
      slave_id: null,
      category: '',
      item: '',
      point_types: [],
      mode: 'single',
      request_interval_ms: 20,
    });
    expect(service.calls).toEqual([]);
  });

  it('reads ticked rows point by point of the table, not by data sets', async () => {
    expect(await ask({ mode: 'dataset' }, table({}, KEYS))).toMatchObject({ mode: 'batch', points: KEYS });
  });

  it('says type and slave of the table as filters of the task', async () => {
    const body = await ask({ category: 'a' }, table({ frameType: 1, slaveId: 4 }));
    expect(body).toMatchObject({ slave_id: 4, point_types: [1], category: 'a' });
    expect(body).not.toHaveProperty('points');
    expect(service.calls).toEqual([]);
  });

  it('lets both filters count: a type of the table is taken out of those of the bar', async () => {
    expect(await ask({ pointTypes: [0, 1] }, table({ frameType: 1 }))).toMatchObject({ point_types: [1] });
    expect(await ask({ pointTypes: [0] }, table({ frameType: 1 }))).toEqual({ kind: 'nothing' });
    expect(await ask({ slaveId: 4 }, table({ slaveId: 4 }))).toMatchObject({ slave_id: 4 });
    expect(await ask({ slaveId: 4 }, table({ slaveId: 5 }))).toEqual({ kind: 'nothing' });
  });

  it('names the points that a search or a quality finds, beside the filters that can be said', async () => {
    const body = await ask({ category: 'a' }, table({ search: 'U', quality: 'stale', frameType: 0, sort: 'value', order: 'desc' }));
    expect(body).toMatchObject({ points: KEYS, category: 'a', point_types: [0] });
    expect(service.of('pointTable')).toEqual([
      { channel_id: '1', page: '1', page_size: '10000', sort: 'id', order: 'asc', frame_type: '0', quality: 'stale', search: 'U' },
    ]);
  });

  it('reads nothing when nothing is found, or more than can be named', async () => {
    total = 0;
    expect(await ask({}, table({ search: 'U' }))).toEqual({ kind: 'nothing' });
    total = MOST_NAMED + 1;
    expect(await ask({}, table({ search: 'U' }))).toEqual({ kind: 'tooMany', total: 10_001 });
  });

  it('reads data sets whole, whatever the table shows', async () => {
    expect(await ask({ mode: 'dataset', item: 'ds' }, table({ search: 'U', slaveId: 4 }))).toMatchObject({
      mode: 'dataset',
      item: 'ds',
      slave_id: null,
    });
  });
});
