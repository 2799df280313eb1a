/** Set points that no table can take: answered, never carried out, whatever the delays of the station. */
import { describe, expect, it } from 'vitest';
import { encodeAsdu, mirrorAsdu } from '../codec/asdu.ts';
import { Cause } from '../codec/causes.ts';
import { clockSynchronization, command } from '../codec/make.ts';
import { STANDARD_SIZES } from '../codec/sizes.ts';
import { TypeId } from '../codec/types.ts';
import { yc, yt, yx } from '../testing/client-bench.ts';
import { StationBench } from '../testing/station-bench.ts';
import { type TimeRules, utcToCp56 } from '../time.ts';
import { timeZone } from '../time-zone.ts';

const UTC: TimeRules = { zone: timeZone('UTC'), summerTime: 'zone' };
const GREATEST = 3.4028234663852886e38;
const points = [
  yt(1, 1, 50, { related_code: 'P4' }),
  // the greatest single leaves the range once it was scaled and rounded
  yt(2, 2, 50, { mul_coe: 0.7, add_coe: 1e30 }),
  yt(3, 3, 50, { mul_coe: 1e300 }),
  yc(4, 4, 13),
  yx(5, 5),
];

const setPoint = (address: number, value: number, isSelect: boolean, typeId: number = TypeId.C_SE_NC_1) =>
  encodeAsdu(
    command(
      { commonAddress: 1 },
      typeId,
      { address, value, qualifier: 0, isSelect },
      typeId === TypeId.C_SE_TC_1 ? utcToCp56(Date.UTC(2026, 0, 1), UTC) : null,
    ),
    STANDARD_SIZES,
  );

describe.each([{ execution_ms: 0 }, { execution_ms: 300, reaction_ms: 200 }])(
  'a station with $execution_ms ms of execution',
  (protocol) => {
    it.each([
      ['NaN', 1, Number.NaN],
      ['infinity', 1, Number.POSITIVE_INFINITY],
      ['minus infinity', 1, Number.NEGATIVE_INFINITY],
      ['a value that rounds past the range', 2, GREATEST],
      ['a value that is infinite once it is scaled', 3, GREATEST],
    ])('answers %s with a negative confirmation and keeps the connection', async (_name, address, value) => {
      for (const typeId of [TypeId.C_SE_NC_1, TypeId.C_SE_TC_1]) {
        for (const isSelect of [true, false]) {
          const bench = new StationBench({ points, protocol });
          const client = await bench.connect().start();
          const asked = setPoint(address, value, isSelect, typeId);
          await client.send(asked);
          await bench.clock.advance(5000);
          expect(client.take()).toEqual([Buffer.from(mirrorAsdu(asked, Cause.activationCon, true)).toString('hex')]);
          expect([client.isClosed, bench.values(), bench.health.refusals]).toEqual([false, [], 1]);
          expect(bench.notices.at(-1)).toContain(`A command to P${address} was refused`);
        }
      }
    });

    it('takes the greatest single where the table does not scale it', async () => {
      const bench = new StationBench({ points, protocol });
      const client = await bench.connect().start();
      await client.send(setPoint(1, GREATEST, false));
      await bench.clock.advance(5000);
      expect(client.asdus.filter((asdu) => asdu.typeId === 50).map((asdu) => [asdu.cause, asdu.isNegative])).toEqual([
        [Cause.activationCon, false],
        [Cause.activationTermination, false],
      ]);
      expect(bench.values()).toContainEqual([1, GREATEST, true]);
    });
  },
);

it('a threshold that is no number is refused, and changes go on', async () => {
  const bench = new StationBench({ points });
  const client = await bench.connect().start();
  await client.send(Uint8Array.from([112, 1, 6, 0, 1, 0, 4, 0, 0, 0, 0, 0xc0, 0x7f, 1]));
  expect(client.asdus.at(-1)).toMatchObject({ typeId: 112, cause: Cause.activationCon, isNegative: true });
  await bench.set(4, 5);
  await bench.set(4, 6);
  expect(client.asdus.at(-1)).toMatchObject({ typeId: 36 });
});

it('the clock of a station goes on behind 2099, as that of a device without a century', async () => {
  const bench = new StationBench({ points });
  const client = await bench.connect().start();
  await client.send(clockSynchronization({ commonAddress: 1 }, utcToCp56(Date.UTC(2099, 11, 31, 23, 59, 59), UTC)));
  await bench.clock.advance(2000);
  client.take();
  await bench.set(5, 1);
  await bench.set(5, 0);
  expect(client.isClosed).toBe(false);
  expect(client.asdus.at(-1)?.objects[0]?.time).toMatchObject({ year: 0, month: 1, day: 1 });
});
