import { describe, expect, it } from 'vitest';
import { ManualClock, settle } from '../../../platform/manual-clock.ts';
import { exchangeContext } from '../../testing/sinks.ts';
import { spoken } from '../../testing/spoken.ts';
import { type Asdu, decodeAsdu } from '../codec/asdu.ts';
import { Cause } from '../codec/causes.ts';
import { makeAsdu } from '../codec/make.ts';
import { STANDARD_SIZES } from '../codec/sizes.ts';
import { TypeId } from '../codec/types.ts';
import { octets } from '../testing/captures.ts';
import { ClientBench, codeOf, floats, singles, yc, yk, yx } from '../testing/client-bench.ts';
import { cp56ToUtc, utcToCp56 } from '../time.ts';
import { timeZone } from '../time-zone.ts';
import { unknownObjectsOf } from './client-memory.ts';

const UTC = { zone: timeZone('UTC'), summerTime: 'zone' } as const;

/** A station that answers an interrogation with these ASDUs. */
function answerInterrogation(bench: ClientBench, ...data: readonly Asdu[]): void {
  bench.onRequest = (asdu, request) => {
    if (asdu.typeId !== TypeId.C_IC_NA_1) return;
    void bench.mirror(request, Cause.activationCon);
    void bench.send(...data);
    void bench.mirror(request, Cause.activationTermination);
  };
}

describe('coming up', () => {
  it('runs after STARTDT con, then interrogates each common address once', async () => {
    const bench = new ClientBench({
      points: [yx(1, 1), yc(2, 2, 13, { slave_id: 7 })],
      protocol: { general_interrogation: true },
    });
    bench.onRequest = (_, request) => {
      void bench.mirror(request, Cause.activationCon);
      void bench.mirror(request, Cause.activationTermination);
    };
    await bench.start();
    await bench.clock.advance(10);
    expect(bench.requests.map((asdu) => [asdu.typeId, asdu.commonAddress, asdu.cause])).toEqual([
      [100, 1, 6],
      [100, 7, 6],
    ]);
    expect(bench.notices).toEqual([]);
  });

  it('interrogates all stations where the table is empty', async () => {
    const bench = await ClientBench.started({ protocol: { general_interrogation: true } });
    expect(bench.requests.map((asdu) => asdu.commonAddress)).toEqual([65_535]);
  });

  it('sends nothing by itself when the settings say so', async () => {
    const bench = await ClientBench.started({ points: [yx(1, 1)] });
    await bench.clock.advance(15_000);
    expect(bench.requests).toEqual([]);
  });

  it('interrogation, clock and counters in this order, each after the end of the one before', async () => {
    const bench = new ClientBench({
      points: [yx(1, 1)],
      protocol: { general_interrogation: true, clock_synchronization: true, counter_interrogation: true },
    });
    await bench.start();
    expect(bench.requests.map((asdu) => asdu.typeId)).toEqual([100]);
    await bench.mirror(0, Cause.activationCon);
    await bench.clock.advance(100);
    await bench.mirror(0, Cause.activationTermination);
    expect(bench.requests.map((asdu) => asdu.typeId)).toEqual([100, 103]);
    const [clock] = bench.requests[1]?.objects ?? [];
    expect(clock?.time?.kind === 'cp56' && cp56ToUtc(clock.time, UTC)).toBe(bench.clock.wallMs());
    await bench.mirror(1, Cause.activationCon);
    expect(bench.requests.map((asdu) => asdu.typeId)).toEqual([100, 103, 101]);
    expect(bench.requests[2]?.objects[0]).toMatchObject({ request: 5, freeze: 0 });
  });

  it('repeats what has a period', async () => {
    const bench = new ClientBench({ points: [yx(1, 1)], protocol: { general_interrogation_s: 60, clock_synchronization_s: 100 } });
    bench.onRequest = (_, request) => {
      void bench.mirror(request, Cause.activationCon);
      void bench.mirror(request, Cause.activationTermination);
    };
    await bench.start();
    await bench.clock.advance(190_000);
    expect(bench.requests.map((asdu) => asdu.typeId)).toEqual([100, 103, 100, 100]);
  });

  it('tells a failed interrogation, and goes on with the next station', async () => {
    const bench = await ClientBench.started({
      points: [yx(1, 1), yx(2, 1, 1, { slave_id: 2 })],
      protocol: { general_interrogation: true },
    });
    await bench.clock.advance(1000);
    await bench.mirror(1, Cause.activationCon, true);
    expect(bench.notices).toEqual([
      'The general interrogation of common address 1 failed: It was not answered within 1000 ms.',
      expect.stringContaining('common address 2 failed: It was refused.'),
    ]);
  });

  it('STARTDT unanswered: refused at t1', async () => {
    const bench = new ClientBench();
    bench.isStationUp = false;
    const started = codeOf(bench.client.start(new AbortController().signal));
    await bench.clock.advance(15_000);
    expect([await started, bench.isLineClosed]).toEqual(['TIMEOUT_RESPONSE', true]);
  });

  it('a station that ends the connection instead of confirming: PROTOCOL_REFUSED', async () => {
    const bench = new ClientBench();
    bench.isStationUp = false;
    const started = bench.client.start(new AbortController().signal).catch((error: unknown) => error);
    await bench.lose();
    expect(await started).toMatchObject({ code: 'PROTOCOL_REFUSED', message: expect.stringContaining('instead of confirming STARTDT') });
  });

  it('end of initialization: told, and interrogated again', async () => {
    const bench = new ClientBench({ points: [yx(1, 1)], protocol: { general_interrogation: true } });
    answerInterrogation(bench);
    await bench.start();
    const initialized = makeAsdu({
      typeId: TypeId.M_EI_NA_1,
      cause: Cause.initialized,
      commonAddress: 1,
      objects: [{ kind: 'endOfInit', address: 0, value: 2, hasChangedParameters: false, time: null }],
    });
    await bench.send(initialized);
    expect(bench.requests).toHaveLength(2);
    expect(bench.notices).toEqual(['The station of common address 1 has started (remote reset).']);
  });

  it('end of initialization before the first interrogation is confirmed asks nothing further', async () => {
    const bench = await ClientBench.started({ points: [yx(1, 1)], protocol: { general_interrogation: true } });
    await bench.send(
      makeAsdu({
        typeId: TypeId.M_EI_NA_1,
        cause: Cause.initialized,
        commonAddress: 1,
        objects: [{ kind: 'endOfInit', address: 0, value: 0, hasChangedParameters: false, time: null }],
      }),
    );
    await bench.mirror(0, Cause.activationCon);
    await bench.mirror(0, Cause.activationTermination);
    expect(bench.requests).toHaveLength(1);
  });
});

