import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../platform/manual-clock.ts';
import { shownAmong } from '../../testing/engineering.ts';
import type { Asdu } from '../codec/asdu.ts';
import { clockSynchronization, command, counterInterrogation, interrogation, readCommand, resetProcess } from '../codec/make.ts';
import type { InfoObject } from '../codec/objects.ts';
import { octets } from '../testing/captures.ts';
import { codeOf, yc, yk, yt, yx } from '../testing/client-bench.ts';
import { StationBench, type TestClient } from '../testing/station-bench.ts';
import { cp56ToUtc, utcToCp56 } from '../time.ts';
import { timeZone } from '../time-zone.ts';

const UTC = { zone: timeZone('UTC'), summerTime: 'zone' } as const;
const ONE = { commonAddress: 1 };
const select = (address: number, value: number, isSelect = true, qualifier = 0) => ({ address, value, qualifier, isSelect });
const brief = (client: TestClient) => client.asdus.map((asdu) => [asdu.typeId, asdu.cause, asdu.isNegative]);
const valuesOf = (client: TestClient) =>
  client.asdus.flatMap((asdu) =>
    asdu.objects.map((object) => [asdu.typeId, asdu.cause, object.address, 'value' in object ? object.value : null]),
  );
const points = [yx(1, 1), yx(2, 2, 3), yc(3, 100, 13, { mul_coe: 2 }), yc(4, 101, 15), yk(5, 1), yt(6, 100)];

describe('interrogation', () => {
  it('confirms, sends all but counters without time tag, terminates; values are those of the moment', async () => {
    const bench = new StationBench({ points });
    await bench.set(2, 1);
    await bench.set(3, 5);
    const client = await bench.connect().start();
    client.take();
    await client.send(interrogation({ ...ONE, originator: 9 }));
    expect(brief(client)).toEqual([
      [100, 7, false],
      [1, 20, false],
      [3, 20, false],
      [13, 20, false],
      [100, 10, false],
    ]);
    expect(client.asdus.every((asdu) => asdu.originator === 9)).toBe(true);
    expect(valuesOf(client).slice(1, 4)).toEqual([
      [1, 20, 1, 0],
      [3, 20, 2, 2],
      [13, 20, 100, 2.5],
    ]);
  });

  it('a group, and one that no object belongs to', async () => {
    const bench = new StationBench({ points: [yx(1, 1), yx(2, 2, 1, { protocol: { type_id: 1, group: 3 } })] });
    const client = await bench.connect().start();
    await client.send(interrogation(ONE, 3), interrogation(ONE, 4));
    expect(brief(client)).toEqual([
      [100, 7, false],
      [1, 23, false],
      [100, 10, false],
      [100, 7, true],
    ]);
    expect(valuesOf(client)[1]).toEqual([1, 23, 2, 0]);
  });

  it('of thousands of objects waits for room, takes commands and events meanwhile, and loses nothing', async () => {
    const many = Array.from({ length: 6000 }, (_, at) => yc(at + 10, at + 1, 13));
    const bench = new StationBench({ points: [...many, yx(1, 7000), yk(2, 1)], protocol: { k: 3 } });
    // the client acknowledges every two seconds, so that the data take their time
    const client = bench.connect('192.0.2.7', { w: 100, t2Ms: 2000 });
    await client.start();
    await client.send(interrogation(ONE));
    await bench.clock.advance(20_000);
    await client.send(command(ONE, 45, select(1, 1, false), null));
    await bench.set(1, 1);
    await bench.clock.advance(100_000);
    const values = client.asdus.flatMap((asdu) => (asdu.typeId === 13 ? asdu.objects : []));
    expect([values.length, new Set(values.map((object) => object.address)).size]).toEqual([6000, 6000]);
    const at = (typeId: number) => client.asdus.findIndex((asdu) => asdu.typeId === typeId);
    expect([at(45) < 40, at(30) < 40]).toEqual([true, true]);
    expect(brief(client).at(-1)).toEqual([100, 10, false]);
  });

  it('consecutive addresses go as sequences, single ones together', async () => {
    const addresses = [1, 2, 3, 10, 20, 30, 31];
    const bench = new StationBench({ points: addresses.map((address) => yx(address, address)) });
    const client = await bench.connect().start();
    await client.send(interrogation(ONE));
    const data = client.asdus.filter((asdu) => asdu.typeId === 1);
    expect(data.map((asdu) => [asdu.isSequence, asdu.objects.map((object) => object.address)])).toEqual([
      [true, [1, 2, 3]],
      [false, [10, 20]],
      [true, [30, 31]],
    ]);
  });
});

