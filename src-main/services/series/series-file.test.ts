import { describe, expect, it } from 'vitest';
import { readSeries } from './series-file.ts';

const read = (text: string) => readSeries(new TextEncoder().encode(text));
const why = async (text: string) => {
  const refused = await read(text).then(
    () => null,
    (thrown: { readonly data: readonly { readonly path: string; readonly message_code: string; readonly params: object }[] }) => thrown,
  );
  return refused?.data.map(({ path, message_code: code, params }) => [path, code, params]);
};

describe('a file of recorded values', () => {
  it('has names, times behind the first row, numbers and gaps', async () => {
    expect(await read('t,P,Q\n5,1,2\n5.5,,3\n8,4,\n')).toEqual([
      ['P', 'Q'],
      [0, 1, 2],
      [0.5, null, 3],
      [3, 4, null],
    ]);
  });

  it('is read with semicolons and decimal commas, empty lines, and columns that have no name', async () => {
    expect(await read('Zeit;P;;Q\r\n0;1,5;x;2\r\n\r\n0,25;-3;;1e3\r\n')).toEqual([
      ['P', 'Q'],
      [0, 1.5, 2],
      [0.25, -3, 1000],
    ]);
  });

  it.each([
    ['dates', '2026-03-28 23:59:59.75,1\n2026-03-29 00:00:01,2'],
    ['dates of a zone', '2026-03-28T23:59:59.75+08:00,1\n2026-03-28T16:00:01Z,2'],
    ['clock times', '23:59:59.75,1\n24:00:01,2'],
  ])('may have %s, of which only distances count', async (_, rows) => {
    expect(await read(`time,P\n${rows}\n`)).toEqual([['P'], [0, 1], [1.25, 2]]);
  });

  it('says row and column of what does not fit', async () => {
    expect(await why('t,P\n0,1\n1,on\n')).toEqual([['file', 'simulation.series_number', expect.objectContaining({ row: 3, column: 'P' })]]);
    expect(await why('t,P\n0,1\n0,2\n')).toEqual([['file', 'simulation.series_order', { row: 3 }]]);
    expect(await why('t,P\n0,1\nsoon,2\n')).toEqual([['file', 'simulation.series_time', expect.objectContaining({ row: 3 })]]);
    expect(await why('t,P\n0,1\n2026-05-06 07:08,2\n')).toEqual([['file', 'simulation.series_time', expect.objectContaining({ row: 3 })]]);
    expect(await why('t,P\n2026-02-30 07:08,2\n')).toEqual([['file', 'simulation.series_time', expect.objectContaining({ row: 2 })]]);
    for (const moment of [
      '2026-13-05 07:08',
      '2026-00-05 07:08',
      '2026-05-06 24:00',
      '2026-05-06 07:60',
      '2026-05-06 07:08:61',
      '7:60',
      '7:08:61',
    ])
      expect(await why(`t,P\n${moment},2\n`), moment).toEqual([['file', 'simulation.series_time', expect.objectContaining({ row: 2 })]]);
    expect(await why('t,P,P\n0,1,2\n')).toEqual([['file', 'simulation.series_twice', { column: 'P' }]]);
    expect(await why('0,1\n1,2\n')).toEqual([['file', 'simulation.series_header', {}]]);
    expect(await why('t,P\n')).toEqual([['file', 'simulation.series_rows', {}]]);
    expect(await why('')).toEqual([['file', expect.stringMatching(/^simulation\.series_(rows|table)$/), {}]]);
  });

  it('may have a leap second, and one zone behind the other', async () => {
    expect(await read('t,P\n2016-12-31 23:59:59,1\n2016-12-31 23:59:60.5,2\n2017-01-01 00:00:02,3\n')).toEqual([
      ['P'],
      [0, 1],
      [1.5, 2],
      [3, 3],
    ]);
    expect(await read('t,P\n2026-05-06 07:08-0330,1\n2026-05-06 10:39Z,2\n')).toEqual([['P'], [0, 1], [60, 2]]);
    expect(await why('t,P\n2026-05-06 07:08Z,1\n2026-05-06 07:09,2\n')).toEqual([
      ['file', 'simulation.series_time', expect.objectContaining({ row: 3 })],
    ]);
  });

  it('is bounded', async () => {
    const rows = Array.from({ length: 5001 }, (_, row) => `${row}${',1'.repeat(100)}`).join('\n');
    const header = Array.from({ length: 100 }, (_, at) => `c${at}`).join(',');
    expect(await why(`t,${header}\n${rows}\n`)).toEqual([
      ['file', 'simulation.series_large', expect.objectContaining({ count: 500_100, most: 500_000 })],
    ]);
    const wide = Array.from({ length: 201 }, (_, at) => `c${at}`).join(',');
    expect(await why(`t,${wide}\n0\n`)).toEqual([['file', 'simulation.series_large', expect.objectContaining({ count: 201 })]]);
  });
});
