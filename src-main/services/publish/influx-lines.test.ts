import { describe, expect, it } from 'vitest';
import { influxLine } from './influx-lines.ts';
import type { PublishedValue } from './record-queue.ts';

const VALUE: PublishedValue = {
  about: { device: 'PCS', code: 'P', frameType: 0, name: '', unit: '' },
  value: 12.5,
  quality: 'good',
  at: 1_769_846_400_120,
  sequence: 417,
};
const line = (about: Partial<PublishedValue['about']> = {}, more: Partial<PublishedValue> = {}, measurement = 'loopcheck') =>
  influxLine(measurement, { ...VALUE, ...more, about: { ...VALUE.about, ...about } }, 's1');

/** Escapes as the line protocol reference has them: measurement: comma, space; tags: comma, equals sign, space; text fields: quotation mark, backslash. */
describe('a line for InfluxDB', () => {
  it('has tags, fields and time in nanoseconds, the sequence within the millisecond', () => {
    expect(line({ name: '有功功率', unit: 'kW' })).toBe(
      'loopcheck,device=PCS,code=P,type=YC,name=有功功率,unit=kW value=12.5,good=true,quality="good",sequence=417i,session="s1" 1769846400120000417',
    );
  });

  it.each([
    ['PCS 1', 'PCS\\ 1'],
    ['a,b', 'a\\,b'],
    ['a=b', 'a\\=b'],
    ['a"b', 'a"b'],
    ["a'b", "a'b"],
    ['C:\\x', 'C:\\x'],
    ['a\\,b', 'a%5C\\,b'],
    ['a\\ b', 'a%5C\\ b'],
    ['a\\\\b', 'a%5C\\b'],
    ['end\\', 'end%5C'],
    ['two\nlines\t', 'two%0Alines%09'],
    ['😀', '😀'],
    ['half \ud83d', 'half\\ \ufffd'],
  ])('escapes in a tag %j', (given, expected) => {
    expect(line({ code: given })).toContain(`,code=${expected},type=`);
  });

  it.each([
    ['my plant', 'my\\ plant'],
    ['a,b', 'a\\,b'],
    ['a=b', 'a=b'],
  ])('escapes in the measurement %j', (given, expected) => {
    expect(line({}, {}, given).startsWith(`${expected},device=`)).toBe(true);
  });

  it('leaves out tags that are empty, which no line may have', () => {
    expect(line({ device: '' })).toMatch(/^loopcheck,code=P,type=YC value/);
  });

  it.each([
    [0, 'value=0,'],
    [-0, 'value=0,'],
    [12, 'value=12,'],
    [-0.1, 'value=-0.1,'],
    [1e21, 'value=1e+21,'],
    [5e-324, 'value=5e-324,'],
    [2 ** 53, 'value=9007199254740992,'],
    [null, ' good='],
  ])('writes %s as a float, and nothing for no number', (value, expected) => {
    expect(line({}, { value })).toContain(expected);
  });

  it('says of a value that is not good that it is not', () => {
    expect(line({}, { value: null, quality: 'invalid' })).toContain(' good=false,quality="invalid",sequence=417i,');
  });

  it('gives two values of one millisecond two times, and one that is sent again the same', () => {
    const time = (sequence: number, at = VALUE.at) => line({}, { sequence, at }).split(' ').at(-1);
    expect([time(1), time(2), time(1), time(1_000_001), time(7, 0), time(7, 1.9)]).toEqual([
      '1769846400120000001',
      '1769846400120000002',
      '1769846400120000001',
      '1769846400120000001',
      '7',
      '1000007',
    ]);
  });

  it('keeps the time of one before 1970 in its millisecond', () => {
    expect(line({}, { at: -2, sequence: 5 }).split(' ').at(-1)).toBe('-1999995');
  });
});