describe('counters', () => {
  it('are read, frozen, reset; the frozen reading is what is sent', async () => {
    const bench = new StationBench({ points });
    const client = await bench.connect().start();
    const ask = (freeze: number) => client.send(counterInterrogation(ONE, { request: 5, freeze }));
    const reading = () =>
      client.asdus
        .flatMap((asdu) => asdu.objects)
        .find((object): object is Extract<InfoObject, { kind: 'counter' }> => object.kind === 'counter');
    await bench.set(4, 70);
    await ask(0);
    expect([reading()?.value, reading()?.sequence]).toEqual([70, 0]);
    client.take();
    await ask(1);
    expect(brief(client)).toEqual([[101, 7, false]]);
    await bench.set(4, 80);
    await ask(0);
    expect([reading()?.value, reading()?.sequence]).toEqual([70, 1]);
    client.take();
    await ask(2);
    await ask(0);
    expect([reading()?.value, reading()?.sequence]).toEqual([80, 2]);
    expect((await bench.station.read({ slaveId: 1, pointIds: [4] })).readings[0]).toMatchObject({ value: 0 });
  });
});

describe('changes', () => {
  it('a change is sent at once with the time of the station; the same value again is none', async () => {
    const bench = new StationBench({ points });
    const client = await bench.connect().start();
    await bench.clock.advance(1234);
    await bench.set(1, 1);
    await bench.set(1, 1);
    expect(client.asdus).toMatchObject([{ typeId: 30, cause: 3, originator: 0, objects: [{ address: 1, value: 1, quality: 0 }] }]);
    const [tag] = client.asdus[0]?.objects ?? [];
    expect(tag?.time?.kind === 'cp56' && cp56ToUtc(tag.time, UTC)).toBe(bench.clock.wallMs());
  });

  it.each([
    ['with_time', [30]],
    ['without_time', [1]],
    ['both_times', [1, 30]],
  ])('change_time %s', async (change_time, types) => {
    const bench = new StationBench({ points, protocol: { change_time } });
    const client = await bench.connect().start();
    await bench.set(1, 1);
    expect(client.asdus.map((asdu) => asdu.typeId)).toEqual(types);
  });

  it('quality letters change as well', async () => {
    const bench = new StationBench({ points });
    const client = await bench.connect().start();
    await bench.set(1, 0, ['IV', 'NT']);
    expect(client.asdus[0]?.objects[0]).toMatchObject({ value: 0, quality: 0xc0 });
    expect(await codeOf(bench.set(1, 0, ['XX']))).toBe('CONFIG_INVALID');
  });

  it('within the dead band nothing is sent; it counts from what was sent last', async () => {
    const bench = new StationBench({ points: [yc(1, 1, 13, { mul_coe: 2, protocol: { type_id: 13, dead_band: 10 } })] });
    const client = await bench.connect().start();
    for (const value of [9, -9, 10, 15, 21]) await bench.set(1, value);
    expect(valuesOf(client).map(([, , , value]) => value)).toEqual([5, 10.5]);
  });

  it('many changes that wait share an ASDU', async () => {
    const bench = new StationBench({ points, protocol: { buffer_from_start: true } });
    for (let turn = 0; turn < 20; turn++) await bench.set(1, (turn + 1) % 2);
    const client = await bench.connect().start();
    expect(client.asdus.map((asdu) => asdu.objects.length)).toEqual([20]);
  });

  it('every monitored type goes out and comes in as what it is', async () => {
    const all = [1, 3, 5, 7, 9, 11, 13, 21].map((typeId, at) => (typeId <= 3 ? yx : yc)(at + 1, at + 1, typeId));
    const bench = new StationBench({ points: [...all, yx(20, 20, 38), yx(21, 21, 20, { bit: 3 }), yx(22, 21, 20, { bit: 15 })] });
    const client = await bench.connect().start();
    for (const item of all) await bench.set(item.id, item.id === 5 || item.id === 8 ? 0.5 : 1);
    await bench.set(20, 1);
    await bench.set(21, 1);
    await bench.set(22, 1);
    expect(valuesOf(client)).toEqual([
      [30, 3, 1, 1],
      [31, 3, 2, 2],
      [32, 3, 3, 1],
      [33, 3, 4, 1],
      [34, 3, 5, 0.5],
      [35, 3, 6, 1],
      [36, 3, 7, 1],
      [21, 3, 8, 0.5],
      [38, 3, 20, 2],
      [20, 3, 21, 8],
      [20, 3, 21, 0x8008],
    ]);
  });

  it('values out of the range of the type are refused', async () => {
    const bench = new StationBench({ points: [yx(1, 1), yx(2, 2, 3), yc(3, 3, 9), yc(4, 4, 11), yc(5, 5, 5)] });
    for (const [id, value] of [
      [1, 2],
      [2, 4],
      [3, 1.1],
      [4, 40_000],
      [5, 64],
    ] as const) {
      expect(await codeOf(bench.set(id, value))).toBe('CONFIG_RANGE');
    }
  });

  it('cyclic transmission of YC and background scan of everything, with their causes and without time tag', async () => {
    const bench = new StationBench({ points, protocol: { cyclic_s: 10, background_s: 25 } });
    const client = await bench.connect().start();
    await bench.clock.advance(10_000);
    expect(brief(client)).toEqual([[13, 1, false]]);
    await bench.clock.advance(15_000);
    expect(brief(client).slice(2)).toEqual([
      [1, 2, false],
      [3, 2, false],
      [13, 2, false],
    ]);
  });
});

