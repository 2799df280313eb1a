import { describe, expect, it } from 'vitest';
import { findDecode } from '#shared/domain/decode.ts';
import { modbusTcpDriver } from '../../../drivers/modbus/driver.ts';
import { CHANNEL } from '../testing/tables.ts';
import { analyseList } from './analyse.ts';
import { readListFile } from './list-file.ts';

/** Function and order of each point, and what is asked. */
async function read(tree: unknown) {
  const bytes = new TextEncoder().encode(JSON.stringify(tree));
  const { points, questions } = await analyseList({ name: 'list.json', bytes, mapping: {}, profiles: [] }, modbusTcpDriver, CHANNEL);
  return {
    points: points.map(({ point }) => [point.name, point.func_code, findDecode(point.decode ?? '')?.order]),
    asked: questions.map(({ id, choices }) => [id, choices]),
  };
}

const REGISTERS = [
  { name: 'U', address: '0x0000', type: 'uint32' },
  { name: 'I', address: '0x0002', type: 'uint32' },
];
const both = (order: string, functionCode = 3) => [
  ['U', functionCode, order],
  ['I', functionCode, order],
];

describe('what a tree states once', () => {
  it('is asked where it does not', async () => {
    expect((await read({ registers: REGISTERS })).asked).toEqual([['order', ['ABCD', 'CDAB', 'BADC', 'DCBA']]]);
  });

  it.each([
    [{ endianness: 'BigEndian' }, 'ABCD'],
    [{ byteOrder: 'CDAB' }, 'CDAB'],
    [{ swap: 'word' }, 'CDAB'],
    [{ word_order: 'little' }, 'CDAB'],
    [{ wordOrder: 'Endian.BIG' }, 'ABCD'],
    [{ byte_order: 'big', word_order: 'little' }, 'CDAB'],
    [{ byte_order: 'little', word_order: 'big' }, 'BADC'],
    [{ byte_order: '<', word_order: '<' }, 'DCBA'],
    [{ modbus: { endianness: 'big' } }, 'ABCD'],
  ])('holds for all its registers: %j', async (settings, order) => {
    expect(await read({ ...settings, registers: REGISTERS })).toEqual({ points: both(order), asked: [] });
    expect(await read({ ...settings, blocks: [{ id: 'a', registers: REGISTERS }] })).toEqual({ points: both(order), asked: [] });
    const keyed = { '0x0000': { name: 'U', type: 'uint32' }, '0x0002': { name: 'I', type: 'uint32' } };
    expect(await read({ ...settings, ...keyed })).toEqual({ points: both(order), asked: [] });
  });

  it('leaves open what its word leaves open', async () => {
    expect((await read({ endianness: 'LittleEndian', registers: REGISTERS })).asked).toEqual([['order', ['CDAB', 'DCBA']]]);
    expect((await read({ endianness: 'mixed', registers: REGISTERS })).asked).toEqual([['order', ['ABCD', 'CDAB', 'BADC', 'DCBA']]]);
  });

  it('is what the nearest one says: device over file, register over device', async () => {
    const [u, i] = REGISTERS;
    const tree = {
      endianness: 'BigEndian',
      devices: [
        { name: 'a', endianness: 'CDAB', registers: [u, { ...i, endianness: 'DCBA' }] },
        { name: 'b', registers: [{ ...u, name: 'V' }] },
      ],
    };
    expect((await read(tree)).points).toEqual([
      ['U', 3, 'CDAB'],
      ['I', 3, 'DCBA'],
      ['V', 3, 'ABCD'],
    ]);
  });

  it('of one device does not hold for another', async () => {
    const tree = { a: { endianness: 'CDAB', registers: REGISTERS.slice(0, 1) }, b: { endianness: 'ABCD', registers: REGISTERS.slice(1) } };
    expect((await read(tree)).points).toEqual([
      ['U', 3, 'CDAB'],
      ['I', 3, 'ABCD'],
    ]);
  });

  it.each([{ registerType: 'inputRegister' }, { register_type: 'input' }, { function: 4 }, { fc: '04' }])(
    'may be the table of the registers: %j',
    async (settings) => {
      expect((await read({ endianness: 'big', ...settings, registers: REGISTERS })).points).toEqual(both('ABCD', 4));
    },
  );

  it('is no table where a list below it is called by another', async () => {
    const coils = [{ name: 'Run', address: '0x0000', type: 'bool' }];
    expect((await read({ register_type: 'holding', coils })).points).toEqual([['Run', 1, 'AB']]);
  });

  it('may be the unit, by the key of its registers', async () => {
    const tree = {
      endianness: 'big',
      Unit_3: REGISTERS.slice(0, 1),
      slave17: REGISTERS.slice(1),
      unit_250: [{ name: 'W', address: '0x0009', type: 'uint16' }],
    };
    const bytes = new TextEncoder().encode(JSON.stringify(tree));
    const { points } = await analyseList({ name: 'list.json', bytes, mapping: {}, profiles: [] }, modbusTcpDriver, CHANNEL);
    expect(points.map(({ point }) => [point.name, point.slave_id])).toEqual([
      ['U', 3],
      ['I', 17],
      ['W', undefined],
    ]);
  });

  it('is no table where the word is of something else', async () => {
    const tree = { function: 'Heat pump', endianness: 'big', registers: REGISTERS };
    expect(await read(tree)).toEqual({ points: both('ABCD'), asked: [] });
    const { sheets } = await readListFile(new TextEncoder().encode(JSON.stringify(tree)), 'list.json');
    expect(sheets[0]?.rows[0]).toEqual(['name', 'address', 'type', 'endianness']);
  });
});
