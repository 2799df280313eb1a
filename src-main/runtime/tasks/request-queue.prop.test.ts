import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../platform/manual-clock.ts';
import type { LinePriority } from '../types.ts';
import { RequestQueue } from './request-queue.ts';

const RANK: Record<LinePriority, number> = { command: 0, single: 1, manual: 2, automatic: 3 };

interface Request {
  readonly at: number;
  readonly priority: LinePriority;
  readonly owner: number;
  readonly lasts: number;
  readonly givesUpAfter: number | null;
}

const request = fc.record<Request>({
  at: fc.nat(40),
  priority: fc.constantFrom('command', 'single', 'manual', 'automatic'),
  owner: fc.nat(2),
  lasts: fc.integer({ min: 1, max: 10 }),
  givesUpAfter: fc.option(fc.nat(15)),
});

describe('request queue, any requests at any time', () => {
  it('holds one owner and its window, passes nobody over, loses nobody, and ends idle', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 25 }), fc.integer({ min: 1, max: 3 }), async (requests, window) => {
        const clock = new ManualClock();
        const queue = new RequestQueue();
        const owners = [{}, {}, {}];
        const active: Request[] = [];
        const waiting = new Set<Request>();
        let settled = 0;
        for (const item of requests) {
          clock.after(item.at, () => {
            const end = new AbortController();
            if (item.givesUpAfter !== null) clock.after(item.givesUpAfter, () => end.abort());
            const claim = { priority: item.priority, owner: owners[item.owner] ?? {}, window, signal: end.signal };
            waiting.add(item);
            const work = async () => {
              waiting.delete(item);
              active.push(item);
              expect(active.length).toBeLessThanOrEqual(window);
              expect(new Set(active.map((other) => other.owner)).size).toBe(1);
              for (const other of waiting)
                if (other.at < clock.monotonicMs()) expect(RANK[other.priority]).toBeGreaterThanOrEqual(RANK[item.priority]);
              await clock.until(clock.monotonicMs() + item.lasts);
              active.splice(active.indexOf(item), 1);
            };
            end.signal.addEventListener('abort', () => waiting.delete(item));
            queue.run(claim, work).then(
              () => settled++,
              () => settled++,
            );
          });
        }
        await clock.advance(500);
        expect([settled, queue.outstanding, queue.waiting]).toEqual([requests.length, 0, 0]);
      }),
      { numRuns: 100 },
    );
  });
});