describe('the point table', () => {
  it('is read back without I/O', async () => {
    const bench = new StationBench({ points });
    await bench.set(3, 7);
    await bench.set(6, 3);
    const { batches } = bench.station.plan(points, { mode: 'batch', skipKnownHoles: false });
    const answers = await Promise.all(batches.map((batch) => bench.station.read(batch)));
    expect(answers.flatMap((answer) => answer.readings.map((reading) => shownAmong(points, reading)))).toMatchObject([
      { pointId: 1, value: 0 },
      { pointId: 2, value: 0 },
      { pointId: 3, value: 7 },
      { pointId: 4, value: 0 },
      { pointId: 5, value: 0 },
      { pointId: 6, value: 3 },
    ]);
  });

  it('a change of the table keeps the values of what stays', async () => {
    const bench = new StationBench({ points });
    await bench.set(1, 1);
    bench.station.pointsChanged([...points.filter((item) => item.id !== 2), yx(9, 9)]);
    const { readings } = await bench.station.read({ slaveId: 1, pointIds: [1, 9] });
    expect(readings).toMatchObject([{ value: 1 }, { value: 0 }]);
    const client = await bench.connect().start();
    client.take();
    await client.send(readCommand(ONE, 2));
    expect(brief(client)).toEqual([[102, 47, true]]);
  });
});

