/** What a simulation serves: values with quality, times that have passed, bits that change together. */
import { describe, expect, it } from 'vitest';
import { settle } from '../../../platform/manual-clock.ts';
import type { ServedSetting } from '../../spi/index.ts';
import { yc, yx } from '../testing/client-bench.ts';
import { StationBench } from '../testing/station-bench.ts';

const bits = [0, 1, 2].map((bit) => yx(10 + bit, 7, 20, { bit }));
const points = [yc(1, 1, 13), yx(2, 2), ...bits];

/** `type: address = value quality` and the milliseconds of the time tag, for each object that comes. */
async function serve(...settings: readonly (Omit<ServedSetting, 'point'> & { readonly at: number })[]): Promise<string[]> {
  const bench = new StationBench({ points });
  const client = await bench.connect().start();
  const faults = bench.station.serve(settings.map(({ at, ...setting }) => ({ ...setting, point: points[at] ?? yc(1, 1, 13) })));
  expect(faults).toEqual([]);
  await settle();
  await bench.clock.advance(1000);
  return client.asdus.flatMap(({ typeId, objects }) =>
    objects.map((object) => {
      const { value, quality } = object as { readonly value: number; readonly quality: number };
      const time = object.time === null ? '' : ` at ${object.time.milliseconds}`;
      return `${typeId}: ${object.address} = ${value} ${quality}${time}`;
    }),
  );
}

describe('what a simulation serves', () => {
  it('goes out with its quality, and the time at which it came to be', async () => {
    expect(
      await serve(
        { at: 0, value: 2.5, flags: ['IV', 'OV'], agoMs: 250 },
        { at: 0, value: 2.5, agoMs: 50 },
        { at: 1, value: 1, flags: ['NT', 'OV'] },
      ),
    ).toEqual(['36: 1 = 2.5 129 at 59750', '36: 1 = 2.5 0 at 59950', '30: 2 = 1 64 at 0']);
  });

  it('is one change of an object whose bits came to be at one moment, and two at two', async () => {
    expect(
      await serve({ at: 2, value: 1, agoMs: 20 }, { at: 3, value: 1, agoMs: 20 }, { at: 4, value: 1, flags: ['OV'], agoMs: 10 }),
    ).toEqual(['20: 7 = 3 0', '20: 7 = 7 1']);
  });
});
