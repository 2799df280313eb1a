import { beforeEach, describe, expect, it } from 'vitest';
import type { CheckRun, Expectation } from '#shared/contract/check.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted, say } from '#shared/messages/index.ts';
import type { StoredCheckItem } from '../../persistence/check-repositories.ts';
import { cancelled } from '../../platform/clock.ts';
import type { CallContext } from '../handlers.ts';
import type { NewEntry } from './chain.ts';
import { anItem, CheckBench } from './elsewhere/testing/check-bench.ts';
import { type Outcome, RunBase } from './run-base.ts';
import { OwnBench, yc } from './testing/own-bench.ts';

const full = new AppError('STATE_STORE_FULL', quoted('The disk is full.'));
const ITEM = anItem();
const OUTCOME: Omit<Outcome, 'begunAt'> = {
  item: ITEM,
  verdict: 'passed',
  seen: [],
  frames: [],
  place: { point: {}, channel: {}, mapping: {} },
};

/** A way of checking that does what a test says. */
class Plain extends RunBase {
  ends = 0;
  protected ended(): void {
    this.ends += 1;
  }
  protected refusal() {
    return say('check.no_run');
  }
  snapshot(): CheckRun {
    return this.row({ total: 9, position: 2, item: null });
  }
  entry(changes: Partial<Outcome> = {}): NewEntry {
    return this.entryOf({ ...OUTCOME, begunAt: 0, ...changes });
  }
  take(entries: readonly NewEntry[], then: () => void = () => {}): void {
    this.append(entries, then);
  }
  does<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.work(work);
  }
  goesOn(work: Promise<void>, end: () => void): void {
    this.follow(work, end);
  }
  frames(item: StoredCheckItem) {
    return this.framesOf(item);
  }
  isLeft(): boolean {
    return this.isElsewhere();
  }
  mustBeHere(): void {
    this.requireHere();
  }
  signal(): AbortSignal {
    return this.ending.signal;
  }
}

let bench: CheckBench;
let run: Plain;
/** Verdicts that are in the file, and what keeps more from coming in. */
let stored: string[];
let fault: Error | null;
let aside: { text: string | null; fault: Error | null };
let logged: unknown[];
beforeEach(() => {
  bench = new CheckBench();
  [stored, fault, aside, logged] = [[], null, { text: null, fault: null }, []];
  const append = (_: number, entries: readonly { verdict: string }[]) => {
    if (fault) throw fault;
    stored.push(...entries.map(({ verdict }) => verdict));
  };
  const file = {
    path: 'p.results',
    read: () => aside.text,
    write(text: string) {
      if (aside.fault) throw aside.fault;
      aside.text = text;
    },
    remove() {},
  };
  Object.assign(bench.session.store.checks, { append });
  Object.assign(bench.session.store, { aside: file });
  const logger = {
    ...bench.deps.logger,
    error: (fields: unknown) => void logged.push(fields),
    warn: (fields: unknown) => void logged.push(fields),
  };
  Object.assign(bench.deps, { logger });
  run = new Plain(bench.deps, bench.check, 'guided', 'Li');
});
const verdictsShown = () => run.snapshot().results.map(({ verdict }) => verdict);
const leave = () => Object.assign(bench.deps, { projects: { current: () => ({}) } });

describe('a run', () => {
  it('says who checks what since when, and how far it is', async () => {
    expect(run.snapshot()).toEqual({
      ...{ session_id: 1, way: 'guided', operator: 'Li', state: 'running', started_at: '2026-01-01T00:00:00.000Z', done: 0, results: [] },
      ...{ waiting: 0, latest: null, moved: [], not_moved: null, not_ready: null, left_ms: null, error: null },
      ...{ total: 9, position: 2, item: null },
    });
    expect([run.isRunning, run.isAtWork, run.waiting]).toEqual([true, true, 0]);
  });

  it('ends once', () => {
    run.stop();
    run.stop();
    expect([run.snapshot().state, run.isRunning, run.isAtWork, run.ends]).toEqual(['ended', false, false, 1]);
  });

  it('lets nobody decide, send, announce or fail what its way has not', async () => {
    const refused = { code: 'STATE_CONFLICT' };
    await expect(run.decide('x', 'pass', '')).rejects.toMatchObject({ ...refused, said: { code: 'check.no_run' } });
    await expect(run.send('x', 1, {} as CallContext<'command'>)).rejects.toMatchObject({ ...refused, said: { code: 'check.no_run' } });
    expect(() => run.announce('x', 1)).toThrow(
      expect.objectContaining({ ...refused, said: expect.objectContaining({ code: 'check.not_listening' }) }),
    );
    await run.failUnmoved();
    expect(stored).toEqual([]);
  });

  it('is of another project once that is open, or is being opened', () => {
    expect(run.isLeft()).toBe(false);
    expect(() => run.mustBeHere()).not.toThrow();
    leave();
    expect(run.isLeft()).toBe(true);
    expect(() => run.mustBeHere()).toThrow(expect.objectContaining({ code: 'STATE_CONFLICT' }));
    Object.assign(bench.deps.projects, {
      current() {
        throw full;
      },
    });
    expect(run.isLeft()).toBe(true);
  });
});

