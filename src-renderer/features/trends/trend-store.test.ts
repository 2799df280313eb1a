import { beforeEach, expect, it } from 'vitest';
import { curveKey, MOST_CURVES, type OtherService, serviceKey, type TrendPoint, trendKey, useTrendStore } from './trend-store.ts';

const GATEWAY: OtherService = { id: 3, name: 'Gateway', session: 's3', project: 'p3' };
const point = (id: number, of: OtherService | null = null): TrendPoint => ({ of, channelId: 1, frameType: 0, id });
const store = () => useTrendStore.getState();

beforeEach(() => useTrendStore.setState(useTrendStore.getInitialState(), true));

it('curves are told apart by service, project, channel, type and point', () => {
  expect(trendKey(point(7))).toBe('1:0:7');
  expect(serviceKey(null)).toBe('');
  expect(serviceKey(GATEWAY)).toBe('3 s3');
  expect(serviceKey({ ...GATEWAY, id: null })).toBe('0 s3');
  expect(curveKey(point(7))).toBe(' 1:0:7');
  expect(curveKey(point(7, GATEWAY))).toBe('3 s3 1:0:7');
});

it('a curve is shown once, and not more of them than the service answers', () => {
  expect(store()).toMatchObject({ session: null, points: [], range: { kind: 'live', seconds: 600 }, cursors: { a: null, b: null } });
  store().add('s', point(1));
  store().add('s', point(2));
  store().add('other', point(1));
  store().add('s', point(1, GATEWAY));
  expect(store()).toMatchObject({ session: 's', points: [point(1), point(2), point(1, GATEWAY)] });
  store().remove(point(1));
  expect(store().points).toEqual([point(2), point(1, GATEWAY)]);
  for (let id = 100; store().points.length < MOST_CURVES; id++) store().add('s', point(id));
  store().add('s', point(99));
  expect(store().points).toHaveLength(MOST_CURVES);
  expect(store().points).not.toContainEqual(point(99));
});

it('range and cursors are set each by itself', () => {
  store().show({ kind: 'fixed', from: 1, to: 2 });
  store().setCursor('a', 5);
  store().setCursor('b', 6);
  store().setCursor('a', null);
  expect(store()).toMatchObject({ range: { kind: 'fixed', from: 1, to: 2 }, cursors: { a: null, b: 6 } });
});

it('of another project nothing is shown; the same one keeps all, and the range stays', () => {
  store().add('s', point(1));
  store().setCursor('a', 5);
  store().show({ kind: 'fixed', from: 1, to: 2 });
  store().belongTo('s');
  expect(store()).toMatchObject({ points: [point(1)], cursors: { a: 5 } });
  store().belongTo('t');
  expect(store()).toMatchObject({ session: 't', points: [], cursors: { a: null, b: null }, range: { kind: 'fixed', from: 1, to: 2 } });
});
