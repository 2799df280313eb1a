import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { settle } from '../../../platform/manual-clock.ts';
import { hex, mmsOf, octets, readCaptures } from '../testing/captures.ts';
import { IDENTITY, MmsBench } from '../testing/mms-bench.ts';

const golden = [...new Set(readCaptures().flatMap((capture) => mmsOf(capture).map((item) => hex(item.bytes))))]
  .filter((text) => text.length < 800)
  .map(octets);
/** Recorded PDUs with some octets changed or cut. */
const pdu = fc
  .record({ base: fc.constantFrom(...golden), changes: fc.array(fc.tuple(fc.nat(60), fc.nat(255)), { maxLength: 3 }), cut: fc.nat(500) })
  .map(({ base, changes, cut }) => {
    const bytes = Uint8Array.from(base.subarray(0, Math.max(1, cut)));
    for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
    return bytes;
  });
const CODE = /^(DEVICE_(EXCEPTION|REJECTED)|PROTOCOL_(MALFORMED|MISMATCH)|TIMEOUT_RESPONSE|CANCELLED)$/;

describe('whatever a server sends', () => {
  it('each request ends once, by its answer or an error of the house, and the client can be closed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(pdu, { maxLength: 15 }), fc.integer({ min: 1, max: 7 }), async (pdus, count) => {
        const bench = await MmsBench.open();
        let settled = 0;
        for (let asked = 0; asked < count; asked++) {
          bench.client.request({ service: 'identify' }, { timeoutMs: 1000 + asked }).then(
            (response) => {
              settled += 1;
              expect(response.service).toBe('identify');
            },
            (error) => {
              settled += 1;
              expect(error).toBeInstanceOf(AppError);
              expect(error.code).toMatch(CODE);
            },
          );
        }
        await settle();
        for (const bytes of pdus) if (bench.server.state === 'open') await bench.say(bytes);
        await bench.clock.advance(20_000);
        const closed = bench.client.close();
        await bench.clock.advance(20_000);
        await closed;
        expect([settled, bench.client.outstanding, bench.client.isOpen]).toEqual([count, 0, false]);
      }),
      { numRuns: 120 },
    );
  });

  it('answers in any order reach their requests, never more than the window at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 6 }), fc.array(fc.nat(5), { minLength: 1, maxLength: 25 }), async (window, order) => {
        const bench = await MmsBench.open({ initiate: { maxCalling: window }, settings: { maxOutstanding: 6 } });
        const open: number[] = [];
        bench.onAsked = (asked) => {
          if (asked.kind === 'request') open.push(asked.invokeId);
        };
        const answers = order.map((_, at) =>
          bench.client.request({ service: 'file-read', handle: at }).then(
            () => 'wrong',
            (error: AppError) => error.message,
          ),
        );
        await settle();
        for (const pick of order) {
          const [invokeId] = open.splice(pick % open.length, 1);
          const { request } = bench.asked.find((item) => item.kind === 'request' && item.invokeId === invokeId) as unknown as {
            request: { handle: number };
          };
          await bench.say({
            kind: 'error',
            invokeId: invokeId ?? 0,
            error: { errorClass: 12, code: 0, additionalCode: null, text: `handle ${request.handle}` },
          });
        }
        expect((await Promise.all(answers)).map((text) => /handle (\d+)/.exec(text)?.[1])).toEqual(order.map((_, at) => String(at)));
        expect(bench.mostOutstanding).toBeLessThanOrEqual(window);
        expect(bench.health.late + bench.health.fault + bench.health.timeout).toBe(0);
        const identity = bench.client.request({ service: 'identify' });
        await settle();
        await bench.identify(bench.invokeIds.at(-1) ?? 0);
        expect(await identity).toEqual(IDENTITY);
      }),
      { numRuns: 80 },
    );
  });
});
