import { expect, it } from 'vitest';
import { modbusTcpDriver } from '../../drivers/modbus/driver.ts';
import type { NormalPoint, PointConfig } from '../../drivers/spi/index.ts';
import { testPoint } from '../../drivers/testing/points.ts';
import { Turns } from '../../platform/turns.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { ColumnPointStore } from '../../runtime/values/point-store.ts';
import { CHANNEL } from '../point-files/testing/tables.ts';
import { compareTables } from './compare-tables.ts';
import { isCurrent, keepOutcome, type TakenSide, targetOf } from './comparison.ts';

function stored(id: number, code: string, changes: Partial<NormalPoint> = {}): PointConfig {
  const { id: _, channel_id: __, ...plain } = testPoint({ code, name: code, address: 10 * id });
  return { ...modbusTcpDriver.normalizePoint({ ...plain, ...changes } as never, CHANNEL).point, id, channel_id: 1 };
}

function channelOf(...configs: readonly PointConfig[]) {
  const points = new ColumnPointStore();
  points.add(configs);
  return { id: 1, points } as unknown as ChannelRuntime;
}

function sideOf(channel: ChannelRuntime, of: 'channel' | 'step' = 'channel'): TakenSide {
  const points = channel.points.configs();
  const revision = channel.points.configRevision;
  return { of, name: 'PCS 1', channel, stepId: of === 'step' ? 4 : null, points, input: { of: 'points', points }, revision };
}

function fileOf(...lines: readonly string[]): TakenSide {
  const upload = { name: 'new.csv', bytes: new TextEncoder().encode(lines.join('\n')) };
  return { of: 'file', name: 'new.csv', channel: null, stepId: null, points: null, input: { of: 'file', upload }, revision: null };
}

async function compare(before: TakenSide, after: TakenSide) {
  const turns = new Turns();
  const outcome = await compareTables(before.input, after.input, { driver: modbusTcpDriver, settings: CHANNEL }, turns.breathe);
  return keepOutcome({ id: 'c', madeAt: '2026-01-01T00:00:00.000Z', driver: modbusTcpDriver }, before, after, outcome, turns);
}

it('keeps the points that differ, those of a channel by their ids and those of a file by their places', async () => {
  const channel = channelOf(stored(1, 'A'), stored(2, 'B', { unit: 'V' }), stored(3, 'C'), stored(4, 'D'), stored(5, 'E'));
  const header = '测点类型,测点编码,寄存器地址,单位';
  const comparison = await compare(
    sideOf(channel),
    fileOf(header, '遥测,A,10,', '遥测,B,20,kV', '遥测,C,none,', '遥测,D2,40,', '遥测,N,90,', '遥测,N,91,'),
  );
  const rows = comparison.rows.map(({ code, kind, before, after }) => [code, kind, before?.id, after?.place?.row, after?.id]);
  expect(rows).toEqual([
    ['B', 'changed', 2, 3, null],
    ['C', 'faulty', 3, 4, null],
    ['D', 'renamed', 4, 5, null],
    ['E', 'removed', 5, undefined, undefined],
    ['N', 'added', undefined, 6, null],
  ]);
  expect(comparison.counts).toEqual({ added: 1, removed: 1, changed: 1, renamed: 1, faulty: 1, same: 1 });
  expect(comparison.rows[0]).toMatchObject({
    matched: 'code',
    before: { point: { code: 'B', unit: 'V' }, place: null },
    after: { point: { unit: 'kV' }, place: { sheet: '', row: 3 } },
    fields: [{ field: 'unit', before: 'V', after: 'kV' }],
  });
});

it('has beside each row what is wrong with it in the file, and beside no other one', async () => {
  const header = '测点类型,测点编码,寄存器地址,乘系数';
  const file = fileOf(header, '遥测,A,10,1', '遥测,B,none,abc', '遥测,C,x,1');
  const channel = channelOf(stored(1, 'A', { mul_coe: 2 }), stored(2, 'B'));
  const faults = (rows: Awaited<ReturnType<typeof compare>>['rows']) =>
    rows.map(({ code, faults: all }) => [code, all.map(({ row }) => row)]);
  const expected = [
    ['A', []],
    ['B', [3, 3]],
    ['C', [4]],
  ];
  expect(faults((await compare(sideOf(channel), file)).rows)).toEqual(expected);
  expect(faults((await compare(file, sideOf(channel))).rows), 'whichever side the file is').toEqual(expected);
  const { before, after } = await compare(sideOf(channel), file);
  expect(before).toMatchObject({ of: 'channel', name: 'PCS 1', channel, size: 2, counts: { errors: 0 } });
  expect(after).toMatchObject({ of: 'file', name: 'new.csv', channel: null, size: 3, counts: { errors: 3 } });
});

it('holds as long as no channel of it was changed', async () => {
  const [one, other] = [channelOf(stored(1, 'A')), channelOf(stored(7, 'B'))];
  const withFile = await compare(sideOf(one), fileOf('测点类型,测点编码,寄存器地址', '遥测,A,10'));
  const both = await compare(sideOf(one, 'step'), sideOf(other));
  expect([isCurrent(withFile), isCurrent(both), both.before.stepId]).toEqual([true, true, 4]);
  other.points.remove([7]);
  expect([isCurrent(withFile), isCurrent(both)]).toEqual([true, false]);
  one.points.remove([1]);
  expect(isCurrent(withFile)).toBe(false);
});

it('can be taken over into the channel before, and into no past of it', async () => {
  const channel = channelOf(stored(1, 'A'));
  const file = fileOf('测点类型,测点编码,寄存器地址', '遥测,A,10');
  expect(targetOf(await compare(sideOf(channel), file))).toBe(channel);
  expect(targetOf(await compare(sideOf(channel, 'step'), file))).toBeNull();
  expect(targetOf(await compare(file, sideOf(channel)))).toBeNull();
});
