import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { readingDetail } from '../testing/reading-details.ts';
import { DetailPool } from '../values/reading-detail.ts';
import { EventLog, type EventRecord } from './event-log.ts';

const event = (channelId: number | null, text: string): Omit<EventRecord, 'seq'> => ({
  channelId,
  kind: 'change',
  pointId: 7,
  frameType: 1,
  code: 'Q1',
  value: 1,
  flags: ['NT'],
  deviceTime: 5,
  receivedAt: 6,
  text,
  said: null,
  detail: null,
  isNoValue: false,
  isInvalid: false,
});

describe('EventLog', () => {
  it('keeps entries as they were added, numbered from 1', () => {
    const log = new EventLog(10);
    expect(log.add(event(1, 'a'), event(1, 'a'))).toBe(1);
    expect(log.list({ limit: 5 })).toEqual([{ ...event(1, 'a'), seq: 1 }]);
    expect([log.lastSeq, log.dropped]).toEqual([1, 0]);
  });

  it('lists those of a channel, with those of the service itself where they are asked for', () => {
    const log = new EventLog(3);
    for (const [channelId, text] of [
      [1, 'gone'],
      [1, 'a'],
      [null, 'b'],
      [2, 'c'],
    ] as const)
      log.add(event(channelId, text), event(channelId, text));
    const texts = (query: Partial<Parameters<typeof log.list>[0]>) => log.list({ limit: 9, ...query }).map(({ text }) => text);
    expect([texts({}), texts({ channelId: 1 }), texts({ channelId: 1, withSystem: true })]).toEqual([['a', 'b', 'c'], ['a'], ['a', 'b']]);
    expect(texts({ channelId: 1, withSystem: true, afterSeq: 2 })).toEqual(['b']);
    log.resize(2);
    expect(log.list({ limit: 9 }).map(({ channelId, text }) => [channelId, text])).toEqual([
      [null, 'b'],
      [2, 'c'],
    ]);
  });

  it('keeps what the protocol told of each entry, and lets it go with the entry', () => {
    fc.assert(
      fc.property(fc.array(fc.option(readingDetail), { maxLength: 30 }), fc.integer({ min: 1, max: 12 }), (details, capacity) => {
        const log = new EventLog(capacity);
        for (const detail of details) log.add(event(1, ''), { ...event(1, ''), detail });
        const told = details.map((detail) => (detail && Object.keys(detail).length > 0 ? detail : null)).slice(-capacity);
        expect(log.list({ limit: 40 }).map(({ detail }) => detail)).toEqual(told);
      }),
      { numRuns: 200 },
    );
  });

  it('agrees with a plain list whose bound is changed now and then', () => {
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.record({ text: fc.string({ maxLength: 3 }), detail: fc.option(readingDetail) }) },
      fc.integer({ min: 1, max: 12 }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let bound = 5;
        let added = 0;
        let kept: { seq: number; text: string; detail: unknown }[] = [];
        const log = new EventLog(bound);
        for (const item of steps) {
          if (typeof item === 'number') {
            bound = item;
            log.resize(item);
          } else {
            added += 1;
            log.add(event(1, ''), { ...event(1, item.text), detail: item.detail });
            const isTold = item.detail !== null && Object.keys(item.detail).length > 0;
            kept.push({ seq: added, text: item.text, detail: isTold ? item.detail : null });
          }
          kept = kept.slice(-bound);
          expect(log.list({ limit: 100 }).map(({ seq, text, detail }) => ({ seq, text, detail }))).toEqual(kept);
          expect([log.lastSeq, log.dropped]).toEqual([added, added - kept.length]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('takes another bound without making an entry anew, and with the octets of each', () => {
    const log = new EventLog(4);
    const octets = [[], [1, 2], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [7], [], [9, 8, 7, 6, 5, 4, 3, 2, 1]];
    const detail = { sequence: 3 };
    for (const raw of octets) log.add(event(1, ''), { ...event(1, ''), detail, raw: Uint8Array.from(raw) });
    const unpacked = vi.spyOn(DetailPool.prototype, 'unpack');
    for (const [bound, kept] of [
      [9, 4],
      [3, 3],
    ] as const) {
      log.resize(bound);
      expect(unpacked).not.toHaveBeenCalled();
      const hex = octets.slice(-kept).map((raw) => Buffer.from(raw).toString('hex').toUpperCase());
      expect(log.list({ limit: 9 }).map(({ seq }) => log.rawHex(seq))).toEqual(hex);
      unpacked.mockClear();
    }
    unpacked.mockRestore();
  });

  it('grows by one large buffer at a time: each costs the engine a step while it marks what is in use', () => {
    const log = new EventLog(100_000);
    const asked = { buffers: 0, arrays: 0 };
    class CountedBuffer extends ArrayBuffer {
      constructor(octets: number) {
        super(octets);
        asked.buffers += 1;
      }
    }
    const counted = (kind: typeof Float64Array | typeof Uint32Array) =>
      new Proxy(kind, {
        construct(target, given) {
          if (typeof given[0] === 'number' && given[0] >= 256) asked.arrays += 1;
          return Reflect.construct(target, given);
        },
      });
    vi.stubGlobal('ArrayBuffer', CountedBuffer);
    vi.stubGlobal('Float64Array', counted(Float64Array));
    vi.stubGlobal('Uint32Array', counted(Uint32Array));
    try {
      for (let at = 0; at < 1_000; at++) log.add(event(1, ''), event(1, ''));
    } finally {
      vi.unstubAllGlobals();
    }
    // from 256 places to 512, and to 1,024
    expect(asked).toEqual({ buffers: 2, arrays: 0 });
    expect(log.list({ limit: 2_000 })).toHaveLength(1_000);
  });

  it('has room for a larger bound than there are places at the beginning', () => {
    const log = new EventLog(700);
    for (let at = 0; at < 1000; at++) log.add(event(1, ''), event(1, String(at)));
    log.resize(2000);
    for (let at = 1000; at < 2500; at++) log.add(event(1, ''), event(1, String(at)));
    const texts = log.list({ limit: 5000 }).map(({ text }) => Number(text));
    expect([texts[0], texts.length, log.dropped]).toEqual([500, 2000, 500]);
    expect(texts).toEqual(texts.map((_, index) => 500 + index));
  });

  it('agrees with a plain list that forgets its oldest entries', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 30 }),
        fc.option(fc.nat({ max: 70 }), { nil: undefined }),
        fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
        fc.integer({ min: 1, max: 20 }),
        (channels, capacity, afterSeq, channelId, limit) => {
          const log = new EventLog(capacity);
          for (const channel of channels) log.add(event(channel, ''), event(channel, ''));
          const kept = channels.map((channel, index) => ({ seq: index + 1, channel })).slice(-capacity);
          const mine = kept.filter((item) => channelId === undefined || item.channel === channelId);
          const expected = afterSeq === undefined ? mine.slice(-limit) : mine.filter((item) => item.seq > afterSeq).slice(0, limit);
          expect(log.list({ afterSeq, channelId, limit }).map(({ seq, channelId: channel }) => ({ seq, channel }))).toEqual(expected);
          expect(log.dropped).toBe(channels.length - kept.length);
        },
      ),
      { numRuns: 300 },
    );
  });
});
