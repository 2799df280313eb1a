import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecordingSettings } from '#shared/contract/history.ts';
import { QUALITIES } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { PointReading } from '../../drivers/spi/index.ts';
import { testPoint } from '../../drivers/testing/points.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { ChangeCounter } from '../../runtime/values/change-counter.ts';
import { ColumnPointStore } from '../../runtime/values/point-store.ts';
import { Tape } from './tape.ts';

const SETTINGS: RecordingSettings = {
  ...{ mode: 'changed', dead_band: 0, dead_bands: [], trigger: '', before_s: 10, after_s: 30, retention_days: 30, max_mb: 500 },
};
/** Indices of qualities. */
const [GOOD, STALE, INVALID] = [1, 2, 3];

/** A channel of points P1, P2 …, whose tape is looked at. */
class Reel {
  readonly #changes = new ChangeCounter();
  readonly points = new ColumnPointStore(this.#changes);
  readonly tape: Tape;
  /** How often a look gave way to other work. */
  breaths = 0;
  meanwhile: () => void = () => {};

  constructor(settings: Partial<RecordingSettings> = {}, count = 2) {
    this.points.add(Array.from({ length: count }, (_, at) => testPoint({ id: at + 1, code: `P${at + 1}` })));
    this.tape = new Tape({ points: this.points } as unknown as ChannelRuntime, { ...SETTINGS, ...settings });
  }

  read(at: number, pointId: number, value: number): this {
    const reading: PointReading = {
      kind: 'value',
      pointId,
      value,
      valueText: '',
      raw: new Uint8Array(),
      quality: 'good',
      flags: [],
      sourceTime: null,
    };
    this.points.apply([reading], at);
    return this;
  }

  fail(at: number, pointId: number): this {
    this.points.apply([{ kind: 'failure', pointId, error: new AppError('TIMEOUT_RESPONSE', say('runtime.none')) }], at);
    return this;
  }

  /** What is recorded now: point, time, value and quality. */
  async look(now: number): Promise<number[][]> {
    const taken: number[][] = [];
    await this.tape.look(
      now,
      this.#changes.last,
      (...sample) => void taken.push(sample),
      async () => {
        this.breaths += 1;
        this.meanwhile();
      },
    );
    return taken;
  }
}

describe('what is recorded of a channel', () => {
  it('are values that differ from the last recorded one, with their own time, from the first look on', async () => {
    const reel = new Reel().read(400, 1, 5);
    expect(reel.tape.since).toBeNull();
    expect(await reel.look(1000), 'not before it began').toEqual([[1, 1000, 5, GOOD]]);
    expect(reel.tape.since).toBe(1000);
    expect(await reel.look(1050)).toEqual([]);
    expect(await reel.read(1060, 1, 5).look(1100), 'the same').toEqual([]);
    expect(await reel.read(1110.4, 1, 6).read(1120, 2, 7).look(1150)).toEqual([
      [1, 1110, 6, GOOD],
      [2, 1120, 7, GOOD],
    ]);
    expect(await reel.read(1160, 1, 6.5).read(1170, 1, 6).look(1200), 'what came and went between two looks').toEqual([]);
  });

  it('are failures with the time of now: the value has that of its read', async () => {
    const reel = new Reel().read(1000, 1, 5);
    await reel.look(1000);
    expect(await reel.fail(1100, 1).look(1150)).toEqual([[1, 1150, 5, STALE]]);
    expect(await reel.fail(1200, 1).look(1250)).toEqual([]);
    expect(await reel.read(1300, 1, 5).look(1350)).toEqual([[1, 1300, 5, GOOD]]);
  });

  it.each(['all', 'trigger'] as const)('are all that is read, where that is asked for (%s), and each once', async (mode) => {
    const reel = new Reel({ mode }).read(1000, 1, 5);
    await reel.look(1000);
    expect(await reel.read(1010, 1, 5).look(1050)).toEqual([[1, 1010, 5, GOOD]]);
    expect(await reel.look(1100)).toEqual([]);
    expect(await reel.read(1110, 2, 1).look(1150)).toEqual([[2, 1110, 1, GOOD]]);
    expect(await reel.read(700, 1, 5).look(800), 'behind a clock that was set back').toHaveLength(1);
  });

  it('are what is no number once, and the number behind it, whatever band is set', async () => {
    const reel = new Reel({ dead_band: 1000 }).read(1000, 1, 5);
    await reel.look(1000);
    expect(await reel.read(1010, 1, Number.NaN).look(1050)).toEqual([[1, 1010, 0, INVALID]]);
    expect(await reel.read(1060, 1, Number.NaN).look(1100)).toEqual([]);
    expect(await reel.read(1110, 1, 6).look(1150)).toEqual([[1, 1110, 6, GOOD]]);
  });

  it('begins anew when it is told to, with what stands there', async () => {
    const reel = new Reel().read(1000, 1, 5);
    await reel.look(1000);
    reel.tape.restart();
    expect(reel.tape.since).toBeNull();
    expect(await reel.look(9000)).toEqual([[1, 9000, 5, GOOD]]);
  });

  it('is that of as many points as there are, also those that come later', async () => {
    const reel = new Reel({}, 100);
    for (let id = 1; id <= 100; id++) reel.read(1000, id, id);
    expect((await reel.look(1000)).map(([id, , value]) => [id, value])).toEqual(Array.from({ length: 100 }, (_, at) => [at + 1, at + 1]));
    for (let id = 1; id <= 100; id++) reel.read(1010, id, id === 50 ? 0 : id);
    expect(await reel.look(1050)).toEqual([[50, 1010, 0, GOOD]]);
    reel.points.add([testPoint({ id: 101, code: 'P101' })]);
    expect(await reel.read(1060, 101, 9).look(1100)).toEqual([[101, 1060, 9, GOOD]]);
  });

  it.each(['changed', 'all'] as const)('begins anew with all that stands there, though nothing was read since (%s)', async (mode) => {
    const reel = new Reel({ mode }).read(1000, 1, 5).read(1000, 2, 6);
    await reel.look(1000);
    expect(await reel.look(1050)).toEqual([]);
    reel.tape.restart();
    expect((await reel.look(9000)).map(([id, at, value]) => [id, at, value])).toEqual([
      [1, 9000, 5],
      [2, 9000, 6],
    ]);
    expect(await reel.look(9050)).toEqual([]);
  });

  it('lets the lines have their turn in a large table, and misses no point of it', async () => {
    const reel = new Reel({}, 5001);
    for (let id = 1; id <= 5001; id++) reel.read(1000, id, id);
    expect(await reel.look(1000)).toHaveLength(5001);
    expect(reel.breaths).toBe(1);
    expect(await reel.read(1010, 5001, 0).look(1050)).toEqual([[5001, 1010, 0, GOOD]]);
  });

  it('forgets points that are long gone, and has what holds of the others where its stretch begins anew', async () => {
    const reel = new Reel({}, 1200);
    for (let id = 1; id <= 1200; id++) reel.read(1000, id, id);
    await reel.look(1000);
    reel.points.remove(Array.from({ length: 1190 }, (_, at) => at + 11));
    const taken = await reel.look(1150);
    expect([reel.tape.since, taken.map(([id]) => id)]).toEqual([1150, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]]);
  });
});

