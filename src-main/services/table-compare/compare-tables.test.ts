import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import { dlt645Driver } from '../../drivers/dlt645/driver.ts';
import { iec104Driver } from '../../drivers/iec104/driver.ts';
import { iec61850Driver } from '../../drivers/iec61850/driver.ts';
import { modbusTcpDriver } from '../../drivers/modbus/driver.ts';
import type { NormalPoint, ProtocolDriver } from '../../drivers/spi/index.ts';
import { testPoint } from '../../drivers/testing/points.ts';
import { CHANNEL } from '../point-files/testing/tables.ts';
import { writeWorkbook } from '../point-files/workbook.ts';
import { type ComparedRow, compareTables, type SideInput } from './compare-tables.ts';

const noTurns = async () => {};

function point(code: string, changes: Partial<NormalPoint> = {}, driver: ProtocolDriver = modbusTcpDriver): NormalPoint {
  const { id: _, channel_id: __, ...plain } = testPoint({ code, name: code });
  return driver.normalizePoint({ ...plain, func_code: undefined, ...changes } as never, CHANNEL).point;
}

const table = (...points: readonly NormalPoint[]): SideInput => ({ of: 'points', points });
const file = (...lines: readonly string[]): SideInput => ({
  of: 'file',
  upload: { name: 'new.csv', bytes: new TextEncoder().encode(lines.join('\n')) },
});

async function compare(before: SideInput, after: SideInput, driver: ProtocolDriver = modbusTcpDriver) {
  const outcome = await compareTables(before, after, { driver, settings: CHANNEL }, noTurns);
  const codeOf = (side: SideInput, row: ComparedRow['before']) =>
    row && (row.point ?? (side.of === 'points' ? side.points[row.at] : undefined))?.code;
  const told = outcome.rows.map((row) => {
    const codes = [codeOf(before, row.before), codeOf(after, row.after)].map((code) => code ?? '–').join(' ');
    const fields = row.fields.map((field) => `${field.field} ${field.before}→${field.after}`).join(', ');
    return `${row.kind} ${codes}${fields === '' ? '' : `: ${fields}`}`;
  });
  return { ...outcome, told };
}

