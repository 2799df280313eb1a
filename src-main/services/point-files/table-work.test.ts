import { describe, expect, it } from 'vitest';
import type { ImportReport } from '#shared/contract/point-files.ts';
import { iec104Driver } from '../../drivers/iec104/driver.ts';
import { modbusTcpDriver } from '../../drivers/modbus/driver.ts';
import type { NormalPoint, PointConfig } from '../../drivers/spi/index.ts';
import { COMMON_COLUMNS, SHEETS } from './columns.ts';
import { exportKeys, tableSheets, templateSheets } from './export-table.ts';
import { exportTable, findingsOf, importTable, unreadableFile } from './table-work.ts';
import { templateProse } from './template-prose.ts';
import { importSheets, presentTable, sheet, stored } from './testing/tables.ts';

const HEADER = '类型,测点编码,测点名称,从机地址,寄存器地址,功能码,解析码,乘系数';
const upload = (...lines: readonly string[]) => ({ name: 'plant.csv', bytes: new TextEncoder().encode([HEADER, ...lines].join('\n')) });

async function pointsOf(...rows: readonly string[]): Promise<PointConfig[]> {
  const { change } = await importTable(upload(...rows), 'merge', presentTable());
  return stored(change?.added ?? []);
}
const lines = (changes: ImportReport['changes']) =>
  changes.map(({ kind, code, name, address, decode, sheet: from, row, point_id, fields, only }) =>
    [
      kind,
      point_id,
      code,
      name,
      address,
      decode,
      `${from}:${row ?? ''}`,
      fields.map(({ field, before, after }) => `${field} ${before}→${after}`).join(),
      only,
    ]
      .map((part) => part ?? '-')
      .join(' '),
  );