describe('a dead band', () => {
  /** Which of these values are recorded behind a first one of 100. */
  const kept = async (settings: Partial<RecordingSettings>, ...values: readonly number[]) => {
    const reel = new Reel(settings).read(1000, 1, 100);
    await reel.look(1000);
    const recorded: number[] = [];
    for (const [index, value] of values.entries()) {
      const at = 1100 + 100 * index;
      recorded.push(...(await reel.read(at, 1, value).look(at)).map(([, , taken = 0]) => taken));
    }
    return recorded;
  };

  it('leaves out what is not farther from the last recorded value, so that a slow drift is not lost', async () => {
    expect(await kept({ dead_band: 2 }, 101, 102, 102.5, 101, 100.4)).toEqual([102.5, 100.4]);
    expect(await kept({ dead_band: 2 }, 98, 97.9)).toEqual([97.9]);
  });

  it('of a point by its code goes before that of the channel, in its unit or in percent of the value', async () => {
    const own = (code: string, dead_band: number, kind: 'absolute' | 'percent'): Partial<RecordingSettings> => {
      return { dead_band: 1, dead_bands: [{ code, dead_band, kind }] };
    };
    expect(await kept(own('P1', 5, 'absolute'), 102, 105, 106)).toEqual([106]);
    expect(await kept(own('P1', 10, 'percent'), 109, 110, 111, 122, 123)).toEqual([111, 123]);
    expect(await kept(own('P1', 10, 'percent'), -100, -109, -111), 'of a value below zero as well').toEqual([-100, -111]);
    expect(await kept(own('NOBODY', 50, 'absolute'), 101, 102)).toEqual([102]);
    expect(await kept(own('P1', 0, 'absolute'), 100.5), 'none at all').toEqual([100.5]);
  });

  it('goes with its code to another point', async () => {
    const reel = new Reel({ dead_bands: [{ code: 'X', dead_band: 10, kind: 'absolute' }] }).read(1000, 1, 100);
    await reel.look(1000);
    expect(await reel.read(1100, 1, 101).look(1100)).toHaveLength(1);
    reel.points.update(testPoint({ id: 1, code: 'X' }));
    expect(await reel.read(1200, 1, 102).look(1200)).toEqual([]);
  });
});