describe('what a station sends by itself', () => {
  it('spontaneous values are events, cyclic and background ones are values, in the order of arrival', async () => {
    const bench = await ClientBench.started({ points: [yx(1, 1), yc(2, 2, 13, { mul_coe: 2, add_coe: 1 })] });
    await bench.send(
      singles(Cause.spontaneous, { 1: 1 }),
      floats(Cause.periodic, { 2: 10 }),
      floats(Cause.background, { 2: 11 }),
      singles(Cause.returnRemote, { 1: 0 }),
    );
    expect(bench.values().map(({ id, value, event }) => [id, value, event])).toEqual([
      [1, 1, true],
      [2, 21, false],
      [2, 23, false],
      [1, 0, true],
    ]);
    // one a cause: what is told beside values is told once for all of a batch
    expect(bench.applied).toHaveLength(4);
  });

  it('keeps quality letters, the time of the device, and a time that is marked invalid out', async () => {
    const bench = await ClientBench.started({ points: [yx(1, 1), yx(2, 2)] });
    const time = utcToCp56(Date.UTC(2026, 0, 1, 8), UTC);
    const object = { kind: 'single', value: 1, quality: 0xd0 } as const;
    await bench.send(
      makeAsdu({
        typeId: TypeId.M_SP_TB_1,
        cause: Cause.spontaneous,
        commonAddress: 1,
        objects: [
          { ...object, address: 1, time },
          { ...object, address: 2, quality: 0, time: { ...time, isInvalid: true } },
        ],
      }),
    );
    expect(bench.values()).toMatchObject([
      { id: 1, flags: ['IV', 'NT', 'BL'], time: Date.UTC(2026, 0, 1, 8) },
      { id: 2, flags: [], time: null },
    ]);
    const [first] = bench.applied[0]?.readings ?? [];
    expect(first?.kind === 'value' && [first.quality, ...first.raw]).toEqual(['invalid', 0xd1]);
  });

  it('reads the zone of the channel', async () => {
    const bench = await ClientBench.started({ points: [yx(1, 1)], protocol: { time_zone: '+08:00' } });
    const time = utcToCp56(Date.UTC(2026, 0, 1, 8), UTC);
    const objects = [{ kind: 'single', address: 1, value: 1, quality: 0, time } as const];
    await bench.send(makeAsdu({ typeId: TypeId.M_SP_TB_1, cause: Cause.spontaneous, commonAddress: 1, objects }));
    expect(bench.values()[0]?.time).toBe(Date.UTC(2026, 0, 1, 0));
  });

  it.each([
    ['zone', 0],
    ['bit', 1],
  ] as const)('summer_time "%s": a tag with bit SU of a fixed offset is %i hours earlier', async (summer_time, hours) => {
    const bench = await ClientBench.started({ points: [yx(1, 1)], protocol: { time_zone: '+08:00', summer_time } });
    const time = { ...utcToCp56(Date.UTC(2026, 6, 1, 8), UTC), isSummerTime: true };
    const objects = [{ kind: 'single', address: 1, value: 1, quality: 0, time } as const];
    await bench.send(makeAsdu({ typeId: TypeId.M_SP_TB_1, cause: Cause.spontaneous, commonAddress: 1, objects }));
    expect(bench.values()[0]?.time).toBe(Date.UTC(2026, 6, 1, 0 - hours));
  });

  it('two-bit states, bits of a bitstring, reversed signals, NaN', async () => {
    const bench = await ClientBench.started({
      points: [
        ...[1, 2, 3, 4].map((address) => yx(address, address, 3)),
        yx(5, 5, 7, { bit: 1 }),
        yx(6, 5, 7, { bit: 31 }),
        yx(7, 7, 1, { reverse: true }),
        yc(8, 8),
      ],
    });
    await bench.send(
      makeAsdu({
        typeId: TypeId.M_DP_NA_1,
        cause: Cause.spontaneous,
        commonAddress: 1,
        objects: [0, 1, 2, 3].map((value, at) => ({ kind: 'double', address: at + 1, value, quality: 0, time: null })),
      }),
      makeAsdu({
        typeId: TypeId.M_BO_NA_1,
        cause: Cause.spontaneous,
        commonAddress: 1,
        objects: [{ kind: 'bits', address: 5, value: 0x8000_0001, quality: 0, time: null }],
      }),
      singles(Cause.spontaneous, { 7: 1 }),
      floats(Cause.spontaneous, { 8: Number.NaN }),
    );
    const values = new Map(bench.values().map(({ id, value }) => [id, value]));
    expect([1, 2, 3, 4, 5, 6, 7, 8].map((id) => values.get(id))).toEqual([2, 0, 1, 3, 0, 1, 0, 0]);
    expect(bench.applied.at(-1)?.readings.at(-1)).toMatchObject({ value: Number.NaN, quality: 'good' });
  });

  it('objects that are not in the table are counted and listed, until they are added', async () => {
    const bench = await ClientBench.started({ points: [yx(1, 1)] });
    await bench.send(
      singles(Cause.spontaneous, { 1: 1, 5: 1 }),
      floats(Cause.periodic, { 16385: 2.5 }, 9),
      singles(Cause.spontaneous, { 5: 0 }),
    );
    const unknown = unknownObjectsOf(bench.memory);
    expect(unknown.list()).toMatchObject([
      { slaveId: 1, address: 5, typeText: 'M_SP_NA_1 (1)', frameType: 1, protocol: { type_id: 1 }, count: 2, value: 0 },
      { slaveId: 9, address: 16_385, frameType: 0, protocol: { type_id: 13 }, count: 1, value: 2.5 },
    ]);
    bench.client.pointsChanged([yx(1, 1), yx(2, 5)]);
    expect(unknown.list().map((item) => item.address)).toEqual([16_385]);
    await bench.send(singles(Cause.spontaneous, { 5: 1 }));
    expect(bench.values().at(-1)).toMatchObject({ id: 2, value: 1 });
  });

  it('the list of unknown objects is bounded', async () => {
    const bench = await ClientBench.started();
    for (let group = 0; group < 201; group++) {
      await bench.send(floats(Cause.periodic, Object.fromEntries(Array.from({ length: 30 }, (_, at) => [group * 50 + at + 1, 0]))));
      await bench.send(floats(Cause.periodic, Object.fromEntries(Array.from({ length: 20 }, (_, at) => [group * 50 + at + 31, 0]))));
    }
    const unknown = unknownObjectsOf(bench.memory);
    expect([unknown.list().length, unknown.dropped]).toEqual([10_000, 50]);
  });

  it('an object of another type than the table has is taken, and told once', async () => {
    const bench = await ClientBench.started({ points: [yc(1, 1)] });
    await bench.send(singles(Cause.spontaneous, { 1: 1 }));
    await bench.send(singles(Cause.spontaneous, { 1: 0 }));
    expect(bench.values().map(({ value }) => value)).toEqual([1, 0]);
    expect(bench.notices).toEqual(['Object 1 of common address 1 comes as M_SP_NA_1 (1); the table has M_ME_NC_1 (13).']);
  });

  it('a message that cannot be read is told and left out; the connection stands', async () => {
    const bench = await ClientBench.started({ points: [yx(1, 1)] });
    await bench.send(octets('01 03 03 00 01 00 01 00 00 01'), octets('c8 01 03 00 01 00 01'), singles(Cause.spontaneous, { 1: 1 }));
    expect(bench.notices).toEqual([expect.stringContaining('cannot be read'), expect.stringContaining('type 200 came')]);
    expect([bench.health.faults, bench.values().length, bench.isLineClosed]).toEqual([2, 1, false]);
  });
});

