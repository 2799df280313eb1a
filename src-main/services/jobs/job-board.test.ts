import { describe, expect, it } from 'vitest';
import type { FindJob } from '#shared/contract/jobs.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { delay } from '../../platform/clock.ts';
import { silentLogger } from '../../platform/logger.ts';
import { ManualClock } from '../../platform/manual-clock.ts';
import { JobBoard, type JobWork } from './job-board.ts';
import { BoundedFindings, type JobRecord } from './job-record.ts';

/** Work that does what a test says. */
function workOf(run: (job: JobRecord) => Promise<void>): () => JobWork<FindJob> {
  return () => ({
    run,
    snapshot: (job) => ({
      ...job.facts(),
      kind: 'find',
      predicted_ms: 0,
      findings: [],
      channel: null,
      other_master: false,
      points: [],
      notes: [],
    }),
  });
}

function makeBoard() {
  const clock = new ManualClock();
  let ids = 0;
  const newId = () => {
    ids += 1;
    return `00000000-0000-4000-8000-${String(ids).padStart(12, '0')}`;
  };
  return { clock, board: new JobBoard({ clock, logger: silentLogger, newId }) };
}

const at = (target: string) => ({ kind: 'find' as const, target, channelId: null });

describe('jobs', () => {
  it('run, tell how far they are, and end', async () => {
    const { clock, board } = makeBoard();
    const job = board.start(
      at('a'),
      workOf(async (record) => {
        record.total = 2;
        record.activity = quoted('working');
        await delay(clock, 100, record.signal);
        record.current = 1;
        await delay(clock, 100, record.signal);
        record.current = 2;
      }),
    );
    expect(job).toMatchObject({
      state: 'running',
      current: 0,
      total: 2,
      activity: 'working',
      ended_at: null,
      started_at: '2026-01-01T00:00:00.000Z',
    });
    await clock.advance(150);
    expect(board.get(job.id)).toMatchObject({ state: 'running', current: 1 });
    await clock.advance(100);
    expect(board.get(job.id)).toMatchObject({
      state: 'done',
      current: 2,
      activity: '',
      ended_at: '2026-01-01T00:00:00.200Z',
      last_error: null,
    });
  });

  it('fail with their reason', async () => {
    const { clock, board } = makeBoard();
    const job = board.start(
      at('a'),
      workOf(async () => Promise.reject(new AppError('TRANSPORT_LOST', quoted('The cable is out.')))),
    );
    await clock.advance(0);
    expect(board.get(job.id)).toMatchObject({ state: 'failed', last_error: 'The cable is out.' });
  });

  it('are cancelled at once where they wait, and the answer waits a second at most where they do not', async () => {
    const { clock, board } = makeBoard();
    const waiting = board.start(
      at('a'),
      workOf((record) => delay(clock, 60_000, record.signal)),
    );
    expect((await board.cancel(waiting.id)).state).toBe('cancelled');
    const stubborn = board.start(
      at('b'),
      workOf(() => delay(clock, 1500)),
    );
    const answer = board.cancel(stubborn.id);
    await clock.advance(1000);
    expect((await answer).state).toBe('running');
    await clock.advance(1000);
    expect(board.get(stubborn.id).state).toBe('done');
    expect((await board.cancel(stubborn.id)).state).toBe('done');
  });

  it('of one kind never work on one target twice, and a new one replaces the result', async () => {
    const { clock, board } = makeBoard();
    const first = board.start(
      at('a'),
      workOf(() => delay(clock, 100)),
    );
    expect(() =>
      board.start(
        at('a'),
        workOf(async () => undefined),
      ),
    ).toThrow('is running');
    await clock.advance(100);
    const second = board.start(
      at('a'),
      workOf(async () => undefined),
    );
    expect(() => board.get(first.id)).toThrow('There is no job');
    expect(board.list().map((job) => job.id)).toEqual([second.id]);
  });

  it('are four at a time, and a refused one is not even made', () => {
    const { clock, board } = makeBoard();
    for (const target of ['a', 'b', 'c', 'd'])
      board.start(
        at(target),
        workOf(() => delay(clock, 100)),
      );
    let made = 0;
    const make = () => {
      made += 1;
      return workOf(async () => undefined)();
    };
    expect(() => board.start(at('e'), make)).toThrow('4 jobs are running');
    expect(made).toBe(0);
  });

  it('keep twenty results, the newest first, and never lose one that runs', async () => {
    const { clock, board } = makeBoard();
    const long = board.start(
      at('long'),
      workOf(() => delay(clock, 1000)),
    );
    for (let index = 0; index < 30; index++) {
      board.start(
        at(`t${index}`),
        workOf(async () => undefined),
      );
      await clock.advance(0);
    }
    expect(board.list()).toHaveLength(20);
    expect(board.get(long.id).state).toBe('running');
    await clock.advance(1000);
  });

  it('all end when the project is closed, and none starts afterwards', async () => {
    const { clock, board } = makeBoard();
    const job = board.start(
      at('a'),
      workOf((record) => delay(clock, 60_000, record.signal)),
    );
    await board.close();
    expect(board.get(job.id).state).toBe('cancelled');
    expect(() =>
      board.start(
        at('b'),
        workOf(async () => undefined),
      ),
    ).toThrow('is being closed');
  });
});

it('a bounded list counts what it leaves out', () => {
  const list = new BoundedFindings<number>(2);
  for (const item of [1, 2, 3, 4]) list.push(item);
  expect([list.items, list.dropped]).toEqual([[1, 2], 2]);
});
