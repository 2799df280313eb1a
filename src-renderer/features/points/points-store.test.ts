import { beforeEach, expect, it } from 'vitest';
import { useFramesStore } from '../frames/frames-store.ts';
import { FRAME_FILTERS } from '../frames/tail.ts';
import { DEFAULT_VIEW, filterKey, isFiltered, type PointsView, tableQuery, usePointsStore } from './points-store.ts';

const store = () => usePointsStore.getState();
const CHECK = { sessionId: 2, state: 'failed' } as const;
const FILTERS: readonly Partial<PointsView>[] = [{ frameType: 0 }, { slaveId: 0 }, { quality: 'good' }, { search: 'a' }, { check: CHECK }];

beforeEach(() => usePointsStore.setState({ views: {}, wanted: null }));

it('each channel has filters of its own, which begin with none', () => {
  expect(DEFAULT_VIEW).toEqual({ frameType: null, slaveId: null, quality: null, search: '', check: null, sort: 'id', order: 'asc' });
  store().setFilter(1, { search: 'a' });
  store().setFilter(2, { order: 'desc' });
  store().setFilter(1, { frameType: 3 });
  expect(store().views).toEqual({ 1: { ...DEFAULT_VIEW, search: 'a', frameType: 3 }, 2: { ...DEFAULT_VIEW, order: 'desc' } });
});

it('a wanted point narrows the table of its channel to it alone, until it is found', () => {
  store().setFilter(1, { frameType: 3, sort: 'code' });
  store().setFilter(2, { search: 'b' });
  store().want(1, { id: 7, code: 'YC7' });
  expect(store()).toMatchObject({ wanted: { channelId: 1, id: 7 } });
  expect(store().views).toEqual({ 1: { ...DEFAULT_VIEW, search: 'YC7' }, 2: { ...DEFAULT_VIEW, search: 'b' } });
  store().forgetWanted();
  expect(store().wanted).toBeNull();
});

it('a view asks for what it filters by, and for nothing else', () => {
  expect(tableQuery(1, DEFAULT_VIEW)).toEqual({ channel_id: 1, sort: 'id', order: 'asc' });
  const all: PointsView = { frameType: 0, slaveId: 0, quality: 'good', search: 'a', check: CHECK, sort: 'code', order: 'desc' };
  expect(tableQuery(1, all)).toEqual({
    channel_id: 1,
    sort: 'code',
    order: 'desc',
    frame_type: 0,
    slave_id: 0,
    quality: 'good',
    search: 'a',
    check_session_id: 2,
    check_state: 'failed',
  });
});

it.each(FILTERS)('%o leaves points out and makes another selection; an order does not', (change) => {
  const view = { ...DEFAULT_VIEW, ...change };
  expect(isFiltered(DEFAULT_VIEW)).toBe(false);
  expect(isFiltered(view)).toBe(true);
  expect(filterKey(view)).not.toBe(filterKey(DEFAULT_VIEW));
  expect(isFiltered({ ...DEFAULT_VIEW, sort: 'code', order: 'desc' })).toBe(false);
  expect(filterKey({ ...view, sort: 'code', order: 'desc' })).toBe(filterKey(view));
});

it('frames are filtered alike for all channels, by an expression for each', () => {
  const frames = () => useFramesStore.getState();
  expect(frames()).toMatchObject({ kinds: FRAME_FILTERS, text: '', filters: {}, wanted: null });
  frames().setKinds([]);
  frames().setText('03');
  frames().setFilter(1, 'error');
  frames().setFilter(2, 'seq > 3');
  frames().want({ seq: 9 } as never);
  expect(frames()).toMatchObject({ kinds: [], text: '03', filters: { 1: 'error', 2: 'seq > 3' }, wanted: { seq: 9 } });
  frames().want(null);
  expect(frames().wanted).toBeNull();
});
