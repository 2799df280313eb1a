import { describe, expect, it } from 'vitest';
import { MOST_CAPTURE_COLUMNS, MOST_SERIES_VALUES } from '#shared/contract/simulation.ts';
import type { CapturedValue } from '../../drivers/spi/index.ts';
import { CaptureTally } from './capture-tally.ts';

const told = (address: number, value: number, flags: CapturedValue['flags'] = []): CapturedValue => ({
  place: { column: `1:3:${address}`, point: { frame_type: 0, code: `A${address}`, slave_id: 1, address, protocol: {} } },
  value,
  flags,
});

describe('what a look counts', () => {
  it('is answers, places, and moments that brought something new', () => {
    const tally = new CaptureTally();
    tally.add([told(1, 5), told(2, 5)], 10n);
    tally.add([told(1, 5), told(2, 5)], 20n);
    tally.add([told(1, Number.NaN)], 30n);
    tally.add([told(1, Number.NaN)], 40n);
    expect([tally.reads, tally.addresses, tally.refusal]).toEqual([4, 2, null]);
  });

  it('is refused for one place too many, which is the last that is kept', () => {
    const tally = new CaptureTally();
    tally.add(
      Array.from({ length: MOST_CAPTURE_COLUMNS }, (_, at) => told(at, 1)),
      1n,
    );
    expect(tally.refusal).toBeNull();
    for (let more = 0; more < 9; more++) tally.add([told(MOST_CAPTURE_COLUMNS + more, 1)], 2n);
    expect(tally.addresses).toBe(MOST_CAPTURE_COLUMNS + 1);
    expect(tally.refusal).toMatchObject({ code: 'capture.many_places' });
  });

  it('is refused for more values than may be kept; what comes at one time is one row, also without a time', () => {
    const tally = new CaptureTally();
    const places = Array.from({ length: 1000 }, (_, at) => told(at, 0));
    tally.add(places, null);
    const most = MOST_SERIES_VALUES / 1000;
    for (let row = 1; row < most; row++) tally.add([told(0, row)], BigInt(row));
    tally.add([told(0, -1)], BigInt(most - 1));
    tally.add([told(0, -2)], null);
    expect(tally.refusal).toBeNull();
    // the quality alone is something new
    tally.add([told(0, -2, ['IV'])], BigInt(most));
    expect(tally.refusal).toMatchObject({ code: 'simulation.series_large', params: { count: MOST_SERIES_VALUES + 1000 } });
  });
});