describe('commands', () => {
  it('set their point, and after a delay the related one, told with cause 11', async () => {
    const table = [yx(1, 1), yc(2, 100), yk(3, 1, 45, { related_code: 'P1' }), yt(4, 100, 50, { related_code: 'P2' })];
    const bench = new StationBench({ points: table, protocol: { reaction_ms: 300, execution_ms: 100 } });
    const client = await bench.connect().start();
    await client.send(command(ONE, 45, select(1, 1, false), null));
    expect(brief(client)).toEqual([[45, 7, false]]);
    await bench.clock.advance(100);
    expect(brief(client).at(-1)).toEqual([45, 10, false]);
    await bench.clock.advance(300);
    expect(brief(client).at(-1)).toEqual([30, 11, false]);
    expect(bench.values()).toEqual([
      [3, 1, true],
      [1, 1, true],
    ]);
    client.take();
    await client.send(command(ONE, 50, select(100, 12.5, false), null));
    await bench.clock.advance(400);
    expect(brief(client)).toEqual([
      [50, 7, false],
      [50, 10, false],
      [36, 3, false],
    ]);
    expect(bench.values().at(-1)).toEqual([2, 12.5, true]);
  });

  it('a step command moves the related step position by one', async () => {
    const bench = new StationBench({ points: [yc(1, 1, 5), yk(2, 1, 47, { related_code: 'P1' })] });
    const client = await bench.connect().start();
    for (const value of [2, 2, 1]) await client.send(command(ONE, 47, select(1, value, false), null));
    expect(bench.values().filter(([id]) => id === 1)).toEqual([
      [1, 1, true],
      [1, 2, true],
      [1, 1, true],
    ]);
  });

  it('a set point without a termination, when the setting says so', async () => {
    const bench = new StationBench({ points, protocol: { setpoint_termination: false } });
    const client = await bench.connect().start();
    await client.send(command(ONE, 50, select(100, 1, false), null));
    expect(brief(client)).toEqual([[50, 7, false]]);
  });

  it('a selection binds value, qualifier, client and time', async () => {
    const table = [yk(1, 1, 45, { protocol: { type_id: 45, select_before_operate: true } })];
    const bench = new StationBench({ points: table, protocol: { select_timeout_s: 5 } });
    const [a, b] = [await bench.connect().start(), await bench.connect('192.0.2.8').start()];
    const act = (client: TestClient, value: number, isSelect: boolean, qualifier = 0) =>
      client.send(command(ONE, 45, select(1, value, isSelect, qualifier), null));
    const last = (client: TestClient) => client.asdus.at(-1);
    await act(a, 1, false);
    expect(last(a)?.isNegative).toBe(true);
    await act(a, 1, true);
    await act(b, 1, true);
    await act(b, 1, false);
    expect(brief(b)).toEqual([
      [45, 7, true],
      [45, 7, true],
    ]);
    await act(a, 0, false);
    expect(last(a)?.isNegative).toBe(true);
    await act(a, 1, true, 1);
    await act(a, 1, false, 2);
    expect(last(a)?.isNegative).toBe(true);
    await act(a, 1, true);
    await bench.clock.advance(5000);
    await act(a, 1, false);
    expect(last(a)?.isNegative).toBe(true);
    await act(a, 1, true);
    await act(a, 1, false);
    expect(brief(a).at(-1)).toEqual([45, 10, false]);
  });

  it('a selection and what executes outlive a change of the table', async () => {
    const table = [yk(1, 7, 45, { protocol: { type_id: 45, select_before_operate: true } })];
    const bench = new StationBench({ points: table, protocol: { execution_ms: 1000 } });
    const client = await bench.connect().start();
    await client.send(command(ONE, 45, select(7, 1), null));
    bench.station.pointsChanged([...table, yx(2, 2)]);
    await client.send(command(ONE, 45, select(7, 1, false), null));
    bench.station.pointsChanged([...table, yx(2, 2), yx(3, 3)]);
    await client.send(command(ONE, 45, select(7, 1, true), null));
    await bench.clock.advance(1000);
    expect(brief(client)).toEqual([
      [45, 7, false],
      [45, 7, false],
      [45, 7, true],
      [45, 10, false],
    ]);
  });

  it('a selection ends with its connection', async () => {
    const table = [yk(1, 1, 45, { protocol: { type_id: 45, select_before_operate: true } })];
    const bench = new StationBench({ points: table });
    const a = await bench.connect().start();
    await a.send(command(ONE, 45, select(1, 1), null));
    await a.lose();
    const b = await bench.connect('192.0.2.8').start();
    await b.send(command(ONE, 45, select(1, 1), null));
    expect(brief(b)).toEqual([[45, 7, false]]);
  });

  it('a test command (T) is confirmed and moves nothing', async () => {
    const bench = new StationBench({ points });
    const client = await bench.connect().start();
    await client.send({ ...command(ONE, 45, select(1, 1, false), null), isTest: true });
    expect(client.asdus).toMatchObject([
      { cause: 7, isTest: true },
      { cause: 10, isTest: true },
    ]);
    expect(bench.values()).toEqual([]);
  });

  it('a selection by a test (T) lets no command through, nor a real one a test', async () => {
    const table = [yk(1, 1, 45, { protocol: { type_id: 45, select_before_operate: true } })];
    const bench = new StationBench({ points: table });
    const client = await bench.connect().start();
    const send = (isSelect: boolean, isTest: boolean) => client.send({ ...command(ONE, 45, select(1, 1, isSelect), null), isTest });
    for (const isTest of [true, false]) {
      await send(true, isTest);
      await send(false, !isTest);
      expect(brief(client).at(-1)).toEqual([45, 7, true]);
    }
    expect(bench.values()).toEqual([]);
    await send(true, true);
    await send(false, true);
    expect(client.asdus.at(-1)).toMatchObject({ cause: 10, isNegative: false, isTest: true });
    expect(bench.values()).toEqual([]);
  });

  it('a deactivation by a test (T) ends the selection by a test, and no real one', async () => {
    const table = [yk(1, 1, 45, { protocol: { type_id: 45, select_before_operate: true } })];
    const bench = new StationBench({ points: table });
    const client = await bench.connect().start();
    const send = (isSelect: boolean, changes: Partial<Asdu>) =>
      client.send({ ...command(ONE, 45, select(1, 1, isSelect), null), ...changes });
    await send(true, {});
    await send(false, { cause: 8, isTest: true });
    expect(client.asdus.at(-1)).toMatchObject({ cause: 9, isNegative: true, isTest: true });
    await send(false, {});
    expect(client.asdus.at(-1)).toMatchObject({ cause: 10, isNegative: false });
    expect(bench.values()).toHaveLength(1);
    await send(true, { isTest: true });
    await send(false, { cause: 8 });
    expect(client.asdus.at(-1)).toMatchObject({ cause: 9, isNegative: true, isTest: false });
    await send(false, { cause: 8, isTest: true });
    expect(client.asdus.at(-1)).toMatchObject({ cause: 9, isNegative: false, isTest: true });
  });

  it('a test (T) neither freezes counters nor sets the clock, and what says P/N 1 is no request', async () => {
    const bench = new StationBench({ points: [yc(4, 101, 15), yk(5, 1)] });
    await bench.set(4, 7);
    const client = await bench.connect().start();
    client.take();
    const test = { isTest: true };
    await client.send({ ...counterInterrogation(ONE, { request: 5, freeze: 2 }), ...test });
    await client.send({ ...clockSynchronization(ONE, utcToCp56(Date.UTC(2031, 0, 1), UTC)), ...test });
    await client.send({ ...command(ONE, 45, select(1, 1, false), null), isNegative: true });
    expect(brief(client)).toEqual([
      [101, 7, false],
      [103, 7, false],
      [45, 45, true],
    ]);
    client.take();
    await client.send(
      counterInterrogation(ONE, { request: 5, freeze: 0 }),
      clockSynchronization(ONE, utcToCp56(Date.UTC(2032, 0, 1), UTC)),
    );
    // never frozen: the number of the freezing is that of the beginning
    expect(client.asdus.find(({ typeId }) => typeId === 15)?.objects).toMatchObject([{ address: 101, value: 7, sequence: 0 }]);
    const told = client.asdus.find(({ typeId }) => typeId === 103)?.objects[0] as InfoObject | undefined;
    expect(told?.time?.kind === 'cp56' && new Date(cp56ToUtc(told.time, UTC) ?? 0).getUTCFullYear()).toBe(2026);
    expect(bench.values()).toEqual([[4, 7, false]]);
  });

  it('states that are not permitted are refused', async () => {
    const bench = new StationBench({ points: [yk(1, 1, 46)] });
    const client = await bench.connect().start();
    await client.send(command(ONE, 46, select(1, 0, false), null), command(ONE, 46, select(1, 3, false), null));
    expect(brief(client)).toEqual([
      [46, 7, true],
      [46, 7, true],
    ]);
  });

  it('a time tag that is too old is refused, and told', async () => {
    const bench = new StationBench({ points, protocol: { command_age_s: 10 } });
    const client = await bench.connect().start();
    await bench.clock.advance(20_000);
    const at = (ms: number) => utcToCp56(bench.clock.wallMs() - ms, UTC);
    await client.send(command(ONE, 58, select(1, 1, false), at(9000)), command(ONE, 58, select(1, 1, false), at(11_000)));
    expect(brief(client)).toEqual([
      [58, 7, false],
      [58, 10, false],
      [58, 7, true],
    ]);
    expect(bench.notices.at(-1)).toContain('11000 ms ago');
  });
});

