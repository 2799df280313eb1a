import { describe, expect, it } from 'vitest';
import { modbusTcpDriver } from '../../../drivers/modbus/driver.ts';
import { CHANNEL } from '../testing/tables.ts';
import { analyseList } from './analyse.ts';

/** The points of a row whose cell says this of its values. */
async function pointsOf(values: string, type = 'bitfield16') {
  const bytes = new TextEncoder().encode(`Address;Name;Type;Values\n0x0001;Alarm;${type};${values}\n`);
  const { points } = await analyseList({ name: 'list.csv', bytes, mapping: {}, profiles: [] }, modbusTcpDriver, CHANNEL);
  return points.map(({ point: { name, bit, protocol } }) => [name, bit, ...Object.keys(protocol ?? {})]);
}
const bits = (...numbers: number[]) => ['over voltage', 'too hot', 'fan', 'door'].map((text, at) => [`Alarm ${text}`, numbers[at]]);

describe('a word of bits', () => {
  it.each([
    ['by their numbers', '0=over voltage, 1=too hot, 2=fan, 3=door', bits(0, 1, 2, 3)],
    ['by their numbers, some left out', '0=over voltage, 1=too hot, 2=fan, 4=door', bits(0, 1, 2, 4)],
    ['by masks', '0x0001: over voltage, 0x0002: too hot, 0x0004: fan, 0x8000: door', bits(0, 1, 2, 15)],
    ['by masks and what is none', '0x0000: good, 0x0001: over voltage, 0x0002: too hot', bits(0, 1).slice(0, 2)],
    ['by two masks', '0x0001: over voltage, 0x0002: too hot', bits(0, 1).slice(0, 2)],
    ['by masks in decimal', '1=over voltage, 2=too hot, 4=fan, 128=door', bits(0, 1, 2, 7)],
    ['by masks in decimal and what is none', '0=good, 1=over voltage, 2=too hot, 4=fan, 8=door', bits(0, 1, 2, 3)],
    ['by numbers in hexadecimal', '0x00: over voltage, 0x01: too hot, 0x02: fan, 0x03: door', bits(0, 1, 2, 3)],
    ['by two numbers', '1=over voltage, 2=too hot', bits(1, 2).slice(0, 2)],
  ])('is read %s', async (_, values, expected) => {
    expect(await pointsOf(values)).toEqual(expected);
  });

  it.each([
    ['of which one is beyond the register', '1=over voltage, 2=too hot, 3=fan, 16=door'],
    ['of which one is none at all', '0=over voltage, 1=too hot, -1=fan'],
    ['of which one is beyond any register', '0=over voltage, 1=too hot, 1000=fan'],
    ['by its numbers beyond the register', 'Bit 1: over voltage, Bit 16: door'],
  ])('%s stays a word: nobody knows what the others count from', async (_, values) => {
    expect((await pointsOf(values)).map(([name, bit]) => [name, bit])).toEqual([['Alarm', null]]);
  });

  it('is none where a list says what single values of a number mean', async () => {
    expect(await pointsOf('1=over voltage, 2=too hot, 4=fan', 'uint16')).toEqual([['Alarm', null, 'enum_texts']]);
  });
});