it('a tape that begins anew while it looks takes everything with the next look', async () => {
  const reel = new Reel({}, 6000);
  for (const id of [1, 6000]) reel.read(900, id, id);
  reel.meanwhile = () => reel.tape.restart();
  await reel.look(1000);
  expect([reel.breaths, reel.tape.since]).toEqual([1, null]);
  reel.meanwhile = () => {};
  expect(await reel.look(1050)).toEqual([
    [1, 1050, 1, GOOD],
    [6000, 1050, 6000, GOOD],
  ]);
});

describe('what happens in the pauses of a look', () => {
  /** The first two are looked at before the pause, the others behind it. */
  const IDS = [1, 2, 5001, 5002] as const;
  const event = fc.record({
    id: fc.constantFrom(...IDS),
    value: fc.constantFrom(1, 2, Number.NaN),
    isFailure: fc.boolean(),
    ms: fc.nat(3),
  });
  const events = fc.array(event, { maxLength: 4 });
  const round = fc.record({ before: events, meanwhile: events });

  it.each(['changed', 'all'] as const)('is recorded once, in the order of time, at this look or the next one (%s)', async (mode) => {
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 5 }), async (rounds) => {
        const reel = new Reel({ mode }, 5002);
        await reel.look(1000);
        let now = 1000;
        const happened = new Map<number, number>();
        const happen = (all: (typeof rounds)[number]['before']) => {
          for (const { id, value, isFailure, ms } of all) {
            now += ms;
            happened.set(id, (happened.get(id) ?? 0) + 1);
            if (isFailure) reel.fail(now, id);
            else reel.read(now, id, value);
          }
        };
        const taken: number[][] = [];
        for (const { before, meanwhile } of [...rounds, { before: [], meanwhile: [] }]) {
          happen(before);
          reel.meanwhile = () => happen(meanwhile);
          taken.push(...(await reel.look(now)));
          now += 50;
        }
        expect(await reel.look(now), 'nothing is left').toEqual([]);
        for (const id of IDS) {
          const samples = taken.filter(([point]) => point === id);
          const times = samples.map(([, at = 0]) => at);
          expect(times).toEqual(times.toSorted((a, b) => a - b));
          expect(samples.length, 'no more than happened').toBeLessThanOrEqual(happened.get(id) ?? 0);
          const state = reel.points.state(id);
          if (state?.quality === 'never') expect(samples).toEqual([]);
          else expect(samples.at(-1)?.slice(2)).toEqual([state?.value, state && QUALITIES.indexOf(state.quality)]);
          if (mode === 'all' && state?.quality === 'good') expect(samples.at(-1)?.[1]).toBe(state.updatedAt);
        }
      }),
      { numRuns: 15 },
    );
  });
});
