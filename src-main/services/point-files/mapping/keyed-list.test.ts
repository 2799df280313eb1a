import { describe, expect, it } from 'vitest';
import { modbusTcpDriver } from '../../../drivers/modbus/driver.ts';
import { CHANNEL } from '../testing/tables.ts';
import { analyseList } from './analyse.ts';
import { readListFile } from './list-file.ts';

const bytes = (tree: unknown) => new TextEncoder().encode(JSON.stringify(tree));
const sheetsOf = async (tree: unknown) =>
  (await readListFile(bytes(tree), 'list.json')).sheets.map(({ name, rows }) => [name, rows] as const);

async function pointsOf(tree: unknown) {
  const { points, questions } = await analyseList(
    { name: 'list.json', bytes: bytes(tree), mapping: {}, profiles: [] },
    modbusTcpDriver,
    CHANNEL,
  );
  return {
    points: points.map(({ point }) => [point.name, point.address, point.func_code, point.decode]),
    asked: questions.map(({ id }) => id),
  };
}

describe('a list by keys', () => {
  it('has its addresses as keys', async () => {
    const registers = {
      40001: { name: 'Voltage', type: 'uint16', unit: 'V', scale: 0.1 },
      40002: { name: 'State', type: 'uint16', values: { 0: 'off', 1: 'on' } },
      40003: { name: 'Energy', type: 'uint32', byte_order: 'CDAB' },
    };

    expect(await pointsOf({ device: 'meter', registers })).toEqual({
      points: [
        ['Voltage', 0, 3, '0x20'],
        ['State', 1, 3, '0x20'],
        ['Energy', 2, 3, '0x43'],
      ],
      asked: [],
    });
  });

  it.each(['0x0010', '4x0017', 'HR16', '40001.3', '30001-30002'])('may write them as %s', async (key) => {
    expect(await sheetsOf({ map: { [key]: { name: 'U', type: 'uint16' } } })).toEqual([
      [
        'map',
        [
          ['address', 'name', 'type'],
          [key, 'U', 'uint16'],
        ],
      ],
    ]);
  });

  it('has the names as keys where its things state their addresses', async () => {
    const tree = { voltage: { address: '0x0000', type: 'uint16' }, current: { address: '0x0001', type: 'int16' } };
    expect(await pointsOf(tree)).toMatchObject({
      points: [
        ['voltage', 0, 3, '0x20'],
        ['current', 1, 3, '0x21'],
      ],
    });
  });

  it('is believed in what its things state, not in their keys', async () => {
    const tree = { 1: { name: 'U', register: '0x0100', type: 'uint16' }, 2: { name: 'I', register: '0x0101', type: 'uint16' } };
    expect((await pointsOf(tree)).points.map(([, address]) => address)).toEqual([256, 257]);
    expect((await sheetsOf(tree))[0]?.[1][0]).toEqual(['name', 'register', 'type']);
  });

  it('is a table for each of its devices, which are no points', async () => {
    const meter = (name: string) => ({
      name,
      type: 'SDM630',
      registers: { 10: { name: 'U', type: 'uint16' }, 12: { name: 'I', type: 'uint16' } },
    });
    expect((await sheetsOf({ devices: { 1: meter('north'), 2: meter('south') } })).map(([name, rows]) => [name, rows.length])).toEqual([
      ['devices.1.registers', 3],
      ['devices.2.registers', 3],
    ]);
  });

  it('is no list of points where the keys are bits or values of one', async () => {
    const bits = { 0: { name: 'Overload', type: 'bool' }, 1: { name: 'Fan', type: 'bool' } };
    const tree = { registers: [{ name: 'Alarms', address: '0x0005', type: 'uint16', bits }] };
    expect((await pointsOf(tree)).points).toEqual([['Alarms', 5, 3, '0x20']]);
  });

  it('has a point under its name among those under their addresses', async () => {
    const registers = {
      40001: { name: 'U', type: 'uint16' },
      40002: { name: 'I', type: 'uint16' },
      serial: { address: 40010, type: 'uint32', byte_order: 'CDAB' },
    };
    expect((await pointsOf({ registers })).points).toEqual([
      ['U', 0, 3, '0x20'],
      ['I', 1, 3, '0x20'],
      ['serial', 9, 3, '0x43'],
    ]);
  });

  it.each([
    ['the device', { device: { address: 1, model: 'X1' } }],
    ['the way to it', { way: { address: 1, type: 'rtu', baudrate: 9600 } }],
    ['what says nothing of a point', { panel: { address: 1, colour: 'red' } }],
  ])('has no point in %s, which has an address as well', async (_, beside) => {
    const registers = { 40001: { name: 'U', type: 'uint16' }, 40002: { name: 'I', type: 'uint16' }, ...beside };
    expect(await pointsOf({ registers })).toEqual({
      points: [
        ['U', 0, 3, '0x20'],
        ['I', 1, 3, '0x20'],
      ],
      asked: [],
    });
  });

  it('may have one point only, beside tables with more', async () => {
    const holding = { mode: { address: '0x0001', type: 'uint16' }, limit: { address: '0x0002', type: 'uint16' } };
    expect((await pointsOf({ holding, input: { power: { address: '0x0003', type: 'int16' } } })).points).toEqual([
      ['mode', 1, 3, '0x20'],
      ['limit', 2, 3, '0x20'],
      ['power', 3, 4, '0x21'],
    ]);
  });

  it.each([
    ['how the device is reached', { device: { modbus: { address: 1, type: 'rtu' } } }],
    ['a thing that says nothing of a point', { inputs: { panel: { address: 7, colour: 'red' } } }],
    ['the way to a device among its parameters', { parameters: { modbus: { address: 1, type: 'rtu', unit: 'a' } } }],
    ['a port', { endpoints: { main: { address: 1, type: 'tcp', port: 502 } } }],
    ['one of several things', { inputs: { a: { address: 7, type: 'int16' }, b: { colour: 'red' } } }],
  ])('is not %s', async (_, beside) => {
    const registers = [{ name: 'U', address: '0x0000', type: 'uint16' }];
    expect((await sheetsOf({ registers, ...beside })).map(([name]) => name)).toEqual(['registers']);
  });

  it('of numbers that say nothing of points keeps its keys, and calls them no addresses', async () => {
    expect((await sheetsOf({ versions: { 1: { name: 'a', date: 'x' }, 2: { name: 'b', date: 'y' } } }))[0]?.[1]).toEqual([
      ['key', 'name', 'date'],
      ['1', 'a', 'x'],
      ['2', 'b', 'y'],
    ]);
  });

  it('that goes on without end is an answer', async () => {
    const deep = `${'{"1":'.repeat(20_000)}{"name":"U","type":"uint16"}${'}'.repeat(20_000)}`;
    expect((await readListFile(new TextEncoder().encode(deep), 'deep.json')).sheets).toEqual([]);
  });
});

it('a list in parts is read part by part', async () => {
  const part = (name: string, address: string) => [{ name, address, type: 'uint16' }];
  expect((await pointsOf({ points: [part('U', '0x0000'), [part('I', '0x0001')]] })).points).toEqual([
    ['U', 0, 3, '0x20'],
    ['I', 1, 3, '0x20'],
  ]);
});

it('a device with its points in parts is no point', async () => {
  const device = (address: number, name: string) => ({ address, points: [[{ name, address: '0x0000', type: 'uint16' }]] });
  expect(await pointsOf({ devices: { a: device(1, 'U'), b: device(2, 'I') } })).toEqual({
    points: [
      ['U', 0, 3, '0x20'],
      ['I', 0, 3, '0x20'],
    ],
    asked: [],
  });
});
