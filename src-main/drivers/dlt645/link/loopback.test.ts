import { describe, expect, it } from 'vitest';
import { ConnType, FrameType } from '#shared/domain/enums.ts';
import type { PointReading } from '../../spi/index.ts';
import { TABLE_1997 } from '../dictionary/table-1997.ts';
import { TABLE_2007 } from '../dictionary/table-2007.ts';
import { bench, pointsOf } from '../testing/bench.ts';

const readValue = (readings: ReadonlyMap<number, PointReading>, id: number) => {
  const reading = readings.get(id);
  return reading?.kind === 'value' ? reading.value : reading?.error.message;
};
const good = (readings: ReadonlyMap<number, PointReading>) =>
  [...readings.values()].filter((each) => each.kind === 'value' && each.quality === 'good');

/** An identifier of each row: the least it covers. */
const first = (line: string) => Number.parseInt((line.split('|')[0] ?? '').replaceAll(/\[(..)-..\]/g, '$1'), 16);

describe('every row of the dictionary is read from a simulated meter', () => {
  it.each([
    [2007, TABLE_2007],
    [1997, TABLE_1997],
  ] as const)('%s', async (edition, table) => {
    const points = pointsOf(
      table.filter((line) => !/assword/.test(line)).map((line) => ({ address: first(line), protocol: { edition }, slave_id: 12_345_678 })),
    );
    const { readAll } = bench({ points, settings: { connType: ConnType.tcpClient } });
    const readings = await readAll('single');
    const wrong = [...readings.values()].filter((reading) => reading.kind === 'failure');
    expect(wrong.map((reading) => reading.kind === 'failure' && reading.error.message)).toEqual([]);
    expect(readings.size).toBe(points.length);
  });
});

describe('blocks', () => {
  const energies = [0, 1, 2, 3, 4].map((rate) => ({ address: 0x00010000 + rate * 256, slave_id: 1 }));
  const voltages = [1, 2, 3].map((phase) => ({ address: 0x02010000 + phase * 256, slave_id: 1 }));

  it('reads the rates and phases of a meter with one request each, and their sum is the total', async () => {
    const points = pointsOf([...energies, ...voltages]);
    const { readAll, line } = bench({ points });
    const readings = await readAll();
    expect(line.sent).toHaveLength(2);
    expect(good(readings)).toHaveLength(8);
    const rates = [2, 3, 4, 5].reduce((sum, id) => sum + Number(readValue(readings, id)), 0);
    expect(readValue(readings, 1)).toBeCloseTo(rates, 6);
    expect(readValue(readings, 6)).toBeGreaterThan(200);
  });

  it('reads the items one by one where the meter refuses the block, and remembers', async () => {
    const points = pointsOf(voltages);
    const { readAll, line } = bench({
      points,
      answerFilter: (bytes) => {
        const isBlock = bytes[15] === 0x32;
        return isBlock ? Uint8Array.from([...bytes.subarray(0, 12), 0xd1, 1, 0x35, (0xd1 + 1 + 0x35 + 0x68 * 2 + 1) & 0xff, 0x16]) : bytes;
      },
    });
    const before = line.sent.length;
    const readings = await readAll();
    expect(good(readings)).toHaveLength(3);
    expect(line.sent.length - before).toBe(4);
    await readAll();
    expect(line.sent).toHaveLength(7);
  });

  it('asks by itself for a rate that the block does not have', async () => {
    const points = pointsOf([...energies, { address: 0x00010700, slave_id: 1 }]);
    const { readAll, line } = bench({ points });
    const readings = await readAll();
    expect(line.sent).toHaveLength(2);
    expect(good(readings)).toHaveLength(6);
    await readAll();
    expect(line.sent).toHaveLength(4);
  });

  it('does without blocks when the channel says so', async () => {
    const { readAll, line } = bench({ points: pointsOf(voltages), protocol: { use_blocks: false } });
    expect(good(await readAll())).toHaveLength(3);
    expect(line.sent).toHaveLength(3);
  });
});

describe('follow-up frames', () => {
  const record = [{ address: 0x03300201, slave_id: 7 }];

  it('are joined inside one read', async () => {
    const { readAll, line } = bench({ points: pointsOf(record) });
    const readings = await readAll();
    const reading = readings.get(1);
    expect(reading?.kind === 'value' && reading.raw.length).toBe(202);
    expect(line.sent).toHaveLength(2);
  });

  it('are as many as a short part needs', async () => {
    const { readAll, line } = bench({ points: pointsOf(record), protocol: { follow_up_octets: 20 } });
    const reading = (await readAll()).get(1);
    expect(reading?.kind === 'value' && reading.raw.length).toBe(202);
    expect(line.sent).toHaveLength(11);
  });

  it('are not asked for once a stop is requested', async () => {
    const { readAll, line } = bench({ points: pointsOf(record) });
    const reading = (await readAll('batch', { isStopping: () => true })).get(1);
    expect(reading?.kind === 'failure' && reading.error.code).toBe('CANCELLED');
    expect(line.sent).toHaveLength(1);
  });
});

