import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import type { PointConfig } from '../../spi/index.ts';
import { testPoint } from '../../testing/points.ts';
import type { LearnedArea } from './learned-area.ts';
import { type ModbusBatch, planBatches, splitBatch } from './planner.ts';

const OPTIONS = { maxGap: 0, addressBase: 0, mode: 'batch' } as const;

function registers(addresses: readonly number[], changes: Partial<PointConfig> = {}): PointConfig[] {
  return addresses.map((address, index) => testPoint({ id: index + 1, address, ...changes }));
}

function spans(batches: readonly ModbusBatch[]): string[] {
  return batches.map((batch) => `${batch.slaveId}/${batch.functionCode}/${batch.start}+${batch.quantity}`);
}

function count(from: number, quantity: number): number[] {
  return Array.from({ length: quantity }, (_, index) => from + index);
}

function learned(area: Partial<LearnedArea>) {
  return { area: () => ({ holes: [], boundaries: [], ...area }) };
}

describe('planBatches', () => {
  it('merges contiguous addresses, and with max_gap 0 nothing else', () => {
    expect(spans(planBatches(registers([0, 1, 2, 4, 5]), OPTIONS).batches)).toEqual(['1/3/0+3', '1/3/4+2']);
  });

  it('reads across gaps of up to max_gap addresses', () => {
    expect(spans(planBatches(registers([0, 3, 7]), { ...OPTIONS, maxGap: 2 }).batches)).toEqual(['1/3/0+4', '1/3/7+1']);
  });

  it('stops at 125 registers and 2000 bits', () => {
    expect(spans(planBatches(registers(count(0, 126)), OPTIONS).batches)).toEqual(['1/3/0+125', '1/3/125+1']);
    const coils = registers(count(0, 2001), { frame_type: FrameType.yx, func_code: 1 });
    expect(spans(planBatches(coils, OPTIONS).batches)).toEqual(['1/1/0+2000', '1/1/2000+1']);
  });

  it('does not cut a two-register point at the limit', () => {
    const points = [...registers(count(0, 124)), testPoint({ id: 200, address: 124, decode: '0x41' })];
    expect(spans(planBatches(points, OPTIONS).batches)).toEqual(['1/3/0+124', '1/3/124+2']);
  });

  it('keeps units and functions apart, and reads YK back as coils, YT as holding registers', () => {
    const points = [
      testPoint({ id: 1, slave_id: 2 }),
      testPoint({ id: 2, func_code: 4 }),
      testPoint({ id: 3, frame_type: FrameType.yk, func_code: 5 }),
      testPoint({ id: 4, frame_type: FrameType.yt, func_code: 6, address: 1 }),
      testPoint({ id: 5, frame_type: FrameType.yk, func_code: 22, bit: 3 }),
    ];
    expect(spans(planBatches(points, OPTIONS).batches)).toEqual(['1/1/0+1', '1/3/0+2', '1/4/0+1', '2/3/0+1']);
  });

  it('asks overlapping points together, each at its own place', () => {
    const points = [
      testPoint({ id: 1, address: 10, decode: '0x41' }),
      testPoint({ id: 2, address: 11 }),
      testPoint({ id: 3, address: 11 }),
    ];
    const { batches } = planBatches(points, OPTIONS);
    expect(spans(batches)).toEqual(['1/3/10+2']);
    expect(batches[0]?.items.map(({ pointId, offset, length }) => [pointId, offset, length])).toEqual([
      [1, 0, 2],
      [2, 1, 1],
      [3, 1, 1],
    ]);
  });

  it('subtracts address_base, and leaves out what Modbus cannot ask', () => {
    const points = [
      ...registers([40_000, 40_001, 105_536, 105_537]),
      testPoint({ id: 9, address: 105_536, decode: '0x41' }),
      testPoint({ id: 10, address: 40_001, decode: '0x99' }),
    ];
    const { batches, excluded } = planBatches(points, { ...OPTIONS, addressBase: 40_001 });
    expect(spans(batches)).toEqual(['1/3/0+1', '1/3/65535+1']);
    expect(excluded.map(({ pointId, error }) => [pointId, error.code])).toEqual([
      [1, 'CONFIG_RANGE'],
      [4, 'CONFIG_RANGE'],
      [9, 'CONFIG_RANGE'],
      [10, 'CONFIG_INVALID'],
    ]);
    expect(excluded[1]?.error.message).toContain('40001 to 105536');
  });

  it('asks one point a request in table order in single mode, known holes too', () => {
    const points = registers([5, 4, 4]);
    const plan = planBatches(points, { ...OPTIONS, mode: 'single', learned: learned({ holes: [{ start: 4, length: 1 }] }) });
    expect(spans(plan.batches)).toEqual(['1/3/5+1', '1/3/4+1', '1/3/4+1']);
    expect(plan.batches.map((batch) => batch.pointIds)).toEqual([[1], [2], [3]]);
    expect(plan.excluded).toEqual([]);
  });

  it('leaves holes out, says so, and does not read across them', () => {
    const plan = planBatches(registers([0, 1, 2, 3]), { ...OPTIONS, maxGap: 5, learned: learned({ holes: [{ start: 2, length: 1 }] }) });
    expect(spans(plan.batches)).toEqual(['1/3/0+2', '1/3/3+1']);
    expect(plan.excluded).toMatchObject([{ pointId: 3, error: { code: 'DEVICE_EXCEPTION' } }]);
    expect(plan.excluded[0]?.error.message).toContain('refuses address 2');
  });

  it('still asks for one register of a two-register hole', () => {
    const points = [testPoint({ id: 1, address: 4, decode: '0x41' }), testPoint({ id: 2, address: 5 }), testPoint({ id: 3, address: 3 })];
    const plan = planBatches(points, { ...OPTIONS, learned: learned({ holes: [{ start: 4, length: 2 }] }) });
    expect(spans(plan.batches)).toEqual(['1/3/3+1', '1/3/5+1']);
    expect(plan.excluded.map((failure) => failure.pointId)).toEqual([1]);
  });

  it('does not take an address for a gap that a point across a boundary covers', () => {
    const points = [
      testPoint({ id: 1, address: 6, decode: '0x60' }),
      testPoint({ id: 2, address: 11, decode: '0x20' }),
      testPoint({ id: 3, address: 8, decode: '0x20' }),
    ];
    const plan = planBatches(points, { ...OPTIONS, maxGap: 1, learned: learned({ boundaries: [7] }) });
    expect(plan.batches.map((batch) => [batch.start, batch.quantity])).toEqual([
      [6, 4],
      [8, 4],
    ]);
  });

  it('ends a request before a learnt boundary', () => {
    const plan = planBatches(registers(count(0, 10)), { ...OPTIONS, learned: learned({ boundaries: [4] }) });
    expect(spans(plan.batches)).toEqual(['1/3/0+4', '1/3/4+6']);
  });

  it('takes a chain of overlapping points apart only when it is longer than a request may be', () => {
    const chain = registers(count(0, 130), { decode: '0x41' });
    expect(spans(planBatches(chain, OPTIONS).batches)).toEqual(['1/3/0+125', '1/3/124+7']);
  });

  it('plans nothing for no points', () => {
    expect(planBatches([], OPTIONS)).toEqual({ batches: [], excluded: [] });
  });
});