describe('events that come again after a reconnect', () => {
  const event = (address: number, second: number, value = 1) =>
    makeAsdu({
      typeId: TypeId.M_SP_TB_1,
      cause: Cause.spontaneous,
      commonAddress: 1,
      objects: [{ kind: 'single', address, value, quality: 0, time: utcToCp56(Date.UTC(2026, 0, 1, 0, 0, second), UTC) }],
    });

  it('are values and no events; new ones, and the same one later, are events', async () => {
    const clock = new ManualClock();
    const points = [yx(1, 1), yx(2, 2)];
    const first = await ClientBench.started({ points, clock });
    await first.send(event(1, 1), event(1, 2, 0), event(2, 3));
    await first.lose();
    const again = await ClientBench.started({ points, clock, memory: first.memory });
    await again.send(event(1, 2, 0), event(2, 3), event(2, 4, 0), event(2, 3));
    expect(again.values().map(({ id, event: isEvent }) => [id, isEvent])).toEqual([
      [1, false],
      [2, false],
      [2, true],
      [2, true],
    ]);
  });

  it('the same event twice over one connection is two events', async () => {
    const bench = await ClientBench.started({ points: [yx(1, 1)] });
    await bench.send(event(1, 1), event(1, 1));
    expect(bench.values().every((value) => value.event)).toBe(true);
  });

  it('a change sent without and with time tag: both are events, or only the one with the time', async () => {
    for (const [isDoubled, expected] of [
      [false, [true, true]],
      [true, [false, true]],
    ] as const) {
      const bench = await ClientBench.started({ points: [yx(1, 1)], protocol: { double_transmission: isDoubled } });
      await bench.send(singles(Cause.spontaneous, { 1: 1 }), event(1, 1));
      expect(bench.values().map((value) => value.event)).toEqual(expected);
    }
  });
});