describe('locked control points', () => {
  it('refuse commands and selections until they are unlocked, and tell it', async () => {
    const locked = yk(1, 7, 45, { code: 'Q1', protocol: { type_id: 45, locked: true } });
    const bench = new StationBench({ points: [locked] });
    const client = await bench.connect().start();
    await client.send(command(ONE, 45, select(7, 1, false), null), command(ONE, 45, select(7, 1), null));
    expect(brief(client)).toEqual([
      [45, 7, true],
      [45, 7, true],
    ]);
    expect(bench.notices.filter((text) => text.includes('locked'))).toHaveLength(2);
    bench.station.pointsChanged([{ ...locked, protocol: { type_id: 45 } }]);
    client.take();
    await client.send(command(ONE, 45, select(7, 1, false), null));
    expect(brief(client)).toEqual([
      [45, 7, false],
      [45, 10, false],
    ]);
  });
});

describe('clock and reset', () => {
  it('a clock synchronization sets an offset, not the timers; its confirmation carries the time before', async () => {
    const bench = new StationBench({ points });
    const client = await bench.connect().start();
    const before = bench.clock.wallMs();
    await client.send(clockSynchronization(ONE, utcToCp56(before + 3_600_000, UTC)));
    const [object] = client.asdus[0]?.objects ?? [];
    expect(object?.time?.kind === 'cp56' && cp56ToUtc(object.time, UTC)).toBe(before);
    await bench.set(1, 1);
    const [change] = client.asdus[1]?.objects ?? [];
    expect(change?.time?.kind === 'cp56' && cp56ToUtc(change.time, UTC)).toBe(before + 3_600_000);
    await bench.clock.advance(15_000);
    expect(client.isClosed).toBe(false);
  });

  it('an invalid time is refused', async () => {
    const bench = new StationBench({ points });
    const client = await bench.connect().start();
    await client.send(clockSynchronization(ONE, { ...utcToCp56(0 + Date.UTC(2026, 0, 1), UTC), isInvalid: true }));
    expect(brief(client)).toEqual([[103, 7, true]]);
  });

  it('reset 2 drops the events with time tag of this client only', async () => {
    const bench = new StationBench({ points, protocol: { k: 1 } });
    const [a, b] = [bench.connect('192.0.2.7', { w: 8, t2Ms: 14_000 }), bench.connect('192.0.2.8')];
    await a.start();
    await b.start();
    for (let turn = 0; turn < 4; turn++) await bench.set(1, (turn + 1) % 2);
    await a.send(resetProcess(ONE, 2));
    await bench.clock.advance(60_000);
    expect(a.asdus.map((asdu) => asdu.typeId)).toEqual([30, 105]);
    expect(b.asdus.flatMap((asdu) => asdu.objects)).toHaveLength(4);
  });

  it('end of initialization is the first thing each client gets, once', async () => {
    const bench = new StationBench({ points: [...points, yx(9, 9, 1, { slave_id: 2 })], protocol: { end_of_initialization: true } });
    const a = await bench.connect().start();
    expect(a.asdus.map((asdu) => [asdu.typeId, asdu.commonAddress, asdu.cause])).toEqual([
      [70, 1, 4],
      [70, 2, 4],
    ]);
    await a.lose();
    const again = await bench.connect().start();
    expect(again.asdus).toEqual([]);
    const b = await bench.connect('192.0.2.8').start();
    expect(b.asdus).toHaveLength(2);
    await b.send(resetProcess(ONE, 1));
    expect(b.asdus.at(-1)?.objects[0]).toMatchObject({ kind: 'endOfInit', value: 2 });
  });
});

