import { describe, expect, it } from 'vitest';
import type { FrameType } from '#shared/domain/enums.ts';
import type { PointConfig } from '../../drivers/spi/index.ts';
import { importTable } from './table-work.ts';
import { pointLine, presentTable, stored } from './testing/tables.ts';

/** What rows from the clipboard become. `pasted` is the type of those that name none. */
async function paste(lines: readonly string[], pasted: FrameType | null, points: readonly PointConfig[] = []) {
  const bytes = new TextEncoder().encode(lines.join('\n'));
  const { report, change } = await importTable({ name: 'clipboard', bytes, pasted }, 'merge', presentTable(points));
  const place = ({ rule, row, params }: (typeof report.errors)[number]) =>
    [rule, row, ...Object.values(params)].filter((part) => part != null).join(' ');
  return {
    points: (change?.added ?? []).map(pointLine),
    errors: report.errors.map(place),
    warnings: report.warnings.map(place),
    isForeign: report.foreign,
  };
}

describe('pasted rows', () => {
  it('without headers have the columns of the export of their type', async () => {
    expect(await paste(['U\tVoltage\t1\t0x0000\t3\t0x41\t0.1\t0\t\t', 'I\tCurrent\t1\t0x0002\t3\t0x41\t0.01\t0\t\t'], 0)).toEqual({
      points: ['YC U "Voltage" f3 0 0x41 ×0.1', 'YC I "Current" f3 2 0x41 ×0.01'],
      errors: [],
      warnings: [],
      isForeign: false,
    });
    expect((await paste(['R\tRun\t1\t16\t1\t\t\t是'], 1)).points).toEqual(['YX R "Run" f1 16 0x20']);
  });

  it('of all types name their own', async () => {
    expect((await paste(['遥测\tU\tVoltage\t1\t0', '遥信\tR\tRun\t1\t16'], null)).points).toEqual([
      'YC U "Voltage" f3 0 0x41',
      'YX R "Run" f1 16 0x20',
    ]);
  });

  it('have the columns that points of the table need', async () => {
    const [u] = stored(
      (await importTable({ name: 'a', bytes: new TextEncoder().encode('U\tVoltage\t1\t0'), pasted: 0 }, 'merge', presentTable())).change
        ?.added ?? [],
    );
    const table = [{ ...u, unit: 'V' }] as PointConfig[];
    expect((await paste(['I\tCurrent\t1\t2\t3\t0x41\t1\t0\t\t\tA'], 0, table)).points).toEqual(['YC I "Current" f3 2 0x41 A']);
  });

  it('with cells behind the last column are told of each such column once', async () => {
    const { warnings, points } = await paste(['U\tVoltage\t1\t0\t3\t0x41\t1\t0\t\t\tx\t\ty', 'I\tCurrent\t1\t2\t3\t0x41\t1\t0\t\t\tx'], 0);
    expect([warnings, points.length]).toEqual([['column_unnamed 1 K', 'column_unnamed 1 M'], 2]);
  });

  it('with headers go by them, and leave out what a screen shows beside', async () => {
    const { points, warnings } = await paste(['测点名称\t测点编码\t寄存器地址\t真实值\t收到', 'Voltage\tU\t0\t230\t12:00'], 0);
    expect(points).toEqual(['YC U "Voltage" f3 0 0x41']);
    expect(warnings).toEqual(['columns_left_out 1 真实值, 收到']);
    expect((await paste(['测点类型\t测点编码\t寄存器地址', '遥信\tR\t5'], 0)).points).toEqual(['YX R "R" f1 5 0x20']);
    expect((await paste(['测点编码\t寄存器地址\t是否反转', 'R\t5\t否'], null)).points).toEqual(['YX R "R" f1 5 0x20']);
    expect((await paste(['测点编码\t寄存器地址', 'U\t5'], null)).errors).toEqual(['type_unknown']);
  });

  it.each<[string, readonly string[], boolean]>([
    ['headers of others', ['Register\tSignal\tType', '0\tVoltage\tuint16'], true],
    ['columns apart by blanks', ['U   Voltage   1   0', 'I   Current   1   2'], false],
    ['one word a line', ['Voltage', 'Current'], true],
    ['one word, and a row', ['Voltage', 'U\tVoltage\t1\t0'], false],
  ])('may be a list of another form: %s', async (_, lines, isForeign) => {
    expect((await paste(lines, 0)).isForeign).toBe(isForeign);
  });
});
