import { describe, expect, it } from 'vitest';
import { chartTable, curveOf, fileRows, knownAt } from './chart-data.ts';
import { anItem, buckets, raw, time } from './testing/a-history.ts';

describe('the curve of a point', () => {
  it('holds a value until the next one, breaks where it was not good, and where nothing was recorded', () => {
    const samples = raw([1000, 5], [3000, 6], [4000, 6, 'stale'], [6000, 7]);
    const item = anItem({ before: { at: time(-5), value: 4, quality: 'good' }, samples, gaps: [{ from: time(8000), to: time(9000) }] });
    expect(curveOf(item)).toEqual({
      at: [0, 1000, 3000, 4000, 4001, 6000, 8000, 8001],
      value: [4, 5, 6, 6, null, 7, 7, null],
      min: null,
      max: null,
    });
  });

  it('goes on to the end of the range, and begins with nothing where nothing is known', () => {
    expect(curveOf(anItem({ samples: raw([1000, 5]), to: 2000 }))).toMatchObject({ at: [1000, 2000], value: [5, 5] });
    expect(curveOf(anItem({ before: { at: time(0), value: 4, quality: 'stale' }, to: 2000 }))).toMatchObject({ at: [], value: [] });
  });

  it('of stretches stands in their middle, with least and greatest', () => {
    const curve = curveOf(anItem({ samples: buckets([1, 2, null]), to: 3000 }));
    expect(curve).toEqual({ at: [500, 1500, 2500], value: [1, 2, null], min: [0, 1, null], max: [2, 3, null] });
  });
});

it('curves with times of their own come as columns over all times', () => {
  const first = curveOf(anItem({ samples: raw([1000, 5]), to: 2000 }));
  const second = curveOf(anItem({ samples: raw([1500, 8]), to: 2000 }));
  const { seconds, columns } = chartTable([first, second]);
  expect(seconds).toEqual([1, 1.5, 2]);
  expect(columns).toEqual([
    { curve: 0, role: 'value', values: [5, undefined, 5] },
    { curve: 1, role: 'value', values: [undefined, 8, 8] },
  ]);
  expect(chartTable([curveOf(anItem({ samples: buckets([1]), to: 1000 }))]).columns.map(({ role }) => role)).toEqual([
    'value',
    'min',
    'max',
  ]);
});

it('a cursor finds the value that held, and nothing in a gap', () => {
  const item = anItem({ samples: raw([1000, 5], [2000, 6, 'invalid']), gaps: [{ from: time(5000), to: time(6000) }] });
  expect([999, 1000, 1999, 2500, 5500].map((ms) => knownAt(item, ms))).toEqual([
    null,
    { value: 5, quality: 'good' },
    { value: 5, quality: 'good' },
    { value: 6, quality: 'invalid' },
    null,
  ]);
  expect(knownAt(anItem({ samples: buckets([1, null]) }), 10)).toEqual({ value: 1, quality: 'good' });
  expect(knownAt(anItem({ samples: buckets([1, null]) }), 1500)).toBeNull();
  // of a service that went away at 3000, nothing is known behind it
  const away = anItem({ samples: raw([1000, 5]), from: 500, to: 3000, before: { at: time(0), value: 4, quality: 'good' } });
  expect([499, 500, 3000, 3001].map((ms) => knownAt(away, ms)?.value)).toEqual([undefined, 4, 5, undefined]);
  expect(curveOf(away)).toMatchObject({ at: [500, 1000, 3000], value: [4, 5, 5] });
});

it('a file has a line for each sample, or each stretch, exactly', () => {
  const samples = raw([1000, 0.1], [2000, 6, 'stale']);
  expect(fileRows([anItem({ samples })], (at) => at)).toEqual([
    [time(1000), 'PCS 1', 'P', 'Power', 'kW', '0.1', 'good', '', '', '', ''],
    [time(2000), 'PCS 1', 'P', 'Power', 'kW', '6', 'stale', '', '', '', ''],
  ]);
  const of = { id: 7, name: 'Cabinet 7', session: 's', project: '/a.loopcheck' };
  expect(fileRows([anItem({ samples: raw([1000, 1]), of })], () => 'T')[0]?.slice(0, 3)).toEqual(['T', 'Cabinet 7 / PCS 1', 'P']);
  expect(fileRows([anItem({ samples: buckets([1]) })], () => 'T')).toEqual([
    ['T', 'PCS 1', 'P', 'Power', 'kW', '1', '', '0', '2', '3', '0'],
  ]);
});
