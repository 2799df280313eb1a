import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TaskSnapshot } from '#shared/contract/tasks.ts';
import type { TaskState } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import type { SlaveMood } from './testing/fake-driver.ts';
import { type Bench, channelSettings, makeBench, point, taskConfig } from './testing/harness.ts';
import type { TaskKind } from './types.ts';

/**
 * Any sequence of what people, scripts, devices and cables do, on a manual clock. After each step the rules that must always hold
 * are checked on the real channel; the model keeps what must be true of tasks and status.
 */

const KINDS: readonly TaskKind[] = ['automatic', 'manual'];
const CONFIGS = [
  taskConfig({ cycle_interval_ms: 100 }),
  taskConfig({ cycle_interval_ms: 250, mode: 'single', request_interval_ms: 20 }),
  taskConfig({ cycle_interval_ms: 500, slave_id: 2 }),
  taskConfig({ mode: 'dataset', cycle_interval_ms: 100 }),
];
const TABLE = Array.from({ length: 12 }, (_, index) => point(index + 1, { slave_id: 1 + (index % 3) }));
const TOTALS = [12, 12, 4, 2];
/** What a fault in the fake driver says. */
const DRIVER_FAULT = 'cannot read properties of undefined';
/** Longest time anything may take to come to rest: 6 s of a stop, closing, and the waits around it. */
const REST_MS = 15_000;

/** Which steps a task may take between two looks; idle to running needs a new id. */
const NEXT: Readonly<Record<TaskState, readonly TaskState[]>> = {
  idle: ['idle', 'failed'],
  running: ['running', 'stopping', 'idle', 'failed'],
  stopping: ['stopping', 'idle', 'failed'],
  failed: ['failed', 'idle'],
};

interface Model {
  isRemoved: boolean;
}

class Real {
  readonly bench: Bench;
  readonly #seen = new Map<TaskKind, TaskSnapshot>();
  readonly #retired = new Set<string>();
  /** Operations that have not answered. */
  open = 0;
  /** Commands by what became of them: sent for certain, perhaps sent, not sent. */
  readonly commands = { sent: 0, open: 0, unsent: 0 };
  failures: unknown[] = [];

  constructor(window: number) {
    this.bench = makeBench(TABLE);
    this.bench.plant.window = window;
    this.bench.plant.groupSize = 3;
    this.bench.plant.latencyMs = 15;
    this.bench.plant.timeoutMs = 80;
    this.bench.plant.dataSets = ['D/LLN0$a', 'D/LLN0$b'];
  }

  /** Starts an operation that may answer later; only errors of the house may come out of it. */
  spawn(operation: Promise<unknown>): void {
    this.open += 1;
    operation.then(
      () => {
        this.open -= 1;
      },
      (error: unknown) => {
        this.open -= 1;
        if (!(error instanceof AppError) || (error.code === 'INTERNAL' && error.message !== DRIVER_FAULT)) this.failures.push(error);
      },
    );
  }

  check(): void {
    const { bench } = this;
    expect(this.failures).toEqual([]);
    expect(bench.plant.mostOutstanding).toBeLessThanOrEqual(bench.plant.window);
    expect(bench.plant.commands).toBeGreaterThanOrEqual(this.commands.sent);
    expect(bench.plant.commands).toBeLessThanOrEqual(this.commands.sent + this.commands.open);
    const snapshots = KINDS.map((kind) => bench.channel.taskSnapshot(kind));
    expect(snapshots.filter((snapshot) => snapshot.state === 'running' || snapshot.state === 'stopping').length).toBeLessThan(2);
    KINDS.forEach((kind, index) => {
      const now = snapshots[index];
      if (now) this.#checkTask(kind, now);
    });
    const { status } = bench.channel.state();
    if (status === 'stopped' || status === 'error') expect(bench.channel.heldPort).toBeNull();
    if (status === 'stopped') {
      expect(snapshots.every((snapshot) => snapshot.state === 'idle' || snapshot.state === 'failed')).toBe(true);
      expect(bench.plant.connections.every((connection) => connection.isClosed)).toBe(true);
      expect(bench.net.lines.some((line) => line.isOpen)).toBe(false);
    }
  }

