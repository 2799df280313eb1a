import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../platform/manual-clock.ts';
import { FrameLog } from './frame-log.ts';

const entry = fc.record({
  kind: fc.constantFrom('tx', 'rx', 'noise', 'late', 'note', 'opened', 'closed'),
  bytes: fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.uint8Array({ minLength: 200, maxLength: 400, size: 'max' })),
  text: fc.string({ unit: 'grapheme', maxLength: 20 }),
  connection: fc.nat({ max: 5 }),
  peer: fc.constantFrom('a', 'b', '机房 1'),
  back: fc.nat({ max: 3 }),
});
const action = fc.oneof(
  { weight: 30, arbitrary: fc.record({ do: fc.constant('record' as const), entry, times: fc.integer({ min: 1, max: 30 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clear' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('resize' as const), bytes: fc.integer({ min: 8_192, max: 60_000 }) }) },
);

describe('FrameLog against a plain list', () => {
  it('keeps a run of the newest entries, each as it was logged, within its bound', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), fc.integer({ min: 8_192, max: 40_000 }), (actions, firstBound) => {
        const log = new FrameLog(new ManualClock(), firstBound);
        const all: object[] = [];
        let bound = firstBound;
        let cleared = 0;
        let floor = 1;
        for (const step of actions) {
          if (step.do === 'clear') {
            const kept = log.lastSeq - log.firstSeq + 1;
            expect(log.clear()).toBe(kept);
            cleared += kept;
            floor = log.lastSeq + 1;
          } else if (step.do === 'resize') {
            bound = step.bytes;
            log.resize(bound);
          } else {
            for (let n = 0; n < step.times; n++) {
              const { back, ...input } = step.entry;
              const seq = all.length + 1;
              const link = back > 0 && seq > back ? { link: seq - back } : {};
              expect(log.record({ ...input, ...link })).toBe(seq);
              all.push({ seq, ...input, length: input.bytes.length, link: link.link ?? null });
            }
          }
          expect(log.allocatedBytes).toBeLessThanOrEqual(bound);
          expect(log.lastSeq).toBe(all.length);
          expect(log.firstSeq).toBeGreaterThanOrEqual(floor);
          expect(log.dropped + cleared).toBe(log.firstSeq - 1);
        }
        const kept = log.list({ limit: 100_000 });
        expect(kept.map(({ monotonicMs: _m, wallMs: _w, ...rest }) => rest)).toEqual(all.slice(log.firstSeq - 1));
      }),
      { numRuns: 150 },
    );
  });

  it('uses at least half of its bound before anything is dropped', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300, size: 'max' }), (bytes) => {
        const log = new FrameLog(new ManualClock(), 65_536);
        let total = 0;
        while (log.dropped === 0) {
          log.record({ kind: 'rx', bytes, connection: 1, peer: 'p' });
          total += bytes.length + 44;
        }
        expect(total).toBeGreaterThan(32_768);
      }),
      { numRuns: 50 },
    );
  });
});
