import { describe, expect, it } from 'vitest';
import type { Expectation } from '#shared/contract/check.ts';
import { modbusTcpDriver } from '../../drivers/modbus/driver.ts';
import type { PointConfig } from '../../drivers/spi/index.ts';
import { testPoint } from '../../drivers/testing/points.ts';
import type { StoredCheckItem } from '../../persistence/check-repositories.ts';
import type { EventRecord } from '../../runtime/logs/event-log.ts';
import { channelSettings } from '../../runtime/testing/harness.ts';
import type { PointState } from '../../runtime/values/point-table.ts';
import type { ProjectSession } from '../ports.ts';
import { NEVER_READ } from '../rows.ts';
import type { CheckedPoint } from './elsewhere/checked-channel.ts';
import { ItemWatch } from './item-watch.ts';

const WALL = Date.UTC(2026, 0, 1);
const [SETTLE, TIMEOUT, CATCH_UP] = [300, 1000, 3000];
const STATES: Expectation = { kind: 'states', states: [0, 1] };

/** One point of a device whose connection stands for a minute, looked at from time 0 on. */
class Field {
  now = 0;
  connectedAt: number | null = -60_000;
  readonly watched: ItemWatch;
  #state: PointState;
  #point: PointConfig;
  readonly #session: ProjectSession;
  #configRevision = 1;

  constructor(expectation: Expectation = STATES, before: Partial<PointState> = {}, { restedMs = 0, bit = null as number | null } = {}) {
    this.#point = testPoint({ id: 7, code: 'S', frame_type: 1, bit });
    this.#state = { ...NEVER_READ, value: 0, quality: 'good', updatedAt: WALL - 100, rawHex: '0000', ...before };
    const settings = channelSettings({ timeout_ms: TIMEOUT });
    const field = this;
    const points = {
      config: () => this.#point,
      state: () => this.#state,
      get configRevision() {
        return field.#configRevision;
      },
    };
    const channel = {
      ...{ id: 1, settings, points, driver: modbusTcpDriver },
      get connectedAt() {
        return field.connectedAt;
      },
    };
    this.#session = { channels: { get: () => channel } } as unknown as ProjectSession;
    const names = { channel: 'C', code: 'S', name: 'S', group: '' };
    const item: StoredCheckItem = {
      ...{ uuid: 'u', place: 1, service: '', channelId: 1, pointId: 7, frameType: 1, expectation },
      ...names,
    };
    this.watched = new ItemWatch(item, this.#session, { settleMs: SETTLE, now: 0, restedMs });
  }

  get #found(): CheckedPoint {
    return this.watched.locate() ?? expect.fail('it is gone');
  }

  pass(ms: number): this {
    this.now += ms;
    return this;
  }

  /** The table has this from now on, received now unless it says otherwise; the watch looks at it. */
  table(change: Partial<PointState>): this {
    this.#state = { ...this.#state, quality: 'good', updatedAt: WALL + this.now, ...change };
    return this.look();
  }