describe('several clients', () => {
  it('each of its own: every one gets each event, answers go to who asked', async () => {
    const bench = new StationBench({ points });
    const [a, b] = [await bench.connect().start(), await bench.connect().start()];
    await bench.set(1, 1);
    await a.send(readCommand(ONE, 1));
    expect([brief(a), brief(b)]).toEqual([
      [
        [30, 3, false],
        [1, 5, false],
      ],
      [[30, 3, false]],
    ]);
  });

  it('one group: another start takes over, the former connection is closed, and what it left open comes again', async () => {
    const bench = new StationBench({ points, protocol: { clients: 'one_group' } });
    const a = bench.connect('192.0.2.7', { w: 8, t2Ms: 14_000 });
    await a.start();
    const b = bench.connect('192.0.2.8');
    await bench.set(1, 1);
    expect(a.asdus).toHaveLength(1);
    await b.start();
    expect(a.isClosed).toBe(true);
    expect(valuesOf(b)).toEqual([[30, 3, 1, 1]]);
    await bench.set(1, 0);
    expect(valuesOf(b)).toHaveLength(2);
    expect(bench.notices.some((text) => text.includes('redundancy group'))).toBe(true);
  });

  it('a group for each address: the same address takes over, another one does not', async () => {
    const bench = new StationBench({ points, protocol: { clients: 'by_address' } });
    const a = await bench.connect('192.0.2.7').start();
    const b = await bench.connect('192.0.2.8').start();
    expect([a.isClosed, b.isClosed]).toEqual([false, false]);
    await bench.connect('192.0.2.7').start();
    expect([a.isClosed, b.isClosed]).toEqual([true, false]);
  });

  it.each(['separate', 'one_group', 'by_address'])(
    'clients %s: events wait for the next start, in their order, what was acknowledged does not come again',
    async (clients) => {
      const bench = new StationBench({ points, protocol: { clients } });
      // nobody was there yet: it is the state that the first client interrogates
      await bench.set(3, 20);
      const first = bench.connect('192.0.2.7', { w: 2, t2Ms: 14_000 });
      await first.start();
      await bench.set(3, 2);
      await bench.set(3, 4);
      await bench.set(3, 6);
      expect(valuesOf(first).map((row) => row[3])).toEqual([1, 2, 3]);
      await first.lose();
      await bench.set(3, 8);
      const again = await bench.connect('192.0.2.7').start();
      expect(valuesOf(again).map((row) => row[3])).toEqual([3, 4]);
    },
  );

  it('STOPDT: events wait for the next STARTDT of the same connection', async () => {
    const bench = new StationBench({ points });
    const client = await bench.connect().start();
    await bench.set(1, 1);
    client.take();
    client.port.link.stop();
    await bench.clock.advance(0);
    await bench.set(1, 0);
    expect(client.asdus).toEqual([]);
    await client.start();
    expect(client.asdus).toHaveLength(1);
  });

  it('the first value of a point is an event for who is there, and waits for nobody', async () => {
    const bench = new StationBench({ points });
    const client = await bench.connect().start();
    await bench.set(1, 1);
    expect(client.asdus).toHaveLength(1);
    await client.lose();
    await bench.set(3, 4);
    await bench.set(3, 6);
    const again = await bench.connect().start();
    // the first value was the state that is interrogated, the second one a change
    expect(valuesOf(again).map((row) => row[3])).toEqual([3]);
  });

  it('values set before a client was there are no events; a client that was never started leaves none either', async () => {
    const bench = new StationBench({ points });
    await bench.set(1, 1);
    await bench.set(1, 0);
    const silent = bench.connect('192.0.2.9');
    await bench.set(1, 1);
    await silent.lose();
    const client = await bench.connect().start();
    expect(client.asdus).toEqual([]);
  });

  it('buffer_from_start: the first client gets everything from the start of the station on', async () => {
    const bench = new StationBench({ points, protocol: { buffer_from_start: true } });
    await bench.set(1, 1);
    await bench.set(1, 0);
    await bench.set(3, 4);
    const client = await bench.connect().start();
    expect(valuesOf(client).map((row) => [row[0], row[3]])).toEqual([
      [30, 1],
      [30, 0],
      [36, 2],
    ]);
  });

  it('a full buffer drops the oldest measured values, then the oldest states, and tells it', async () => {
    const bench = new StationBench({ points, protocol: { event_buffer: 10, buffer_from_start: true } });
    for (let turn = 0; turn < 8; turn++) {
      await bench.set(1, (turn + 1) % 2);
      await bench.set(3, (turn + 1) * 2);
    }
    const client = await bench.connect().start();
    const values = valuesOf(client);
    expect(values.filter((row) => row[0] === 30)).toHaveLength(8);
    expect(values.filter((row) => row[0] === 36).map((row) => row[3])).toEqual([7, 8]);
    expect(bench.notices.filter((text) => text.includes('dropped')).at(-1)).toContain('4 events');
  });
});

