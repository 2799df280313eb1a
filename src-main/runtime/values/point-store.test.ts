import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import type { PointConfig, PointReading } from '../../drivers/spi/index.ts';
import { testPoint } from '../../drivers/testing/points.ts';
import { ChangeCounter } from './change-counter.ts';
import { ColumnPointStore } from './point-store.ts';

const point = (id: number, changes: Partial<PointConfig> = {}) =>
  testPoint({ id, name: `点 ${id}`, address: id, decode: '0x41', unit: 'V', ...changes });
const value = (pointId: number, number: number): PointReading => ({
  kind: 'value',
  pointId,
  value: number,
  valueText: 'on',
  raw: Uint8Array.of(0, 0x0c),
  quality: 'good',
  flags: ['NT'],
  sourceTime: 77,
});
const failure = (pointId: number, error: AppError): PointReading => ({ kind: 'failure', pointId, error });
const TIMEOUT = new AppError('TIMEOUT_RESPONSE', quoted('Slave 1 did not answer within 1000 ms.'));
const REFUSED = new AppError('DEVICE_EXCEPTION', quoted('The device refused with exception 2.'));

function storeOf(...points: PointConfig[]): ColumnPointStore {
  const store = new ColumnPointStore();
  store.add(points);
  return store;
}

describe('readings in the point store', () => {
  it('keep the last good value and its time when a read fails, and clear the error with the next value', () => {
    const store = storeOf(point(1));
    store.apply([value(1, 12)], 1000);
    const good = store.state(1);
    expect(good).toEqual({
      value: 12,
      valueText: 'on',
      rawHex: '000C',
      quality: 'good',
      flags: ['NT'],
      sourceTime: 77,
      detail: null,
      updatedAt: 1000,
      error: null,
    });
    store.apply([failure(1, TIMEOUT)], 2000);
    expect(store.state(1)).toEqual({ ...good, quality: 'stale', error: TIMEOUT.said });
    store.apply([failure(1, REFUSED)], 3000);
    expect(store.state(1)).toMatchObject({ value: 12, quality: 'invalid', updatedAt: 1000, error: REFUSED.said });
    store.apply([value(1, 13)], 4000);
    expect(store.state(1)).toMatchObject({ value: 13, quality: 'good', updatedAt: 4000, error: null });
  });

  it('without any answer leave a point never read, with value 0, no time, and the reason', () => {
    const store = storeOf(point(1), point(2));
    store.apply([failure(1, TIMEOUT), failure(2, REFUSED)], 1000);
    store.apply([failure(1, TIMEOUT)], 2000);
    expect([store.state(1), store.state(2)]).toMatchObject([
      { value: 0, quality: 'never', updatedAt: null, error: TIMEOUT.said },
      { value: 0, quality: 'invalid', updatedAt: null, error: REFUSED.said },
    ]);
    store.markAllStale(quoted('The channel is stopped.'));
    expect(store.state(1)).toMatchObject({ quality: 'never', error: TIMEOUT.said });
  });

  it('make stale only what was good once: neither a refusal nor a value the device marks invalid', () => {
    const store = storeOf(point(1), point(2), point(3));
    const bad: PointReading = { ...value(2, 7), quality: 'invalid' } as PointReading;
    store.apply([failure(1, REFUSED), value(2, 5), value(3, 5)], 1000);
    store.apply([bad, failure(3, REFUSED)], 2000);
    store.apply([failure(1, TIMEOUT), failure(2, TIMEOUT), failure(3, TIMEOUT)], 3000);
    expect([1, 2, 3].map((id) => store.state(id))).toMatchObject([
      { value: 0, quality: 'invalid', error: TIMEOUT.said },
      { value: 7, quality: 'invalid', error: TIMEOUT.said },
      { value: 5, quality: 'stale', error: TIMEOUT.said },
    ]);
    store.markAllStale(quoted('The connection was lost.'));
    expect([1, 2, 3].map((id) => store.state(id)?.quality)).toEqual(['invalid', 'invalid', 'stale']);
  });

  it('raise the revision once a batch, and not for unknown points', () => {
    const store = storeOf(point(1), point(2));
    store.apply([value(1, 1), value(2, 2)], 1);
    expect(store.valueRevision).toBe(1);
    store.apply([value(9, 1)], 2);
    store.apply([], 3);
    expect(store.valueRevision).toBe(1);
  });

  it('never show a number that JSON has not', () => {
    const store = storeOf(point(1));
    store.apply([value(1, Number.NaN)], 1);
    expect(store.state(1)).toMatchObject({ value: 0, quality: 'invalid' });
  });

  it('become stale together when the line is lost; unread ones stay unread', () => {
    const store = storeOf(point(1), point(2));
    store.apply([value(1, 5)], 1);
    store.markAllStale(quoted('The connection was lost.'));
    expect(store.state(1)).toMatchObject({ value: 5, quality: 'stale', error: quoted('The connection was lost.'), updatedAt: 1 });
    expect(store.state(2)).toMatchObject({ quality: 'never', error: null, updatedAt: null });
  });
});

