import { describe, expect, it } from 'vitest';
import { modbusTcpDriver } from '../../../drivers/modbus/driver.ts';
import { BUILT_IN_PROFILES } from '../../mapping-profiles/built-in.ts';
import { CHANNEL } from '../testing/tables.ts';
import { analyseList } from './analyse.ts';

async function analyse(lines: readonly string[], name = 'list.csv') {
  const bytes = new TextEncoder().encode(lines.join('\n'));
  return analyseList({ name, bytes, mapping: {}, profiles: BUILT_IN_PROFILES }, modbusTcpDriver, CHANNEL);
}

/** Roles of the columns in order; those of remarks left out. */
async function rolesOf(...lines: readonly string[]) {
  const { tables } = await analyse(lines);
  return tables[0]?.columns.map(({ role }) => role).join(' ');
}

describe('columns are known by what they are called and by what their cells say', () => {
  it('marks of which model has a register are no access rights, however they look', async () => {
    expect(
      await rolesOf(
        'Address;Name;WPM 3;Type;Write/read (w/r)',
        '501;Outside temperature;x;int16;r',
        '502;Set temperature;x;int16;r/w',
        '503;Flow;x;int16;r',
      ),
    ).toBe('address name note type access');
  });

  it('yes and no are access rights where a column is called so', async () => {
    const { counts } = await analyse(['Address,Name,Type,Writable', '1,Voltage,uint16,no', '2,Setpoint,uint16,yes', '3,Current,uint16,no']);
    expect(counts.writable).toBe(1);
  });

  it('short codes that are called names are codes, and the description is the name', async () => {
    expect(
      await rolesOf('Register,FriendlyName,Description,Type', '128,AM027,Outside temperature,int16', '129,AM091,Seasonal mode,int16'),
    ).toBe('address code name type');
  });

  it('a column called type that hardly a row fills gives way to one with a type in every row', async () => {
    const rows = Array.from({ length: 30 }, (_, at) => `0x${at.toString(16)},Value ${at},u16,${at === 3 ? 'date' : ''}`);
    expect(await rolesOf('Register,Name,Size,Type', ...rows)).toBe('address name type note');
    expect(await rolesOf('Register,Name,Size,Type', ...rows.map((row) => row.replace(/,$/, ',int16')))).toBe('address name note type');
  });

  it('names that hardly a row has give way to descriptions', async () => {
    const rows = [1, 2, 3, 4, 5].map((at) => `${at + 100},${at === 1 ? 'Reserve pump' : ''},Temperature ${at} of the tank,int16`);
    expect(await rolesOf('Register,Name,Description,Type', ...rows)).toBe('address note name type');
  });

  it('numbers that go up with the addresses are nothing to add to a value, and no names', async () => {
    const rows = (first: number) => [0, 1, 2, 3].map((at) => `${40001 + at};${first + at};量${'甲乙丙丁'[at]};uint16`);
    expect(await rolesOf('寄存器地址;偏移量;名称;数据类型', ...rows(0))).toBe('address address_check name type');
    expect(await rolesOf('Address;Parameter;Description;Type', ...rows(1))).toBe('address address_check name type');
    const added = [5, 0, 5, 7].map((offset, at) => `${40001 + at};${offset};量${at};uint16`);
    expect(await rolesOf('寄存器地址;偏移量;名称;数据类型', ...added)).toBe('address offset name type');
  });

  it('a column beside the addresses that is one behind them says how they count', async () => {
    const { tables, told, questions } = await analyse([
      'register,address,description,type',
      '1001,1000,Run,uint16',
      '1002,1001,Mode,uint16',
      '1004,1003,Fan,uint16',
    ]);
    expect(tables[0]?.columns.map(({ role }) => role)).toEqual(['address', 'address_check', 'name', 'type']);
    expect(questions).toEqual([]);
    expect(told.map(({ rule }) => rule)).toContain('list_base');
  });

  it.each([
    ['Bit', 'bit', ['1', '2', '3']],
    ['Unit id', 'slave_id', ['1', '2', '3']],
    ['Words', 'length', ['1', '2', '3']],
    ['Max', 'max_limit', ['3', '4', '5']],
    ['Decimals', 'decimals', ['2', '3', '4']],
  ])('a column called %s is that, also where its numbers lie one from the addresses', async (header, role, cells) => {
    const rows = cells.map((cell, at) => `0x000${at + 2};Fault ${at};uint16;${cell}`);
    expect(await rolesOf(`Address;Name;Type;${header}`, ...rows)).toBe(`address name type ${role}`);
  });

  it.each(['No', 'Index', 'Remark', 'Register'])('a column called %s may be the addresses in another form', async (header) => {
    const rows = [10, 12, 13, 19].map((at) => `${at};Value ${at};uint16;${at + 1}`);
    expect(await rolesOf(`Address;Name;Type;${header}`, ...rows)).toBe('address name type address_check');
  });

  it('types in numbers of the maker are asked one by one', async () => {
    const { questions } = await analyse(['Address,Name,Data type', '1,Voltage,2', '2,Run time,6', '3,Current,2']);
    expect(questions.map(({ id, rows }) => [id, rows])).toEqual(
      expect.arrayContaining([
        ['type:2', 2],
        ['type:6', 1],
      ]),
    );
  });

  it('names in several languages: the English ones', async () => {
    expect(await rolesOf('Register,German,English,Type', '1,Kessel,Boiler,int16', '3,Puffer,Buffer,int16')).toBe('address note name type');
  });

  it('numbers from 0 without a header are addresses, from 1 they count rows', async () => {
    const rows = (first: number) =>
      [0, 1, 2, 3].map((at) => `${first + at};HREG_T_${at};int16;${at % 2 ? 10 : 1};Temperature of room ${at}`);
    expect((await rolesOf(...rows(0)))?.split(' ')[0]).toBe('address');
    expect((await rolesOf(...rows(1)))?.split(' ')[0]).not.toBe('address');
  });

  it('two columns without headers', async () => {
    expect(await rolesOf('0x0000;v1', '0x0002;v2', '0x0004;a1')).toBe('address name');
  });
});