describe('reading in mode batch', () => {
  const points = [yx(1, 1), yc(2, 2), yc(3, 3, 15), yx(4, 1, 1, { slave_id: 2 })];
  const plan = (bench: ClientBench) => bench.client.plan(points, { mode: 'batch', skipKnownHoles: false }).batches;

  it('plans one interrogation a common address, and one of the counters where the table has any', async () => {
    const bench = await ClientBench.started({ points });
    expect(plan(bench)).toMatchObject([
      { slaveId: 1, service: 'objects', pointIds: [1, 2] },
      { slaveId: 1, service: 'counters', pointIds: [3] },
      { slaveId: 2, service: 'objects', pointIds: [4] },
    ]);
    expect(bench.client.plan([yk(9, 9)], { mode: 'batch', skipKnownHoles: false }).excluded).toHaveLength(1);
  });

  it('what came before the termination is a success, the rest fails; others of the station go to the table', async () => {
    const bench = await ClientBench.started({ points: [...points, yx(5, 5)] });
    answerInterrogation(bench, singles(20, { 1: 1, 5: 1 }));
    const [batch] = plan(bench);
    const answer = await bench.client.read(batch ?? { slaveId: 1, pointIds: [] }, exchangeContext());
    expect(answer.readings).toMatchObject([
      { kind: 'value', pointId: 1, value: 1 },
      { kind: 'failure', pointId: 2, error: { code: 'PROTOCOL_MISMATCH' } },
    ]);
    expect(bench.values().map(({ id, event }) => [id, event])).toEqual([[5, false]]);
    expect(bench.health).toMatchObject({ requests: 1, responses: 1 });
  });

  it('a change that overtakes the end of the interrogation wins over what it brought', async () => {
    const bench = await ClientBench.started({ points });
    answerInterrogation(bench, singles(20, { 1: 0 }), singles(Cause.spontaneous, { 1: 1 }));
    const answer = await bench.client.read(plan(bench)[0] ?? { slaveId: 1, pointIds: [] }, exchangeContext());
    expect(answer.readings[0]).toMatchObject({ pointId: 1, value: 1 });
    expect(bench.values()).toMatchObject([{ id: 1, value: 1, event: true }]);
  });

  it('counters are read without freezing them', async () => {
    const bench = await ClientBench.started({ points });
    bench.onRequest = (_, request) => {
      void bench.mirror(request, Cause.activationCon);
      const counter = {
        kind: 'counter',
        address: 3,
        value: 77,
        sequence: 1,
        hasCarry: false,
        isAdjusted: false,
        isInvalid: false,
        time: null,
      } as const;
      void bench.send(makeAsdu({ typeId: TypeId.M_IT_NA_1, cause: 37, commonAddress: 1, objects: [counter] }));
      void bench.mirror(request, Cause.activationTermination);
    };
    const answer = await bench.client.read(plan(bench)[1] ?? { slaveId: 1, pointIds: [] }, exchangeContext());
    expect(bench.requests[0]?.objects[0]).toMatchObject({ kind: 'counterInterrogation', request: 5, freeze: 0 });
    expect(answer.readings).toMatchObject([{ pointId: 3, value: 77 }]);
  });

  it('no answer at all: the whole exchange failed, repeated as often as it may be', async () => {
    const bench = await ClientBench.started({ points });
    const read = codeOf(bench.client.read(plan(bench)[0] ?? { slaveId: 1, pointIds: [] }, exchangeContext({ retries: 1 })));
    await bench.clock.advance(2000);
    expect([await read, bench.requests.length, bench.health.timeouts]).toEqual(['TIMEOUT_RESPONSE', 2, 2]);
  });

  it('data without a termination: what came is a success, the rest timed out', async () => {
    const bench = await ClientBench.started({ points });
    const read = bench.client.read(plan(bench)[0] ?? { slaveId: 1, pointIds: [] }, exchangeContext());
    await bench.mirror(0, Cause.activationCon);
    await bench.clock.advance(9000);
    await bench.send(singles(20, { 1: 1 }));
    await bench.clock.advance(9999);
    let isSettled = false;
    void read.then(() => {
      isSettled = true;
    });
    await settle();
    expect(isSettled).toBe(false);
    await bench.clock.advance(1);
    expect((await read).readings).toMatchObject([
      { kind: 'value', pointId: 1 },
      { kind: 'failure', pointId: 2, error: { code: 'TIMEOUT_RESPONSE' } },
    ]);
  });

  it.each([
    ['a negative confirmation', Cause.activationCon],
    ['unknown common address', Cause.unknownCommonAddress],
  ])('%s: every point fails as refused', async (_name, cause) => {
    const bench = await ClientBench.started({ points });
    const read = bench.client.read(plan(bench)[0] ?? { slaveId: 1, pointIds: [] }, exchangeContext());
    await bench.mirror(0, cause, true);
    expect((await read).readings).toMatchObject(
      [1, 2].map((pointId) => ({ kind: 'failure', pointId, error: { code: 'DEVICE_EXCEPTION' } })),
    );
  });

  it('waits for the interrogation that is under way at the station, and asks its own afterwards', async () => {
    const bench = await ClientBench.started({ points, protocol: { general_interrogation: true } });
    const read = bench.client.read(plan(bench)[0] ?? { slaveId: 1, pointIds: [] }, exchangeContext());
    await settle();
    expect(bench.requests).toHaveLength(1);
    await bench.mirror(0, Cause.activationCon);
    await bench.mirror(0, Cause.activationTermination);
    const own = bench.requests.findIndex((asdu, at) => at > 0 && asdu.commonAddress === 1);
    await bench.mirror(own, Cause.activationCon);
    await bench.send(singles(20, { 1: 1 }));
    await bench.mirror(own, Cause.activationTermination);
    expect((await read).readings[0]).toMatchObject({ kind: 'value', pointId: 1 });
  });

  it('a stop ends the wait at once; what came and comes goes to the table', async () => {
    const bench = await ClientBench.started({ points });
    const stop = new AbortController();
    const read = codeOf(bench.client.read(plan(bench)[0] ?? { slaveId: 1, pointIds: [] }, exchangeContext({ signal: stop.signal })));
    await bench.mirror(0, Cause.activationCon);
    await bench.send(singles(20, { 1: 1 }));
    stop.abort();
    expect(await read).toBe('CANCELLED');
    await bench.send(floats(20, { 2: 3 }));
    expect(bench.values().map(({ id }) => id)).toEqual([1, 2]);
  });

  it('what came before an edit of the table is not passed on by a stop after it', async () => {
    const bench = await ClientBench.started({ points });
    const stop = new AbortController();
    const read = codeOf(bench.client.read(plan(bench)[0] ?? { slaveId: 1, pointIds: [] }, exchangeContext({ signal: stop.signal })));
    await bench.mirror(0, Cause.activationCon);
    await bench.send(singles(20, { 1: 1 }));
    bench.client.pointsChanged([yx(1, 9)]);
    stop.abort();
    expect(await read).toBe('CANCELLED');
    expect(bench.values()).toEqual([]);
  });

  it('the end of the connection fails the exchange at once', async () => {
    const bench = await ClientBench.started({ points });
    const read = codeOf(bench.client.read(plan(bench)[0] ?? { slaveId: 1, pointIds: [] }, exchangeContext()));
    await settle();
    await bench.lose();
    expect(await read).toBe('TRANSPORT_LOST');
    expect(await codeOf(bench.client.read(plan(bench)[0] ?? { slaveId: 1, pointIds: [] }, exchangeContext()))).toBe(
      'TRANSPORT_NOT_CONNECTED',
    );
  });

  it('links data and termination to the request in the frame log', async () => {
    const bench = await ClientBench.started({ points });
    answerInterrogation(bench, singles(20, { 1: 1 }));
    await bench.client.read(plan(bench)[0] ?? { slaveId: 1, pointIds: [] }, exchangeContext());
    const request = bench.frames.all.find((frame) => frame.kind === 'tx' && frame.bytes[6] === 100);
    const answers = bench.frames.all.filter((frame) => frame.kind === 'rx' && ((frame.bytes[2] ?? 1) & 1) === 0);
    expect(answers.map((frame) => frame.link)).toEqual([request?.seq, request?.seq, request?.seq]);
  });
});

