import { describe, expect, it } from 'vitest';
import { exchangeContext } from '../../testing/sinks.ts';
import { ServedChannel } from '../server/testing/served-channel.ts';
import { ClientBench, sclDocument, yk, yt, yx } from '../testing/client-bench.ts';
import { standardWords } from './words.ts';

const INT8 = { kind: 'integer', size: 8 } as const;
const DBPOS = { kind: 'bit-string', size: 2 } as const;

describe('words of the standard', () => {
  it.each([
    [['Beh', 'stVal'], INT8, 3, 'test'],
    [['Mod', 'stVal'], INT8, 5, 'off'],
    [['Health', 'stVal'], INT8, 2, 'Warning'],
    [['PhyHealth', 'stVal'], { kind: 'integer', size: 32 }, 3, 'Alarm'],
    [['Pos', 'ctlModel'], INT8, 4, 'sbo-with-enhanced-security'],
    [['Pos', 'origin', 'orCat'], INT8, 2, 'station-control'],
    [['TotW', 'range'], INT8, 4, 'low-low'],
    [['Str', 'dirGeneral'], INT8, 1, 'forward'],
    [['Pos', 'stVal'], DBPOS, 2, 'intermediate'],
    [['Beh', 'stVal'], null, 1, 'on'],
  ] as const)('%j of %j: %d is %s', (path, type, number, word) => {
    expect(standardWords(path, type)?.get(number)).toBe(word);
  });

  it.each([
    [['IntIn1', 'stVal'], INT8],
    [['Beh', 'q'], { kind: 'bit-string', size: -13 }],
    [['Ind1', 'stVal'], { kind: 'boolean' }],
    [['Pos', 'ctlVal'], DBPOS],
    [['Beh', 'stVal'], { kind: 'boolean' }],
    [['constructor'], null],
    [[], null],
  ] as const)('%j of %j has none', (path, type) => {
    expect(standardWords(path, type)).toBeNull();
  });
});

describe('a device without a file', () => {
  it('shows them beside the numbers, in attributes and when one is written', async () => {
    const bench = await ClientBench.open(new ServedChannel({ document: sclDocument('bay.cid') }));
    expect(await bench.value(yx(1, 'BAY1LD0/GGIO1.Beh.stVal[ST]'))).toMatchObject({ value: 1, valueText: 'on' });
    expect(await bench.value(yx(2, 'BAY1LD0/Q1CSWI1.Pos.stVal[ST]'))).toMatchObject({ value: 1, valueText: 'on' });
    expect(await bench.value(yt(3, 'BAY1LD0/Q1CSWI1.Pos.ctlModel[CF]'))).toMatchObject({
      value: 4,
      valueText: 'sbo-with-enhanced-security',
    });
    const object = await bench.operate('read_attribute', { reference: 'BAY1LD0/LLN0.Beh[ST]' });
    expect(object.result).toMatchObject({ value: { stVal: 'on' } });
  });

  it('a point table is served with them as well; control objects take no value of the table', async () => {
    const table = [yx(1, 'BAY1LD0/LLN0.Health.stVal[ST]'), yk(2, 'BAY1LD0/GGIO1.SPCSO1[CO]')];
    const { connection } = new ServedChannel({ points: table });
    const [first, control] = table;
    if (!first || !control) throw new Error('no points');
    const context = exchangeContext();
    await connection.execute({ point: first, step: 'operate', value: 2, options: {} }, context);
    const [batch] = connection.plan(table, { mode: 'batch', skipKnownHoles: false }).batches;
    expect((await connection.read(batch ?? { slaveId: null, pointIds: [] }, context)).readings).toMatchObject([
      { value: 2, valueText: 'Warning' },
    ]);
    await expect(connection.execute({ point: control, step: 'operate', value: 1, options: {} }, context)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('its status is under ST'),
    });
  });
});
