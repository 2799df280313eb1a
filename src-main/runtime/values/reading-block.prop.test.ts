import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FrameType, QUALITY_FLAGS } from '#shared/domain/enums.ts';
import type { ReadingDetail } from '../../drivers/spi/index.ts';
import { BLOCK_CAPACITY, BLOCK_INVALID, BLOCK_STATE, flagBits, littleEndian, ReadingBlock } from '../../drivers/spi/reading-block.ts';
import { ManualClock } from '../../platform/manual-clock.ts';
import { ChannelJournal } from '../logs/channel-journal.ts';
import { EventLog } from '../logs/event-log.ts';
import { point } from '../testing/harness.ts';
import { readingDetail } from '../testing/reading-details.ts';
import { ColumnPointStore } from './point-store.ts';

const POINTS = 6;
const value = fc.record({
  // one more than there are: a block may be on its way when its point is removed
  pointId: fc.integer({ min: 1, max: POINTS + 1 }),
  value: fc.oneof(fc.constantFrom(0, 1, 2, Number.NaN, Number.POSITIVE_INFINITY), fc.float()),
  form: fc.constantFrom(0, BLOCK_STATE, BLOCK_INVALID, BLOCK_STATE | BLOCK_INVALID),
  flags: fc.subarray([...QUALITY_FLAGS]),
  sourceTime: fc.constantFrom(Number.NaN, 0, 1_770_000_000_000),
  raw: fc.uint8Array({ maxLength: 8 }),
});
const sharedDetail = fc.option(
  readingDetail.map(({ sourceTimeText: _, ...detail }) => detail),
  { nil: undefined },
);

function blockOf(values: readonly (typeof value extends fc.Arbitrary<infer T> ? T : never)[], detail?: ReadingDetail): ReadingBlock {
  const block = new ReadingBlock();
  block.detail = detail;
  values.forEach((item, at) => {
    block.pointId[at] = item.pointId;
    block.value[at] = item.value;
    block.form[at] = item.form;
    block.flags[at] = flagBits(item.flags);
    block.sourceTime[at] = item.sourceTime;
    block.rawLow[at] = littleEndian(item.raw, 0, item.raw.length);
    block.rawHigh[at] = littleEndian(item.raw, 4, item.raw.length - 4);
    block.rawLength[at] = item.raw.length;
    block.length = at + 1;
  });
  return block;
}

/** A table of points with all kinds of scaling, and its journal. */
function bench() {
  const store = new ColumnPointStore();
  store.add(
    Array.from({ length: POINTS }, (_each, at) =>
      point(at + 1, {
        frame_type: at % 2 === 0 ? FrameType.yc : FrameType.yx,
        mul_coe: at < 3 ? 1 : 0.1,
        add_coe: at < 4 ? 0 : -40,
        reverse: at === 1,
      }),
    ),
  );
  // few enough that blocks go over the end of the ring
  const events = new EventLog(30);
  return { store, events, journal: new ChannelJournal(1, events, new ManualClock(5000)) };
}

it('a block is the same as its readings one by one, in the table and in the event log', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.array(value, { maxLength: 50 }), sharedDetail), { maxLength: 4 }), (blocks) => {
      const [whole, single] = [bench(), bench()];
      for (const [at, [values, detail]] of blocks.entries()) {
        const block = blockOf(values, detail);
        whole.store.apply(block, 1000 + at);
        whole.journal.changes(whole.store, block);
        const readings = [...block];
        single.store.apply(readings, 1000 + at);
        single.journal.changes(single.store, readings);
      }
      const states = ({ store }: typeof whole) => store.configs().map(({ id }) => store.state(id));
      expect(states(whole)).toEqual(states(single));
      expect(whole.events.list({ limit: 100 })).toEqual(single.events.list({ limit: 100 }));
      expect(whole.events.dropped).toBe(single.events.dropped);
      expect(whole.store.valueRevision).toBe(single.store.valueRevision);
    }),
    { numRuns: 300 },
  );
});

it('a block drops what was planned for other settings, and takes over from values with long octets and texts', () => {
  const { store } = bench();
  const plannedAt = store.readingRevision;
  const detail = { sourceTimeText: '2026-02-31' };
  const long = { kind: 'value', valueText: 'x', raw: new Uint8Array(12), quality: 'good', flags: [], sourceTime: null, detail } as const;
  store.apply([{ ...long, pointId: 1, value: 5 }], 1);
  store.update(point(2, { address: 99 }));
  const item = { value: 7, form: 0, flags: [], sourceTime: Number.NaN, raw: Uint8Array.of(1, 2) };
  store.apply(blockOf([1, 2].map((pointId) => ({ ...item, pointId }))), 2, plannedAt);
  expect(store.state(1)).toMatchObject({ value: 7, valueText: '', rawHex: '0102', detail: null, updatedAt: 2 });
  expect(store.state(2)).toMatchObject({ value: 0, quality: 'never' });
});

it('a block holds 512 values', () => {
  expect(new ReadingBlock().pointId).toHaveLength(BLOCK_CAPACITY);
});
