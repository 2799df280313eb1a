import { describe, expect, it } from 'vitest';
import { recordSelection } from './load-records.ts';
import { normalizeMeterPoint } from './point-rules.ts';
import { bench, draft, pointsOf } from './testing/bench.ts';

const issues = (address: number, protocol: Record<string, unknown>) =>
  normalizeMeterPoint(draft({ address, protocol })).issues.map(({ path, message }) => `${path} ${message}`);

describe('load records', () => {
  it('are asked for by number of blocks and moment, behind the identifier', async () => {
    const protocol = { record_blocks: 2, record_time: '2026-03-05T14:30' };
    expect([...recordSelection({ protocol })]).toEqual([2, 0x30, 0x14, 0x05, 0x03, 0x26]);
    expect([...recordSelection({ protocol: { record_blocks: 3 } })]).toEqual([3]);
    expect([...recordSelection({ protocol: {} })]).toEqual([]);
    const points = pointsOf([
      { address: 0x06010001, slave_id: 7, protocol },
      { address: 0x06010001, slave_id: 7, protocol: { record_time: '2026-03-05T14:45' } },
      { address: 0x06010002, slave_id: 7, protocol: { record_blocks: 1 } },
      { address: 0x06010000, slave_id: 7 },
    ]);
    const { line, readAll } = bench({ points });
    const readings = await readAll();
    expect([...readings.values()].map(({ kind }) => kind)).toEqual(['value', 'value', 'value', 'value']);
    // length, identifier and what follows it, with the offset of 33H taken off
    const sent = line.sent.map(({ bytes }) => Array.from(bytes.slice(bytes.indexOf(0x68) + 10, -2), (octet) => (octet - 0x33) & 0xff));
    expect(sent).toEqual([
      [1, 0, 1, 6, 2, 0x30, 0x14, 5, 3, 0x26],
      [1, 0, 1, 6, 1, 0x45, 0x14, 5, 3, 0x26],
      [2, 0, 1, 6, 1],
      [0, 0, 1, 6],
    ]);
  });

  it('say what is wrong', () => {
    expect(issues(0x06010002, { record_time: '2026-03-05T14:30' })[0]).toMatch(/means nothing to 06010002/);
    expect(issues(0x06010001, { record_time: '2026-02-30T14:30' })[0]).toMatch(/must be a local time .* not 2026-02-30T14:30/);
    expect(issues(0x02010100, { record_blocks: 2 })[0]).toMatch(/record_blocks means something for load records only/);
    expect(issues(0x06010001, { record_time: '2026-03-05 14:30', record_blocks: 9 })).toEqual([]);
  });
});
