import { describe, expect, it } from 'vitest';
import type { CheckSeen, Expectation } from '#shared/contract/check.ts';
import type { KnownBy } from './stance.ts';
import { watchFor } from './watch.ts';

const SETTLE = 1000;

/** A point on a clock of its own: values at times, and what the watch says then. */
class Field {
  readonly watch;
  #now = 0;

  constructor(expectation: Expectation) {
    this.watch = watchFor(expectation, SETTLE);
  }

  #isRead = false;

  /** A value is received, now; the first one that is read tells where the point stands. */
  value(value: number | null, rest: Partial<CheckSeen> = {}, by: KnownBy = this.#isRead ? 'read' : 'stands'): this {
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
    this.#isRead ||= by === 'stands';
    this.watch?.take({ seen, at: this.#now, by });
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
    expect(sent.value(100, {}, 'sent').after(2000)).toMatchObject({ verdict: 'passed' });
    expect(new Field(single).value(0).value(100).after(5000)).toBeNull();
  });

  it('that is read is steady once it was received behind the settling time, however often before', () => {
    const field = new Field({ kind: 'values', references: [reference(100)] }).value(0);
    expect(field.after(900, 100)).toBeNull();
    expect(field.after(5000)).toBeNull();
    expect(field.after(100, 100)).toMatchObject({ verdict: 'passed' });
  });

  it('that a device sends again and again without a change moves by none of it', () => {
    const field = new Field({ kind: 'values', references: [reference(100)] }).value(100.4, {}, 'told');
    for (let times = 0; times < 20; times++) expect(field.value(99.8, { flags: ['SB'] }, 'sent').after(500)).toBeNull();
    expect(field.value(60, {}, 'sent').after(500)).toBeNull();
    expect(field.value(100, {}, 'sent').after(1500)).toMatchObject({ verdict: 'passed' });
  });

  it('neither passes nor fails by NaN, nor by a line that is lost before it has settled', () => {
    const nought: Expectation = { kind: 'values', references: [reference(0)] };
    expect(new Field(nought).value(50).value(null, { quality: 'invalid' }).after(3000, 50)).toBeNull();
    const lost = new Field(nought).value(50);
    expect(lost.after(300, 20)).toBeNull();
    expect(lost.after(5000, 20, { quality: 'stale' })).toBeNull();
    lost.watch?.interrupt();
    expect(lost.value(0, {}, 'stands').after(5000, 0)).toBeNull();
    expect(lost.after(1500, 50)).toMatchObject({ verdict: 'failed' });
  });

  it('fails by its quality when it moved and the device calls it bad', () => {
    const field = new Field({ kind: 'values', references: [reference(100)] }).value(0);
    expect(field.after(300, 100)).toBeNull();
    expect(field.after(2000, 100, { quality: 'invalid' })).toMatchObject({ verdict: 'failed', why: 'quality' });
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

  it('takes a state that a device sent as entered where it is another one than before, whoever read what meanwhile', () => {
    const pulse = (field: Field) => field.value(1, {}, 'sent').value(0, {}, 'sent').after(3000);
    expect(pulse(new Field(both).value(0, {}, 'told'))).toMatchObject({ verdict: 'passed' });
    expect(pulse(new Field(both).value(0, {}, 'known'))).toMatchObject({ verdict: 'passed' });
    // the state without its time comes first, and shows where the point stands
    expect(pulse(new Field(both).value(0, {}, 'told').value(1))).toMatchObject({ verdict: 'passed', changes: 2 });
    expect(pulse(new Field(both).value(0, {}, 'told').value(0).value(1)), 'the same change, read and sent, is one').toMatchObject({
      changes: 2,
    });
  });

  it('takes none as entered that says what is known, nor the first one where nothing is', () => {
    expect(new Field(both).value(1, {}, 'sent').value(0, {}, 'sent').after(3000)).toBeNull();
    expect(new Field(both).value(1).value(0, {}, 'sent').after(3000)).toBeNull();
    const told = new Field(both).value(1, {}, 'told').value(1, {}, 'sent').value(1, {}, 'sent');
    expect([told.after(3000), told.watch?.changes]).toEqual([null, 0]);
    const known = new Field(both).value(0, {}, 'told').value(1, {}, 'known').value(0, {}, 'known');
    expect([known.after(3000), known.watch?.changes], 'what is from before').toEqual([null, 0]);
  });

  it('passes by a pulse that came and went between two looks: one that was read has to be read again', () => {
    const pulse = () => new Field(both).value(0).value(1).value(0);
    expect(pulse().after(2000)).toBeNull();
    expect(pulse().after(2000, 0)).toMatchObject({ verdict: 'passed' });
  });

  it('passes nothing by what a line brings back that was lost: it is where the point stands', () => {
    const field = new Field(both).value(0);
    expect(field.after(300, 1)).toBeNull();
    field.watch?.interrupt();
    expect(field.value(0, {}, 'stands').after(5000, 0)).toBeNull();
    expect(field.watch?.progress().wanted).toEqual([
      { value: 0, isSeen: false },
      { value: 1, isSeen: true },
    ]);
    expect(field.after(3000, 1)).toBeNull();
    expect(field.after(1500, 0)).toMatchObject({ verdict: 'passed' });
  });

  it('fails by its quality where it moved and rests with a bad one, and says nothing while it is out of date', () => {
    const bad = new Field(both).value(0);
    expect(bad.after(300, 1)).toBeNull();
    expect(bad.after(2000, 1, { quality: 'invalid', flags: ['IV'] })).toMatchObject({ verdict: 'failed', why: 'quality' });
    const stale = new Field(both).value(0).value(1).value(0);
    expect(stale.after(5000, 0, { quality: 'stale' })).toBeNull();
    expect(stale.after(1500, 0)).toMatchObject({ verdict: 'passed' });
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

  it('does not count what it rose by while the line was lost', () => {
    const field = new Field(ten).value(100);
    expect(field.after(2000, 104)).toBeNull();
    field.watch?.interrupt();
    expect(field.value(110, {}, 'stands').after(3000, 110)).toBeNull();
    expect(field.after(2000, 120)).toMatchObject({ verdict: 'passed', seen: [{ value: 110 }, { value: 120 }] });
  });
});
