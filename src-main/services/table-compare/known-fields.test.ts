import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import { dlt645Driver } from '../../drivers/dlt645/driver.ts';
import { modbusTcpDriver } from '../../drivers/modbus/driver.ts';
import type { NormalPoint, ProtocolDriver } from '../../drivers/spi/index.ts';
import { testPoint } from '../../drivers/testing/points.ts';
import { CHANNEL } from '../point-files/testing/tables.ts';
import { writeWorkbook } from '../point-files/workbook.ts';
import { type ComparedRow, compareTables } from './compare-tables.ts';

function point(code: string, changes: Partial<NormalPoint>, driver: ProtocolDriver): NormalPoint {
  const { id: _, channel_id: __, ...plain } = testPoint({ code, name: code });
  return driver.normalizePoint({ ...plain, func_code: undefined, ...changes } as never, CHANNEL).point;
}

/** What a file with these lines says of one point: fields that differ, and the row. */
async function said(present: Partial<NormalPoint>, lines: readonly string[] | Uint8Array, driver: ProtocolDriver = modbusTcpDriver) {
  const bytes = lines instanceof Uint8Array ? lines : new TextEncoder().encode(lines.join('\n'));
  const before = { of: 'points', points: [point('A', present, driver)] } as const;
  const table = { driver, settings: CHANNEL };
  const outcome = await compareTables(before, { of: 'file', upload: { name: 'new.csv', bytes } }, table, async () => {});
  const [row] = outcome.rows as readonly (ComparedRow | undefined)[];
  return { row, fields: row?.fields.map(({ field, before: was, after: is }) => `${field} ${was}→${is}`) ?? [], after: outcome.after };
}

describe('what a row of a file says of a point', () => {
  const yk = { frame_type: FrameType.yk, func_code: 5, decode: '0x20', address: 1 } as const;

  it('is its type, also where its sheet alone says it', async () => {
    const present = { address: 1, func_code: 3, decode: '0x20' };
    expect((await said(present, ['测点类型,测点编码,寄存器地址,功能码', '遥信,A,1,3'])).fields).toContain('frame_type 0→1');
    const header = ['测点编码', '寄存器地址', '功能码'];
    const workbook = await writeWorkbook([{ name: '遥信', header, rows: [['A', 1, 3]], choices: {}, textColumns: [], isTable: false }]);
    expect((await said(present, workbook)).fields).toContain('frame_type 0→1');
  });

  it('is its related point, in whichever column that stands; none where there is no such column', async () => {
    const present = { ...yk, related_code: 'X' };
    const related = async (header: string, cell: string) => (await said(present, [`测点类型,测点编码,${header}`, `遥控,A,${cell}`])).fields;
    expect(await related('关联遥信编码', 'Y')).toEqual(['related_code X→Y']);
    expect(await related('related_code', 'Y')).toEqual(['related_code X→Y']);
    expect(await related('关联遥信编码', '')).toEqual(['related_code X→']);
    expect(await related('备注', '')).toEqual([]);
  });

  it('is its device, by number or by what stands on a meter; none where neither is a column', async () => {
    const modbus = (header: string, cell: string) => said({ address: 1, slave_id: 2 }, [`测点类型,测点编码,${header}`, `遥测,A,${cell}`]);
    expect((await modbus('从机地址', '3')).fields).toEqual(['slave_id 2→3']);
    expect((await modbus('寄存器地址', '1')).fields).toEqual([]);
    const meter = (header: string, cell: string) =>
      said({ address: 0x02010100, slave_id: 12 }, [`测点类型,测点编码,${header}`, `遥测,A,${cell}`], dlt645Driver);
    expect((await meter('表号', '000000000013')).fields).toContain('slave_id 12→13');
    expect((await meter('备注', 'x')).fields).toEqual(['note →x']);
  });

  it('are settings of its protocol, each by a column of its own or all in one', async () => {
    const present = { ...{ address: 1, decode: '0x20' }, protocol: { enum_texts: { 0: 'open', 1: 'closed' } } };
    const settings = async (headers: string, cells: string) =>
      (await said(present, [`测点类型;测点编码;${headers}`, `遥测;A;${cells}`])).fields;
    const texts = '"{""enum_texts"":{""0"":""off""}}"';
    expect(await settings('枚举文本', '0=off')).toEqual(['protocol.enum_texts 0=open;1=closed→0=off']);
    expect(await settings('protocol', texts)).toEqual(['protocol.enum_texts 0=open;1=closed→0=off']);
    expect(await settings('位宽', '')).toEqual([]);
    expect(await settings('备注', '')).toEqual([]);
  });
});

describe('a cell that nobody can read', () => {
  it('makes no difference of its own: the point is shown with what stands there now', async () => {
    const present = { address: 7, mul_coe: 0.1, unit: 'V', min_limit: 5, max_limit: null };
    const header = '测点类型,测点编码,寄存器地址,乘系数,单位,下限,上限';
    const { row, fields } = await said(present, [header, '遥测,A,none,ten,kV,low,high']);
    expect([row?.kind, fields]).toEqual(['faulty', ['unit V→kV']]);
    expect(row?.after?.point).toMatchObject({ address: 7, mul_coe: 0.1, unit: 'kV', min_limit: 5, max_limit: null });
  });

  it('of a setting leaves that setting as it is', async () => {
    const texts = { 0: 'open', 1: 'closed' };
    const present = { address: 1, decode: '0x20', protocol: { enum_texts: texts } };
    const { row, fields } = await said(present, ['测点类型,测点编码,枚举文本', '遥测,A,nothing']);
    expect([row?.kind, fields, row?.after?.point?.protocol.enum_texts]).toEqual(['faulty', [], texts]);
  });

  it('beside others leaves empty ones as their default, and of a new point nothing is known', async () => {
    const header = '测点类型,测点编码,寄存器地址,乘系数,单位';
    const { fields } = await said({ address: 7, mul_coe: 0.1, unit: 'V' }, [header, '遥测,A,7,ten,']);
    expect(fields).toEqual(['unit V→']);
    const { row } = await said({ address: 7 }, [header, '遥测,A,7,1,', '遥测,NEW,none,1,V']);
    expect([row?.kind, row?.after?.point]).toMatchObject(['faulty', { code: 'NEW', unit: 'V' }]);
  });
});