describe('bits of two registers', () => {
  const COLUMNS = ['Address', 'Name', 'Type', 'Bit', 'Values'];
  const ENERGY = ['0x0000', 'Energy', 'uint32', '', ''];
  const LISTED = ['0x0002', 'Alarm', 'uint32', '', '"Bit0: fault; Bit17: door"'];
  const BELOW = [
    ['0x0002', 'Fault', 'uint32', '0', ''],
    ['0x0002', 'Door', 'uint32', '17', ''],
  ];

  async function read(rows: readonly (readonly string[])[], answers: Readonly<Record<string, string>> = {}) {
    const bytes = new TextEncoder().encode([COLUMNS, ...rows].map((cells) => cells.join(';')).join('\n'));
    const list = { name: 'list.csv', bytes, mapping: { answers }, profiles: [] };
    const { points, questions } = await analyseList(list, modbusTcpDriver, CHANNEL);
    return {
      points: points.map(({ point: { name, decode, bit } }) => [name, decode, bit]),
      asked: questions.filter(({ answer }) => answer === null).map(({ id, rows: waiting }) => [id, waiting]),
    };
  }

  it.each([
    ['in one cell', [LISTED], ['Alarm fault', 'Alarm door']],
    ['in rows of their own', BELOW, ['Fault', 'Door']],
  ])('%s count in the order that the list states', async (_, rows, [fault, door]) => {
    const stated = await read([['0x0000', 'Energy', 'uint32 CDAB', '', ''], ...rows]);
    expect(stated).toEqual({
      points: [
        ['Energy', '0x43', null],
        [fault, '0x43', 0],
        [door, '0x43', 17],
      ],
      asked: [],
    });
    expect((await read([ENERGY, ...rows], { order: 'DCBA' })).points.map(([, decode]) => decode)).toEqual(['0xD0', '0xD0', '0xD0']);
  });

  it.each([
    ['in one cell', [LISTED], 1],
    ['in rows of their own', BELOW, 2],
  ])('%s wait where nobody says the order', async (_, rows, waiting) => {
    expect(await read(rows)).toEqual({ points: [], asked: [['order', waiting]] });
  });

  it('of one register wait for nothing, and go by what their row says of its octets', async () => {
    const rows = [
      ['0x0000', 'Energy', 'uint32', '', ''],
      ['0x0002', 'Fault', 'uint16', '1', ''],
      ['0x0003', 'Fan', 'bool', '2', ''],
      ['0x0004', 'Door', 'uint16 BADC', '3', ''],
    ];
    expect((await read(rows, { order: 'CDAB' })).points).toEqual([
      ['Energy', '0x43', null],
      ['Fault', '0x20', 1],
      ['Fan', '0x20', 2],
      ['Door', '0x22', 3],
    ]);
    expect((await read(rows.slice(0, -1))).points.map(([name]) => name)).toEqual(['Fault', 'Fan']);
  });

  it('of a type that has its width from the length of its row wait as well', async () => {
    const list = 'Address;Name;Type;Number of registers;Bit\n0;Energy;uint16;1;\n2;Fault;uint;2;0\n2;Door;uint;2;17\n';
    const read = async (answers: Readonly<Record<string, string>>) =>
      analyseList(
        { name: 'list.csv', bytes: new TextEncoder().encode(list), mapping: { answers }, profiles: [] },
        modbusTcpDriver,
        CHANNEL,
      );
    const open = await read({});
    expect(open.points.map(({ point: { name } }) => name)).toEqual(['Energy']);
    expect(open.questions.map(({ id, rows }) => [id, rows])).toEqual([['order', 2]]);
    const { points } = await read({ order: 'CDAB' });
    expect(points.map(({ point: { name, decode, bit } }) => [name, decode, bit])).toEqual([
      ['Energy', '0x20', null],
      ['Fault', '0x43', 0],
      ['Door', '0x43', 17],
    ]);
  });
});

describe('a question about the order', () => {
  it.each([
    ['a length is answered not to be right', ['0;Energy;uint32;1', '2;Power;uint32;1'], { length: 'type' }],
    ['a word is answered to be of 32 bits', ['0;A;uint;', '2;B;uint;', '4;C;uint;', '6;D;uint;'], { 'type:uint': 'uint32' }],
  ])('is there to be answered where %s', async (_, rows, answers) => {
    const bytes = new TextEncoder().encode(['Address;Name;Type;Number of registers', ...rows].join('\n'));
    const read = async (given: Readonly<Record<string, string>>) =>
      analyseList({ name: 'list.csv', bytes, mapping: { answers: given }, profiles: [] }, modbusTcpDriver, CHANNEL);
    const asked = (await read(answers)).questions.filter(({ answer }) => answer === null);
    expect(asked.map(({ id, rows: waiting }) => [id, waiting])).toEqual([['order', rows.length]]);
    expect((await read({ ...answers, order: 'CDAB' })).points.map(({ point: { decode } }) => decode)).toEqual(rows.map(() => '0x43'));
  });
});

it('a value of two registers that is a state goes by the order of its row', async () => {
  const list = 'Address;Name;Type;Order;Point type\n0;Energy;uint32;CDAB;YC\n2;Fault;uint32;CDAB;YX\n';
  const bytes = new TextEncoder().encode(list);
  const { points } = await analyseList({ name: 'list.csv', bytes, mapping: {}, profiles: [] }, modbusTcpDriver, CHANNEL);
  expect(points.map(({ point: { name, decode } }) => [name, decode])).toEqual([
    ['Energy', '0x43'],
    ['Fault', '0x43'],
  ]);
});