describe('what breaks the rules', () => {
  it('a malformed ASDU closes the connection, and is told', async () => {
    const bench = new StationBench({ points });
    const client = await bench.connect().start();
    await client.send(octets('2d 01 06 00 01 00'));
    expect([client.isClosed, bench.notices.at(-1)]).toEqual([true, expect.stringContaining('was disconnected')]);
  });

  it('counts requests, answers and refusals', async () => {
    const bench = new StationBench({ points });
    const client = await bench.connect().start();
    await client.send(readCommand(ONE, 1), readCommand(ONE, 999), octets('c8 01 06 00 01 00 00 00 00'));
    expect(bench.health).toMatchObject({ requests: 3, responses: 3, refusals: 2 });
    expect(brief(client).at(-1)).toEqual([200, 44, true]);
  });

  it('a connection after the end of the station is closed', async () => {
    const bench = new StationBench({ points });
    const client = await bench.connect().start();
    await bench.station.close();
    expect(bench.connect().isClosed).toBe(true);
    await bench.clock.advance(100_000);
    expect(client.asdus).toEqual([]);
  });

  it('no answer is longer than an APDU, whatever the sizes', async () => {
    const table = Array.from({ length: 200 }, (_, at) => yc(at + 1, at * 2 + 1, 13));
    const bench = new StationBench({
      points: table,
      protocol: { cause_size: 1, common_address_size: 1, object_address_size: 2 },
      clock: new ManualClock(),
    });
    const client = await bench.connect().start();
    await client.send(interrogation(ONE));
    expect(client.octets.every((asdu) => asdu.length <= 249)).toBe(true);
    expect(valuesOf(client).filter((row) => row[0] === 13)).toHaveLength(200);
  });
});