describe('reading in mode single', () => {
  const points = [yx(1, 1), yc(2, 2)];
  const batch = (bench: ClientBench) =>
    bench.client.plan(points, { mode: 'single', skipKnownHoles: false }).batches[0] ?? { slaveId: 1, pointIds: [] };

  it('sends read command 102 and takes the object it brings', async () => {
    const bench = await ClientBench.started({ points });
    expect(bench.client.plan(points, { mode: 'single', skipKnownHoles: false }).batches).toHaveLength(2);
    const read = bench.client.read(batch(bench), exchangeContext());
    await settle();
    expect(bench.requests[0]).toMatchObject({ typeId: 102, cause: 5, objects: [{ address: 1 }] });
    await bench.send(singles(Cause.request, { 1: 1 }));
    expect((await read).readings).toMatchObject([{ kind: 'value', pointId: 1, value: 1 }]);
    expect(bench.applied).toEqual([]);
  });

  it('a station that does not know it: refused, and pointed to mode batch', async () => {
    const bench = await ClientBench.started({ points });
    const read = bench.client.read(batch(bench), exchangeContext());
    await bench.mirror(0, Cause.unknownType, true);
    expect((await read).readings).toMatchObject([
      { kind: 'failure', error: { code: 'DEVICE_EXCEPTION', message: expect.stringContaining('mode batch') } },
    ]);
  });

  it('one that says nothing: timed out, and pointed to mode batch', async () => {
    const bench = await ClientBench.started({ points });
    const read = bench.client.read(batch(bench), exchangeContext()).catch((error: unknown) => error);
    await bench.clock.advance(1000);
    expect(await read).toMatchObject({ code: 'TIMEOUT_RESPONSE', message: expect.stringContaining('mode batch') });
  });

  it('a confirmation in front of the answer is passed over', async () => {
    const bench = await ClientBench.started({ points });
    const read = bench.client.read(batch(bench), exchangeContext());
    await bench.mirror(0, Cause.activationCon);
    await bench.send(singles(Cause.request, { 1: 1 }));
    expect((await read).readings).toMatchObject([{ kind: 'value', pointId: 1 }]);
  });
});

