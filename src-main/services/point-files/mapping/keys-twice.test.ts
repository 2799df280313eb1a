import { describe, expect, it } from 'vitest';
import { modbusTcpDriver } from '../../../drivers/modbus/driver.ts';
import { CHANNEL } from '../testing/tables.ts';
import { analyseList } from './analyse.ts';

async function read(name: string, text: string) {
  const { points, told } = await analyseList(
    { name, bytes: new TextEncoder().encode(text), mapping: {}, profiles: [] },
    modbusTcpDriver,
    CHANNEL,
  );
  const twice = told.filter(({ rule }) => rule === 'list_key_twice');
  return {
    names: points.map(({ point }) => point.name),
    twice: twice.map(({ params }) => params),
    messages: twice.map(({ message }) => message),
  };
}

describe('a key that stands twice in an object of a tree', () => {
  it('is told with its lines: the point of the first is not there', async () => {
    const { names, twice, messages } = await read(
      'list.yaml',
      [
        'registers:',
        '  "40001":',
        '    name: A',
        '    type: uint16',
        '  # another spelling of the same key',
        '  40001:',
        '    name: B',
        '    type: uint16',
        '  40002: {name: C, type: uint16, name: D}',
        '  40003: {name: E, type: uint16, name: F}',
      ].join('\n'),
    );
    expect(names).toEqual(['B', 'D', 'F']);
    expect(twice).toEqual([
      { name: '40001', lines: ['6'], count: 1 },
      { name: 'name', lines: ['9', '10'], count: 2 },
    ]);
    expect(messages[1]).toContain('See line 9, 10.');
  });

  it('is told of JSON as well, behind the mark of its encoding too', async () => {
    const text =
      '\uFEFF{"registers": [\n{"name": "A", "address": 0, "type": "uint16",\n"address": 2},\n{"name": "B", "address": 0, "type": "uint16"}]}';
    const { names, twice } = await read('list.json', text);
    expect(names).toEqual(['A', 'B']);
    expect(twice).toEqual([{ name: 'address', lines: ['3'], count: 1 }]);
  });

  it('is not what stands once in each of several objects', async () => {
    const item = (at: number) => ({ name: `P${at}`, address: at, type: 'uint16' });
    expect((await read('list.json', JSON.stringify({ registers: [item(1), item(2)] }))).twice).toEqual([]);
    expect(
      (await read('list.yaml', 'registers:\n  - name: A\n    address: 1\n    type: int16\n  - name: B\n    address: 2\n    type: int16\n'))
        .twice,
    ).toEqual([]);
  });

  it('is counted, with the first lines, in a file that has thousands of them', async () => {
    const rows = Array.from({ length: 3000 }, (_, at) => `{"name": "P${at}", "address": ${at}, "type": "uint16", "note": 1, "note": 2}`);
    const { twice } = await read('list.json', `[\n${rows.join(',\n')}\n]`);
    expect(twice).toEqual([{ name: 'note', lines: Array.from({ length: 20 }, (_, at) => String(at + 2)), count: 2000 }]);
  });
});