describe('an edit of how a point is read', () => {
  const NEVER = { value: 0, valueText: '', rawHex: '', quality: 'never', flags: [], sourceTime: null, updatedAt: null, error: null };
  const detail = { cause: { code: 3, name: 'spontaneous' }, sourceTimeText: '25:00' };

  it.each([
    { frame_type: 1 },
    { slave_id: 2 },
    { address: 9 },
    { func_code: 4 },
    { decode: '0x40' },
    { mul_coe: 0.1 },
    { add_coe: -40 },
    { bit: 3 },
    { reverse: true },
    { reference: 'LD0/MMXU1.A' },
    { protocol: { type_id: 13 } },
  ] as const)('makes it one that was never read: %j', (changes) => {
    const store = storeOf(point(1), point(2));
    store.apply([{ ...value(1, 12), detail, raw: new Uint8Array(12) } as PointReading, value(2, 12)], 1000);
    store.apply([failure(1, TIMEOUT)], 2000);
    store.update(point(1, changes));
    expect(store.state(1)).toEqual({ ...NEVER, detail: null });
    expect(store.state(2)).toMatchObject({ value: 12, quality: 'good' });
    expect([store.takeRenewed(), store.takeRenewed()]).toEqual([[1], []]);
  });

  it.each([
    { name: 'x' },
    { code: 'x' },
    { unit: 'kW' },
    { min_limit: 1, max_limit: 2 },
    { category: 'x', item: 'y' },
    { related_code: 'x', command_type: 'pulse', note: 'x' },
    { protocol: { enum_texts: { 0: 'off' } } },
  ] as const)('is not what %j is', (changes) => {
    const store = storeOf(point(1));
    store.apply([value(1, 12)], 1000);
    const before = store.state(1);
    store.update(point(1, changes));
    expect(store.state(1)).toEqual(before);
    expect(store.takeRenewed()).toEqual([]);
  });

  it('drops what was planned before it, values and failures', () => {
    const store = storeOf(point(1), point(2));
    const plannedAt = store.readingRevision;
    store.update(point(1, { address: 9 }));
    store.apply([value(1, 5), value(2, 5), failure(1, REFUSED)], 1000, plannedAt);
    expect([store.state(1)?.quality, store.state(2)?.quality]).toEqual(['never', 'good']);
    expect([store.isReadSince(1, plannedAt), store.isReadSince(2, plannedAt), store.isReadSince(3, plannedAt)]).toEqual([
      false,
      true,
      false,
    ]);
    store.apply([value(1, 6)], 2000, store.readingRevision);
    expect(store.state(1)).toMatchObject({ value: 6, quality: 'good' });
  });

  it('is also a point that was deleted and is there again under its id, though it looks the same', () => {
    const store = storeOf(point(1));
    const plannedAt = store.readingRevision;
    store.remove([1]);
    store.add([point(1)]);
    store.apply([value(1, 5)], 1000, plannedAt);
    expect(store.state(1)?.quality).toBe('never');
  });
});

