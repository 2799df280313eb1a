import { describe, expect, it } from 'vitest';
import { testPoint } from '../../testing/points.ts';
import { readRound, type SimulatedUnit, unitWith } from '../testing/simulated-unit.ts';
import { LearnedAddresses } from './holes.ts';
import { type ModbusBatch, planBatches } from './planner.ts';

function registers(from: number, quantity: number) {
  return Array.from({ length: quantity }, (_, index) => testPoint({ id: from + index + 1, address: from + index }));
}

function batchOf(from: number, quantity: number): ModbusBatch {
  const [batch] = planBatches(registers(from, quantity), { maxGap: 0, addressBase: 0, mode: 'batch' }).batches;
  if (!batch) throw new Error('no batch');
  return batch;
}

function run(unit: SimulatedUnit, points: ReturnType<typeof registers>, rounds: number, learned = new LearnedAddresses()) {
  const results = Array.from({ length: rounds }, () => readRound(unit, points, learned));
  return { learned, results, last: results.at(-1) };
}

describe('LearnedAddresses', () => {
  it('remembers an address that is refused alone twice while its neighbours answer', () => {
    const { learned, results, last } = run(unitWith({ holes: [30] }), registers(0, 100), 3);
    expect(learned.area(1, 3)).toEqual({ holes: [{ start: 30, length: 1 }], boundaries: [] });
    expect(results.map((result) => result.good)).toEqual([99, 99, 99]);
    expect(last).toMatchObject({ requests: 2, refusals: 0 });
  });

  it('takes a whole that is refused while both halves answer for a boundary', () => {
    const { learned, last } = run(unitWith({ boundaries: [30] }), registers(0, 100), 2);
    expect(learned.area(1, 3)).toEqual({ holes: [], boundaries: [30] });
    expect(last).toMatchObject({ requests: 2, refusals: 0, good: 100 });
  });

  it('learns nothing from a unit that refuses everything, and stops asking it in pieces', () => {
    const unit = unitWith({ refusesAll: true });
    const { learned, results, last } = run(unit, registers(0, 50), 4);
    expect(learned.area(1, 3)).toEqual({ holes: [], boundaries: [] });
    expect(results.slice(1).map((result) => result.requests)).toEqual([1, 1, 1]);
    unit.refusesAll = false;
    expect(readRound(unit, registers(0, 50), learned)).toMatchObject({ requests: 1, good: 50 });
    expect(last?.good).toBe(0);
  });

  it('does not take a unit that restarts for one with holes', () => {
    const unit = unitWith({});
    const points = [...registers(0, 20), ...registers(100, 20)];
    const { learned } = run(unit, points, 1);
    unit.refusesAll = true;
    run(unit, points, 3, learned);
    unit.refusesAll = false;
    expect(readRound(unit, points, learned)).toMatchObject({ requests: 2, good: 40 });
    expect(learned.area(1, 3).holes).toEqual([]);
  });

  it('finds a lone address once another one of the unit answers', () => {
    const points = [...registers(0, 1), ...registers(10, 1)];
    const { learned } = run(unitWith({ holes: [0] }), points, 2);
    expect(learned.area(1, 3).holes).toEqual([{ start: 0, length: 1 }]);
  });

  it('keeps units and functions apart', () => {
    const learned = new LearnedAddresses();
    learned.refused(batchOf(5, 1));
    learned.answered({ ...batchOf(9, 1), slaveId: 2 });
    learned.answered({ ...batchOf(9, 1), functionCode: 4 });
    learned.refused(batchOf(5, 1));
    expect(learned.area(1, 3).holes).toEqual([]);
  });

  it('takes a hole and a boundary back when the device answers there after all', () => {
    const { learned } = run(unitWith({ holes: [3], boundaries: [6] }), registers(0, 10), 5);
    expect(learned.area(1, 3)).toEqual({ holes: [{ start: 3, length: 1 }], boundaries: [6] });
    const before = learned.version;
    learned.answered(batchOf(3, 1));
    expect(learned.area(1, 3)).toEqual({ holes: [], boundaries: [6] });
    learned.answered(batchOf(5, 2));
    expect(learned.area(1, 3)).toEqual({ holes: [], boundaries: [] });
    expect(learned.version).toBe(before + 2);
  });

  it('learns no boundary from halves that start at one address', () => {
    const points = [testPoint({ id: 1, address: 8 }), testPoint({ id: 2, address: 8, decode: '0x41' })];
    const { batches } = planBatches(points, { maxGap: 0, addressBase: 0, mode: 'batch' });
    const learned = new LearnedAddresses();
    for (const batch of batches) for (const half of learned.refused(batch)) learned.answered(half);
    expect(learned.area(1, 3).boundaries).toEqual([]);
  });

  it('gives both halves of a refused batch, and none of a single point', () => {
    const learned = new LearnedAddresses();
    expect(learned.refused(batchOf(0, 4)).map((half) => [half.start, half.quantity])).toEqual([
      [0, 2],
      [2, 2],
    ]);
    expect(learned.refused(batchOf(0, 1))).toEqual([]);
  });

  it('forgets a split that was never finished, and stays bounded', () => {
    const learned = new LearnedAddresses();
    for (let start = 0; start < 60_000; start += 2) learned.refused(batchOf(start, 2));
    for (let start = 0; start < 60_000; start += 1) learned.refused(batchOf(start, 1));
    learned.answered(batchOf(65_000, 1));
    for (let start = 0; start < 60_000; start += 1) learned.refused(batchOf(start, 1));
    expect(learned.area(1, 3).holes.length).toBe(20_000);
    expect(learned.area(1, 3).boundaries).toEqual([]);
  });
});