describe('splitBatch', () => {
  function batchOf(points: readonly PointConfig[]): ModbusBatch {
    const [batch] = planBatches(points, { ...OPTIONS, maxGap: 100 }).batches;
    if (!batch) throw new Error('no batch');
    return batch;
  }

  it('cuts in the middle, and each half spans only its own points', () => {
    expect(spans(splitBatch(batchOf(registers([0, 1, 2, 9]))))).toEqual(['1/3/0+2', '1/3/2+8']);
  });

  it('never cuts a multi-register point', () => {
    const points = [testPoint({ id: 1, address: 0 }), testPoint({ id: 2, address: 1, decode: '0x60' })];
    expect(spans(splitBatch(batchOf(points)))).toEqual(['1/3/0+1', '1/3/1+4']);
  });

  it('keeps points on the same addresses together', () => {
    const bits = count(0, 3).map((bit) => testPoint({ id: bit + 1, frame_type: FrameType.yx, func_code: 3, bit }));
    expect(splitBatch(batchOf(bits))).toEqual([]);
    expect(spans(splitBatch(batchOf([...bits, testPoint({ id: 9, address: 1 })])))).toEqual(['1/3/0+1', '1/3/1+1']);
  });

  it('separates views of different length that start together', () => {
    const points = [testPoint({ id: 1, decode: '0x41' }), testPoint({ id: 2 }), testPoint({ id: 3, decode: '0x41' })];
    expect(splitBatch(batchOf(points)).map((batch) => batch.pointIds)).toEqual([[2], [1, 3]]);
  });

  it('cannot split a single point', () => {
    expect(splitBatch(batchOf([testPoint({ decode: '0x60' })]))).toEqual([]);
  });
});