describe('edits of the point store', () => {
  it('keep texts right while many long notes are replaced', () => {
    const store = storeOf(point(1), point(2, { note: 'stays' }), point(3));
    for (let round = 0; round < 300; round++)
      store.update(point(1 + (round % 2) * 2, { note: `${round}`.repeat(1000), code: `C${round}` }));
    store.remove([1]);
    expect(store.config(2)).toEqual(point(2, { note: 'stays' }));
    expect(store.config(3)).toEqual(point(3, { note: '299'.repeat(1000), code: 'C299' }));
    expect([store.byCode('C299'), store.byCode('C298'), store.byCode('P2')]).toEqual([3, undefined, 2]);
    expect(store.page({ search: 'c29' }, 'name', 'asc', 0, 5)).toEqual({ total: 1, ids: [3] });
  });

  it('start anew after everything was removed', () => {
    const store = storeOf(point(1, { category: 'a' }));
    store.page({ category: 'a' }, 'id', 'asc', 0, 5);
    store.remove([1]);
    store.add([point(4, { category: 'b' })]);
    expect(store.page({ category: 'a' }, 'id', 'asc', 0, 5)).toEqual({ total: 0, ids: [] });
    expect(store.page({ category: 'b' }, 'id', 'asc', 0, 5)).toEqual({ total: 1, ids: [4] });
    expect(store.configs()).toEqual([point(4, { category: 'b' })]);
  });

  it('answer a page past the end with no rows and the right total', () => {
    const store = storeOf(point(1), point(2));
    for (const sort of ['id', 'code', 'value'] as const) {
      expect(store.page({}, sort, 'asc', 50, 50)).toEqual({ total: 2, ids: [] });
    }
  });
});

describe('changes of the point store', () => {
  it('are none where a point is read again and is as it was, whatever the time', () => {
    const changes = new ChangeCounter();
    const store = new ColumnPointStore(changes);
    store.add([point(1), point(2)]);
    store.apply([value(1, 12), value(2, 3)], 1000);
    store.apply([failure(2, TIMEOUT)], 1500);
    const mark = changes.last;
    store.apply([value(1, 12), failure(2, TIMEOUT)], 2000);
    expect(store.changedSince(mark)).toEqual([]);
    expect(store.state(1)?.updatedAt).toBe(2000);
    store.apply([{ ...value(1, 12), sourceTime: 78 } as PointReading], 3000);
    expect(store.changedSince(mark)).toEqual([1]);
    expect(store.changedSince(mark, new Set([1]))).toEqual([]);
  });

  it('are visited in parts, with what was read again since a time', () => {
    const changes = new ChangeCounter();
    const store = new ColumnPointStore(changes);
    store.add([point(1), point(2), point(5), point(9)]);
    store.apply([value(1, 12), value(2, 3), value(9, 4)], 1000);
    const mark = changes.last;
    store.apply([value(2, 3)], 2000);
    store.apply([failure(9, TIMEOUT)], 2500);
    const visit = (change: number, readAt: number, rows: number) => {
      const seen: number[][] = [];
      const ends: (number | null)[] = [];
      for (let afterId: number | null = 0; afterId !== null; ends.push(afterId)) {
        afterId = store.visit({ afterId, rows, change, readAt }, (...one) => seen.push(one));
      }
      return { seen, ends };
    };
    expect(visit(mark, Number.POSITIVE_INFINITY, 10)).toEqual({ seen: [[9, 4, 2, 1000]], ends: [null] });
    expect(visit(mark, 2000, 3)).toEqual({
      seen: [
        [2, 3, 1, 2000],
        [9, 4, 2, 1000],
      ],
      ends: [5, null],
    });
    expect(visit(0, Number.POSITIVE_INFINITY, 1).seen.map(([id]) => id)).toEqual([1, 2, 5, 9]);
  });

  it('of a table that lost more points than are remembered cannot be told', () => {
    const changes = new ChangeCounter();
    const store = new ColumnPointStore(changes);
    store.add(Array.from({ length: 30_000 }, (_, index) => point(index + 1)));
    store.remove([1]);
    const mark = changes.last;
    store.remove([2]);
    expect(store.deletedSince(mark)).toEqual([2]);
    store.remove(Array.from({ length: 20_000 }, (_, index) => index + 3));
    expect(store.deletedSince(mark)).toBeNull();
    expect(store.deletedSince(changes.last)).toEqual([]);
  });
});
