import { describe, expect, it } from 'vitest';
import { AppError, isCancelled } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { settle } from '../../platform/manual-clock.ts';
import type { LinePriority } from '../types.ts';
import { type LineClaim, RequestQueue } from './request-queue.ts';

function claim(priority: LinePriority, changes: Partial<LineClaim> = {}): LineClaim {
  return { priority, owner: {}, window: 1, signal: new AbortController().signal, ...changes };
}

/** Work that is finished by hand, and the order in which pieces of it began. */
class Desk {
  readonly queue = new RequestQueue();
  readonly begun: string[] = [];
  readonly results = new Map<string, string>();
  readonly #finish = new Map<string, () => void>();

  ask(name: string, wanted: LineClaim): void {
    const work = () => {
      this.begun.push(name);
      return new Promise<string>((resolve) => this.#finish.set(name, () => resolve(name)));
    };
    this.queue.run(wanted, work).then(
      () => this.results.set(name, 'done'),
      (error: unknown) => this.results.set(name, error instanceof AppError ? error.code : String(error)),
    );
  }

  async finish(name: string): Promise<void> {
    this.#finish.get(name)?.();
    await settle();
  }
}

describe('RequestQueue', () => {
  it('lets one exchange at a time onto the line, in the order command, single, manual, automatic', async () => {
    const desk = new Desk();
    desk.ask('first', claim('automatic'));
    for (const priority of ['automatic', 'manual', 'single', 'command'] as const) desk.ask(priority, claim(priority));
    for (const name of ['first', 'command', 'single', 'manual', 'automatic']) {
      expect(desk.queue.outstanding).toBe(1);
      await desk.finish(name);
    }
    expect(desk.begun).toEqual(['first', 'command', 'single', 'manual', 'automatic']);
    expect([desk.queue.outstanding, desk.queue.waiting]).toEqual([0, 0]);
  });

  it('serves first come, first served within a priority', async () => {
    const desk = new Desk();
    for (const name of ['a', 'b', 'c']) desk.ask(name, claim('single'));
    for (const name of ['a', 'b', 'c']) await desk.finish(name);
    expect(desk.begun).toEqual(['a', 'b', 'c']);
  });

  it('decisions: a command waits for one exchange at most, however many reads wait', async () => {
    const desk = new Desk();
    for (let count = 0; count < 5; count++) desk.ask(`read ${count}`, claim('single'));
    desk.ask('command', claim('command'));
    await desk.finish('read 0');
    expect(desk.begun).toEqual(['read 0', 'command']);
  });

  it('ends the wait of an aborted claim with CANCELLED and passes the line on', async () => {
    const desk = new Desk();
    const aborted = new AbortController();
    desk.ask('a', claim('single'));
    desk.ask('b', claim('single', { signal: aborted.signal }));
    desk.ask('c', claim('single'));
    aborted.abort();
    await settle();
    expect(desk.results.get('b')).toBe('CANCELLED');
    await desk.finish('a');
    expect(desk.begun).toEqual(['a', 'c']);
  });

  it('does not begin work whose signal ended as its turn came, and frees the line', async () => {
    const desk = new Desk();
    const aborted = new AbortController();
    const first = desk.queue.run(claim('single'), () => Promise.resolve());
    desk.ask('b', claim('single', { signal: aborted.signal }));
    while (desk.queue.waiting > 0) await Promise.resolve();
    aborted.abort();
    await first;
    await settle();
    expect([desk.begun, desk.results.get('b'), desk.queue.outstanding]).toEqual([[], 'CANCELLED', 0]);
  });

  it('does not touch an exchange that has begun when its signal ends', async () => {
    const desk = new Desk();
    const aborted = new AbortController();
    desk.ask('a', claim('single', { signal: aborted.signal }));
    aborted.abort();
    await settle();
    expect(desk.queue.outstanding).toBe(1);
    await desk.finish('a');
    expect(desk.results.get('a')).toBe('done');
  });

  it('throws what the signal was aborted with', async () => {
    const desk = new Desk();
    const signal = AbortSignal.abort(new AppError('TRANSPORT_LOST', quoted('gone')));
    desk.ask('a', claim('single', { signal }));
    await settle();
    expect(desk.results.get('a')).toBe('TRANSPORT_LOST');
  });

  it('frees the line when work throws', async () => {
    const { queue } = new Desk();
    await expect(queue.run(claim('single'), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await queue.run(claim('automatic'), async () => 'yes')).toBe('yes');
  });

  it('refuses everybody who waits, and nobody who works', async () => {
    const desk = new Desk();
    for (const name of ['a', 'b', 'c']) desk.ask(name, claim('single'));
    desk.queue.refuseWaiting(new AppError('TRANSPORT_LOST', quoted('gone')));
    await settle();
    expect(Object.fromEntries(desk.results)).toEqual({ b: 'TRANSPORT_LOST', c: 'TRANSPORT_LOST' });
    await desk.finish('a');
    expect([desk.begun, desk.results.get('a')]).toEqual([['a'], 'done']);
  });

  it('is bounded: a claim too many is refused with STATE_CONFLICT, other priorities are not', async () => {
    const desk = new Desk();
    desk.ask('first', claim('single'));
    for (let count = 0; count < 1000; count++) desk.ask(`${count}`, claim('single'));
    desk.ask('too many', claim('single'));
    desk.ask('command', claim('command'));
    await settle();
    expect(desk.results.get('too many')).toBe('STATE_CONFLICT');
    await desk.finish('first');
    expect(desk.begun).toEqual(['first', 'command']);
  });

  it('idle settles when nothing is under way', async () => {
    const desk = new Desk();
    await desk.queue.idle();
    desk.ask('a', claim('single'));
    let isIdle = false;
    void desk.queue.idle().then(() => {
      isIdle = true;
    });
    await settle();
    expect(isIdle).toBe(false);
    await desk.finish('a');
    expect(isIdle).toBe(true);
  });
});

describe('RequestQueue on a multiplexed link', () => {
  it('decisions: several outstanding, all of the holder', async () => {
    const desk = new Desk();
    const [task, other] = [{}, {}];
    for (const name of ['a', 'b', 'c']) desk.ask(name, claim('automatic', { owner: task, window: 2 }));
    desk.ask('x', claim('automatic', { owner: other, window: 2 }));
    expect(desk.begun).toEqual(['a', 'b']);
    await desk.finish('a');
    expect(desk.begun).toEqual(['a', 'b', 'c']);
    await desk.finish('b');
    expect(desk.begun).toEqual(['a', 'b', 'c']);
    await desk.finish('c');
    expect(desk.begun).toEqual(['a', 'b', 'c', 'x']);
  });

  it('a claim that waits is not overtaken by further requests of the holder', async () => {
    const desk = new Desk();
    const task = {};
    for (const name of ['a', 'b']) desk.ask(name, claim('automatic', { owner: task, window: 3 }));
    desk.ask('command', claim('command'));
    desk.ask('c', claim('automatic', { owner: task, window: 3 }));
    expect(desk.begun).toEqual(['a', 'b']);
    await desk.finish('a');
    expect(desk.begun).toEqual(['a', 'b']);
    await desk.finish('b');
    expect(desk.begun).toEqual(['a', 'b', 'command']);
  });

  it('a waiter that gives up lets the holder go on', async () => {
    const desk = new Desk();
    const [task, aborted] = [{}, new AbortController()];
    desk.ask('a', claim('automatic', { owner: task, window: 3 }));
    desk.ask('single', claim('single', { signal: aborted.signal }));
    desk.ask('b', claim('automatic', { owner: task, window: 3 }));
    aborted.abort();
    await settle();
    expect(desk.begun).toEqual(['a', 'b']);
  });
});

it('a refused claim is told apart from a cancelled one', async () => {
  const { queue } = new Desk();
  const error = await queue.run(claim('single', { signal: AbortSignal.abort() }), async () => 1).catch((thrown: unknown) => thrown);
  expect(isCancelled(error)).toBe(true);
});
