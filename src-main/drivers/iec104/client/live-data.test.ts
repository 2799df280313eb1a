/** What of the monitored data becomes a value: test data and refusals do not, and rows and events carry what was told. */
import { describe, expect, it } from 'vitest';
import type { PointValue } from '../../spi/index.ts';
import { exchangeContext } from '../../testing/sinks.ts';
import { Cause } from '../codec/causes.ts';
import { makeAsdu } from '../codec/make.ts';
import type { InfoObject } from '../codec/objects.ts';
import { TypeId } from '../codec/types.ts';
import { readCaptures } from '../testing/captures.ts';
import { ClientBench, floats, singles, yc, yx } from '../testing/client-bench.ts';

const readings = (bench: ClientBench) =>
  bench.applied.flatMap(({ readings: list, event }) => list.map((item) => ({ ...(item as PointValue), event, item: item as PointValue })));
const brief = (bench: ClientBench) =>
  bench.applied.flatMap(({ readings: list, event }) =>
    list.map((item) => {
      const { pointId, value, flags, detail } = item as PointValue;
      return { pointId, value, flags, event, cause: detail?.cause?.code, negative: detail?.negative };
    }),
  );

/** I frames of the station in a recording, as ASDUs. */
const recorded = (name: string) =>
  (readCaptures().find((capture) => capture.name.startsWith(name))?.events ?? [])
    .filter(({ kind, from, bytes }) => kind === 'apdu' && from === 'server' && ((bytes[2] ?? 1) & 1) === 0)
    .map(({ bytes }) => Uint8Array.from(bytes.subarray(6)));

describe('recorded causes', () => {
  it('test bit and P/N: events with their flag, and no value', async () => {
    const points = [yx(1, 1), yx(2, 2), yx(3, 3), yx(4, 4), yx(5, 5), yc(6, 16_393)];
    const bench = await ClientBench.started({ points });
    await bench.send(...recorded('35_'));
    const all = brief(bench);
    expect(all.filter(({ event }) => event === 'only')).toEqual([
      { pointId: 2, value: 1, flags: ['test'], event: 'only', cause: 3, negative: false },
      { pointId: 3, value: 1, flags: [], event: 'only', cause: 3, negative: true },
      { pointId: 4, value: 1, flags: ['test'], event: 'only', cause: 3, negative: true },
    ]);
    // the recorded floats are the numbers of their causes
    const values = all.filter(({ pointId }) => pointId === 6);
    expect(values.map(({ cause }) => cause)).toEqual(values.map(({ value }) => value));
    expect(new Set(values.map(({ cause }) => cause))).toEqual(new Set([1, 2, 5, 20, 21, 36]));
    expect(all.filter(({ pointId }) => pointId === 5)).toMatchObject([{ event: true, cause: 3, negative: false }]);
  });

  it('counters carry sequence, carry and adjusted', async () => {
    const bench = await ClientBench.started({ points: [0, 1, 2, 3, 4, 5, 6, 7].map((at) => yc(at + 1, 25_601 + at, 15)) });
    await bench.send(...recorded('34_'));
    const counters = readings(bench).map(({ item }) => [
      item.value,
      item.detail?.sequence,
      item.detail?.carry,
      item.detail?.adjusted,
      item.quality,
    ]);
    expect(counters).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7].map((at) => [1000 + at, at, at % 2 === 1, (at & 2) !== 0, at < 4 ? 'good' : 'invalid']),
    );
  });

  it('an invalid time keeps its text', async () => {
    const bench = await ClientBench.started({ points: [5, 6, 7, 8].map((address) => yx(address, address, 30)) });
    await bench.send(...recorded('36_'));
    expect(readings(bench).map(({ item }) => [item.pointId, item.sourceTime, item.detail?.sourceTimeText])).toEqual([
      [5, Date.UTC(2025, 6, 1, 12, 0, 0, 1), undefined],
      [6, null, '2025-07-01 12:00:00.001 Tuesday, IV'],
      [7, Date.UTC(2025, 6, 1, 12, 0, 0, 1), undefined],
      [8, null, '2026-03-29 02:30:00.500 Sunday, SU, IV, substituted'],
    ]);
  });

  it('a tag that is no time keeps its text as well', async () => {
    const bench = await ClientBench.started({ points: [yx(1, 1, 30)] });
    const time = {
      kind: 'cp56',
      milliseconds: 60_000,
      minute: 5,
      isSubstituted: false,
      isInvalid: false,
      hour: 1,
      isSummerTime: false,
    } as const;
    const object: InfoObject = {
      kind: 'single',
      address: 1,
      value: 1,
      quality: 0,
      time: { ...time, day: 31, dayOfWeek: 0, month: 2, year: 26 },
    };
    await bench.send(makeAsdu({ typeId: TypeId.M_SP_TB_1, cause: Cause.spontaneous, commonAddress: 1, objects: [object] }));
    expect(readings(bench)[0]?.item.detail?.sourceTimeText).toBe('2026-02-31 01:05:60.000');
  });
});

