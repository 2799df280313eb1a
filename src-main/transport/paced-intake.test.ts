import { describe, expect, it } from 'vitest';
import { ManualClock, settle } from '../platform/manual-clock.ts';
import { MOST_AT_ONCE, PacedDatagrams, PacedIntake } from './paced-intake.ts';

const octets = (count: number) => Uint8Array.from({ length: count }, (_, at) => at % 251);

/** A source that is read while it is not paused, and a receiver that takes `costMs` for each piece. */
function bench(clock: ManualClock, costMs: number) {
  const pieces: Uint8Array[] = [];
  const calls: string[] = [];
  const source = { pause: () => calls.push('pause'), resume: () => calls.push('resume') };
  const intake = new PacedIntake(source, clock, (piece) => {
    pieces.push(piece);
    clock.sleep(costMs, 'runs');
  });
  return { intake, pieces, calls };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('what comes from a socket', () => {
  it('is handed on at once while it is short', () => {
    const { intake, pieces, calls } = bench(new ManualClock(), 9);
    const told: number[] = [];
    intake.take(octets(MOST_AT_ONCE));
    intake.take(octets(1));
    intake.behindAll(() => told.push(pieces.length));
    expect(pieces.map(({ length }) => length)).toEqual([MOST_AT_ONCE, 1]);
    expect(told).toEqual([2]);
    expect(calls).toEqual([]);
  });

  it('is cut into pieces where it is long; nothing is read meanwhile, and the end comes behind the last one', async () => {
    const { intake, pieces, calls } = bench(new ManualClock(), 0);
    const all = octets(3 * MOST_AT_ONCE + 5);
    intake.take(all.subarray(0, 2 * MOST_AT_ONCE + 1));
    // what was read before the pause took effect
    intake.take(all.subarray(2 * MOST_AT_ONCE + 1));
    intake.behindAll(() => calls.push(`end behind ${Buffer.concat(pieces).length}`));
    expect(pieces).toEqual([]);
    await settle();
    expect(Buffer.concat(pieces).equals(all)).toBe(true);
    expect(Math.max(...pieces.map(({ length }) => length))).toBe(MOST_AT_ONCE);
    expect(calls).toEqual(['pause', 'pause', 'resume', `end behind ${all.length}`]);
    intake.take(octets(3));
    expect(pieces.at(-1)).toHaveLength(3);
  });

  it.each([
    [6, 1],
    [3, 2],
    [0, 20],
  ])('that costs %i ms a piece: %i of them in a turn of the event loop, whatever socket they are of', async (costMs, inOneTurn) => {
    const clock = new ManualClock();
    const benches = [bench(clock, costMs), bench(clock, costMs)];
    const count = () => benches.reduce((sum, { pieces }) => sum + pieces.length, 0);
    for (const { intake } of benches) intake.take(octets(10 * MOST_AT_ONCE));
    for (let before = 0; before < 20; before += inOneTurn) {
      expect(count()).toBe(before);
      await turn();
    }
    expect(benches.map(({ pieces }) => pieces.length)).toEqual([10, 10]);
  });
});

describe('what comes in datagrams', () => {
  function port(clock: ManualClock, costMs: number) {
    const got: number[] = [];
    const intake = new PacedDatagrams<number>(clock, (datagram) => {
      got.push(datagram);
      clock.sleep(costMs, 'runs');
    });
    return { intake, got };
  }

  it('is handed on at once where it is one in a turn, and in its order', async () => {
    const { intake, got } = port(new ManualClock(), 9);
    for (let count = 1; count < 4; count++) {
      intake.take(count);
      expect(got).toHaveLength(count);
      await settle();
    }
    expect(got).toEqual([1, 2, 3]);
  });

  it('waits behind the first one of a turn, for some milliseconds of work in each; what cannot wait is lost, the oldest stay', async () => {
    const { intake, got } = port(new ManualClock(), 3);
    for (let count = 0; count < 1000; count++) intake.take(count);
    expect(got).toEqual([0]);
    const counts: number[] = [];
    for (let turns = 0; turns < 200; turns++) {
      await turn();
      counts.push(got.length);
    }
    expect(counts.slice(0, 3)).toEqual([3, 5, 7]);
    expect(got).toEqual(Array.from({ length: 257 }, (_, count) => count));
    intake.take(5000);
    expect(got.at(-1)).toBe(5000);
  });
});