describe('the report of an import', () => {
  const ROWS = [
    '遥测,U,Voltage,1,0x0000,3,0x41,0.1',
    '遥信,R,Run,1,0x0010,1,,',
    '遥测,I,Current,1,0x0002,3,0x41,0.1',
    '遥控,C,Start,1,0x0010,5,,',
    '遥调,S,Limit,1,0x0020,6,0x20,1',
  ];
  const CHANGED = ['遥测,U,Voltage L1,1,0x0000,3,0x41,0.1', '遥信,R,Run,1,0x0010,1,,', '遥测,P,Power,1,0x0004,3,0x42,1'];

  it('of new points', async () => {
    const { report, change } = await importTable(upload(...ROWS), 'preview', presentTable());
    expect(change).toBeNull();
    expect(report).toMatchObject({
      mode: 'preview',
      applied: false,
      foreign: false,
      file: { name: 'plant.csv', format: 'csv', encoding: 'utf-8', delimiter: ',' },
      errors: [],
    });
    const added = { added: 5, changed: 0, unchanged: 0, removed: 0 };
    expect(report.counts).toMatchObject({ rows: 5, yc: 2, yx: 1, yk: 1, yt: 1, errors: 0, merge: added, replace: added });
    expect(lines(report.changes)).toEqual([
      'added - U Voltage 0 0x41 int32 ABCD :2  -',
      'added - R Run 16 0x20 uint16 AB :3  -',
      'added - I Current 2 0x41 int32 ABCD :4  -',
      'added - C Start 16 0x20 uint16 AB :5  -',
      'added - S Limit 32 0x20 uint16 AB :6  -',
    ]);
  });

  it('says what merging and replacing do, what goes first', async () => {
    const table = presentTable(await pointsOf(...ROWS.slice(0, 3)));
    const { report } = await importTable(upload(...CHANGED), 'preview', table);
    expect([report.counts.merge, report.counts.replace]).toEqual([
      { added: 1, changed: 1, unchanged: 1, removed: 0 },
      { added: 1, changed: 1, unchanged: 1, removed: 1 },
    ]);
    expect(lines(report.changes)).toEqual([
      'removed 3 I Current 2 0x41 int32 ABCD :  replace',
      'changed 1 U Voltage L1 0 0x41 int32 ABCD :2 name Voltage→Voltage L1 -',
      'added - P Power 4 0x42 float32 ABCD :4  -',
    ]);
  });

  it('lists a change twice where the modes do not do the same', async () => {
    const table = presentTable(
      (await pointsOf(...ROWS.slice(0, 1))).map((point) => ({ ...point, frame_type: 1, func_code: 3, bit: 2, note: 'old' })),
    );
    const { report } = await importTable(upload('遥测,U,Voltage,1,0x0000,3,0x41,0.1'), 'preview', table);
    expect(report.changes.map(({ kind, only }) => [kind, only])).toEqual([
      ['changed', 'merge'],
      ['changed', 'replace'],
    ]);
  });

  it.each(['merge', 'replace'] as const)('comes with what is to be done: %s', async (mode) => {
    const table = presentTable(await pointsOf(...ROWS.slice(0, 3)));
    const { report, change } = await importTable(upload(...CHANGED), mode, table);
    expect([
      report.mode,
      report.applied,
      change?.added.map(({ code }) => code),
      change?.changed.map(({ id, channel_id, name }) => [id, channel_id, name]),
    ]).toEqual([mode, true, ['P'], [[1, 1, 'Voltage L1']]]);
    expect(change?.removed).toEqual(mode === 'replace' ? [3] : []);
    expect(lines(report.changes).length).toBe(mode === 'replace' ? 3 : 2);
  });

  it('of a file with errors changes nothing, and lists them as a reader finds them', async () => {
    const { report, change } = await importTable(
      upload('遥测,U,U,1,5000000,3,0x41,1', '遥测,,,1,1,3,0x41,1', '遥测,U,U,1,1,3,0x99,1'),
      'merge',
      presentTable(),
    );
    expect([change, report.applied]).toEqual([null, false]);
    expect(report.errors.map(({ rule, row }) => `${rule} ${row}`)).toEqual([
      'address_invalid 2',
      'required 3',
      'decode_unknown 4',
      'code_twice 4',
    ]);
    expect(report.counts.errors).toBe(report.errors.length);
  });

  it('lists a thousand changes of each kind', async () => {
    const many = Array.from({ length: 1_100 }, (_, at) => `遥测,P${at},P${at},1,${at},3,0x20,1`);
    const { report } = await importTable(upload(...many), 'merge', presentTable());
    expect([report.changes.length, report.counts.merge?.added]).toEqual([1_000, 1_100]);
    const points = await pointsOf(...many);
    const renamed = await importTable(upload(...many.map((row) => row.replace(/,P(\d+),1,/, ',Q$1,1,'))), 'merge', presentTable(points));
    expect([renamed.report.changes.length, renamed.report.counts.merge?.changed]).toEqual([1_000, 1_100]);
    const gone = await importTable(upload('遥测,X,X,1,0,3,0x20,1'), 'replace', presentTable(points));
    expect(gone.report.changes.map(({ kind }) => kind)).toEqual([...Array(1_000).fill('removed'), 'added']);
  });

  it('of a file that is none says why', () => {
    const { report, change } = unreadableFile({ name: 'x.xlsx', bytes: new Uint8Array() }, 'replace', 'file_unreadable', { detail: 'why' });
    expect(change).toBeNull();
    expect(report).toMatchObject({
      mode: 'replace',
      applied: false,
      foreign: false,
      file: { name: 'x.xlsx', format: null, encoding: '', delimiter: '' },
      counts: { rows: 0, yc: 0, yx: 0, yk: 0, yt: 0, errors: 1, warnings: 0, merge: null, replace: null },
      changes: [],
    });
    expect(report.errors.map(({ rule, params }) => [rule, params])).toEqual([['file_unreadable', { detail: 'why' }]]);
  });
});

describe('a table as a file', () => {
  it('names the columns of its type, and those that a point needs', async () => {
    const [u, r] = await pointsOf('遥测,U,U,1,0,3,0x41,1', '遥信,R,R,1,0,1,,');
    const points = [
      { ...u, unit: 'V' },
      { ...r, note: 'x' },
    ] as PointConfig[];
    const keys = (type: 0 | 1 | null) => exportKeys(points, modbusTcpDriver.descriptor, type);
    expect(keys(0)).toEqual([...(SHEETS[0]?.keys ?? []), 'unit']);
    expect(keys(1)).toEqual([...(SHEETS[1]?.keys ?? []), 'note']);
    expect(keys(null).map((key) => COMMON_COLUMNS.find((column) => column.key === key)?.header)).toEqual([
      ...['测点类型', '测点编码', '测点名称', '从机地址', '寄存器地址', '功能码', '解析码', '乘系数', '加系数', '上限值', '下限值'],
      ...['位偏移', '是否反转', '命令类型', '关联遥信编码', '关联遥测编码', '单位', '备注'],
    ]);
    expect(tableSheets(points, modbusTcpDriver.descriptor, 'csv')[0]?.header.includes('单位')).toBe(true);
  });

  it('offers what a cell may hold, and keeps text as it is typed', async () => {
    const [first] = tableSheets(await pointsOf('遥信,R,R,1,0,3,,'), modbusTcpDriver.descriptor, 'xlsx').slice(1);
    const at = (header: string) => first?.header.indexOf(header) ?? -1;
    expect(first?.choices[at('是否反转')]).toEqual(['是', '否']);
    expect(first?.choices[at('解析码')]).toContain('0x41');
    expect(Object.keys(first?.choices ?? {}).map(Number)).toEqual([at('解析码'), at('是否反转')].toSorted((a, b) => a - b));
    expect(first?.textColumns).toEqual(['测点编码', '测点名称', '寄存器地址', '解析码'].map(at));
    expect(first?.rows).toEqual([['R', 'R', 1, '0x0000', 3, '0x20', null, '否']]);
  });

  it('is read back as what it was', async () => {
    const points = await pointsOf('遥测,U,Voltage,1,0x0000,3,0x41,0.1', '遥控,C,Start,1,0x0010,5,,');
    for (const format of ['xlsx', 'csv'] as const) {
      const bytes = await exportTable(format, modbusTcpDriver, points);
      const { report } = await importTable({ name: `a.${format}`, bytes }, 'preview', presentTable(points));
      expect([report.file.format, report.errors, report.counts.replace]).toEqual([
        format,
        [],
        { added: 0, changed: 0, unchanged: 2, removed: 0 },
      ]);
    }
  });

  it('has what its rules find in it', async () => {
    const points = await pointsOf('遥测,U,U,1,0,3,0x41,1', '遥测,I,I,1,1,3,0x41,1');
    const steps = findingsOf(presentTable(points), new Map([[1, 20]]));
    let step = steps.next();
    while (!step.done) step = steps.next();
    expect(JSON.stringify(step.value)).toContain('overlap');
  });
});