describe('two tables', () => {
  it('are matched by code: added, removed, changed with each field, and those that are the same', async () => {
    const { told, same } = await compare(
      table(point('A', { address: 1 }), point('B', { address: 2, mul_coe: 0.1, unit: 'V' }), point('C', { address: 3 })),
      table(point('C', { address: 3 }), point('B', { address: 2, mul_coe: 0.01, unit: 'mV' }), point('D', { address: 9 })),
    );
    expect(told).toEqual(['removed A –', 'changed B B: mul_coe 0.1→0.01, unit V→mV', 'added – D']);
    expect(same).toBe(1);
  });

  it('then by place: a code that was changed is renamed, whatever else changed with it', async () => {
    const { told, rows } = await compare(
      table(point('A', { address: 1, name: 'Voltage' }), point('B', { address: 2, name: 'Current' })),
      table(point('U1', { address: 1, name: 'Voltage', decode: '0x21' }), point('B', { address: 2, name: 'Current' })),
    );
    expect(told).toEqual(['renamed A U1: code A→U1, decode 0x20→0x21']);
    expect(rows[0]?.matched).toBe('place');
  });

  it('a code that moved, and another one that took its place: by code both are changed', async () => {
    const { told } = await compare(
      table(point('A', { address: 1 }), point('B', { address: 2 })),
      table(point('A', { address: 2 }), point('B', { address: 1 })),
    );
    expect(told).toEqual(['changed A A: address 1→2', 'changed B B: address 2→1']);
  });

  it('several at one place are told apart by their names; who is who among others is not guessed', async () => {
    const at = (code: string, name: string) => point(code, { address: 5, name });
    const named = await compare(table(at('A', 'one'), at('B', 'two')), table(at('X', 'two'), at('Y', 'one')));
    expect(named.told.map((line) => line.split(':')[0])).toEqual(['renamed A Y', 'renamed B X']);
    const unknown = await compare(table(at('A', 'one'), at('B', 'two')), table(at('X', 'three'), at('Y', 'four')));
    expect(unknown.told).toEqual(['removed A –', 'removed B –', 'added – X', 'added – Y']);
    const oneLeft = await compare(table(at('A', 'one'), at('B', 'two')), table(at('X', 'two'), at('Y', 'four')));
    expect(oneLeft.told.map((line) => line.split(':')[0])).toEqual(['renamed A Y', 'renamed B X']);
  });

  it('a place is that of the protocol: slave, area, address and bit', async () => {
    const yx = (code: string, changes: Partial<NormalPoint>) =>
      point(code, { frame_type: FrameType.yx, func_code: 3, address: 5, bit: 0, ...changes });
    for (const other of [{ bit: 1 }, { slave_id: 2 }, { func_code: 4 }, { address: 6 }]) {
      expect((await compare(table(yx('A', {})), table(yx('B', other)))).told).toEqual(['removed A –', 'added – B']);
    }
    expect((await compare(table(yx('A', {})), table(yx('B', {})))).told[0]).toContain('renamed A B');
    expect((await compare(table(point('A', { address: 5 })), table(yx('B', { bit: null })))).told).toEqual(['removed A –', 'added – B']);
  });

  it.each([
    [
      'IEC 104: direction, common address and object address',
      iec104Driver,
      { address: 16_385 },
      { address: 16_385, frame_type: FrameType.yk, protocol: {} },
    ],
    ['DL/T 645: meter and identifier', dlt645Driver, { address: 0x02010100, slave_id: 12 }, { address: 0x02010100, slave_id: 13 }],
    [
      'IEC 61850: the reference, whatever its ordinal',
      iec61850Driver,
      { reference: 'LD0/MMXU1.TotW.mag.f[MX]', address: 1 },
      { reference: 'LD0/MMXU1.TotVAr.mag.f[MX]', address: 1 },
    ],
  ] as const)('%s', async (_, driver, here, elsewhere) => {
    const [before, renamed, other] = [point('A', here, driver), point('B', here, driver), point('B', elsewhere, driver)];
    expect(
      (await compare(table(before), table({ ...renamed, address: driver === iec61850Driver ? 7 : renamed.address }), driver)).told[0],
    ).toContain('renamed A B');
    expect((await compare(table(before), table(other), driver)).told).toEqual(['removed A –', 'added – B']);
  });

  it('settings of the protocol differ one by one', async () => {
    const texts = (enum_texts: Record<string, string>) => ({ protocol: { enum_texts } });
    const { told } = await compare(table(point('A', texts({ 0: 'open', 1: 'closed' }))), table(point('A', texts({ 1: 'on', 0: 'open' }))));
    expect(told).toEqual(['changed A A: protocol.enum_texts 0=open;1=closed→0=open;1=on']);
    expect((await compare(table(point('A', texts({ 0: 'a', 1: 'b' }))), table(point('A', texts({ 1: 'b', 0: 'a' }))))).same).toBe(1);
  });

  it('of which one is empty, or both', async () => {
    expect((await compare(table(), table())).rows).toEqual([]);
    expect((await compare(table(point('A')), table())).told).toEqual(['removed A –']);
  });
});

