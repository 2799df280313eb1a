import { expect, it, vi } from 'vitest';
import { say } from '#shared/messages/index.ts';
import type { PointConfig, PointsEdit } from '../drivers/spi/index.ts';
import type { PointsChange, ProjectStore } from '../persistence/repositories.ts';
import { inFolder, openTestProject, testChannel, testPoint } from '../persistence/test-project.ts';
import { Turns } from '../platform/turns.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
import { ColumnPointStore } from '../runtime/values/point-store.ts';
import type { ProjectSession } from './ports.ts';
import { type ChangeManner, type ChannelChange, type Journal, TableChanges } from './table-changes.ts';

/** Points of a small change, and of one that is prepared part by part. */
const [FEW, MANY] = [500, 501];
const JOURNAL = { at: '2026-01-01T00:00:00.000Z', source: 'api', name: say('edit.no_step', { step: 1 }) } as const;

/** A project with two channels, whose connections note what they are told. */
class Plant {
  store: ProjectStore;
  readonly #path: string;
  readonly changes: TableChanges;
  /** What connections are told, in order: of which channel, and what, or that all is other. */
  readonly told: [channel: string, edit: PointsEdit | undefined | 'tasks stopped'][] = [];
  readonly one: ChannelRuntime;
  readonly two: ChannelRuntime;
  readonly #there = new Map<number, ChannelRuntime>();
  #session: ProjectSession | null;
  /** Changes that were prepared beside the table, and given up. */
  readonly prepared = { made: 0, discarded: 0 };
  /** The channel that serves its table, and makes all of it anew for the smallest change. */
  longToServe = '';
  /** Called when a channel shows what it serves, behind a change that was made aside. */
  onServed: (channel: string) => void | Promise<void> = () => undefined;
  /** Called when a connection is told of a change. */
  onTold: () => void = () => undefined;

  constructor(folder: string) {
    this.#path = `${folder}/p.loopcheck`;
    this.store = openTestProject(this.#path);
    const { points } = this.store;
    const prepare = points.prepare.bind(points);
    points.prepare = async (...given) => {
      const load = await prepare(...given);
      this.prepared.made += 1;
      const discard = () => {
        this.prepared.discarded += 1;
        load.discard();
      };
      return { ...load, confirm: () => load.confirm(), discard };
    };
    this.one = this.#add('PCS 1');
    this.two = this.#add('PCS 2');
    this.#session = { store: this.store, channels: this.#there } as unknown as ProjectSession;
    const current = () => this.#session ?? expect.fail('no project');
    this.changes = new TableChanges({ current } as never);
  }

  #add(name: string): ChannelRuntime {
    const settings = this.store.channels.add(testChannel(name));
    const tell = (edit: PointsEdit | undefined | 'tasks stopped') => {
      this.told.push([name, edit]);
      this.onTold();
    };
    const points = new ColumnPointStore();
    const channel = {
      id: settings.id,
      settings,
      points,
      isLongToServe: () => this.longToServe === name,
      stagePoints: async (...given: Parameters<typeof points.stage>) => ({
        show: await points.stage(...given),
        told: async () => this.onServed(name),
      }),
      pointsChanged: tell,
      replacePoints: async (swap: () => void) => {
        swap();
        tell('tasks stopped');
      },
    } as unknown as ChannelRuntime;
    this.#there.set(settings.id, channel);
    return channel;
  }

  remove({ id }: ChannelRuntime): void {
    this.#there.delete(id);
  }

  /** The project is closed, and another one opened or none. */
  leave(isOtherThere: boolean): void {
    this.#session = isOtherThere ? ({ ...this.#session } as ProjectSession) : null;
  }

  /** Makes a change of the first channel. */
  change(change: Partial<PointsChange>, journal: Journal = JOURNAL, manner?: ChangeManner) {
    return this.make([this.of(this.one, change)], journal, manner);
  }

  make(changes: readonly ChannelChange[], journal: Journal = JOURNAL, manner?: ChangeManner) {
    const channels = changes.map(({ channel }) => channel);
    return this.changes.run(channels, (turns) => this.changes.make(changes, journal, turns, manner));
  }

  of(channel: ChannelRuntime, change: Partial<PointsChange>): ChannelChange {
    return { channel, change: { removed: [], changed: [], added: [], ...change } };
  }

  async add(count: number, prefix = 'P'): Promise<readonly PointConfig[]> {
    const [made = []] = await this.change({ added: named(count, prefix) });
    return made;
  }

