import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { settle } from '../../platform/manual-clock.ts';
import { encodeI } from './apci.ts';
import { readVectors } from './testing/captures.ts';
import { ClientBench, yc, yk, yt, yx } from './testing/client-bench.ts';
import { LinkBench } from './testing/link-bench.ts';
import { StationBench } from './testing/station-bench.ts';

const points = [yx(1, 1), yx(2, 101, 3), yc(3, 16_385, 9), yc(4, 25_601, 15), yk(5, 24_577), yt(6, 25_089, 48)];
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
      fc.asyncProperty(fc.array(asdu, { maxLength: 30 }), async (asdus) => {
        const bench = new StationBench({ points });
        const client = await bench.connect().start();
        await client.send(...asdus);
        await bench.clock.advance(5000);
        if (client.isClosed) expect(bench.notices.at(-1)).toContain('was disconnected');
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