describe('a result', () => {
  it('has what was found out, when, by whom and how long it took', async () => {
    await bench.clock.advance(2000);
    expect(run.entry({ begunAt: 500.4 })).toEqual({
      ...{ at: '2026-01-01T00:00:02.000Z', item: ITEM.uuid, verdict: 'passed', way: 'guided', operator: 'Li', remark: '', findings: [] },
      ...{ expectation: ITEM.expectation, seen: [], frames: [], point: {}, channel: {}, mapping: {}, audit_ids: [], took_ms: 1500 },
    });
    const expectation: Expectation = { kind: 'values', references: [] };
    const [finding, seen, frame] = [{ name: 'dead' } as never, { value: 1 } as never, { seq: 2 } as never];
    expect(run.entry({ expectation, remark: 'why', findings: [finding], auditIds: [4], seen: [seen], frames: [frame] })).toMatchObject({
      ...{ seen: [seen], frames: [frame] },
      ...{ expectation, remark: 'why', findings: [finding], audit_ids: [4] },
    });
  });

  it('is shown when it is in the file, the last five of them, the newest first', () => {
    const then: string[] = [];
    for (const verdict of ['passed', 'failed', 'blocked'] as const) run.take([run.entry({ verdict })], () => then.push(verdict));
    run.take((['skipped', 'accepted', 'failed'] as const).map((verdict) => run.entry({ verdict })));
    expect(then).toEqual(['passed', 'failed', 'blocked']);
    expect(verdictsShown()).toEqual(['failed', 'accepted', 'skipped', 'blocked', 'failed']);
    expect(run.snapshot()).toMatchObject({ done: 6, waiting: 0, error: null });
    run.take(Array.from({ length: 7 }, (_, at) => run.entry({ verdict: at === 1 ? 'blocked' : 'passed' })));
    expect(verdictsShown()).toEqual(Array.from({ length: 5 }, () => 'passed'));
    expect(run.snapshot().done).toBe(13);
  });

  it('that cannot be appended waits, with those behind it, and is tried again every second in their order', async () => {
    const then: string[] = [];
    fault = full;
    run.take([run.entry()], () => then.push('one'));
    run.take([run.entry({ verdict: 'failed' }), run.entry({ verdict: 'blocked' })], () => then.push('two'));
    expect(run.snapshot()).toMatchObject({ done: 0, waiting: 3, results: [], error: { said: full.said, text: 'The disk is full.' } });
    run.stop();
    expect(run.isAtWork).toBe(true);
    await bench.clock.advance(900);
    fault = null;
    expect(stored).toEqual([]);
    await bench.clock.advance(100);
    expect([stored, then]).toEqual([
      ['passed', 'failed', 'blocked'],
      ['one', 'two'],
    ]);
    expect(run.snapshot()).toMatchObject({ done: 3, waiting: 0, error: null, state: 'ended' });
    expect([run.isAtWork, bench.clock.pending]).toEqual([false, 0]);
  });

  it('is in the file at once again when those in front of it are', async () => {
    fault = full;
    run.take([run.entry()]);
    await bench.clock.advance(1000);
    fault = null;
    await bench.clock.advance(1000);
    run.take([run.entry({ verdict: 'failed' })]);
    expect(stored).toEqual(['passed', 'failed']);
  });

  it('that a fault of ours keeps from the file says no more than that', () => {
    fault = new TypeError('cannot read properties of undefined');
    run.take([run.entry()]);
    expect(run.snapshot().error?.said).toEqual(say('check.not_appended'));
  });
});

it('a result without the frames of its point is one all the same', async () => {
  const site = await OwnBench.open([yc('A')]);
  const own = new Plain(site.deps, site.check, 'guided', 'Li');
  expect(await own.frames(site.item('A'))).toEqual([]);
  const fault = new Error('broken');
  Object.defineProperty(site.bench.channel.frames, 'lastSeq', {
    get() {
      throw fault;
    },
  });
  expect(await own.frames(site.item('A'))).toEqual([]);
  expect(site.logged).toEqual([{ err: fault, way: 'guided' }]);
  expect(await own.frames({ ...site.item('A'), pointId: 99 }), 'of a point that is gone there are none').toEqual([]);
});

