import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FrameType, QUALITIES, QUALITY_FLAGS } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { PointConfig, PointReading } from '../../drivers/spi/index.ts';
import { readingDetail } from '../testing/reading-details.ts';
import { ChangeCounter } from './change-counter.ts';
import { engineeringText, engineeringValue, valueRuleOf } from './engineering-value.ts';
import { ColumnPointStore } from './point-store.ts';
import type { PointState, PointStore, TableChange, TableFilter, TablePage, TableSort } from './point-table.ts';
import { isReadAlike } from './reading-settings.ts';

const NO_STATE: PointState = {
  value: 0,
  valueText: '',
  rawHex: '',
  quality: 'never',
  flags: [],
  sourceTime: null,
  detail: null,
  updatedAt: null,
  error: null,
};

/** The table without its account of changes. */
type PlainStore = Omit<PointStore, 'lastChange' | 'changedSince' | 'isChangedSince' | 'deletedSince' | 'visit'>;

/** The same semantics over an array of objects. */
class ArrayPointStore implements PlainStore {
  points: { config: PointConfig; state: PointState; wasGood: boolean; readSince: number }[] = [];
  configRevision = 0;
  valueRevision = 0;
  readingRevision = 0;
  #renewed = new Set<number>();

  get size() {
    return this.points.length;
  }
  #find(id: number) {
    return this.points.find((point) => point.config.id === id);
  }
  config(id: number) {
    return this.#find(id)?.config;
  }
  state(id: number) {
    return this.#find(id)?.state;
  }
  configs() {
    return this.points.map((point) => point.config);
  }
  byCode(code: string) {
    return this.points.find((point) => point.config.code === code)?.config.id;
  }
  add(points: Iterable<PointConfig>) {
    const size = this.points.length;
    this.readingRevision += 1;
    let added = 0;
    for (const config of points) {
      const known = this.#find(config.id);
      if (known) this.#edit(known, config);
      else this.points.push({ config, state: NO_STATE, wasGood: false, readSince: this.readingRevision });
      added += 1;
    }
    this.points.sort((a, b) => a.config.id - b.config.id);
    if (added > 0 || this.points.length !== size) this.configRevision += 1;
  }
  update(config: PointConfig) {
    const known = this.#find(config.id);
    if (!known) return;
    if (!isReadAlike(known.config, config)) this.readingRevision += 1;
    this.#edit(known, config);
    this.configRevision += 1;
  }
  #edit(point: ArrayPointStore['points'][number], config: PointConfig) {
    if (!isReadAlike(point.config, config)) {
      if (point.state.updatedAt !== null) this.#renewed.add(config.id);
      Object.assign(point, { state: NO_STATE, wasGood: false, readSince: this.readingRevision });
    }
    point.config = config;
  }
  async stage({ removed, changed, added }: TableChange) {
    return () => {
      this.readingRevision += 1;
      this.points = this.points.filter((point) => !removed.includes(point.config.id));
      for (const config of new Map(changed.map((point) => [point.id, point])).values()) {
        const known = this.#find(config.id);
        if (known) this.#edit(known, config);
      }
      for (const config of added) this.points.push({ config, state: NO_STATE, wasGood: false, readSince: this.readingRevision });
      this.configRevision += 1;
    };
  }
  takeRenewed() {
    const ids = [...this.#renewed].filter((id) => this.#find(id));
    this.#renewed.clear();
    return ids;
  }
  isReadSince(id: number, plannedAt: number) {
    return !this.isLeft && (this.#find(id)?.readSince ?? Number.POSITIVE_INFINITY) <= plannedAt;
  }
  forgetSince(id: number, plannedAt: number) {
    const point = this.#find(id);
    if (!point || point.readSince <= plannedAt) return false;
    Object.assign(point, { state: NO_STATE, wasGood: false });
    this.valueRevision += 1;
    return true;
  }
  remove(ids: readonly number[]) {
    const kept = this.points.filter((point) => !ids.includes(point.config.id));
    if (kept.length < this.points.length) this.configRevision += 1;
    this.points = kept;
  }
  apply(readings: readonly PointReading[], at: number, plannedAt = this.readingRevision) {
    if (this.isLeft) return;
    let changed = false;
    for (const reading of readings) {
      const point = this.#find(reading.pointId);
      if (!point || point.readSince > plannedAt) continue;
      changed = true;
      const rule = valueRuleOf(point.config);
      const value = reading.kind === 'value' ? engineeringValue(rule, reading) : 0;
      const isNumber = Number.isFinite(value);
      if (reading.kind === 'value') point.wasGood = isNumber && reading.quality === 'good';
      point.state =
        reading.kind === 'failure'
          ? {
              ...point.state,
              quality: reading.error.code.startsWith('DEVICE_') ? 'invalid' : point.wasGood ? 'stale' : point.state.quality,
              error: reading.error.said,
            }
          : {
              value: isNumber ? value : 0,
              valueText: engineeringText(rule, reading, value),
              rawHex: Buffer.from(reading.raw).toString('hex').toUpperCase(),
              quality: isNumber ? reading.quality : 'invalid',
              flags: QUALITY_FLAGS.filter((flag) => reading.flags.includes(flag)),
              sourceTime: reading.sourceTime,
              detail: reading.detail && Object.keys(reading.detail).length > 0 ? reading.detail : null,
              updatedAt: at,
              error: null,
            };
    }
    if (changed) this.valueRevision += 1;
  }
  isLeft = false;
  leaveDevice() {
    this.isLeft = true;
    for (const point of this.points) Object.assign(point, { state: NO_STATE, wasGood: false });
    this.valueRevision += 1;
  }
  meetDevice() {
    this.isLeft = false;
  }
  markAllStale(reason: Message) {
    let changed = false;
    for (const point of this.points) {
      if (point.state.quality === 'never') continue;
      point.state = { ...point.state, quality: point.wasGood ? 'stale' : point.state.quality, error: reason };
      changed = true;
    }
    if (changed) this.valueRevision += 1;
  }
  page(filter: TableFilter, sort: TableSort, order: 'asc' | 'desc', offset: number, limit: number): TablePage {
    const sign = order === 'asc' ? 1 : -1;
    const found = this.points
      .filter(({ config, state }) => {
        const wanted = (filter.search ?? '').toLowerCase();
        return (
          (filter.frameType === undefined || config.frame_type === filter.frameType) &&
          (filter.slaveId === undefined || config.slave_id === filter.slaveId) &&
          (filter.quality === undefined || state.quality === filter.quality) &&
          (!filter.category || config.category === filter.category) &&
          (!filter.item || config.item === filter.item) &&
          (config.code.toLowerCase().includes(wanted) || config.name.toLowerCase().includes(wanted))
        );
      })
      .map((point) => ({ id: point.config.id, key: key(point, sort) }))
      .sort((a, b) => sign * compareKeys(a.key, b.key) || (sort === 'id' ? 0 : a.id - b.id));
    return { total: found.length, ids: found.slice(offset, offset + limit).map((each) => each.id) };
  }
}

/** Numbers, and texts as the octets of their code points. */
function key({ config, state }: { config: PointConfig; state: PointState }, sort: TableSort): number | Buffer {
  if (sort === 'code' || sort === 'name') return Buffer.from(config[sort].toLowerCase());
  const keys = {
    id: config.id,
    address: config.address,
    slave_id: config.slave_id,
    frame_type: config.frame_type,
    value: state.value,
    quality: QUALITIES.indexOf(state.quality),
    updated_at: state.updatedAt ?? -1,
  };
  return keys[sort];
}

/** Numbers by size, texts by code point. */
function compareKeys(a: number | Buffer, b: number | Buffer): number {
  return typeof a === 'number' || typeof b === 'number' ? Number(a) - Number(b) : Buffer.compare(a, b);
}

const id = fc.integer({ min: 1, max: 40 });
const word = fc.oneof(
  fc.constantFrom('', 'PCS01_YC_01', 'pcs01_yc_01', 'İstanbul', '1#PCS A相电压', 'SOC', '温度', '𝒳'),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'Z', 'ä', 'Ä', '电', '压', '_', '@', '`', '\x7f', '1', 'q'), maxLength: 5 }),
);
const few = fc.constantFrom('', 'meter', '电表');
const config: fc.Arbitrary<PointConfig> = fc.record({
  id,
  channel_id: fc.constant(3),
  frame_type: fc.constantFrom<FrameType>(0, 1, 2, 3),
  code: word,
  name: word,
  address: fc.constantFrom(0, 1, 40_001, 0xffff_ffff),
  slave_id: fc.constantFrom(0, 1, 247, 999_999_999_999),
  func_code: fc.constantFrom(null, 0, 3, 255),
  decode: fc.constantFrom('', '0x41', '0xD3'),
  mul_coe: fc.constantFrom(1, 0.1, -0),
  add_coe: fc.constantFrom(0, -40),
  unit: fc.constantFrom('', 'kW', '℃'),
  min_limit: fc.constantFrom(null, 0, -9.5),
  max_limit: fc.constantFrom(null, 0, 1e9),
  bit: fc.constantFrom(null, 0, 63),
  reverse: fc.boolean(),
  reference: fc.constantFrom('', 'LD0/MMXU1.TotW.mag.f'),
  category: few,
  item: few,
  related_code: word,
  command_type: fc.constantFrom('', 'pulse'),
  note: word,
  protocol: fc.constantFrom<Record<string, unknown>>({}, { type_id: 13 }, { meter_address: 'AA', edition: 2007 }),
});
const reading: fc.Arbitrary<PointReading> = fc.oneof(
  fc.record({
    kind: fc.constant('value' as const),
    pointId: id,
    value: fc.oneof(fc.constantFrom(0, 1, 2, null, 2n ** 64n - 1n), fc.double()),
    form: fc.constantFrom(undefined, 'state' as const, 'written' as const),
    valueText: fc.constantFrom('', 'closed'),
    textBehind: fc.constantFrom(undefined, undefined, '2026-01-05 10:30'),
    raw: fc.uint8Array({ maxLength: 12 }),
    quality: fc.constantFrom('good' as const, 'invalid' as const),
    flags: fc.subarray([...QUALITY_FLAGS]),
    sourceTime: fc.constantFrom(null, 0, 1_770_000_000_000),
    detail: fc.option(readingDetail, { nil: undefined }),
  }),
  fc.record({
    kind: fc.constant('failure' as const),
    pointId: id,
    error: fc.constantFrom(new AppError('DEVICE_EXCEPTION', quoted('exception 2')), new AppError('TIMEOUT_RESPONSE', quoted('no answer'))),
  }),
);
const condition: fc.Arbitrary<TableFilter> = fc.oneof(
  fc.record({ frameType: fc.constantFrom<FrameType>(0, 1, 2, 3) }),
  fc.record({ slaveId: fc.constantFrom(0, 1, 247, 5) }),
  {
    weight: 3,
    arbitrary: fc.record({ search: fc.oneof(word, fc.constantFrom('a', 'C', 'z', '_', '`', 'ä', '1', 'aä', '电压', 'yc_0', 'i', 'PCS')) }),
  },
  fc.record({ quality: fc.constantFrom(...QUALITIES) }),
  fc.record({ category: fc.oneof(few, fc.constant('unknown')) }),
  fc.record({ item: few }),
);
/** Mostly none or one condition, so that enough rows are left to be ordered. */
const filter = fc.oneof(
  fc.constant<TableFilter>({}),
  condition,
  fc.tuple(condition, condition).map(([a, b]): TableFilter => ({ ...a, ...b })),
);
const query = fc.record({
  filter,
  sort: fc.constantFrom<TableSort>('id', 'code', 'name', 'address', 'slave_id', 'frame_type', 'value', 'quality', 'updated_at'),
  order: fc.constantFrom('asc' as const, 'desc' as const),
  offset: fc.oneof(fc.constant(0), fc.nat({ max: 30 })),
  limit: fc.integer({ min: 1, max: 40 }),
});
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('add' as const), points: fc.array(config, { maxLength: 20 }), lazily: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('update' as const), point: config }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), ids: fc.array(id, { maxLength: 10 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('apply' as const),
      readings: fc.array(reading, { maxLength: 15 }),
      plannedAgo: fc.nat({ max: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('stage' as const),
      removed: fc.array(id, { maxLength: 10 }),
      changed: fc.array(config, { maxLength: 10 }),
      added: fc.array(config, { maxLength: 10 }),
      meanwhile: fc.array(reading, { maxLength: 10 }),
      isLineLost: fc.boolean(),
      isLeft: fc.boolean(),
      forgotten: id,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), id, plannedAgo: fc.nat({ max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stale' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('leave' as const, 'meet' as const) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('page' as const), which: fc.nat({ max: 3 }) }) },
);

interface Query {
  readonly filter: TableFilter;
  readonly sort: TableSort;
  readonly order: 'asc' | 'desc';
  readonly offset: number;
  readonly limit: number;
}

function expectSamePage(store: PlainStore, model: PlainStore, { filter: conditions, sort, order, offset, limit }: Query): void {
  expect(store.page(conditions, sort, order, offset, limit)).toEqual(model.page(conditions, sort, order, offset, limit));
}

/** Codes may be taken twice here; then any of their points is right. */
function expectSameCodes(store: PlainStore, model: PlainStore): void {
  const codes = model.configs().map(({ code }) => code);
  expect(codes.map((code) => store.config(store.byCode(code) ?? 0)?.code)).toEqual(codes);
  const asked = ['', 'a', 'SOC', 'PCS01_YC_01', 'pcs01_yc_01', '电压'];
  expect(asked.filter((code) => store.byCode(code) === undefined)).toEqual(asked.filter((code) => model.byCode(code) === undefined));
}

/** Rows as text by id, without the time at which they were read. */
function rowsOf(store: ColumnPointStore): Map<number, string> {
  return new Map(store.configs().map((point) => [point.id, JSON.stringify([point, { ...store.state(point.id), updatedAt: null }])]));
}

const NONE = { untold: [], toldOtherwise: [], toldButGone: [], deletedOtherwise: [], deletedButThere: [] };

/** What is otherwise than before is told as changed, and what is gone as deleted. */
function expectTold(store: ColumnPointStore, before: ReadonlyMap<number, string>, mark: number): void {
  const after = rowsOf(store);
  const told = new Set(store.changedSince(mark));
  const deleted = new Set(store.deletedSince(mark));
  expect({
    untold: [...after].flatMap(([id, row]) => (before.get(id) !== row && !told.has(id) ? [id] : [])),
    toldOtherwise: [...after.keys()].filter((id) => store.isChangedSince(id, mark) !== told.has(id)),
    toldButGone: [...told].filter((id) => !after.has(id)),
    deletedOtherwise: [...before.keys()].filter((id) => deleted.has(id) === after.has(id)),
    deletedButThere: [...deleted].filter((id) => after.has(id)),
  }).toEqual(NONE);
}

describe('ColumnPointStore', () => {
  it('agrees with an array of objects after any sequence of changes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }),
        // Few queries that are asked again and again, so that remembered answers are used.
        fc.array(query, { minLength: 4, maxLength: 4 }),
        async (steps, queries) => {
          const changes = new ChangeCounter();
          const store = new ColumnPointStore(changes);
          const model = new ArrayPointStore();
          let newest = 1000;
          let [mark, before] = [0, rowsOf(store)];
          for (const [at, action] of steps.entries()) {
            const added = action.do === 'stage' ? action.added.map((point, index) => ({ ...point, id: newest + index })) : [];
            newest += added.length;
            for (const one of [store, model]) {
              if (action.do === 'stage') {
                const show = await one.stage({ ...action, added }, async () => {});
                // readings come while the table is made
                one.apply(action.meanwhile, 1000 + at);
                one.forgetSince(action.forgotten, one.readingRevision - 1);
                if (action.isLineLost) one.markAllStale(quoted('line lost'));
                if (action.isLeft) one.leaveDevice();
                show();
                one.meetDevice();
              } else if (action.do === 'add') one.add(action.lazily ? action.points.values() : action.points);
              else if (action.do === 'update') one.update(action.point);
              else if (action.do === 'remove') one.remove(action.ids);
              else if (action.do === 'apply') one.apply(action.readings, 1000 + at, one.readingRevision - action.plannedAgo);
              else if (action.do === 'forget') one.forgetSince(action.id, one.readingRevision - action.plannedAgo);
              else if (action.do === 'leave') one.leaveDevice();
              else if (action.do === 'meet') one.meetDevice();
              else if (action.do === 'stale') one.markAllStale(quoted('line lost'));
            }
            const asked = action.do === 'page' ? queries[action.which] : undefined;
            if (asked) expectSamePage(store, model, asked);
            expect([store.size, store.configRevision, store.valueRevision, store.readingRevision]).toEqual([
              model.size,
              model.configRevision,
              model.valueRevision,
              model.readingRevision,
            ]);
            if (at % 4 === 0) expectSameCodes(store, model);
            expectTold(store, before, mark);
            if (at % 3 === 0) [mark, before] = [changes.last, rowsOf(store)];
          }
          for (const asked of queries) expectSamePage(store, model, asked);
          expect(store.configs()).toEqual(model.configs());
          expect(store.takeRenewed().sort()).toEqual(model.takeRenewed().sort());
          const ids = [...Array.from({ length: 42 }, (_, number) => number), ...model.configs().map((point) => point.id)];
          expect(ids.map((wanted) => store.config(wanted))).toEqual(ids.map((wanted) => model.config(wanted)));
          expect(ids.map((wanted) => store.state(wanted))).toEqual(ids.map((wanted) => model.state(wanted)));
          expectSameCodes(store, model);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('agrees on large tables, where pages are cut out by sampling', () => {
    const store = new ColumnPointStore();
    const model = new ArrayPointStore();
    const random = fc.sample(fc.record({ shape: config, value: fc.constantFrom(0, 1, 5, 7.5, -3) }), { numRuns: 4_000, seed: 4711 });
    const points = random.map(({ shape }, index) => ({ ...shape, id: index + 1, code: `${shape.code}_${index % 37}` }));
    const readings: PointReading[] = random.map(({ value }, index) => ({
      kind: 'value',
      pointId: index + 1,
      value: value === 7.5 ? index : value,
      valueText: '',
      raw: new Uint8Array(2),
      quality: 'good',
      flags: [],
      sourceTime: null,
    }));
    for (const one of [store, model]) {
      one.add(points);
      one.apply(readings.slice(0, 3_500), 1);
      one.apply(readings.slice(100, 900), 2);
    }
    fc.assert(
      fc.property(query, fc.nat({ max: 4_100 }), fc.integer({ min: 1, max: 4_100 }), (asked, offset, limit) => {
        expectSamePage(store, model, asked);
        expectSamePage(store, model, { ...asked, offset, limit });
      }),
      { numRuns: 150 },
    );
  });
});