  /** Codes of a channel, which have to be the same in memory and in the file. */
  codes(channel = this.one): string[] {
    const inMemory = channel.points.configs();
    expect([...this.store.points.iterate(channel.id)]).toEqual(inMemory);
    return inMemory.map(({ code }) => code);
  }

  async close(): Promise<void> {
    await this.store.swept();
    this.store.close();
  }

  /** The project as the next start finds it. */
  async again(): Promise<ProjectStore> {
    await this.close();
    return openTestProject(this.#path, false);
  }

  /** What the journal has. */
  steps() {
    return this.store.steps.all().map(({ added, changed, removed, isUndone }) => ({ added, changed, removed, isUndone }));
  }
}

const named = (count: number, prefix = 'P') => Array.from({ length: count }, (_, index) => testPoint(`${prefix}${index}`));

/** Runs a test in a plant of its own. */
function inPlant(run: (plant: Plant) => Promise<void>): () => Promise<void> {
  return () =>
    inFolder(async (folder) => {
      const plant = new Plant(folder);
      try {
        await run(plant);
      } finally {
        await plant.close();
      }
    });
}

it.each([FEW, MANY])('a change (%i points) is the same in memory and in the file, and its step can be taken back exactly', (count) =>
  inPlant(async (plant) => {
    const { one } = plant;
    const first = await plant.add(count);
    expect(first.map(({ id }) => one.points.config(id)?.code)).toEqual(named(count).map(({ code }) => code));
    const removed = first.slice(0, 3);
    const edited = first.slice(6).map((point) => ({ ...point, name: `${point.name}*` }));
    const [made = []] = await plant.change({ removed: removed.map(({ id }) => id), changed: edited, added: named(3, 'N') });
    expect(plant.codes()).toEqual([...first.slice(3).map(({ code }) => code), 'N0', 'N1', 'N2']);
    expect(plant.steps().at(-1)).toEqual({ added: 3, changed: count - 6, removed: 3, isUndone: false });
    expect(plant.prepared, 'only what is long is prepared').toEqual({ made: count === FEW ? 0 : 2, discarded: 0 });
    const step = plant.store.steps.all().at(-1)?.id ?? 0;
    const [side, ...others] = await plant.store.steps.sides(step, new Turns().breathe);
    expect(others).toEqual([]);
    expect(side).toEqual({
      channelId: one.id,
      removed,
      changed: edited.map((after, at) => ({ before: first[at + 6], after })),
      added: made,
    });
    const back = side ?? expect.fail();
    const taken = { removed: made.map(({ id }) => id), changed: back.changed.map(({ before }) => before), restored: back.removed };
    await plant.change(taken, { step, isUndone: true });
    expect(one.points.configs()).toEqual(first);
    expect(plant.codes()).toHaveLength(count);
    expect(plant.steps().map(({ isUndone }) => isUndone)).toEqual([false, true]);
  })(),
);

it(
  'a step has points that come back among those it brought',
  inPlant(async (plant) => {
    const [point = expect.fail()] = await plant.add(1);
    await plant.change({ removed: [point.id] });
    await plant.change({ restored: [point], added: named(1, 'N') });
    expect(plant.steps().at(-1)).toMatchObject({ added: 2, removed: 0 });
    expect(plant.codes()).toEqual(['P0', 'N0']);
  }),
);

it(
  'a connection is told of a small change what was and what is; of points that come back, and of a large change, that all is other',
  inPlant(async (plant) => {
    const [kept = expect.fail(), gone = expect.fail()] = await plant.add(2);
    const edited = { ...kept, name: 'other' };
    const [[made] = []] = await plant.change({ removed: [gone.id], changed: [edited], added: named(1, 'N') });
    await plant.change({ restored: [gone] });
    await plant.change({ added: named(MANY, 'Q') });
    expect(plant.told).toEqual([
      ['PCS 1', { before: [], after: [kept, gone] }],
      ['PCS 1', { before: [gone, kept], after: [edited, made] }],
      ['PCS 1', undefined],
      ['PCS 1', undefined],
    ]);
  }),
);

it(
  'points that come back among more than 10,000 are prepared, for the order of the whole table is made anew',
  inPlant(async (plant) => {
    const [first = expect.fail(), second = expect.fail()] = await plant.add(10_001);
    const comeBack = async (...points: readonly PointConfig[]) => {
      await plant.change({ removed: points.map(({ id }) => id) });
      const before = plant.prepared.made;
      await plant.change({ restored: points });
      return plant.prepared.made - before;
    };
    expect([await comeBack(first), await comeBack(first, second)]).toEqual([0, 0]);
    await plant.add(1, 'N');
    expect(await comeBack(first)).toBe(1);
    expect(plant.codes().slice(0, 2)).toEqual(['P0', 'P1']);
  }),
);

it(
  'a change of two channels is one step; one that changes nothing is none, and nobody is told of it',
  inPlant(async (plant) => {
    const { one, two } = plant;
    const nothing = plant.of(one, {});
    const made = await plant.make([nothing, plant.of(two, { added: named(1, 'B') })]);
    expect(made.map((points) => points.map(({ code }) => code))).toEqual([[], ['B0']]);
    expect(plant.told.map(([name]) => name)).toEqual(['PCS 2']);
    await plant.make([plant.of(one, { added: named(1, 'A') }), plant.of(two, { removed: two.points.configs().map(({ id }) => id) })]);
    expect([plant.codes(one), plant.codes(two)]).toEqual([['A0'], []]);
    expect(await plant.make([nothing, plant.of(two, {})])).toEqual([[], []]);
    expect(plant.steps()).toMatchObject([{ added: 1 }, { added: 1, removed: 1 }]);
    expect(plant.told.map(([name]) => name)).toEqual(['PCS 2', 'PCS 1', 'PCS 2']);
  }),
);

it.each([1, MANY])('a change (%i points) for which tasks are stopped is told once, when they are', (count) =>
  inPlant(async (plant) => {
    await plant.change({ added: named(count) }, JOURNAL, { stopsTasks: true });
    expect(plant.told).toEqual([['PCS 1', 'tasks stopped']]);
    expect(plant.codes()).toHaveLength(count);
  })(),
);

it(
  'a change with a code that is taken is not made in any of its channels',
  inPlant(async (plant) => {
    const { one, two } = plant;
    await plant.add(1, 'taken');
    const both = [plant.of(two, { added: named(1) }), plant.of(one, { added: [testPoint('free'), testPoint('taken0')] })];
    await expect(plant.make(both)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    expect([plant.codes(one), plant.codes(two)]).toEqual([['taken0'], []]);
    expect([plant.steps().length, plant.told.length]).toEqual([1, 1]);
  }),
);

it(
  'a large change whose step has no room on the disk is not made, and is in nobody’s way',
  inPlant(async (plant) => {
    const { steps } = plant.store;
    const { prepare } = steps;
    const full = new Error('no space');
    steps.prepare = () => Promise.reject(full);
    await expect(plant.add(MANY)).rejects.toBe(full);
    steps.prepare = prepare;
    expect([plant.codes(), plant.steps(), plant.told, plant.prepared.discarded]).toEqual([[], [], [], 1]);
    expect(await plant.add(MANY)).toHaveLength(MANY);
    expect(plant.codes()).toHaveLength(MANY);
  }),
);

it(
  'a large change of a channel that is removed, with what was prepared for it, while its step is packed is refused as that',
  inPlant(async (plant) => {
    const { one, two, store } = plant;
    const { prepare } = store.steps;
    store.steps.prepare = (facts, sides, breathe, loads) => {
      let turn = 0;
      const pause = async () => {
        turn += 1;
        if (turn === 1) {
          store.channels.remove(two.id);
          plant.remove(two);
          for (let each = 0; each < 50; each++) await breathe();
        }
        await breathe();
      };
      return prepare.call(store.steps, facts, sides, pause, loads);
    };
    const both = [plant.of(one, { added: named(MANY) }), plant.of(two, { added: named(20_000, 'two') })];
    const refusal = { code: 'STATE_CONFLICT', said: { code: 'service.channel_removed', params: { channel: 'PCS 2' } } };
    await expect(plant.make(both)).rejects.toMatchObject(refusal);
    expect([plant.codes(one), plant.steps()]).toEqual([[], []]);
  }),
);

it.each([1, MANY])('a change (%i points) of a channel that is removed meanwhile, or whose project is left, is refused', (count) =>
  inPlant(async (plant) => {
    const { one, changes } = plant;
    const change = [plant.of(one, { added: named(count) })];
    const refusal = { code: 'STATE_CONFLICT', said: { code: 'service.channel_removed', params: { channel: 'PCS 1' } } };
    const leave = (how: () => void) =>
      changes.run(one, (turns) => {
        how();
        return changes.make(change, JOURNAL, turns);
      });
    await expect(leave(() => plant.remove(one))).rejects.toMatchObject(refusal);
    await expect(
      changes.run(one, async () => expect.fail('checked against a table that nobody has')),
      'the next one is not even begun',
    ).rejects.toMatchObject(refusal);
    expect([one.points.size, plant.store.points.count(one.id), plant.steps()]).toEqual([0, 0, []]);
  })(),
);

it.each([
  ['another one is opened', true, { code: 'STATE_CONFLICT' }],
  ['none is open', false, {}],
])('a large change of a project that is closed meanwhile is not made where %s', (_, isOtherThere, refusal) =>
  inPlant(async (plant) => {
    const { one, changes } = plant;
    let turn = 0;
    const turns = new Turns();
    const leaving = {
      breathe: turns.breathe,
      next: async () => {
        turn += 1;
        plant.leave(isOtherThere);
      },
    } as unknown as Turns;
    const made = changes.run(one, () => changes.make([plant.of(one, { added: named(MANY) })], JOURNAL, leaving));
    await expect(made).rejects.toMatchObject(refusal);
    expect([turn, one.points.size, plant.store.points.count(one.id), plant.steps()]).toEqual([2, 0, 0, []]);
    expect(plant.prepared.discarded, 'its file is closed').toBe(0);
  })(),
);

it(
  'changes of one channel wait for each other, those of another do not; a refused one is in nobody’s way',
  inPlant(async (plant) => {
    const { one, two, changes } = plant;
    const order: string[] = [];
    let end: () => void = () => undefined;
    const held = changes.run([one, one], async () => {
      order.push('held');
      await new Promise<void>((resolve) => {
        end = resolve;
      });
      order.push('ended');
      throw new Error('refused');
    });
    const after = (name: string, channels: ChannelRuntime | ChannelRuntime[]) => changes.run(channels, async () => order.push(name));
    const both = after('both', [two, one]);
    const behind = after('behind both', two);
    const third = after('third', one);
    await Promise.race([both, behind, new Turns().next()]);
    expect(order).toEqual(['held']);
    end();
    await expect(held).rejects.toThrow('refused');
    await Promise.all([both, behind, third]);
    expect(order.slice(0, 3)).toEqual(['held', 'ended', 'both']);
    expect(order.slice(3).sort()).toEqual(['behind both', 'third']);
    const free = changes.run(one, () => new Promise<void>((resolve) => resolve(after('of another', two).then(() => undefined))));
    await free;
    expect(order.at(-1)).toBe('of another');
  }),
);

it(
  'a large change that is confirmed stays, whatever fails behind it',
  inPlant(async (plant) => {
    const fault = new Error('a fault of a driver');
    plant.onTold = () => {
      throw fault;
    };
    await expect(plant.add(700)).rejects.toBe(fault);
    expect(plant.codes()).toHaveLength(700);
    expect([plant.steps().length, plant.prepared.discarded]).toEqual([1, 0]);
    plant.store = await plant.again();
    expect(plant.codes()).toHaveLength(700);
  }),
);

it('a small change is made aside where it takes long to serve, and answered when it is served', () =>
  inPlant(async (plant) => {
    const served: string[] = [];
    plant.longToServe = 'PCS 1';
    const gate = Promise.withResolvers<void>();
    plant.onServed = async (channel) => {
      served.push(`${channel} ${plant.told.length} ${plant.codes().length}`);
      await gate.promise;
    };
    let isAnswered = false;
    const adding = plant.add(1).then(() => {
      isAnswered = true;
    });
    await vi.waitFor(() => expect(served).toEqual(['PCS 1 1 1']), { timeout: 120_000 });
    expect(isAnswered, 'behind what is shown').toBe(false);
    const next = plant.add(1, 'N');
    gate.resolve();
    await Promise.all([adding, next]);
    expect(served, 'one after the other, each in table and connection first').toEqual(['PCS 1 1 1', 'PCS 1 2 2']);
    expect(plant.told).toEqual([
      ['PCS 1', undefined],
      ['PCS 1', undefined],
    ]);
    expect(plant.prepared).toEqual({ made: 2, discarded: 0 });
    const [two = []] = await plant.make([plant.of(plant.two, { added: named(1) })]);
    expect(plant.told.at(-1), 'another channel is told what little changed').toEqual(['PCS 2', { before: [], after: two }]);
  })());
