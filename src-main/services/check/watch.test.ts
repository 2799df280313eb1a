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

  /** Time passes, and nobody looks. */
  pass(ms: number): this {
    this.#now += ms;
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

  it('is as near as its tolerance, and has moved by more than the largest of them', () => {
    const coarse: Expectation = { kind: 'values', references: [reference(100, 1), reference(200, 10)] };
    const field = new Field(coarse).value(150);
    expect([field.after(500, 160), field.watch?.changes]).toEqual([null, 0]);
    expect([field.after(900, 101), field.watch?.progress().isMoving]).toEqual([null, true]);
    expect(field.after(200, 101)).toBeNull();
    expect(field.watch?.progress()).toMatchObject({
      changes: 1,
      isMoving: false,
      wanted: [{ value: 100, isSeen: true }, { isSeen: false }],
    });
  });

  it('begins to settle anew at another reference', () => {
    const field = new Field(two).value(50);
    expect(field.after(900, 0)).toBeNull();
    expect(field.after(500, 100)).toBeNull();
    expect(field.watch?.progress().wanted.some(({ isSeen }) => isSeen)).toBe(false);
  });

  it('may come back to a reference that was seen and rest there; it fails where it rests elsewhere, with all that was seen', () => {
    const field = new Field(two).value(50);
    expect(field.after(1500, 0)).toBeNull();
    expect(field.after(300, 40)).toBeNull();
    expect(field.after(3000, 0)).toBeNull();
    const said = field.after(1500, 40);
    expect([said?.verdict, said?.seen.map(({ value }) => value), said?.changes]).toEqual(['failed', [0, 40], 4]);
  });

  it('fails where it rests at a reference that was seen, and the device calls it bad', () => {
    const field = new Field(two).value(50);
    expect(field.after(1500, 0)).toBeNull();
    expect(field.after(300, 40)).toBeNull();
    expect(field.after(2000, 0, { quality: 'invalid' })).toMatchObject({ verdict: 'failed', why: 'quality' });
  });

  it('is no zero where it is no number, whatever its quality', () => {
    const field = new Field({ kind: 'values', references: [reference(0)] }).value(50);
    for (let times = 0; times < 30; times++) expect(field.value(null).after(100)).toBeNull();
    expect(field.watch?.changes).toBe(0);
  });

  it('is not confirmed by what is only known, nor by a message that comes behind what was read', () => {
    const single: Expectation = { kind: 'values', references: [reference(100)] };
    expect(new Field(single).value(0).value(100).pass(1500).value(100, {}, 'known').after(500)).toBeNull();
    const elsewhere = new Field(single).value(0).value(60).pass(1500).value(60, {}, 'sent');
    expect(elsewhere.after(500)).toBeNull();
    expect(elsewhere.after(100, 60)).toMatchObject({ verdict: 'failed' });
  });

  it('stands at a reference from when that is said of now, not from when it was known', () => {
    const read = new Field(two).value(0, {}, 'known').pass(1500).value(0, {}, 'stands');
    expect([read.after(100, 0), read.watch?.progress().wanted[0]?.isSeen]).toEqual([null, false]);
    const told = new Field(two).value(0, {}, 'told');
    expect([told.after(1000), told.watch?.progress().wanted[0]?.isSeen]).toEqual([null, true]);
  });

  it('that was sent stays so when it is read as well', () => {
    const field = new Field({ kind: 'values', references: [reference(100)] }).value(0).value(100, {}, 'sent').value(100);
    expect(field.after(1000)).toMatchObject({ verdict: 'passed', why: 'none', changes: 1 });
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

  it('is none where it is no number: nothing passes while the last value is none', () => {
    const field = new Field(both).value(0).value(1).value(0).pass(1500).value(null);
    expect(field.after(3000)).toBeNull();
    expect(field.after(100, 0)).toMatchObject({ verdict: 'passed', why: 'none' });
  });

  it('is not confirmed by what is only known, nor by a message that comes behind what was read', () => {
    const moved = () => new Field(both).value(0).value(1).value(0).pass(1500);
    expect(moved().value(0, {}, 'known').after(500)).toBeNull();
    expect(moved().value(0, {}, 'sent').after(500)).toBeNull();
  });

  it('that comes and goes again after a rest is no chatter, also where nobody looked in between', () => {
    const sent = (field: Field) => field.value(1, {}, 'sent').value(0, {}, 'sent');
    const field = sent(sent(new Field(both).value(0, {}, 'told')).pass(1000));
    expect(field.after(1000)).toMatchObject({ verdict: 'passed', changes: 4 });
    const once = sent(sent(new Field(both).value(0, {}, 'told')).pass(999));
    expect(once.after(1000)).toMatchObject({ verdict: 'failed', why: 'chatter' });
  });

  it('says what it rests on: each state as it was entered, and what it fails by', () => {
    const values = (field: Field, ...[ms, value, rest]: Parameters<Field['after']>) =>
      field.after(ms, value, rest)?.seen.map((seen) => seen.value);
    expect(values(new Field(both).value(0).value(1), 1500, 0)).toEqual([1, 0]);
    expect(values(new Field(both).value(0).value(1), 1500, 0, { quality: 'invalid' })).toEqual([1, 0]);
    expect(values(new Field(both).value(0).value(1), 1500, 2)).toEqual([1, 2]);
  });

  it('knows nothing of a value that is not good', () => {
    const field = new Field(both).value(0);
    expect(field.after(3000, 1, { quality: 'invalid' })).toBeNull();
    expect(field.watch?.progress().changes).toBe(0);
  });
});

describe('where a point stands', () => {
  const both: Expectation = { kind: 'states', states: [0, 1] };
  it.each<[string, Expectation]>([
    ['a signal', both],
    ['a measurement', { kind: 'values', references: [reference(9, 0)] }],
  ])('is known on two tracks, what is read and what is sent, and not at all behind a lost line (%s)', (_, expectation) => {
    const shown = new Field(expectation).value(0, {}, 'told').value(5, {}, 'stands').value(5, {}, 'read');
    expect(shown.watch?.changes, 'nobody knows when it moved').toBe(0);
    const before = new Field(expectation).value(0, {}, 'known').value(5, {}, 'known').value(9, {}, 'told');
    expect(before.watch?.changes, 'what was before is no movement').toBe(0);
    const lost = new Field(expectation).value(0).value(1);
    expect(lost.watch?.progress()).toMatchObject({ changes: 1, isMoving: true });
    lost.watch?.interrupt();
    expect(lost.watch?.progress()).toMatchObject({ changes: 1, isMoving: false });
    expect(lost.value(0, {}, 'stands').value(0, {}, 'sent').value(0, {}, 'read').watch?.changes).toBe(1);
  });
});

describe('a text', () => {
  it('passes by its very words when they came in the place of others, not by those that stood there, and fails by others', () => {
    const text: Expectation = { kind: 'text', text: 'AB 12' };
    expect(new Field(text).value(0, { value_text: 'AB 12' }).after(10_000, 0, { value_text: 'AB 12' })).toBeNull();
    expect(new Field(text).value(0, { value_text: 'X' }).after(2500, 0, { value_text: 'AB 12' })).toMatchObject({ verdict: 'passed' });
    expect(new Field(text).value(0, { value_text: 'X' }).after(2500, 0, { value_text: 'AB 13' })).toMatchObject({
      ...{ verdict: 'failed', why: 'other', changes: 1 },
      seen: [{ value_text: 'AB 13' }],
    });
  });

  const text: Expectation = { kind: 'text', text: 'AB 12' };
  const words = (value_text: string, rest: Partial<CheckSeen> = {}) => ({ value_text, ...rest });

  it('is not confirmed by what is only known, by a message that comes behind it, or by a bad value', () => {
    const came = () => new Field(text).value(0, words('X')).value(0, words('AB 12')).pass(1500);
    expect(came().value(0, words('AB 12'), 'known').after(500)).toBeNull();
    expect(came().value(0, words('AB 12'), 'sent').after(500)).toBeNull();
    expect(
      came()
        .value(0, words('AB 12', { quality: 'stale' }))
        .after(500),
    ).toBeNull();
    expect(came().value(0, words('AB 12')).value(0, words('AB 12'), 'known').after(500), 'what is known last is no evidence').toBeNull();
    expect(came().after(100, 0, words('AB 12'))).toMatchObject({ verdict: 'passed', why: 'none' });
    const bad = new Field(text).value(0, words('X')).value(0, words('AB 12', { quality: 'invalid' }));
    expect([bad.after(2000, 0, words('X')), bad.watch?.changes]).toEqual([null, 0]);
  });

  it('that a line brings back that was lost is where the point stands', () => {
    const field = new Field(text).value(0, words('X'));
    expect([field.after(500, 0, words('Y')), field.watch?.progress()]).toEqual([null, { wanted: [], changes: 1, isMoving: true }]);
    field.watch?.interrupt();
    expect(field.watch?.progress().isMoving).toBe(false);
    expect(field.value(0, words('AB 12'), 'stands').after(3000, 0, words('AB 12'))).toBeNull();
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

  it('is not confirmed by a message that comes behind what was read, begins with nothing that is only known, and has no value that is bad', () => {
    const rose = () => new Field(ten).value(100).value(110).pass(1500);
    expect(rose().value(110, {}, 'sent').after(500)).toBeNull();
    for (const seen of [{ quality: 'stale' }, { quality: 'invalid' }] as const) expect(rose().value(110, seen).after(500)).toBeNull();
    expect(rose().value(null).after(500), 'no number').toBeNull();
    expect(rose().after(100, 110)).toMatchObject({ verdict: 'passed', why: 'none', changes: 1 });
    const known = new Field(ten).value(100, {}, 'known').value(104, {}, 'stands');
    expect(known.after(2000, 110)).toBeNull();
    expect(known.after(2000, 114)).toMatchObject({ verdict: 'passed', seen: [{ value: 104 }, { value: 114 }] });
  });

  it('that has not moved says nothing, and shows how far it has to go', () => {
    const field = new Field(ten).value(100);
    expect(field.after(5000, 100)).toBeNull();
    expect(field.watch?.progress()).toEqual({ wanted: [{ value: 10, isSeen: false }], changes: 0, isMoving: false });
    expect([field.after(500, 105), field.watch?.changes, field.watch?.progress().isMoving]).toEqual([null, 1, true]);
  });

  it('does not count what it rose by while the line was lost', () => {
    const field = new Field(ten).value(100);
    expect(field.after(2000, 104)).toBeNull();
    field.watch?.interrupt();
    expect(field.value(110, {}, 'sent').watch?.changes, 'nobody knows what it was').toBe(1);
    field.watch?.interrupt();
    expect(field.value(110, {}, 'stands').after(3000, 110)).toBeNull();
    expect(field.after(2000, 120)).toMatchObject({ verdict: 'passed', seen: [{ value: 110 }, { value: 120 }] });
  });
});
