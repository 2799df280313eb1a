import { describe, expect, it } from 'vitest';
import type { Expectation } from '#shared/contract/check.ts';
import type { FrameType } from '#shared/domain/enums.ts';
import { testPoint } from '../../drivers/testing/points.ts';
import type { StoredCheckItem } from '../../persistence/check-repositories.ts';
import type { PointState } from '../../runtime/values/point-table.ts';
import type { ProjectSession } from '../ports.ts';
import { NEVER_READ } from '../rows.ts';
import { Neighbours } from './neighbours.ts';

const STATES: Expectation = { kind: 'states', states: [0, 1] };
const near = (...tolerances: readonly number[]): Expectation => {
  return { kind: 'values', references: tolerances.map((tolerance) => ({ value: 10, tolerance, percent: 0 })) };
};

/** Points of one channel, from number 1 on; each has an item with its number. */
class Board {
  readonly states = new Map<number, PointState>();
  readonly #types = new Map<number, FrameType>();
  readonly #items: StoredCheckItem[] = [];
  readonly #session: ProjectSession;
  #now = 1000;

  constructor() {
    const config = (id: number) => testPoint({ id, code: `P${id}`, frame_type: this.#types.get(id) ?? 1 });
    const points = { config, state: (id: number) => this.states.get(id) };
    this.#session = { channels: { get: (id: number) => (id === 1 ? { id: 1, points } : undefined) } } as unknown as ProjectSession;
  }

  add(expectation: Expectation, value: number, change: Partial<PointState> = {}, item: Partial<StoredCheckItem> = {}): this {
    const id = this.#items.length + 1;
    const frameType = item.frameType ?? 1;
    this.#types.set(id, frameType);
    const names = { service: '', channel: 'C', code: `P${id}`, name: '', group: '' };
    this.#items.push({ uuid: `i${id}`, place: id, channelId: 1, pointId: id, frameType, expectation, ...names, ...item });
    this.states.set(id, { ...NEVER_READ, value, quality: 'good', updatedAt: 0, ...change });
    return this;
  }

  /** The others while this one is waited for. */
  whileWaitingFor(id: number): Neighbours {
    return new Neighbours(this.#session, this.#items, this.#items[id - 1] ?? expect.fail(), 0);
  }

  set(id: number, value: number, change: Partial<PointState> = {}): void {
    this.#now += 1;
    const before = this.states.get(id) ?? expect.fail();
    this.states.set(id, { ...before, value, updatedAt: this.#now, ...change });
  }
}

const told = { detail: { cause: { code: 3, name: 'spontaneous' } } } as unknown as Partial<PointState>;

describe('other points while one is waited for', () => {
  it('are told where they changed since it is known where they stand, the latest first', () => {
    const board = new Board().add(STATES, 0).add(STATES, 0, told).add(STATES, 1, told);
    const others = board.whileWaitingFor(1);
    others.look();
    expect(others.moved()).toEqual([]);
    board.set(2, 1);
    others.look();
    board.set(3, 0);
    board.set(1, 1);
    others.look();
    expect(others.moved()).toEqual([
      { item: 'i3', code: 'P3', before: 1, after: 0 },
      { item: 'i2', code: 'P2', before: 0, after: 1 },
    ]);
    board.set(2, 2);
    others.look();
    expect(others.moved().map(({ code, after }) => [code, after])).toEqual([
      ['P2', 2],
      ['P3', 0],
    ]);
  });

  it('that came back are told as they were when they were away', () => {
    const board = new Board().add(STATES, 0).add(STATES, 0, told);
    const others = board.whileWaitingFor(1);
    board.set(2, 1);
    others.look();
    board.set(2, 0);
    others.look();
    expect(others.moved()).toEqual([{ item: 'i2', code: 'P2', before: 0, after: 1 }]);
  });

  it('may have moved before where nobody read them since: the first new value is where they stand', () => {
    const board = new Board().add(STATES, 0).add(STATES, 0);
    const others = board.whileWaitingFor(1);
    board.set(2, 1);
    others.look();
    expect(others.moved()).toEqual([]);
    board.set(2, 0);
    others.look();
    expect(others.moved()).toMatchObject([{ before: 1, after: 0 }]);
  });

  it('of a measurement change by more than the largest tolerance of their references, and not at all without one', () => {
    const board = new Board().add(STATES, 0);
    board.add(near(1, 5), 10, told, { frameType: 0 }).add(near(), 10, told, { frameType: 0 }).add(near(), 0, told);
    board.add({ kind: 'text', text: 'x' }, 0, told, { frameType: 0 });
    const others = board.whileWaitingFor(1);
    board.set(2, 15);
    others.look();
    expect(others.moved()).toEqual([]);
    for (const id of [2, 3, 4, 5]) board.set(id, 15.5);
    others.look();
    expect(
      others.moved().map(({ code }) => code),
      'a signal without an expectation shows each change',
    ).toEqual(['P4', 'P2']);
  });

  it('are none where they had no good value, are gone, are of another type, or have a bad value now', () => {
    const board = new Board().add(STATES, 0);
    for (const state of [{ quality: 'stale' }, { value: Number.NaN }] as const) board.add(STATES, 0, { ...told, ...state });
    board.add(STATES, 0, told, { channelId: 2 }).add(STATES, 0, told);
    const others = board.whileWaitingFor(1);
    for (const id of [2, 3, 4]) board.set(id, 1, { quality: 'good' });
    board.set(5, 1, { quality: 'invalid' });
    others.look();
    board.states.delete(5);
    others.look();
    expect(others.moved()).toEqual([]);
  });

  it('are looked at in turns, 200 at a time, and the last five are told', () => {
    const board = new Board().add(STATES, 0);
    for (let id = 2; id <= 301; id++) board.add(STATES, 0, told);
    const others = board.whileWaitingFor(1);
    for (let id = 2; id <= 301; id++) board.set(id, 1);
    const told5 = () => others.moved().map(({ code }) => code);
    others.look();
    expect(told5()).toEqual(['P201', 'P200', 'P199', 'P198', 'P197']);
    others.look();
    expect(told5()).toEqual(['P301', 'P300', 'P299', 'P298', 'P297']);
    board.set(102, 2);
    others.look();
    expect(told5()[0], 'the third look begins where the second one ended').toBe('P102');
  });

  it('are none of a session of one item', () => {
    const others = new Board().add(STATES, 0).whileWaitingFor(1);
    others.look();
    expect(others.moved()).toEqual([]);
  });
});
