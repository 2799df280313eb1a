import { describe, expect, it } from 'vitest';
import { english } from '#shared/messages/index.ts';
import type { PointConfig } from '../../drivers/spi/index.ts';
import { point } from '../testing/harness.ts';
import { ColumnPointStore } from '../values/point-store.ts';
import { makeProgram, type Program } from './program.ts';

const breathe = async () => undefined;

function points(formulas: Readonly<Record<string, string | null>>): PointConfig[] {
  return Object.entries(formulas).map(([code, simulate], at) => point(at + 1, { code, protocol: simulate === null ? {} : { simulate } }));
}

async function program(formulas: Readonly<Record<string, string | null>>, before: Program | null = null): Promise<Program> {
  const configs = points(formulas);
  const own = new ColumnPointStore();
  own.add(configs);
  return makeProgram(configs, { own, of: () => undefined, seriesOf: () => undefined }, before, breathe);
}

const order = ({ points: all }: Program) => all.map((each) => each.point.code);
const faults = ({ faults: all }: Program) => Object.fromEntries(all.map((each) => [each.point.code, english(each.reason)]));

describe('the program of a channel', () => {
  it('has each formula behind those that it asks, whatever their place in the table', async () => {
    const made = await program({ A: 'B + C', B: 'C * 2', C: '3', D: null, E: 'D' });
    expect(order(made)).toEqual(['C', 'B', 'A', 'E']);
    expect(made.asked).toEqual([4]);
    expect(made.faults).toEqual([]);
  });

  it('tells circles, those of one formula as well, and works the rest out', async () => {
    const made = await program({ A: 'B', B: 'C', C: 'B + 1', D: 'D + 1', E: '7' });
    expect(order(made)).toEqual(['A', 'E']);
    expect(faults(made)).toMatchObject({
      B: expect.stringContaining('B → C → B'),
      C: expect.stringContaining('circle'),
      D: expect.stringContaining('D → D'),
    });
  });

  it('takes a circle that a delay or the value before breaks', async () => {
    const made = await program({ A: 'delay(B, 1) + 1', B: 'A * 2', C: 'last + 1' });
    expect(order(made).toSorted()).toEqual(['A', 'B', 'C']);
    expect(made.faults).toEqual([]);
  });

  it('takes a chain as long as a table', async () => {
    const chain = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`P${at}`, at === 19_999 ? '1' : `P${at + 1} + 1`]));
    const made = await program(chain);
    expect(made.points).toHaveLength(20_000);
    expect(made.points[0]?.point.code).toBe('P19999');
  });

  it('goes on with what a formula remembers where it stayed the same, and not where it changed', async () => {
    const first = await program({ A: 'last + 1', B: 'last + 1' });
    for (const each of first.points) each.value = 41;
    const second = await program({ A: 'last + 1', B: 'last + 2' }, first);
    const [a, b] = second.points;
    expect([a?.value, a?.work === first.points[0]?.work]).toEqual([41, true]);
    expect([b?.value, b?.work === first.points[1]?.work]).toEqual([0, false]);
  });

  it('leaves out empty formulas and tells those that cannot be understood', async () => {
    const made = await program({ A: '', B: '  ', C: '1 +' });
    expect(order(made)).toEqual([]);
    expect(faults(made)).toEqual({ C: expect.stringContaining('cannot be understood') });
  });
});
