import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import { importSheets, importText, sheet } from './testing/tables.ts';

// Tables as the simulator writes and reads them from which many users come.
const EXPORTED = [
  '从机地址',
  '地址',
  '16进制地址',
  '功能码',
  '测点名称',
  '测点编码',
  '测点值',
  '16进制测点值',
  '乘积系数',
  '加法系数',
  '帧类型',
];
const CSV = '从机地址,地址,位,功能码,测点名称,测点编码,测点值,测点值(16进制),乘法系数,加法系数,帧类型';
const YX = ['测点编码', '测点名称', '从机地址', '寄存器地址', '功能码', '解析码', '位偏移', '是否反转', '是否告警', '告警类型'];

const facts = (points: Awaited<ReturnType<typeof importText>>['points']) =>
  points.map(({ code, frame_type, slave_id, address, func_code, bit, mul_coe }) => [
    code,
    frame_type,
    slave_id,
    address,
    func_code,
    bit,
    mul_coe,
  ]);

describe('a workbook of that system', () => {
  it('has a sheet a device with a table for each type, one below the other', async () => {
    const { points, errors, warnings } = await importSheets([
      sheet(
        '主机1',
        [
          ['遥测'],
          EXPORTED,
          [1, 0, '0x0', 3, '电压', 'U', 2301, '0x8FD', 0.1, 0, '遥测'],
          [1, 2, '0x2', 4, '电流', 'I', 0, '0x0', 0.01, 0, '遥测'],
          [],
          ['遥信'],
          EXPORTED,
          [1, 256, '0x100', 1, '运行', 'RUN', 0, '0x0', '', '', '遥信'],
          [],
        ],
        { merges: [{ startRow: 0, endRow: 0, startColumn: 0, endColumn: 10 }] },
      ),
      sheet('电池簇2', [['遥测'], EXPORTED, [2, 0, '0x0', 3, 'SOC', 'SOC', 0, '0x0', 0.1, 0, '遥测'], []]),
    ]);
    expect(errors).toEqual([]);
    expect(facts(points).toSorted()).toEqual([
      ['I', FrameType.yc, 1, 2, 4, null, 0.01],
      ['RUN', FrameType.yx, 1, 256, 1, null, 1],
      ['SOC', FrameType.yc, 2, 0, 3, null, 0.1],
      ['U', FrameType.yc, 1, 0, 3, null, 0.1],
    ]);
    expect(points.map(({ note }) => note)).toEqual(['', '', '', '']);
    expect(warnings).toEqual(['columns_left_out 主机1!C2', 'columns_left_out 主机1!C7', 'columns_left_out 电池簇2!C2']);
  });

  it('is refused where nothing says what a table has', async () => {
    const cut = EXPORTED.slice(0, 8);
    const { errors } = await importSheets([
      sheet('主机1', [['遥测'], cut, [1, 0, '0x0', 3, '电压', 'U', 0, ''], [], cut, [1, 1, '0x1', 3, '电流', 'I', 0, '']]),
    ]);
    expect(errors).toEqual(['type_unknown 主机1']);
  });
});

describe('a csv of that system', () => {
  it('has rows of measurements without the cell of the bit, and empty rows', async () => {
    const { points, errors, warnings } = await importText(
      [
        CSV,
        '1,0,3,电压,U,2301,0x8FD,0.1,0,遥测',
        '1,2,4,电流,I,0,0x0,0.01,0,遥测',
        '',
        '1,256,0,1,运行,RUN,0,0x0,,,遥信',
        '1,9,3,3,故障,FAULT,0,0x0,,,遥信',
      ].join('\n'),
    );
    expect(errors).toEqual([]);
    expect(facts(points)).toEqual([
      ['U', FrameType.yc, 1, 0, 3, null, 0.1],
      ['I', FrameType.yc, 1, 2, 4, null, 0.01],
      ['RUN', FrameType.yx, 1, 256, 1, null, 1],
      ['FAULT', FrameType.yx, 1, 9, 3, 3, 1],
    ]);
    expect(warnings).toEqual(['bit_cells_missing', 'columns_left_out G1', 'setting_invalid C5']);
  });
});

describe('bits of coils', () => {
  const rows = [YX, ['RUN', '运行', 1, '0x0100', 1, '0x20', 0, 0, 0, 0], ['FAULT', '故障', 1, '0x0100', 1, '0x20', 1, 0, 1, 3]];

  it('other than 0 are an error that somebody decides about', async () => {
    const { errors, points } = await importSheets([sheet('遥信', rows)]);
    expect([errors, points.map(({ code }) => code)]).toEqual([['bit_invalid 遥信!G3'], ['RUN']]);
  });

  it.each([
    ['leave', 256, 'bit_left_out'],
    ['address', 257, 'bit_as_address'],
  ] as const)('are taken as asked: %s', async (bits, address, rule) => {
    const { errors, points, warnings } = await importSheets([sheet('遥信', rows)], { bits });
    expect(errors).toEqual([]);
    expect(points.map((point) => [point.code, point.address, point.bit])).toEqual([
      ['RUN', 256, null],
      ['FAULT', address, null],
    ]);
    expect(warnings).toContain(`${rule} 遥信!G3`);
  });

  it('of registers stay what they are', async () => {
    const { points } = await importSheets([sheet('遥信', [YX, ['A', '', 1, 9, 3, '0x20', 5, 0]])], { bits: 'address' });
    expect(points.map((point) => [point.address, point.bit])).toEqual([[9, 5]]);
  });
});
