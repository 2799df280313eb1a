import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { settle } from '../../platform/manual-clock.ts';
import { encodeI } from './link/apci.ts';
import { readVectors } from './testing/captures.ts';
import { ClientBench, yc, yk, yt, yx } from './testing/client-bench.ts';
import { LinkBench } from './testing/link-bench.ts';
import { StationBench } from './testing/station-bench.ts';

const points = [yx(1, 1), yx(2, 101, 3), yc(3, 16_385, 9), yc(4, 25_601, 15), yk(5, 24_577), yt(6, 25_089, 48)];
/** The same with set points whose values leave the range when they are scaled, and points that follow commands. */
const served = [
  ...points.slice(0, 4),
  yc(7, 16_393, 13, { mul_coe: 3 }),
  yk(5, 24_577, 45, { related_code: 'P1' }),
  yk(8, 24_593, 46, { related_code: 'P3' }),
  yt(6, 25_089, 48, { related_code: 'P2' }),
  yt(9, 25_093, 49, { related_code: 'P7', add_coe: 1e300 }),
  yt(10, 25_097, 50, { related_code: 'P7', mul_coe: 3 }),
  yt(11, 25_105, 51, { related_code: 'P4' }),
];
/** Everything a station does later. */
const delays = fc.record({
  execution_ms: fc.constantFrom(0, 1, 300),
  reaction_ms: fc.constantFrom(0, 200),
  select_timeout_s: fc.constantFrom(1, 30),
  command_age_s: fc.constantFrom(0, 5),
  cyclic_s: fc.constantFrom(0, 1),
  background_s: fc.constantFrom(0, 2),
  change_time: fc.constantFrom('with_time', 'without_time', 'both_times'),
});
/** Set points of any octets, to objects that are there. */
const setPoint = fc
  .tuple(
    fc.constantFrom<readonly [number, number, number]>(
      [48, 25_089, 3],
      [49, 25_093, 3],
      [50, 25_097, 5],
      [51, 25_105, 4],
      [61, 25_089, 10],
      [63, 25_097, 12],
    ),
    fc.uint8Array({ minLength: 12, maxLength: 12 }),
    fc.constantFrom([], [0, 0, 0xc0, 0x7f, 0], [0, 0, 0x80, 0x7f, 0], [0xff, 0xff, 0x7f, 0x7f, 0]),
  )
  .map(([[typeId, address, length], random, float]) => {
    const element = length >= 5 && float.length > 0 ? [...float, ...random.subarray(5, length)] : [...random.subarray(0, length)];
    return Uint8Array.from([typeId, 1, 6, 0, 1, 0, address & 0xff, address >> 8, 0, ...element]);
  });
const golden = readVectors()
  .filter((vector) => vector.format === 'I')
  .map((vector) => vector.bytes.subarray(6));

/** Recorded ASDUs with some octets changed, cut or lengthened, and octets out of the blue. */
const asdu = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 60 }),
  fc
    .tuple(
      fc.constantFrom(...golden),
      fc.array(fc.tuple(fc.nat({ max: 248 }), fc.nat({ max: 255 })), { maxLength: 4 }),
      fc.nat({ max: 249 }),
    )
    .map(([octets, changes, length]) => {
      const changed = Uint8Array.from(octets);
      for (const [at, value] of changes) if (at < changed.length) changed[at] = value;
      return length < 20 ? changed.subarray(0, Math.max(1, length)) : changed;
    }),
);

describe('whatever comes', () => {
  it('our client tells it or takes it, and goes on', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(asdu, { maxLength: 30 }), async (asdus) => {
        const bench = await ClientBench.started({ points });
        await bench.send(...asdus);
        await bench.clock.advance(5000);
        expect([bench.isLineClosed, bench.losses]).toEqual([false, []]);
        for (const { readings } of bench.applied)
          for (const reading of readings) expect(reading.kind === 'value' && Number.isFinite(reading.value)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it('our station answers it, or closes the connection with the reason', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(asdu, setPoint), { maxLength: 30 }), delays, async (asdus, protocol) => {
        const bench = new StationBench({ points: served, protocol });
        const client = await bench.connect().start();
        await client.send(...asdus);
        // what a timer throws would end the process
        await bench.clock.advance(5000);
        if (client.isClosed) expect(bench.notices.some((text) => text.includes('was disconnected'))).toBe(true);
        const other = await bench.connect('192.0.2.8').start();
        await other.send(Uint8Array.from([100, 1, 6, 0, 1, 0, 0, 0, 0, 20]));
        expect(other.asdus.at(-1)).toMatchObject({ typeId: 100, cause: 10 });
      }),
      { numRuns: 150 },
    );
  });

  it('octets that are no frames end a connection in order, in either role', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.uint8Array({ maxLength: 40 }),
            asdu.map((octets) => encodeI(0, 0, octets)),
          ),
          { maxLength: 20 },
        ),
        fc.constantFrom('controlling' as const, 'controlled' as const),
        async (chunks, role) => {
          const bench = await new LinkBench(role).started();
          for (const chunk of chunks) bench.port.receive(Uint8Array.from(chunk));
          await settle();
          await bench.clock.advance(60_000);
          expect(bench.end?.kind).toBe('protocol');
          expect([bench.isClosed, bench.clock.pending]).toEqual([true, 0]);
        },
      ),
      { numRuns: 150 },
    );
  });
});
