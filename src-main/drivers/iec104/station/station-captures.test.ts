/**
 * The recorded requests sent to our station with the table of the recorded one: it answers with the same ASDUs. Where it differs on
 * purpose, the difference is taken out here and told in docs/protocols/iec104.md.
 */
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../platform/manual-clock.ts';
import type { PointConfig } from '../../spi/index.ts';
import { type Asdu, decodeAsdu } from '../codec/asdu.ts';
import { STANDARD_SIZES } from '../codec/sizes.ts';
import type { LinkLimits } from '../link/link-types.ts';
import { type CaptureEvent, readCaptures } from '../testing/captures.ts';
import { yc, yk, yt, yx } from '../testing/client-bench.ts';
import { StationBench } from '../testing/station-bench.ts';

/** Time of the tags in the recordings. */
const RECORDED_AT = Date.UTC(2024, 1, 29, 13, 14, 15, 678);

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at);

/** The table of the recorded station, by common address (captures/README): objects, control points, interrogation groups. */
function table(commonAddress: number): { points: PointConfig[]; values: [string, number][] } {
  const points: PointConfig[] = [];
  const values: [string, number][] = [];
  let id = commonAddress * 1000;
  const place = (make: typeof yx, address: number, typeId: number, value: number, group: number) => {
    id += 1;
    const code = `M${commonAddress}-${address}`;
    points.push(make(id, address, typeId, { slave_id: commonAddress, code, protocol: { type_id: typeId, group } }));
    values.push([code, value]);
  };
  const monitored: [typeof yx, number, number, number, readonly number[]][] = [
    [yx, 1, 1, 1, [1, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1]],
    [yx, 101, 3, 2, [1, 0, 2, 3, 1, 1, 0, 0]],
    [yc, 201, 5, 6, [-64, -1, 0, 63]],
    [yc, 301, 7, 7, [0x1234_5678, 0xaaaa]],
    [yc, 16_385, 9, 3, [-1, 0.5, 0.25, 1]],
    [yc, 16_389, 11, 4, [-32_768, 32_767, -1, 1234]],
    [yc, 16_393, 13, 5, [0, 1, -1.5, Math.PI, 220.5, 49.98, -12_345.678, 0.001]],
    [yc, 16_401, 21, 16, [0.125, -0.125]],
  ];
  for (const [make, first, typeId, group, list] of monitored) {
    for (const [at, value] of list.entries()) place(make, first + at, typeId, value, group);
  }
  for (const [at, value] of [0, 123_456, 2_147_483_647, -1].entries()) place(yc, 25_601 + at, 15, value, at + 1);
  const control = (make: typeof yk, address: number, typeId: number, related: number, isSelected: boolean, locked = false) => {
    id += 1;
    const protocol = { type_id: typeId, select_before_operate: isSelected, locked };
    points.push(
      make(id, address, typeId, {
        slave_id: commonAddress,
        code: `C${commonAddress}-${address}`,
        related_code: `M${commonAddress}-${related}`,
        protocol,
      }),
    );
  };
  for (const n of range(0, 3)) control(yk, 24_577 + n, 45, 1 + n, n === 1, n === 2);
  for (const n of range(0, 3)) control(yk, 24_593 + n, 46, 101 + n, n === 1, n === 2);
  for (const n of range(0, 1)) control(yk, 24_601 + n, 47, 201 + n, false);
  for (const n of range(0, 3)) control(yt, 25_089 + n, 48, 16_385 + n, false);
  for (const n of range(0, 3)) control(yt, 25_093 + n, 49, 16_389 + n, false);
  for (const n of range(0, 3)) control(yt, 25_097 + n, 50, 16_393 + n, n === 1, n === 2);
  for (const n of range(0, 1)) control(yt, 25_105 + n, 51, 301 + n, false);
  return { points, values };
}

/** What is compared of an ASDU: everything but what our station cannot know or does on purpose in another way. */
interface Seen {
  readonly head: string;
  readonly objects: readonly string[];
}

function seen(asdu: Asdu, isLoose: boolean): Seen {
  // measured values after a set point come with cause 3 here, with 11 there
  const isMeasured = [5, 7, 9, 11, 13, 21, 32, 33, 34, 35, 36].includes(asdu.typeId);
  const cause = isMeasured && (asdu.cause === 3 || asdu.cause === 11) ? 'change' : asdu.cause;
  const head = `${asdu.typeId} ${cause}${asdu.isNegative ? ' negative' : ''} oa ${asdu.originator} ca ${asdu.commonAddress}`;
  const objects = asdu.objects.map((object) => {
    const value = 'value' in object ? (isLoose ? '' : Math.fround(object.value)) : '';
    return `${object.address} ${value}`;
  });
  return { head, objects };
}