describe('work of a run', () => {
  it('keeps it at work until it has come to its end, whatever that is', async () => {
    let finish: (error: Error | null) => void = () => {};
    const work = () => new Promise<void>((resolve, reject) => (finish = (error) => (error ? reject(error) : resolve())));
    run.stop();
    for (const error of [null, full]) {
      const done = run.does(work);
      expect(run.isAtWork).toBe(true);
      finish(error);
      if (error) await expect(done).rejects.toBe(error);
      else await done;
      expect(run.isAtWork).toBe(false);
    }
  });

  it('that goes on by itself tells its faults, and its stop is none', async () => {
    let ends = 0;
    run.goesOn(Promise.resolve(), () => void ends++);
    run.goesOn(Promise.reject(cancelled()), () => void ends++);
    await bench.clock.advance(1);
    expect([ends, run.snapshot().error, logged]).toEqual([2, null, []]);
    run.goesOn(Promise.reject(full), () => void ends++);
    await bench.clock.advance(1);
    expect([ends, run.snapshot().error?.said, logged]).toEqual([3, full.said, [{ err: full, way: 'guided' }]]);
  });
});

describe('a run whose project is left', () => {
  const ended = async (): Promise<unknown> => {
    const end = run.endWithProject().then(
      () => 'in order',
      (thrown: unknown) => thrown,
    );
    await bench.clock.advance(5000);
    return end;
  };

  it('ends, and waits for what is under way', async () => {
    const done = run.does(() => bench.clock.until(3000));
    let isOver = false;
    const end = run.endWithProject().finally(() => {
      isOver = true;
    });
    expect([run.isRunning, run.signal().aborted]).toEqual([false, true]);
    await bench.clock.advance(2900);
    expect(isOver).toBe(false);
    await bench.clock.advance(200);
    await Promise.all([done, end]);
    expect([isOver, aside.text]).toEqual([true, null]);
  });

  it('appends once more what waits', async () => {
    fault = full;
    run.take([run.entry()]);
    fault = null;
    expect(await ended()).toBe('in order');
    expect([stored, aside.text, run.waiting, bench.clock.pending]).toEqual([['passed'], null, 0, 0]);
  });

  it('keeps beside it what has no room', async () => {
    fault = full;
    run.take([run.entry(), run.entry({ verdict: 'failed' })]);
    run.take([run.entry({ verdict: 'blocked' })]);
    expect(await ended()).toBe('in order');
    const [left] = JSON.parse(aside.text ?? '').results as { session: string; entries: { verdict: string; at: string }[] }[];
    expect([left?.session, left?.entries.map(({ verdict }) => verdict)]).toEqual([bench.check.uuid, ['passed', 'failed', 'blocked']]);
    expect(left?.entries[0]?.at).toBe('2026-01-01T00:00:00.000Z');
    expect([run.waiting, run.isAtWork, logged, bench.clock.pending]).toEqual([0, false, [{ results: 3 }], 0]);
    fault = null;
    await bench.clock.advance(5000);
    expect(stored, 'it is nowhere twice').toEqual([]);
  });

  it('says how many it could keep nowhere, and goes on to try', async () => {
    [fault, aside.fault] = [full, new AppError('STATE_STORE_FULL', quoted('No room beside it.'))];
    run.take([run.entry(), run.entry()]);
    expect(await ended()).toMatchObject({
      code: 'STATE_STORE_FULL',
      said: { code: 'check.not_kept', params: { count: 2, reason: aside.fault instanceof AppError && aside.fault.said } },
    });
    expect(run.waiting).toBe(2);
    fault = null;
    await bench.clock.advance(1000);
    expect([stored.length, run.waiting]).toEqual([2, 0]);
  });

  it('keeps beside it what comes to its end behind another project', async () => {
    fault = full;
    const done = run.does(async () => {
      await bench.clock.until(1000);
      run.take([run.entry({ verdict: 'failed' })]);
    });
    void run.endWithProject();
    leave();
    await bench.clock.advance(5000);
    await done;
    expect(JSON.parse(aside.text ?? '').results[0].entries).toMatchObject([{ verdict: 'failed' }]);
    expect([run.waiting, bench.clock.pending]).toEqual([0, 0]);
  });
});