  #checkTask(kind: TaskKind, now: TaskSnapshot): void {
    expect(now.success + now.fail).toBe(now.current);
    expect(now.current).toBeLessThanOrEqual(now.total);
    if (now.total > 0)
      expect(now.total).toBe(
        TOTALS[CONFIGS.findIndex((config) => config.cycle_interval_ms === now.config.cycle_interval_ms && config.mode === now.mode)],
      );
    if (now.state === 'idle' || now.state === 'failed') expect(now.mode === 'dataset' || now.current <= 12).toBe(true);
    expect(this.#retired.has(`${kind} ${now.task_id}`)).toBe(false);
    const before = this.#seen.get(kind);
    this.#seen.set(kind, now);
    if (!before) return;
    if (before.task_id !== now.task_id) {
      this.#retired.add(`${kind} ${before.task_id}`);
      return;
    }
    expect(NEXT[before.state]).toContain(now.state);
    expect(now.cycle_count).toBeGreaterThanOrEqual(before.cycle_count);
    expect([now.config, now.started_at]).toEqual([before.config, before.started_at]);
    const isOver = before.state === 'idle' || before.state === 'failed';
    const end = { state: '', last_error: '', last_error_info: undefined };
    if (isOver) expect({ ...now, ...end }).toEqual({ ...before, ...end });
  }
}

type Command = fc.AsyncCommand<Model, Real>;

function command(text: string, run: (model: Model, real: Real) => Promise<void> | void): Command {
  return {
    check: () => true,
    async run(model, real) {
      await run(model, real);
      real.check();
    },
    toString: () => text,
  };
}

const wait = (ms: number) => command(`wait(${ms})`, (_, real) => real.bench.clock.advance(ms));
const start = command('start', (_, real) => real.spawn(real.bench.channel.start()));
const stop = command('stop', (_, real) => real.spawn(real.bench.channel.stop()));
const reload = command('reload', (_, real) => real.spawn(real.bench.channel.reload()));
const reconfigure = (port: number) =>
  command(`reconfigure(${port})`, (_, real) => real.spawn(real.bench.channel.reconfigure(channelSettings({ port }))));
const remove = command('remove', (model, real) => {
  model.isRemoved = true;
  real.spawn(real.bench.manager.remove(1));
});
const lose = command('lose', (_, real) => real.bench.net.lose());
const suspect = command('suspect', (_, real) => real.spawn(real.bench.manager.connectionsSuspect(quoted('slept'))));
const opening = (way: 'good' | 'silent' | 'refused') =>
  command(`opening(${way})`, (_, real) => {
    real.bench.net.opening = way === 'refused' ? new AppError('TRANSPORT_REFUSED', quoted('Nobody listens.')) : way;
  });
const mood = (slave: number, how: SlaveMood) =>
  command(`mood(${slave}, ${how})`, (_, real) => {
    real.bench.plant.moods.set(slave, how);
  });
const late = command('late answers', (_, real) => {
  for (const connection of real.bench.plant.connections) for (const answer of connection.late.splice(0)) answer();
});
const readSingle = (id: number) => command(`readSingle(${id})`, (_, real) => real.spawn(real.bench.channel.readSingle(id)));
const execute = command('execute', (_, real) => {
  const { commands } = real;
  commands.open += 1;
  const execution = real.bench.channel.execute({ point: point(1), step: 'operate', value: 1, options: {} });
  real.spawn(execution);
  execution.then(
    ({ outcome }) => {
      // `unknown` stays open: it was sent, or it was not.
      if (outcome === 'accepted') Object.assign(commands, { open: commands.open - 1, sent: commands.sent + 1 });
    },
    (error: AppError) => {
      if (error.message !== DRIVER_FAULT) Object.assign(commands, { open: commands.open - 1, unsent: commands.unsent + 1 });
    },
  );
});
const stopTask = (kind: TaskKind) => command(`stopTask(${kind})`, (_, real) => real.spawn(real.bench.channel.stopTask(kind)));