describe('data that are no value', () => {
  it.each([44, 45, 46, 47])('cause %i is an event, whatever P/N says', async (cause) => {
    const bench = await ClientBench.started({ points: [yx(1, 1)] });
    await bench.send(singles(cause, { 1: 1 }), { ...singles(cause, { 1: 1 }), isNegative: true });
    expect(brief(bench)).toMatchObject([
      { event: 'only', cause, negative: false },
      { event: 'only', cause, negative: true },
    ]);
  });

  it.each([{ isTest: true }, { isNegative: true }])('an interrogation answered with %o brings no value', async (fields) => {
    const points = [yx(1, 1)];
    const bench = await ClientBench.started({ points });
    const [batch] = bench.client.plan(points, { mode: 'batch', skipKnownHoles: false }).batches;
    if (!batch) throw new Error('Nothing was planned.');
    const answer = bench.client.read(batch, exchangeContext());
    await bench.mirror(0, Cause.activationCon);
    await bench.send({ ...singles(Cause.stationInterrogation, { 1: 1 }), ...fields });
    await bench.mirror(0, Cause.activationTermination);
    expect((await answer).readings).toMatchObject([{ kind: 'failure', error: { code: 'PROTOCOL_MISMATCH' } }]);
    expect(brief(bench)).toMatchObject([{ event: 'only', cause: 20 }]);
  });

  it('what an interrogation has brought is not renewed by test data', async () => {
    const points = [yc(1, 1)];
    const bench = await ClientBench.started({ points });
    const [batch] = bench.client.plan(points, { mode: 'batch', skipKnownHoles: false }).batches;
    if (!batch) throw new Error('Nothing was planned.');
    const answer = bench.client.read(batch, exchangeContext());
    await bench.mirror(0, Cause.activationCon);
    await bench.send(floats(Cause.stationInterrogation, { 1: 5 }), { ...floats(Cause.spontaneous, { 1: 9 }), isTest: true });
    await bench.mirror(0, Cause.activationTermination);
    expect((await answer).readings).toMatchObject([{ kind: 'value', value: 5 }]);
  });

  it('test data of an object that no table has are not listed', async () => {
    const bench = await ClientBench.started();
    await bench.send({ ...singles(Cause.spontaneous, { 7: 1 }), isTest: true });
    await bench.send(singles(Cause.spontaneous, { 8: 1 }));
    expect([...bench.memory.values()].map((item) => (item as { list?: () => { address: number }[] }).list?.())[0]).toMatchObject([
      { address: 8 },
    ]);
  });

  it('test and live data in one chunk keep their order', async () => {
    const bench = await ClientBench.started({ points: [yx(1, 1)] });
    const on = singles(Cause.spontaneous, { 1: 1 });
    const off = singles(Cause.spontaneous, { 1: 0 });
    await bench.send(on, { ...off, isTest: true }, off);
    expect(brief(bench).map(({ value, event }) => [value, event])).toEqual([
      [1, true],
      [0, 'only'],
      [0, true],
    ]);
  });
});