describe('rows that hold nothing', () => {
  it.each(['reserved', 'Reserved (do not use)', '(Reserved)', '预留', '保留'])('"%s" is told and asks for no type', async (word) => {
    const { left_out, questions } = await analyse(['Address,Name,Type', '0,Voltage,uint16', `1,${word},`, '2,Current,uint16']);
    expect(left_out.map(({ rule, row }) => [rule, row])).toEqual([['row_reserved', 3]]);
    expect(questions).toEqual([]);
  });
});

describe('trees', () => {
  const HOME_ASSISTANT = [
    'modbus:',
    '  - name: hub',
    '    sensors:',
    '      - name: Power',
    '        address: 100',
    '        data_type: uint16',
  ];

  it('beside the points of a known profile nothing else of the file is a list', async () => {
    const { tables, told } = await analyse(
      [
        ...HOME_ASSISTANT,
        'script:',
        '  - name: Start',
        '    address: 12999',
        '    value: 1',
        '  - name: Stop',
        '    address: 12999',
        '    value: 0',
      ],
      'configuration.yaml',
    );
    expect(tables.filter(({ taken }) => taken).map(({ sheet }) => sheet)).toEqual(['modbus.sensors']);
    expect(told.map(({ rule }) => rule)).toContain('list_parts_left');
  });

  it('a structure of several values is as many points', async () => {
    const { points } = await analyse(
      [...HOME_ASSISTANT.slice(0, 5), '        count: 2', '        data_type: custom', '        structure: ">2h"'],
      'configuration.yaml',
    );
    expect(points.map(({ point }) => [point.address, point.decode])).toEqual([
      [100, '0x21'],
      [101, '0x21'],
    ]);
  });
});

describe('texts that other programs wrote', () => {
  it('quotes inside a cell belong to it', async () => {
    const { points } = await analyse(['Address,Name,Type', '0,Set to "Always off",uint16', '1,Mode,uint16', '3,Fan,uint16']);
    expect(points.map(({ point }) => point.name)).toEqual(['Set to "Always off"', 'Mode', 'Fan']);
  });
});