/** The rules of starting are checked against the snapshots of the moment before. */
const startTask = (kind: TaskKind, index: number) =>
  command(`startTask(${kind}, ${index})`, (_, real) => {
    const { channel } = real.bench;
    const config = CONFIGS[index] ?? taskConfig();
    const before = new Map(KINDS.map((each) => [each, channel.taskSnapshot(each)]));
    const own = before.get(kind);
    const isActive = [...before.values()].some((snapshot) => snapshot.state === 'running' || snapshot.state === 'stopping');
    const isSame = own?.state === 'running' && own.config.cycle_interval_ms === config.cycle_interval_ms && own.mode === config.mode;
    const isUp = ['running', 'reconnecting'].includes(channel.state().status);
    let outcome: string;
    try {
      const { task_id, state, current, cycle_count } = channel.startTask(kind, config);
      expect(state).toBe('running');
      outcome = task_id === own?.task_id ? 'same' : 'new';
      if (outcome === 'new') expect([current, cycle_count]).toEqual([0, 0]);
    } catch (error) {
      outcome = error instanceof AppError ? error.code : 'not an AppError';
      for (const each of KINDS) expect(channel.taskSnapshot(each)).toEqual(before.get(each));
    }
    expect(outcome).toBe(isSame ? 'same' : isActive ? 'STATE_CONFLICT' : isUp ? 'new' : 'STATE_NOT_STARTED');
  });

const moods: readonly SlaveMood[] = ['good', 'timeout', 'refuse', 'garbled', 'nothing', 'split', 'hang', 'internal'];
const commands = [
  fc.constantFrom(0, 1, 10, 40, 100, 450, 1000, 6500).map(wait),
  fc.constant(start),
  fc.constant(stop),
  fc.constant(reload),
  fc.constantFrom(502, 503).map(reconfigure),
  fc.constant(lose),
  fc.constant(suspect),
  fc.constantFrom('good', 'silent', 'refused').map((way) => opening(way as 'good')),
  fc.tuple(fc.integer({ min: 0, max: 3 }), fc.constantFrom(...moods)).map(([slave, how]) => mood(slave, how)),
  fc.constant(late),
  fc.integer({ min: 1, max: 12 }).map(readSingle),
  fc.constant(execute),
  fc.constantFrom(...KINDS).map(stopTask),
  fc.tuple(fc.constantFrom(...KINDS), fc.nat(3)).map(([kind, index]) => startTask(kind, index)),
  fc.tuple(fc.constantFrom(...KINDS), fc.nat(3)).map(([kind, index]) => startTask(kind, index)),
  fc.constantFrom(10, 100, 1000).map(wait),
];

async function comesToRest(real: Real, model: Model): Promise<void> {
  const { bench } = real;
  const stopped = model.isRemoved ? bench.manager.stopAll() : bench.channel.stop();
  await bench.clock.advance(REST_MS);
  await stopped;
  real.check();
  expect(real.open).toBe(0);
  expect(bench.channel.state().status).toBe('stopped');
  expect(bench.channel.taskSnapshot('automatic').state).toMatch(/idle|failed/);
  expect(bench.clock.pending).toBe(0);
  const before = [bench.channel.taskSnapshot('automatic'), bench.channel.taskSnapshot('manual'), bench.channel.points.valueRevision];
  for (const connection of bench.plant.connections) for (const answer of connection.late.splice(0)) answer();
  await bench.clock.advance(REST_MS);
  expect([bench.channel.taskSnapshot('automatic'), bench.channel.taskSnapshot('manual'), bench.channel.points.valueRevision]).toEqual(
    before,
  );
}

describe('a channel under any sequence of events', () => {
  it.each([
    ['exchange link', 1],
    ['multiplexed link', 3],
  ])('%s: no overlap on the line, right counters, no late change, at rest after a stop', async (_, window) => {
    await fc.assert(
      fc.asyncProperty(fc.commands(commands, { maxCommands: 40, size: '+1' }), async (sequence) => {
        const real = new Real(window);
        const model: Model = { isRemoved: false };
        await real.bench.channel.start();
        await fc.asyncModelRun(() => ({ model, real }), sequence);
        await comesToRest(real, model);
      }),
      { numRuns: 150 },
    );
  });

  it('deleting at any moment ends everything', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.commands(commands, { maxCommands: 15 }),
        fc.commands([...commands, fc.constant(remove)], { maxCommands: 10 }),
        async (before, after) => {
          const real = new Real(1);
          const model: Model = { isRemoved: false };
          await real.bench.channel.start();
          await fc.asyncModelRun(() => ({ model, real }), before);
          await remove.run(model, real);
          await fc.asyncModelRun(() => ({ model, real }), after);
          await comesToRest(real, model);
          expect(real.bench.manager.get(1)).toBeUndefined();
          await expect(real.bench.channel.start()).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
        },
      ),
      { numRuns: 100 },
    );
  });
});