describe('operations', () => {
  const run = (bench: ClientBench, name: string, params: Record<string, unknown> = {}) =>
    bench.client.operate(name, params, exchangeContext());

  it('a group interrogation of one station', async () => {
    const bench = await ClientBench.started({ points: [yx(1, 1)] });
    const result = run(bench, 'general_interrogation', { common_address: 3, group: 2 });
    await settle();
    expect(bench.requests[0]).toMatchObject({ commonAddress: 3, objects: [{ value: 22 }] });
    await bench.mirror(0, Cause.activationCon);
    await bench.mirror(0, Cause.activationTermination);
    expect(await result).toMatchObject({ outcome: 'accepted', result: { stations: [{ common_address: 3 }] } });
  });

  it('a freeze ends with its confirmation', async () => {
    const bench = await ClientBench.started({ points: [yx(1, 1)] });
    const result = run(bench, 'counter_freeze', { action: 'freeze_reset' });
    await bench.mirror(0, Cause.activationCon);
    expect(bench.requests[0]?.objects[0]).toMatchObject({ request: 5, freeze: 2 });
    expect((await result).outcome).toBe('accepted');
  });

  it('clock synchronization tells how far the clock of the station was off', async () => {
    const bench = await ClientBench.started({ points: [yx(1, 1)] });
    const result = run(bench, 'clock_synchronization');
    await settle();
    const [request] = bench.requests;
    const time = utcToCp56(bench.clock.wallMs() - 2500, UTC);
    const objects = [{ kind: 'clock', address: 0, value: 0, time } as const];
    if (request) await bench.send({ ...request, cause: Cause.activationCon, objects });
    expect(await result).toMatchObject({ outcome: 'accepted', result: { stations: [{ common_address: 1, offset_ms: -2500 }] } });
  });

  it('a refusal is a result', async () => {
    const bench = await ClientBench.started({ points: [yx(1, 1)] });
    const result = run(bench, 'clock_synchronization');
    await bench.mirror(0, Cause.activationCon, true);
    expect(await result).toMatchObject({ outcome: 'rejected', stages: [{ name: 'rejected' }] });
  });

  it('a reset names what is reset', async () => {
    const bench = await ClientBench.started({ points: [yx(1, 1)] });
    const results = [run(bench, 'reset_process'), run(bench, 'reset_process', { common_address: 9, action: 'events' })];
    await bench.mirror(0, Cause.activationCon);
    await bench.mirror(1, Cause.activationCon, true);
    expect(bench.requests).toMatchObject([
      { typeId: 105, commonAddress: 1, objects: [{ value: 1 }] },
      { typeId: 105, commonAddress: 9, objects: [{ value: 2 }] },
    ]);
    expect((await Promise.all(results)).map(({ outcome }) => outcome)).toEqual(['accepted', 'rejected']);
  });

  it('what was sent to a station that goes away is unknown, not an error; what could not be sent is one', async () => {
    const bench = await ClientBench.started({ points: [yx(1, 1), yx(2, 1, 1, { slave_id: 2 })] });
    const result = run(bench, 'clock_synchronization');
    await bench.mirror(0, Cause.activationCon);
    await bench.lose();
    expect(spoken(await result)).toMatchObject({
      outcome: 'unknown',
      stages: [{ name: 'done' }, { name: 'lost', detail: expect.stringMatching(/^Common address 2: /) }],
      result: { stations: [{ common_address: 1 }, { common_address: 2, error: expect.any(String) }] },
    });
    expect(await codeOf(run(bench, 'counter_freeze'))).toBe('TRANSPORT_NOT_CONNECTED');
    expect(await codeOf(run(bench, 'general_interrogation'))).toBe('TRANSPORT_NOT_CONNECTED');
  });

  it('what changes the station and is cut off on the way is unknown; a question is given up', async () => {
    const bench = await ClientBench.started({ points: [yx(1, 1)] });
    const end = new AbortController();
    const freeze = bench.client.operate('counter_freeze', {}, exchangeContext({ signal: end.signal }));
    const question = codeOf(bench.client.operate('general_interrogation', {}, exchangeContext({ signal: end.signal })));
    await settle();
    end.abort();
    expect(await freeze).toMatchObject({ outcome: 'unknown', stages: [{ name: 'lost' }] });
    expect(await question).toBe('CANCELLED');
  });

  it('silence is unknown', async () => {
    const bench = await ClientBench.started({ points: [yx(1, 1)] });
    const result = run(bench, 'test');
    await bench.clock.advance(1000);
    expect(await result).toMatchObject({ outcome: 'unknown', stages: [{ name: 'unanswered' }] });
  });

  it('a test command comes back', async () => {
    const bench = await ClientBench.started({ points: [yx(1, 1)] });
    const result = run(bench, 'test');
    await bench.clock.advance(30);
    await bench.mirror(0, Cause.activationCon);
    expect(await result).toMatchObject({ result: { stations: [{ round_trip_ms: 30 }] } });
  });

  it('broadcast: waits for all stations that confirm', async () => {
    const bench = await ClientBench.started();
    const result = run(bench, 'general_interrogation', { common_address: 65_535 });
    await settle();
    const request = bench.requestOctets[0] ?? new Uint8Array(0);
    const from = (commonAddress: number) => {
      const octetsOf = Uint8Array.from(request);
      octetsOf[4] = commonAddress;
      octetsOf[5] = 0;
      return octetsOf;
    };
    await bench.mirror(from(1), Cause.activationCon);
    await bench.mirror(from(1), Cause.activationTermination);
    await bench.mirror(from(2), Cause.activationCon);
    await bench.clock.advance(5000);
    await bench.mirror(from(2), Cause.activationTermination);
    await bench.clock.advance(1000);
    expect((await result).outcome).toBe('accepted');
    expect(decodeAsdu(request, STANDARD_SIZES).commonAddress).toBe(65_535);
  });
});

describe('the end', () => {
  it('stops data transfer in order', async () => {
    const bench = await ClientBench.started();
    await bench.client.close();
    const sent = bench.frames.all.filter((frame) => frame.kind === 'tx').map((frame) => frame.bytes[2]);
    expect(sent).toEqual([0x07, 0x13]);
    expect(bench.losses).toEqual([]);
  });

  it('does not wait for a station that does not confirm', async () => {
    const bench = await ClientBench.started();
    bench.isStationUp = false;
    const closed = bench.client.close();
    await bench.clock.advance(1000);
    await closed;
    expect(bench.clock.pending).toBeLessThanOrEqual(1);
  });

  it('a fault of the station loses the connection with its reason', async () => {
    const bench = await ClientBench.started();
    await bench.receive(octets('68 04 01 00 0e 00'));
    expect(bench.losses).toMatchObject([{ code: 'PROTOCOL_MISMATCH' }]);
    expect(bench.isLineClosed).toBe(true);
  });
});
