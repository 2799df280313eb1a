import { describe, expect, it } from 'vitest';
import { MOST_SERIES_VALUES } from '#shared/contract/simulation.ts';
import type { QualityFlag } from '#shared/domain/enums.ts';
import type { CapturedPlace, CapturedValue } from '../../drivers/spi/index.ts';
import { CapturedRows } from './captured-rows.ts';

const MS = 1_000_000n;
const PLACES = new Map(
  [1, 2, 3].map((address): [number, CapturedPlace] => [
    address,
    { column: `1:${address}`, point: { frame_type: 0, code: `P${address}`, slave_id: 1, address, protocol: {} } },
  ]),
);
const value = (address: number, number: number, more: Partial<CapturedValue> = {}): CapturedValue => ({
  place: PLACES.get(address) as CapturedPlace,
  value: number,
  flags: [],
  ...more,
});

/** `second: column = number, …` for each row. */
async function rowsOf(rows: CapturedRows): Promise<string[]> {
  const { times, columns } = (await rows.series(async () => {})).numbers;
  return Array.from(times, (time, at) => {
    const cells = [...columns].filter(([, numbers]) => !Number.isNaN(numbers[at])).map(([name, numbers]) => `${name} = ${numbers[at]}`);
    return `${Number(time.toFixed(6))}: ${cells.join(', ')}`;
  });
}

describe('rows of captured values', () => {
  it('have what is new alone, at its time', async () => {
    const rows = new CapturedRows();
    rows.add([value(2, 5), value(1, 4)].reverse(), 100n * MS);
    rows.add([value(1, 4), value(2, 5)], 200n * MS);
    rows.add([value(1, 4), value(2, 6)], 350n * MS);
    expect(await rowsOf(rows)).toEqual(['0: 1:1 = 4, 1:2 = 5', '0.25: 1:2 = 6']);
    expect(rows.reads).toBe(3);
  });

  it('have the values of each place under its own name, whichever was told first', async () => {
    const rows = new CapturedRows();
    rows.add([value(3, 30, { flags: ['IV'] })], 100n * MS);
    rows.add([value(1, 10)], 200n * MS);
    rows.add([value(2, 20)], 300n * MS);
    expect(await rowsOf(rows)).toEqual(['0: 1:3 = 30, 1:3:quality = 128', '0.1: 1:1 = 10', '0.2: 1:2 = 20']);
  });

  it('keep the order of what came at once, also what changed twice, and of what came late', async () => {
    const rows = new CapturedRows();
    rows.add([value(1, 0), value(2, 0), value(3, 0)], 0n);
    rows.add([value(3, 1), value(1, 1), value(2, 1), value(1, 2)], 10n * MS);
    rows.add([value(2, 2)], 5n * MS);
    rows.add([value(1, 3)], null);
    expect(await rowsOf(rows)).toEqual([
      '0: 1:1 = 0, 1:2 = 0, 1:3 = 0',
      '0.01: 1:3 = 1',
      '0.010001: 1:1 = 1, 1:2 = 1',
      '0.010002: 1:1 = 2, 1:2 = 2',
      '0.010003: 1:1 = 3',
    ]);
  });

  it('keep bits of one object apart that two messages told at once', async () => {
    const rows = new CapturedRows();
    const bit = (at: number, number: number): CapturedValue => ({
      place: { column: `1:9.${at}`, point: { frame_type: 1, code: `B${at}`, slave_id: 1, address: 9, bit: at, protocol: {} } },
      value: number,
      flags: [],
    });
    rows.add([bit(0, 1), bit(1, 0)], 0n);
    rows.add([bit(0, 1), bit(1, 1)], 0n);
    expect(await rowsOf(rows)).toEqual(['0: 1:9.0 = 1, 1:9.1 = 0', '0.000001: 1:9.1 = 1']);
  });

  it('keep quality, also of what is no number, and no column for what is always good', async () => {
    const rows = new CapturedRows();
    const flags = (...list: QualityFlag[]) => ({ flags: list });
    rows.add([value(1, 1), value(2, 1)], 0n);
    rows.add([value(1, 1, flags('IV', 'OV'))], 10n * MS);
    rows.add([value(1, Number.NaN, flags('IV'))], 20n * MS);
    rows.add([value(1, Number.NaN, flags('IV'))], 30n * MS);
    rows.add([value(1, 1)], 40n * MS);
    expect(await rowsOf(rows)).toEqual([
      '0: 1:1 = 1, 1:1:quality = 0, 1:2 = 1',
      '0.01: 1:1 = 1, 1:1:quality = 129',
      '0.02: 1:1:quality = 128',
      '0.04: 1:1 = 1, 1:1:quality = 0',
    ]);
  });

  it('keep how long each value waited, whatever the clock of the device shows, and was set to', async () => {
    const rows = new CapturedRows();
    // its clock is a day behind, a change takes 3 ms, and the second one has waited for 20 ms
    const day = -86_400_000;
    rows.add([value(1, 1, { deviceMs: day + 1000 })], 1003n * MS);
    rows.add([value(1, 2, { deviceMs: day + 1980 }), value(2, 2, { deviceMs: day + 2000 })], 2003n * MS);
    rows.add([value(1, 3, { deviceMs: 3000, clockSets: 1 })], 3001n * MS);
    rows.add([value(1, 4, { deviceMs: 3994, clockSets: 1 })], 4000n * MS);
    expect(await rowsOf(rows)).toEqual([
      '0: 1:1 = 1, 1:1:delay = 0',
      '1: 1:1 = 2, 1:1:delay = 0.02, 1:2 = 2',
      '1.998: 1:1 = 3, 1:1:delay = 0',
      '2.997: 1:1 = 4, 1:1:delay = 0.005',
    ]);
  });

  it('take the time of a change from its twin that comes with it', async () => {
    const rows = new CapturedRows();
    rows.add([value(1, 1, { deviceMs: 0 })], 0n);
    rows.add([value(1, 2)], 1000n * MS);
    rows.add([value(1, 2, { deviceMs: 990 })], 1010n * MS);
    // what is told again later is no twin
    rows.add([value(1, 3)], 2000n * MS);
    rows.add([value(1, 3, { deviceMs: 500 })], 9000n * MS);
    expect(await rowsOf(rows)).toEqual(['0: 1:1 = 1, 1:1:delay = 0', '1: 1:1 = 2, 1:1:delay = 0.01', '2: 1:1 = 3']);
  });

  it('take the times of twins where no change came with its own', async () => {
    const rows = new CapturedRows();
    rows.add([value(1, 1)], 0n);
    rows.add([value(1, 1, { deviceMs: 0 })], 10n * MS);
    rows.add([value(1, 2)], 1000n * MS);
    rows.add([value(1, 2, { deviceMs: 980 })], 1010n * MS);
    expect(await rowsOf(rows)).toEqual(['0: 1:1 = 1, 1:1:delay = 0', '1: 1:1 = 2, 1:1:delay = 0.02']);
  });

  it('count the delays that only twins brought', async () => {
    const rows = new CapturedRows();
    const most = MOST_SERIES_VALUES / 2;
    for (let at = 0; at <= most; at++) rows.add([value(1, at)], BigInt(at) * MS);
    const twin = () => rows.add([value(1, most, { deviceMs: most })], BigInt(most) * MS);
    expect(twin).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
  });

  it('are no more than a project can hold', async () => {
    const rows = new CapturedRows();
    const more = () => {
      for (let at = 0; at < 600_000; at++) rows.add([value(1, at)], BigInt(at) * MS);
    };
    expect(more).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
    await expect(new CapturedRows().series(async () => {})).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });
});