describe('the template', () => {
  it('explains the columns of the field, each in both languages, and what an empty cell is', async () => {
    const { header, rows } = templateProse();
    expect(header).toHaveLength(4);
    expect(rows.every((row) => row.length === header.length)).toBe(true);
    const explained = rows.flatMap(([columns]) => String(columns).split(' '));
    expect(explained).toEqual(
      expect.arrayContaining(
        SHEETS.flatMap(({ keys }) => keys)
          .flatMap((key) => COMMON_COLUMNS.find((column) => column.key === key)?.header ?? [])
          .filter((name) => name !== '命令类型'),
      ),
    );
    expect(explained.filter((name) => name !== '其他列' && !COMMON_COLUMNS.some((column) => column.header === name))).toEqual([]);
    // the words of a column are there in both languages, or in none
    expect(rows.filter(([, zh, en]) => (zh === '') !== (en === ''))).toEqual([]);
    expect(
      rows.filter(([, zh]) => zh !== '').every(([, zh, en]) => /\p{Script=Han}/u.test(String(zh)) && /[a-z]{2}/.test(String(en))),
    ).toBe(true);
  });

  it('says of an empty cell what an import takes it for', async () => {
    const empty = new Map(templateProse().rows.map((row) => [row[0], String(row[3])]));
    const parts = (name: string) => (empty.get(name) ?? '').split(' · ');
    const { points } = await importSheets(
      SHEETS.map(({ name, keys }) =>
        sheet(name, [
          keys.map((key) => COMMON_COLUMNS.find((column) => column.key === key)?.header ?? ''),
          keys.map((key) => (key === 'code' ? name : key === 'address' ? 16 : null)),
        ]),
      ),
    );
    const field = (of: (point: NormalPoint) => unknown) =>
      SHEETS.map(({ frameType }) => String(points.filter((point) => point.frame_type === frameType).map(of)[0]));
    expect(field((point) => point.decode)).toEqual(parts('解析码'));
    expect(new Set(field((point) => point.slave_id))).toEqual(new Set(parts('从机地址')));
    expect(new Set(field((point) => `${point.mul_coe} · ${point.add_coe}`))).toEqual(new Set([empty.get('乘系数 加系数')]));
    expect(SHEETS.map(({ name }, at) => `${name} ${field((point) => point.func_code)[at]}`).slice(0, 3)).toEqual(
      parts('功能码').slice(0, 3),
    );
    expect(empty.get('测点名称')).toContain('同编码');
    expect([empty.get('测点编码'), empty.get('寄存器地址'), empty.get('是否反转')]).toEqual(['—', '—', '否']);
  });

  it('has the columns of the protocol', () => {
    expect(templateSheets(iec104Driver.descriptor, 'xlsx').map(({ name }) => name)).toEqual(['遥测', '遥信', '遥控', '遥调', '说明']);
    const [csv] = templateSheets(iec104Driver.descriptor, 'csv');
    expect(csv?.header).toEqual(expect.arrayContaining(['测点类型', '测点编码', '单位', '备注', '类型标识', '先选择后执行']));
    expect(csv?.rows).toEqual([]);
    expect(templateSheets(null, 'csv')[0]?.header).not.toContain('类型标识');
  });
});