  look(): this {
    this.watched.takeTable(this.#found, this.now);
    return this;
  }

  read(value: number, change: Partial<PointState> = {}): this {
    return this.table({ value, ...change });
  }

  /** A read fails: the value and its time stay. */
  fails(): this {
    this.#state = { ...this.#state, quality: 'stale' };
    return this.look();
  }

  /** Reads this value every 100 ms for so long; answers what the watch says at the end. */
  reads(ms: number, value: number, change: Partial<PointState> = {}) {
    for (const end = this.now + ms; this.now < end; ) this.pass(100).read(value, change);
    return this.watched.look(this.now);
  }

  /** The device tells a change, which happened so many milliseconds before it came. */
  event(value: number | null, change: Partial<EventRecord> = {}, agoMs = 0): this {
    const record = {
      kind: 'change',
      value,
      flags: [],
      text: '',
      deviceTime: null,
      receivedAt: WALL + this.now,
      isInvalid: false,
      isNoValue: false,
    };
    const event = { ...record, ...change } as unknown as EventRecord;
    this.watched.takeEvent(this.#found, { event, at: this.now, happenedBy: this.now - agoMs, arrivedAt: null }, '');
    return this;
  }

  edit(change: Partial<PointConfig>): this {
    this.#point = { ...this.#point, ...change };
    this.#configRevision += 1;
    return this;
  }

  /** Stands at 0 for long, and is known to. */
  stands(): this {
    this.reads(2000, 0);
    expect([this.watched.isReady, this.watched.changes]).toEqual([true, 0]);
    return this;
  }
}

/** What the table has of a device that sends changes by itself. */
const told = { detail: { cause: { code: 3, name: 'spontaneous' } } } as unknown as Partial<PointState>;

describe('where a point stands', () => {
  it('is known by the first answer to a request of now: one that was sent before may still be answered', () => {
    const field = new Field();
    expect(field.watched.isReady, 'what stood there says nothing of now').toBe(false);
    expect(field.pass(TIMEOUT - 1).read(1).watched.isReady).toBe(false);
    expect(field.pass(1).look().watched.isReady, 'the same answer again').toBe(false);
    expect(field.read(1).watched.isReady).toBe(true);
    expect(field.watched.changes, 'it moved before, and nobody knows when').toBe(0);
    expect(new Field().pass(10).read(0).pass(10).read(0).watched.isReady, 'the second answer').toBe(true);
    expect(new Field(STATES, {}, { restedMs: TIMEOUT }).pass(10).read(0).watched.isReady, 'nothing was asked before').toBe(true);
    expect(new Field(STATES, {}, { restedMs: TIMEOUT - 20 }).pass(10).read(0).watched.isReady).toBe(false);
  });

  it('is known at once of a device that tells its changes', () => {
    const field = new Field(STATES, told);
    expect(field.watched.isReady).toBe(true);
    expect(field.event(1).event(0).pass(SETTLE).watched.look(field.now)).toMatchObject({ verdict: 'passed' });
    expect(new Field(STATES, { ...told, quality: 'stale' }).watched.isReady, 'not by what is out of date').toBe(false);
  });

  it('is not known by what comes within three seconds of a connection', () => {
    const field = new Field().stands();
    field.connectedAt = field.now;
    field.pass(100).read(1);
    expect([field.watched.isReady, field.watched.changes]).toEqual([false, 0]);
    field.pass(CATCH_UP - 101).read(0);
    expect(field.watched.isReady).toBe(false);
    field.pass(1).read(0).pass(1).read(0);
    expect(field.watched.isReady).toBe(true);
    expect(field.reads(1000, 1)).toBeNull();
    expect(field.reads(1000, 0)).toMatchObject({ verdict: 'passed', changes: 2 });
  });

  it('is not known while there is no connection, whatever comes', () => {
    const field = new Field(STATES, told);
    field.connectedAt = null;
    field.pass(100).read(1, told).pass(5000).event(0).read(0, told);
    expect([field.watched.isReady, field.watched.changes]).toEqual([false, 0]);
  });

  it('is not known behind a silence: a device that was silent for three seconds may have been switched off', () => {
    const short = new Field().stands();
    short.pass(100).fails();
    expect(short.watched.isReady).toBe(false);
    short.pass(CATCH_UP - 1).read(1);
    expect([short.watched.isReady, short.watched.changes], 'it stands there now').toEqual([true, 0]);
    const long = new Field().stands();
    long.pass(100).fails().pass(10).fails();
    long.pass(CATCH_UP - 10).read(1);
    long.pass(CATCH_UP - 1).read(0);
    expect([long.watched.isReady, long.watched.changes], 'how it starts').toEqual([false, 0]);
    long.pass(1).read(0);
    expect(long.watched.isReady).toBe(true);
  });

  it('stays known where the device calls its value bad', () => {
    const field = new Field().stands();
    field.pass(100).read(0, { quality: 'invalid' });
    expect(field.watched.isReady).toBe(true);
    expect(field.reads(500, 1)).toBeNull();
    expect(field.watched.changes).toBe(1);
  });
});

describe('a change', () => {
  it('passes by what is read anew, with what was before and behind it', () => {
    const field = new Field().stands();
    expect(field.watched.change).toBeNull();
    field.reads(1000, 1);
    expect([field.watched.change, field.watched.last?.value]).toEqual([{ before: 0, after: 1 }, 1]);
    expect(field.reads(1000, 0)).toMatchObject({ verdict: 'passed' });
    expect(field.watched.change).toEqual({ before: 1, after: 0 });
  });

  it('has to be received again to stand: looking at the table again proves nothing', () => {
    const field = new Field().stands().pass(100).read(1).pass(100).read(0);
    for (let times = 0; times < 20; times++) expect(field.pass(100).look().watched.look(field.now)).toBeNull();
    expect(field.read(0).watched.look(field.now)).toMatchObject({ verdict: 'passed' });
  });

  it('that is no number is received once', () => {
    const field = new Field().stands().pass(100).read(Number.NaN, { quality: 'invalid' });
    const seen = field.watched.last;
    expect(seen?.value).toBeNull();
    expect(field.pass(100).look().watched.last, 'the same').toBe(seen);
    expect(field.table({ value: 0, updatedAt: WALL + field.now - 100 }).watched.last).not.toBe(seen);
  });

  it('that a device tells counts when it happened since, once, and brings a value', () => {
    const changes = (run: (field: Field) => void) => {
      const field = new Field(STATES, told).pass(500);
      run(field);
      return field.watched.changes;
    };
    expect(changes((field) => field.event(1))).toBe(1);
    expect(
      changes((field) => field.event(1, {}, 500)),
      'with the beginning',
    ).toBe(1);
    expect(
      changes((field) => field.event(1, {}, 501)),
      'before the beginning',
    ).toBe(0);
    expect(
      changes((field) => field.event(1).pass(100).event(0, {}, 101)),
      'before the one that came last',
    ).toBe(1);
    expect(changes((field) => field.event(1, { deviceTime: 5 }).event(0, { deviceTime: 6 }).event(0, { deviceTime: 6 }))).toBe(2);
    expect(
      changes((field) => field.event(1, { deviceTime: 5 }).event(0, { deviceTime: 5 })),
      'two of one moment',
    ).toBe(2);
    expect(
      changes((field) => field.event(1).event(0).event(1)),
      'without a time',
    ).toBe(3);
    expect(changes((field) => field.event(1, { isNoValue: true }).event(1, { kind: 'operation' as never }))).toBe(0);
    expect(changes((field) => field.event(null).event(1, { isInvalid: true }))).toBe(0);
  });

  it('that a device tells of what it kept is none, nor is the value of the table that came with it', () => {
    const field = new Field(STATES, told).stands();
    field.event(1, { deviceTime: WALL - 50 }, field.now + 50);
    field.pass(100).read(1, { sourceTime: WALL - 50 });
    expect([field.watched.changes, field.watched.change]).toEqual([0, null]);
    field.pass(100).read(0, { sourceTime: null }).event(0);
    expect(field.watched.changes, 'from what it kept to what is now').toBe(1);
    const joined = new Field(STATES, told).pass(100);
    joined.connectedAt = 100;
    joined.pass(100).event(1).event(0);
    expect(joined.watched.changes, 'over a new connection').toBe(0);
  });

  it('that a device tells is one from what was known, also before anything was read', () => {
    expect(new Field().event(1).event(0).watched.changes).toBe(2);
    expect(new Field(STATES, { quality: 'stale' }).event(1).event(0).watched.changes, 'from what was known to be good').toBe(1);
    const again = new Field().stands();
    again.connectedAt = again.now;
    again.look().pass(CATCH_UP).event(1);
    expect(again.watched.changes, 'over a connection that came').toBe(1);
    const first = new Field(STATES, told).pass(TIMEOUT).read(1, told);
    expect([first.watched.changes, first.event(1).watched.changes], 'the table shows it before').toEqual([0, 1]);
  });

  it('is nobody’s where a person decides', () => {
    const field = new Field({ kind: 'values', references: [] });
    field.reads(2000, 1);
    expect([field.watched.watch, field.watched.changes, field.watched.look(field.now)]).toEqual([null, 0, null]);
    expect(field.watched.last?.value).toBe(1);
  });
});

describe('octets', () => {
  const names = (field: Field) => field.watched.hint.map(({ name }) => name);
  const register = () => new Field(STATES, {}, { bit: 3 }).stands();

  it('of which another bit changed while that of the point stood still are a hint', () => {
    const field = register().pass(100).read(0, { rawHex: '0010' });
    expect(names(field)).toEqual(['wrong_bit']);
    expect(field.watched.hint[0]).toMatchObject({ said: { params: { bit: 4 } } });
  });

  it.each([
    ['two bits at once', { rawHex: '0030' }, 3],
    ['other octets in number', { rawHex: '10' }, 3],
    ['octets from nowhere', { rawHex: '' }, 3],
    ['its own bit', { rawHex: '0008' }, 3],
    ['a point of no bit', { rawHex: '0010' }, null],
  ])('are none by %s', (_, change, bit) => {
    expect(names(new Field(STATES, {}, { bit }).stands().pass(100).read(0, change))).toEqual([]);
  });

  it('are none with a change of the value, nor before it is known where the point stands', () => {
    expect(names(register().pass(100).read(1, { rawHex: '0010' }))).toEqual([]);
    expect(names(new Field(STATES, {}, { bit: 3 }).pass(100).read(0, { rawHex: '0010' }))).toEqual([]);
  });

  it('have rested once, when they changed and the value did not', () => {
    const field = register();
    expect(field.watched.haveOctetsRested(field.now)).toBe(false);
    field.pass(100).read(0, { rawHex: '0010' });
    const rested = () => field.watched.haveOctetsRested(field.now);
    expect([field.pass(SETTLE - 1) && rested(), field.pass(1) && rested(), rested()]).toEqual([false, true, false]);
    field.pass(100).read(1, { rawHex: '0018' }).pass(SETTLE);
    expect(rested(), 'the value moves as well').toBe(false);
    field.reads(1000, 1, { rawHex: '0018' });
    field.pass(100).read(1, { rawHex: '0008' });
    field.connectedAt = field.now;
    field.look().pass(SETTLE);
    expect(rested(), 'of another connection').toBe(false);
  });
});

it('a point that is read from elsewhere is no more what was looked at; its evidence is what it was', () => {
  const field = new Field().stands();
  const { address } = field.watched.facts.point as { address: number };
  field.edit({ name: 'other name' }).watched.locate();
  expect(field.watched.isElsewhere).toBe(false);
  field.edit({ address: address + 1 }).watched.locate();
  expect([field.watched.isElsewhere, field.watched.facts.point.address]).toEqual([true, address]);
});