/** Data of interrogations in any order and any grouping; everything else in its order. */
function comparable(asdus: readonly Asdu[], isLoose: boolean): (string | readonly string[])[] {
  const rows: (string | string[])[] = [];
  for (const asdu of asdus) {
    const { head, objects } = seen(asdu, isLoose);
    const isData = asdu.cause >= 20 && asdu.cause <= 41;
    // type 20 holds change bits, and is left out of the table
    if (asdu.typeId === 20) continue;
    const last = rows.at(-1);
    if (!isData) rows.push(`${head}: ${objects.join(', ')}`);
    else if (Array.isArray(last) && (last[0]?.split(' ca ')[1] ?? '').startsWith(`${asdu.commonAddress}`))
      last.push(...objects.map((object) => `${head}: ${object}`));
    else rows.push(objects.map((object) => `${head}: ${object}`));
  }
  return rows.map((row) => (Array.isArray(row) ? row.sort() : row));
}

const isI = ({ kind, bytes }: CaptureEvent) => kind === 'apdu' && ((bytes[2] ?? 1) & 1) === 0;
const asduOf = ({ bytes }: CaptureEvent) => decodeAsdu(bytes.subarray(6), STANDARD_SIZES);

interface Scenario {
  readonly protocol?: Record<string, unknown>;
  readonly limits?: Partial<LinkLimits>;
  readonly isLoose?: boolean;
  readonly skip?: (asdu: Asdu) => boolean;
}

/** Scenarios, and what of the recorded requests is not sent. */
const SCENARIOS: Readonly<Record<string, Scenario>> = {
  '40': {},
  '41': {},
  '42': {},
  // a window of one, so that the data of the interrogation still wait when it is cancelled
  '43': { protocol: { k: 1 }, limits: { w: 100, t2Ms: 1000 } },
  // the recorded station resets the frozen register together with the counter
  '44': { isLoose: true },
  // the recorded station confirms a broadcast with the broadcast address
  '45': { isLoose: true, skip: (asdu) => asdu.commonAddress === 65_535 },
  '46': {},
  '47': {},
  '48': { protocol: { end_of_initialization: true } },
  '49': {},
  '50': { protocol: { change_time: 'without_time' } },
  '51': { protocol: { change_time: 'without_time' } },
  '52': { protocol: { change_time: 'without_time' } },
  '53': {},
  '54': {},
  '55': { protocol: { select_timeout_s: 1 } },
  '56': { protocol: { change_time: 'without_time', execution_ms: 1500 } },
  '57': {},
};

describe.each(readCaptures().filter(({ name }) => name.slice(0, 2) in SCENARIOS))('capture $name', ({ name, events }) => {
  it('our station answers the same', async () => {
    const { protocol = {}, limits = {}, isLoose = false, skip = () => false } = SCENARIOS[name.slice(0, 2)] ?? {};
    const stations = [table(1), table(2)];
    const clock = new ManualClock(RECORDED_AT);
    const bench = new StationBench({ points: stations.flatMap((station) => station.points), protocol, clock });
    for (const { values } of stations) for (const [code, value] of values) await bench.set(code, value);
    // changes so far belong to nobody
    const before = await bench.connect('192.0.2.7').start();
    await before.lose();
    const client = await bench.connect('192.0.2.7', limits).start();
    client.take();
    const requests = events.filter((event) => isI(event) && event.from === 'client');
    const skipped = new Set(requests.filter((event) => skip(asduOf(event))));
    const start = clock.monotonicMs();
    for (const event of requests) {
      if (skipped.has(event)) continue;
      const wait = event.atMs - (clock.monotonicMs() - start);
      if (wait > 0 && ['55', '56'].includes(name.slice(0, 2))) await clock.advance(wait);
      await client.send(event.bytes.subarray(6));
    }
    await clock.advance(3000);
    const recorded = events.filter((event) => isI(event) && event.from === 'server').map(asduOf);
    const expected = recorded.filter((asdu) => !skip(asdu));
    expect(comparable(client.asdus, isLoose)).toEqual(comparable(expected, isLoose));
  });
});
