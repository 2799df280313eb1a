import { describe, expect, it } from 'vitest';
import type { CheckSeen, Expectation } from '#shared/contract/check.ts';
import { watchFor } from './watch.ts';

const SETTLE = 1000;

/** A point on a clock of its own: values at times, and what the watch says then. */
class Field {
  readonly watch;
  #now = 0;

  constructor(expectation: Expectation) {
    this.watch = watchFor(expectation, SETTLE);
  }

  /** A value is received, now. */
  value(value: number | null, rest: Partial<CheckSeen> = {}, isSent = false): this {
    const received = new Date(this.#now).toISOString();
    const seen: CheckSeen = {
      channel_id: 1,
      point_id: 1,
      code: 'P',
      value,
      value_text: '',
      unit: '',
      raw_hex: '',
      quality: 'good',
      flags: [],
      source_time: null,
      received_at: received,
      ...rest,
    };
    this.watch?.take({ seen, at: this.#now, isSent });
    return this;
  }

  /** Time passes, with a read of the same value every 100 ms where one is given. */
  after(ms: number, value?: number, rest: Partial<CheckSeen> = {}) {
    const end = this.#now + ms;
    let said = this.watch?.look(this.#now) ?? null;
    while (said === null && this.#now < end) {
      this.#now += 100;
      if (value !== undefined) this.value(value, rest);
      said = this.watch?.look(this.#now) ?? null;
    }
    return said;
  }
}

const reference = (value: number, tolerance = 1) => ({ value, tolerance, percent: 0 });

describe('a measurement', () => {
  const two: Expectation = { kind: 'values', references: [reference(0), reference(100, 2)] };

  it('passes when each reference was seen, near enough and for long enough, in any order', () => {
    const field = new Field(two).value(0);
    expect(field.after(900, 0.4)).toBeNull();
    expect(field.after(600, 0.4)).toBeNull();
    expect(field.watch?.progress().wanted).toEqual([
      { value: 0, isSeen: true },
      { value: 100, isSeen: false },
    ]);
    const said = field.after(1500, 101);
    expect([said?.verdict, said?.seen.map(({ value }) => value)]).toEqual(['passed', [0.4, 101]]);
  });

  it('does not pass by a value that stood there at the beginning, however often it is received; it passes once it went and came back', () => {
    const field = new Field({ kind: 'values', references: [reference(5)] }).value(5);
    expect(field.after(10_000)).toBeNull();
    expect(field.after(10_000, 5)).toBeNull();
    expect(field.watch?.progress()).toMatchObject({ changes: 0, isMoving: false, wanted: [{ isSeen: false }] });
    expect(field.after(300, 40)).toBeNull();
    expect(field.after(2000, 5)).toMatchObject({ verdict: 'passed' });
  });

  it('does not meet its last reference by what stood there at the beginning', () => {
    const field = new Field({ kind: 'values', references: [reference(5, 1), reference(5.5, 1)] }).value(5.2);
    expect(field.after(10_000, 5.2)).toBeNull();
    expect(field.watch?.progress().wanted.filter(({ isSeen }) => isSeen)).toHaveLength(1);
  });

  it('that a device sends by itself passes by the one time that it came, one that is read has to be read again', () => {
    const single: Expectation = { kind: 'values', references: [reference(100)] };
    const sent = new Field(single).value(0);
    expect(sent.after(500)).toBeNull();
    expect(sent.value(100, {}, true).after(2000)).toMatchObject({ verdict: 'passed' });
    expect(new Field(single).value(0).value(100).after(5000)).toBeNull();
  });

  it('fails when it moved, came to rest, and is neither of them; not while it moves, and not before', () => {
    const field = new Field(two).value(50);
    expect(field.after(5000, 50)).toBeNull();
    for (let value = 50; value < 200; value += 5) expect(field.after(100, value)).toBeNull();
    const said = field.after(1500, 200);
    expect(said).toMatchObject({ verdict: 'failed', why: 'other' });
    expect(said?.seen.at(-1)?.value).toBe(200);
  });

  it('passes neither a bad value nor one that only passes by', () => {
    const field = new Field({ kind: 'values', references: [reference(100)] }).value(0);
    expect(field.after(3000, 100, { quality: 'invalid' })).toBeNull();
    expect(field.after(800, 100)).toBeNull();
    expect(field.after(100, 0)).toBeNull();
    expect(field.after(500, 100)).toBeNull();
    expect(field.after(700, 100)).toMatchObject({ verdict: 'passed' });
  });

  it('takes the larger of both tolerances', () => {
    const percent: Expectation = { kind: 'values', references: [{ value: 200, tolerance: 0.1, percent: 1 }] };
    expect(new Field(percent).value(0).after(1500, 201.9)).toMatchObject({ verdict: 'passed' });
    expect(new Field(percent).value(0).after(1500, 202.1)).toMatchObject({ verdict: 'failed' });
  });

  it('without a reference is for a person to decide', () => {
    expect(watchFor({ kind: 'values', references: [] }, SETTLE)).toBeNull();
  });
});

describe('a signal', () => {
  const both: Expectation = { kind: 'states', states: [0, 1] };

  it('passes when each state was entered; that at the beginning counts only when it comes again', () => {
    const field = new Field(both).value(0);
    expect(field.after(3000, 0)).toBeNull();
    expect(field.after(3000, 1)).toBeNull();
    expect(field.watch?.progress()).toMatchObject({ wanted: [{ isSeen: false }, { isSeen: true }], changes: 1 });
    expect(field.after(1500, 0)).toMatchObject({ verdict: 'passed', changes: 2 });
  });

  it('takes a state that a device sent as entered although nothing was known before; one that was read is where it stood', () => {
    expect(new Field(both).value(1, {}, true).value(0, {}, true).after(3000)).toMatchObject({ verdict: 'passed' });
    expect(new Field(both).value(1).value(0, {}, true).after(3000)).toBeNull();
  });

  it('passes by a pulse that came and went between two looks', () => {
    const field = new Field(both).value(0).value(1).value(0);
    expect(field.after(2000)).toMatchObject({ verdict: 'passed' });
  });

  it('fails by chatter: more changes in one burst than a pulse has', () => {
    const field = new Field(both).value(0);
    for (const state of [1, 0, 1, 0, 1]) expect(field.after(100, state)).toBeNull();
    expect(field.after(2000, 1)).toMatchObject({ verdict: 'failed', why: 'chatter', changes: 5 });
  });

  it('may pass an intermediate position, and fails when it rests there', () => {
    const field = new Field(both).value(0);
    expect(field.after(300, 2)).toBeNull();
    expect(field.after(3000, 1)).toBeNull();
    expect(field.after(3000, 2)).toMatchObject({ verdict: 'failed', why: 'other' });
  });

  it('knows nothing of a value that is not good', () => {
    const field = new Field(both).value(0);
    expect(field.after(3000, 1, { quality: 'invalid' })).toBeNull();
    expect(field.watch?.progress().changes).toBe(0);
  });
});

describe('a text', () => {
  it('passes by its very words when they came in the place of others, not by those that stood there, and fails by others', () => {
    const text: Expectation = { kind: 'text', text: 'AB 12' };
    expect(new Field(text).value(0, { value_text: 'AB 12' }).after(10_000, 0, { value_text: 'AB 12' })).toBeNull();
    expect(new Field(text).value(0, { value_text: 'X' }).after(2500, 0, { value_text: 'AB 12' })).toMatchObject({ verdict: 'passed' });
    expect(new Field(text).value(0, { value_text: 'X' }).after(2500, 0, { value_text: 'AB 13' })).toMatchObject({ verdict: 'failed' });
  });
});

describe('a counter', () => {
  const ten: Expectation = { kind: 'pulse', count: 10, tolerance: 0 };

  it('passes when it rose by that many, fails when it rose by more or fell', () => {
    expect(new Field(ten).value(100).after(2000, 104)).toBeNull();
    const field = new Field(ten).value(100);
    expect(field.after(2000, 104)).toBeNull();
    const said = field.after(2000, 110);
    expect([said?.verdict, said?.seen.map(({ value }) => value)]).toEqual(['passed', [100, 110]]);
    expect(new Field(ten).value(100).after(2000, 111)).toMatchObject({ verdict: 'failed', why: 'other' });
    expect(new Field(ten).value(100).after(2000, 99)).toMatchObject({ verdict: 'failed', why: 'other' });
  });
});