describe('a table and a file', () => {
  const present = table(point('A', { address: 1, unit: 'V', mul_coe: 0.1 }), point('B', { address: 2 }));

  it('what the file has no column for is no difference', async () => {
    const { told, same } = await compare(present, file('测点类型,测点编码,寄存器地址', '遥测,A,1', '遥测,B,7'));
    expect(told).toEqual(['changed B B: address 2→7']);
    expect(same).toBe(1);
    expect((await compare(file('测点类型,测点编码,寄存器地址', '遥测,A,1', '遥测,B,2'), present)).told).toEqual([]);
  });

  it('an empty cell of a column is the default, as in an import', async () => {
    const { told } = await compare(present, file('测点类型,测点编码,寄存器地址,乘系数,单位', '遥测,A,1,,', '遥测,B,2,,'));
    expect(told).toEqual(['changed A A: mul_coe 0.1→1, unit V→']);
  });

  it('a renamed code keeps what the file does not say', async () => {
    const { told } = await compare(present, file('测点类型,测点编码,测点名称,寄存器地址,解析码', '遥测,U1,A,1,0x20', '遥测,B,B,2,0x20'));
    expect(told).toEqual(['renamed A U1: code A→U1']);
  });

  it('a row with an error is compared as far as it can be read, and is no removed point', async () => {
    const { told, after, rows } = await compare(
      present,
      file('测点类型,测点编码,寄存器地址,单位,乘系数', '遥测,A,none,kV,0.1', '遥测,B,2,,abc', '遥测,NEW,x,,'),
    );
    expect(told).toEqual(['faulty A A: unit V→kV', 'faulty B B', 'faulty – NEW']);
    expect(after.counts.errors).toBe(3);
    expect(after.errors.map(({ row, rule }) => `${row} ${rule}`)).toEqual(['2 not_number', '3 not_number', '4 not_number']);
    expect(rows[0]?.after?.place).toEqual({ sheet: '', row: 2 });
  });

  it('rows stand in the order of the file, faulty ones among the others, sheet by sheet', async () => {
    const header = ['测点编码', '寄存器地址'];
    const sheet = (name: string, ...rows: [code: string, address: number | string][]) => {
      return { name, header, rows, choices: {}, textColumns: [], isTable: false };
    };
    const bytes = await writeWorkbook([sheet('遥测', ['F', 'x'], ['N', 1], ['G', 'x']), sheet('遥信', ['M', 'x'], ['O', 2])]);
    const upload = { of: 'file', upload: { name: 'two.xlsx', bytes } } as const;
    const order = ['F', 'N', 'G', 'M', 'O'];
    expect((await compare(table(), upload)).told.map((line) => line.split(' – ')[1])).toEqual(order);
    expect((await compare(upload, table())).told).toEqual(['faulty F –', 'removed N –', 'faulty G –', 'faulty M –', 'removed O –']);
  });

  it('a row takes what it does not say from the table, whichever side the file is', async () => {
    const bit = point('A', { frame_type: FrameType.yx, func_code: 3, decode: '0x20', address: 1, bit: 3 });
    // a coil, which is read by default, has no bits
    const said = file('测点类型,测点编码,寄存器地址,位', '遥信,A,1,3');
    expect([(await compare(table(bit), said)).told, (await compare(said, table(bit))).told]).toEqual([[], []]);
  });

  it('a row the protocol would refuse is told with its reason', async () => {
    const { told, after } = await compare(present, file('测点类型,测点编码,寄存器地址,功能码', '遥测,A,1,1', '遥测,B,70000,3'));
    expect(told).toEqual(['faulty A A: func_code 3→1', 'faulty B B: address 2→70000']);
    expect(after.errors.map(({ rule }) => rule)).toEqual(['function_invalid', 'address_invalid']);
  });

  it('a code that stands twice is compared once, by its first row that is right', async () => {
    const { told, after } = await compare(present, file('测点类型,测点编码,寄存器地址', '遥测,A,x', '遥测,A,1', '遥测,B,2'));
    expect(told).toEqual(['faulty A A']);
    expect(after.errors.map(({ rule }) => rule)).toEqual(['not_number', 'code_twice']);
  });

  it('a file that is none has no points, and says why', async () => {
    const { after, told } = await compare(present, {
      of: 'file',
      upload: { name: 'x.xlsx', bytes: new Uint8Array([0x50, 0x4b, 3, 4, 0]) },
    });
    expect(after.errors).toHaveLength(1);
    expect(after.size).toBe(0);
    expect(told).toEqual(['removed A –', 'removed B –']);
  });

  it('two tables on a sheet are both read; the table of another protocol is told row by row', async () => {
    const header = '从机地址,寄存器地址,功能码,测点编码';
    const rows = ['遥测', header, '1,1,3,A', '', '遥信', header, '1,7,2,X'].map((line) => line.split(','));
    const bytes = await writeWorkbook([
      { name: 'BMS', header: rows[0] ?? [], rows: rows.slice(1), choices: {}, textColumns: [], isTable: false },
    ]);
    expect((await compare(present, { of: 'file', upload: { name: 'two.xlsx', bytes } })).told).toEqual(['removed B –', 'added – X']);
    const other = await compare(present, file('测点类型,测点编码,公共地址,信息体地址,类型标识', '遥测,A,1,100001,13', '遥测,B,1,2,13'));
    expect(other.told).toEqual(['faulty A A: address 1→100001']);
    expect(other.after.warnings.map(({ rule }) => rule)).toContain('column_not_used');
  });

  it('what is wrong with the table of the file as a whole is told as at an import', async () => {
    const { after } = await compare(table(), file('测点类型,测点编码,寄存器地址,解析码', '遥测,A,1,0x42', '遥测,B,2,0x42'));
    expect(after.warnings.map(({ rule, row }) => `${rule} ${row}`)).toEqual(['overlap 3']);
    const faulty = await compare(table(), file('测点类型,测点编码,寄存器地址,解析码', '遥测,A,1,0x42', '遥测,B,2,nothing'));
    expect(faulty.after.warnings, 'of a faulty row nobody knows').toEqual([]);
  });
});

