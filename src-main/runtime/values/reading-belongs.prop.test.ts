import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FakeConnection } from '../testing/fake-driver.ts';
import { type Bench, makeBench, point, points, taskConfig } from '../testing/harness.ts';

const POINTS = 6;
const id = fc.integer({ min: 1, max: POINTS });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 30 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('edit' as const), id }) },
  fc.record({ do: fc.constant('rename' as const), id }),
  fc.record({ do: fc.constant('delete' as const), id }),
  fc.record({ do: fc.constant('add again' as const), id }),
  fc.record({ do: fc.constant('replace' as const), id }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('read' as const), id }) },
  fc.record({ do: fc.constant('sent' as const), id }),
  fc.record({
    do: fc.constant('mood' as const),
    mood: fc.constantFrom('good' as const, 'split' as const, 'refuse' as const, 'timeout' as const),
  }),
  fc.record({ do: fc.constant('lose' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Edits as the service does: every new address is one that no point had before, so a value tells which settings it belongs to. */
class Editor {
  readonly bench: Bench;
  #nextAddress = 1000;
  /** When each point began to be read as it is now. */
  readonly since = new Map<number, number>();
  readonly pending: Promise<unknown>[] = [];

  constructor(bench: Bench) {
    this.bench = bench;
  }

  run(action: Step): void {
    const { channel, plant, net } = this.bench;
    const known = 'id' in action ? channel.points.config(action.id) : undefined;
    if (action.do === 'edit' && known) this.#update({ ...known, address: this.#fresh(known.id) });
    else if (action.do === 'rename' && known) this.#update({ ...known, name: `${known.name}'`, max_limit: 3 });
    else if (action.do === 'delete') this.#changed(() => channel.points.remove([action.id]));
    else if (action.do === 'add again' && !known)
      this.#changed(() => channel.points.add([point(action.id, { address: this.#fresh(action.id) })]));
    else if (action.do === 'replace') this.#ask(channel.replacePoints(() => this.#swap(action.id)));
    else if (action.do === 'read') this.#ask(channel.readSingle(action.id));
    else if (action.do === 'sent') this.#send(action.id);
    else if (action.do === 'mood') plant.moods.set(1, action.mood);
    else if (action.do === 'lose') net.lose();
  }

  /** Whether it succeeds is of no interest here. */
  #ask(promise: Promise<unknown>): void {
    this.pending.push(promise.catch(() => undefined));
  }

  #swap(kept: number): void {
    const { channel } = this.bench;
    channel.points.remove(Array.from({ length: POINTS }, (_, index) => index + 1).filter((other) => other !== kept));
    const address = this.#fresh(kept);
    const swapped = point(kept, { address });
    if (channel.points.config(kept)) channel.points.update(swapped);
    else channel.points.add([swapped]);
  }

  #update(config: ReturnType<typeof point>): void {
    this.#changed(() => this.bench.channel.points.update(config));
  }

  #changed(change: () => void): void {
    change();
    this.bench.channel.pointsChanged();
  }

  #fresh(pointId: number): number {
    this.#nextAddress += 1;
    this.since.set(pointId, this.bench.clock.wallMs());
    return this.#nextAddress;
  }

  /** The device sends by itself; the driver finds the row in the table it was told of last. */
  #send(pointId: number): void {
    const connection = this.bench.plant.connections.at(-1) as FakeConnection;
    const value = connection.points.find((config) => config.id === pointId)?.address;
    if (value === undefined) return;
    const raw = new Uint8Array(0);
    connection.io.sink.values([{ kind: 'value', pointId, value, valueText: '', raw, quality: 'good', flags: [], sourceTime: null }], true);
  }
}

function expectTrue({ bench, since }: Editor): void {
  for (const config of bench.channel.points.configs()) {
    const state = bench.channel.points.state(config.id);
    if (state?.updatedAt == null) expect(state).toMatchObject({ value: 0, rawHex: '' });
    else {
      expect([config.id, state.value]).toEqual([config.id, config.address]);
      expect(state.updatedAt).toBeGreaterThanOrEqual(since.get(config.id) ?? 0);
    }
    if (state?.quality === 'good' || state?.quality === 'stale') expect(state.updatedAt).not.toBeNull();
  }
}

it('whatever is edited while whatever is read, a value is that of the settings the point has', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }),
      fc.constantFrom('batch' as const, 'single' as const),
      async (steps, mode) => {
        const bench = makeBench(points(POINTS), { retries: 0 });
        bench.plant.answersAddress = true;
        bench.plant.timeoutMs = 40;
        bench.plant.groupSize = 4;
        await bench.channel.start();
        bench.channel.startTask('automatic', taskConfig({ mode, cycle_interval_ms: 100 }));
        const editor = new Editor(bench);
        for (const action of steps) {
          editor.run(action);
          await bench.clock.advance(action.do === 'wait' ? action.ms : 0);
          expectTrue(editor);
        }
        bench.plant.moods.clear();
        const ended = bench.channel.stopTask('automatic');
        await bench.clock.advance(35_000);
        await Promise.all([ended, ...editor.pending]);
        expectTrue(editor);
        bench.channel.startTask('manual', taskConfig({ mode }));
        await bench.clock.advance(1000);
        expectTrue(editor);
        for (const { id: pointId } of bench.channel.points.configs()) expect(bench.channel.points.state(pointId)?.quality).toBe('good');
        const stopped = bench.channel.stop();
        await bench.clock.advance(10_000);
        await stopped;
      },
    ),
    { numRuns: 80 },
  );
});