describe('several meters', () => {
  it('of both editions answer on one line, and nobody else does', async () => {
    const points = pointsOf([
      { address: 0x02010100, slave_id: 12_345_678 },
      { address: 0xb611, slave_id: 99, protocol: { edition: 1997 } },
      { address: 0x901f, slave_id: 99, protocol: { edition: 1997 } },
      { address: 0x02010100, slave_id: 5 },
      { address: 0x04000402, protocol: { meter_address: '123456789012' } },
    ]);
    const { readAll } = bench({ points, served: points.filter(({ id }) => id !== 4) });
    const readings = await readAll();
    expect(good(readings)).toHaveLength(4);
    expect(readValue(readings, 4)).toMatch(/Meter 000000000005 did not answer within 1000 ms/);
    expect(readValue(readings, 5)).toBe(123_456_789_012);
    const energies = readings.get(3);
    expect(energies?.kind === 'value' && energies.valueText.split(', ')).toHaveLength(5);
  });

  it('are found by the wildcard when there is one, and garble each other when there are two', async () => {
    const any = { address: 0x04000401, protocol: { meter_address: 'AAAAAAAAAAAA' } };
    const one = pointsOf([any, { address: 0x02010100, slave_id: 4711 }]);
    expect(readValue(await bench({ points: one }).readAll(), 1)).toBe(4711);
    const two = pointsOf([any, { address: 0x02010100, slave_id: 4711 }, { address: 0x02010100, slave_id: 8888 }]);
    const reading = (await bench({ points: two }).readAll()).get(1);
    expect(reading?.kind === 'failure' && reading.error.message).toMatch(/Several meters may have answered/);
  });
});

describe('values', () => {
  it('are scaled from the reading of the meter, or from its digits where a decode code says so', async () => {
    const points = pointsOf([
      { address: 0x00010000, slave_id: 1 },
      { address: 0x00010000, slave_id: 1, decode: '0x41', mul_coe: 0.01 },
      { address: 0x00010000, slave_id: 1, decode: '0x41' },
      { address: 0x04000501, slave_id: 1, frame_type: FrameType.yx, bit: 3 },
      { address: 0x01010000, slave_id: 1 },
    ]);
    const { readAll, server, clock } = bench({ points });
    const [, , , word, demand] = points;
    if (!word || !demand) throw new Error('points');
    await server.execute({ point: word, step: 'operate', value: 1, options: {} });
    await server.execute({ point: demand, step: 'operate', value: 1.5, options: {} });
    clock.sleep(0, 'runs');
    const readings = await readAll();
    const kWh = Number(readValue(readings, 1));
    expect(readValue(readings, 2)).toBe(kWh);
    expect(readValue(readings, 3)).toBe(Math.round(kWh * 100));
    expect(readValue(readings, 4)).toBe(1);
    const maximum = readings.get(5);
    expect(maximum?.kind === 'value' && maximum.valueText).toBe('1.5 2026-03-05 14:30');
  });

  it('refuse to be set out of range', async () => {
    const points = pointsOf([{ address: 0x02010100, slave_id: 1 }]);
    const { server } = bench({ points });
    const [point] = points;
    if (!point) throw new Error('point');
    await expect(server.execute({ point, step: 'operate', value: 1000, options: {} })).rejects.toMatchObject({ code: 'CONFIG_RANGE' });
    await expect(server.execute({ point, step: 'operate', value: -1, options: {} })).rejects.toMatchObject({ code: 'CONFIG_RANGE' });
  });

  it('count up with the power', async () => {
    const points = pointsOf([
      { address: 0x00010000, slave_id: 31 },
      { address: 0x02030000, slave_id: 31 },
    ]);
    const { readAll, clock } = bench({ points });
    const before = await readAll();
    await clock.advance(3_600_000);
    const after = await readAll();
    const grown = Number(readValue(after, 1)) - Number(readValue(before, 1));
    expect(grown).toBeGreaterThan(0);
    expect(grown).toBeLessThan(3 * Math.max(Number(readValue(before, 2)), Number(readValue(after, 2))));
  });
});