describe('two files', () => {
  it('differ in what both have a column for', async () => {
    const { told } = await compare(
      file('测点类型,测点编码,寄存器地址,单位', '遥测,A,1,V', '遥测,B,2,A'),
      file('测点类型,测点编码,寄存器地址,乘系数', '遥测,A,1,10', '遥测,B,3,1'),
    );
    expect(told).toEqual(['changed B B: address 2→3']);
    const plain = file('测点类型,测点编码,寄存器地址', '遥测,A,1');
    for (const [header, cell] of [
      ['从机地址', '3'],
      ['枚举文本', '0=off'],
      ['关联遥测编码', 'B'],
    ]) {
      const fuller = file(`测点类型,测点编码,寄存器地址,${header}`, `遥测,A,1,${cell}`);
      expect([(await compare(plain, fuller)).told, (await compare(fuller, plain)).told], header).toEqual([[], []]);
    }
  });
});

it('who of two points of one name at one place was renamed is not known, whichever table has them', async () => {
  const one = table(point('E', { address: 8, name: 'two' }));
  const other = table(point('C', { address: 8, name: 'two' }), point('A', { address: 8, name: 'two' }));
  expect((await compare(one, other)).told).toEqual(['removed E –', 'added – C', 'added – A']);
  expect((await compare(other, one)).told).toEqual(['removed C –', 'removed A –', 'added – E']);
});

const tables = fc.uniqueArray(
  fc.record({
    code: fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F'),
    address: fc.integer({ min: 0, max: 8 }),
    name: fc.constantFrom('one', 'two', 'three'),
    mul_coe: fc.constantFrom(1, 10),
  }),
  { selector: ({ code }) => code, maxLength: 6 },
);

it('each point of either table is in one row or among the same, and the other way round it is told as the opposite', async () => {
  await fc.assert(
    fc.asyncProperty(tables, tables, async (one, other) => {
      const [before, after] = [one, other].map((points) => table(...points.map(({ code, ...rest }) => point(code, rest))));
      if (!before || !after) return;
      const there = await compare(before, after);
      const places = (side: 'before' | 'after') => there.rows.flatMap((row) => row[side]?.at ?? []);
      expect(new Set(places('before')).size + there.same).toBe(one.length);
      expect(new Set(places('after')).size + there.same).toBe(other.length);
      const kinds = (rows: readonly ComparedRow[]) => rows.map(({ kind }) => kind).sort();
      const opposite = { added: 'removed', removed: 'added', changed: 'changed', renamed: 'renamed', faulty: 'faulty' } as const;
      const back = await compare(after, before);
      expect(kinds(back.rows)).toEqual(there.rows.map(({ kind }) => opposite[kind]).sort());
      expect((await compare(before, before)).rows).toEqual([]);
    }),
    { numRuns: 200 },
  );
});
