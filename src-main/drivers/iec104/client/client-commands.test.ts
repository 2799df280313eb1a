import { describe, expect, it } from 'vitest';
import type { CommandStep } from '#shared/domain/enums.ts';
import { ManualClock, settle } from '../../../platform/manual-clock.ts';
import type { PointConfig } from '../../spi/index.ts';
import { decodeAsdu, mirrorAsdu } from '../codec/asdu.ts';
import { Cause } from '../codec/causes.ts';
import type { CommandObject } from '../codec/objects.ts';
import { STANDARD_SIZES } from '../codec/sizes.ts';
import { commandValue, engineeringValue } from '../command-values.ts';
import { POINT_TYPES } from '../point-types.ts';
import { type CaptureEvent, readCaptures } from '../testing/captures.ts';
import { ClientBench, codeOf, yk, yt } from '../testing/client-bench.ts';

const execute = (
  bench: ClientBench,
  point: PointConfig,
  step: CommandStep = 'operate',
  value?: number,
  options: Record<string, unknown> = {},
) => bench.client.execute({ point, step, value, options });
const stages = (result: { stages: readonly { name: string }[] }) => result.stages.map((stage) => stage.name);
const sentHex = (bench: ClientBench) => bench.requestOctets.map((asdu) => Buffer.from(asdu).toString('hex'));

describe('what is sent', () => {
  it.each([
    ['single on', yk(1, 24_577, 45), 1, '2d 01 06 00 01 00 01 60 00 01'],
    ['single off, short pulse', yk(1, 24_577, 45, { protocol: { type_id: 45, qualifier: 1 } }), 0, '2d 01 06 00 01 00 01 60 00 04'],
    ['double off', yk(1, 24_593, 46), 0, '2e 01 06 00 01 00 11 60 00 01'],
    ['double on', yk(1, 24_593, 46), 1, '2e 01 06 00 01 00 11 60 00 02'],
    ['step lower', yk(1, 24_601, 47), 0, '2f 01 06 00 01 00 19 60 00 01'],
    ['step higher', yk(1, 24_601, 47), 1, '2f 01 06 00 01 00 19 60 00 02'],
    ['normalized', yt(1, 25_089, 48), 0.5, '30 01 06 00 01 00 01 62 00 00 40 00'],
    ['scaled', yt(1, 25_093, 49), -1234, '31 01 06 00 01 00 05 62 00 2e fb 00'],
    ['float', yt(1, 25_097, 50), 220.5, '32 01 06 00 01 00 09 62 00 00 80 5c 43 00'],
    ['float, scaled by the table', yt(1, 25_097, 50, { mul_coe: 2, add_coe: 1 }), 442, '32 01 06 00 01 00 09 62 00 00 80 5c 43 00'],
    ['bitstring', yt(1, 25_105, 51), 0xdeadbeef, '33 01 06 00 01 00 11 62 00 ef be ad de'],
  ])('%s', async (_name, point, value, hex) => {
    const bench = await ClientBench.started({ points: [point] });
    void execute(bench, point, 'operate', value);
    await settle();
    expect(sentHex(bench)).toEqual([hex.replaceAll(' ', '')]);
  });

  it('with time tag, originator and the qualifier of the call', async () => {
    const point = yk(1, 5, 58);
    const bench = await ClientBench.started({ points: [point], protocol: { originator_address: 7 } });
    void execute(bench, point, 'operate', 1, { qualifier: 3 });
    await settle();
    // 2026-01-01 00:00:00 UTC, a Thursday
    expect(sentHex(bench)).toEqual(['3a01060701000500000d0000000081011a']);
  });

  it.each([
    ['a command', yk(1, 5), 2],
    ['normalized', yt(1, 5, 48), 1.01],
    ['scaled', yt(1, 5, 49), 32_768],
    ['float', yt(1, 5, 50), 1e39],
    ['bitstring', yt(1, 5, 51), -1],
  ])('%s out of its range is refused before anything is sent', async (_name, point, value) => {
    const bench = await ClientBench.started({ points: [point] });
    expect(await codeOf(execute(bench, point, 'operate', value))).toBe('CONFIG_RANGE');
    expect(bench.requests).toEqual([]);
  });

  it.each([
    ['a qualifier out of range', yk(1, 5), 'operate', { qualifier: 32 }],
    ['the selection of a bitstring', yt(1, 5, 51), 'select', {}],
  ] as const)('%s is refused', async (_name, point, step, options) => {
    const bench = await ClientBench.started({ points: [point] });
    expect(await codeOf(execute(bench, point, step, 1, options))).toBe('CONFIG_INVALID');
    expect(bench.requests).toEqual([]);
  });

  it('values come back as they were given', () => {
    for (const [point, value] of [
      [yk(1, 1, 45), 1],
      [yk(1, 1, 46), 0],
      [yt(1, 1, 49, { mul_coe: 0.5, add_coe: 10 }), 60],
    ] as const) {
      expect(engineeringValue(point, commandValue(point, value))).toBe(value);
    }
    expect([0, 3].map((raw) => engineeringValue(yk(1, 1, 46), raw))).toEqual([null, null]);
  });
});

describe('direct commands', () => {
  const point = yk(1, 24_577);

  it('confirmation and termination: accepted', async () => {
    const bench = await ClientBench.started({ points: [point] });
    const result = execute(bench, point, 'operate', 1);
    await bench.mirror(0, Cause.activationCon);
    await bench.clock.advance(300);
    await bench.mirror(0, Cause.activationTermination);
    expect(await result).toMatchObject({ outcome: 'accepted', refusal: null, failure: null });
    expect(stages(await result)).toEqual(['sent', 'confirmed', 'terminated']);
    expect(bench.values()).toMatchObject([{ id: 1, value: 1, event: false }]);
    const { stages: all } = await result;
    expect((all[2]?.at ?? 0) - (all[0]?.at ?? 0)).toBe(300);
  });

  it('no confirmation: unknown, and nothing is sent again', async () => {
    const bench = await ClientBench.started({ points: [point] });
    const result = execute(bench, point, 'operate', 1);
    await bench.clock.advance(60_000);
    expect(await result).toMatchObject({ outcome: 'unknown', failure: { code: 'TIMEOUT_RESPONSE' } });
    expect([stages(await result), bench.requests.length]).toEqual([['sent', 'unanswered'], 1]);
  });

  it('no termination: accepted, and told', async () => {
    const bench = await ClientBench.started({ points: [point] });
    const result = execute(bench, point, 'operate', 1);
    await bench.mirror(0, Cause.activationCon);
    await bench.clock.advance(10_000);
    expect([(await result).outcome, stages(await result)]).toEqual(['accepted', ['sent', 'confirmed', 'not_terminated']]);
  });

  it('a set point whose termination does not come ends after the time of a confirmation', async () => {
    const setPoint = yt(2, 25_097);
    const bench = await ClientBench.started({ points: [setPoint] });
    const result = execute(bench, setPoint, 'operate', 1);
    await bench.mirror(0, Cause.activationCon);
    await bench.clock.advance(1000);
    expect([(await result).outcome, stages(await result)]).toEqual(['accepted', ['sent', 'confirmed', 'not_terminated']]);
  });

  it('a termination without a confirmation before is taken', async () => {
    const bench = await ClientBench.started({ points: [point] });
    const result = execute(bench, point, 'operate', 1);
    await bench.mirror(0, Cause.activationTermination);
    expect(stages(await result)).toEqual(['sent', 'terminated']);
  });

  it.each([
    ['a negative confirmation', Cause.activationCon, 'negative'],
    ['unknown type (44)', Cause.unknownType, 'unknown_type'],
    ['unknown cause (45)', Cause.unknownCause, 'unknown_cause'],
    ['unknown common address (46)', Cause.unknownCommonAddress, 'unknown_common_address'],
    ['unknown object address (47)', Cause.unknownObjectAddress, 'unknown_object_address'],
  ])('%s: rejected', async (_name, cause, kind) => {
    const bench = await ClientBench.started({ points: [point] });
    const result = execute(bench, point, 'operate', 1);
    await bench.mirror(0, cause, true);
    expect(await result).toMatchObject({ outcome: 'rejected', refusal: { kind } });
    expect([stages(await result), bench.health.refusals]).toEqual([['sent'], 1]);
    expect(bench.values()).toEqual([]);
  });

  it('a negative termination: rejected', async () => {
    const bench = await ClientBench.started({ points: [point] });
    const result = execute(bench, point, 'operate', 1);
    await bench.mirror(0, Cause.activationCon);
    await bench.mirror(0, Cause.activationTermination, true);
    expect(await result).toMatchObject({ outcome: 'rejected', refusal: { kind: 'negative_termination' } });
  });

  it('refused while the command before has not ended: busy', async () => {
    const bench = await ClientBench.started({ points: [point], protocol: { termination_timeout_s: 1 } });
    const first = execute(bench, point, 'operate', 1);
    await bench.mirror(0, Cause.activationCon);
    await bench.clock.advance(1000);
    await first;
    const second = execute(bench, point, 'operate', 1);
    await bench.mirror(1, Cause.activationCon, true);
    expect(await second).toMatchObject({ outcome: 'rejected', refusal: { kind: 'busy' } });
    // its late termination ends the first one
    await bench.mirror(0, Cause.activationTermination);
    const third = execute(bench, point, 'operate', 1);
    await bench.mirror(2, Cause.activationCon, true);
    expect(await third).toMatchObject({ refusal: { kind: 'negative' } });
  });

  it('answers to other objects, types and stations are not taken for it', async () => {
    const bench = await ClientBench.started({ points: [point] });
    const result = execute(bench, point, 'operate', 1);
    await settle();
    const other = (change: (asdu: Uint8Array) => void) => {
      const asdu = mirrorAsdu(bench.requestOctets[0] ?? new Uint8Array(0), Cause.activationCon, false);
      change(asdu);
      return asdu;
    };
    await bench.send(
      other((asdu) => {
        asdu[0] = 46;
      }),
      other((asdu) => {
        asdu[4] = 2;
      }),
      other((asdu) => {
        asdu[6] = 9;
      }),
      other((asdu) => {
        asdu[2] = Cause.deactivationCon;
      }),
    );
    await bench.clock.advance(1000);
    expect([(await result).outcome, bench.health.lates]).toEqual(['unknown', 4]);
  });

  it('two commands to two objects at once each get their own answer', async () => {
    const points = [yk(1, 1), yk(2, 2)];
    const bench = await ClientBench.started({ points });
    const results = points.map((item) => execute(bench, item, 'operate', 1));
    await bench.mirror(1, Cause.activationCon, true);
    await bench.mirror(0, Cause.activationCon);
    await bench.mirror(0, Cause.activationTermination);
    expect((await Promise.all(results)).map((result) => result.outcome)).toEqual(['accepted', 'rejected']);
  });
});

describe('select before operate', () => {
  const point = yk(1, 24_578, 45, { protocol: { type_id: 45, select_before_operate: true } });

  it('step operate selects and executes with the same value and qualifier', async () => {
    const bench = await ClientBench.started({ points: [point] });
    const result = execute(bench, point, 'operate', 1);
    await bench.mirror(0, Cause.activationCon);
    await bench.mirror(1, Cause.activationCon);
    await bench.mirror(1, Cause.activationTermination);
    expect(sentHex(bench)).toEqual(['2d010600010002600081', '2d010600010002600001']);
    expect([(await result).outcome, stages(await result)]).toEqual([
      'accepted',
      ['select_sent', 'selected', 'sent', 'confirmed', 'terminated'],
    ]);
  });

  it('a refused selection is not executed', async () => {
    const bench = await ClientBench.started({ points: [point] });
    const result = execute(bench, point, 'operate', 1);
    await bench.mirror(0, Cause.activationCon, true);
    expect([(await result).outcome, bench.requests.length]).toEqual(['rejected', 1]);
  });

  it('an unanswered selection is not executed', async () => {
    const bench = await ClientBench.started({ points: [point] });
    const result = execute(bench, point, 'operate', 1);
    await bench.clock.advance(5000);
    expect([(await result).outcome, bench.requests.length]).toEqual(['unknown', 1]);
  });

  it('each step alone: select, execute, cancel', async () => {
    const bench = await ClientBench.started({ points: [point] });
    const selected = execute(bench, point, 'select', 1);
    await bench.mirror(0, Cause.activationCon);
    expect(stages(await selected)).toEqual(['select_sent', 'selected']);
    const cancelled = execute(bench, point, 'cancel');
    await settle();
    expect(sentHex(bench)[1]).toBe('2d010800010002600081');
    await bench.mirror(1, Cause.deactivationCon);
    expect([(await cancelled).outcome, stages(await cancelled)]).toEqual(['accepted', ['cancel_sent', 'cancelled']]);
    // the selection is over
    expect(await codeOf(execute(bench, point, 'execute', 1))).toBe('STATE_CONFLICT');
    expect(bench.requests).toHaveLength(2);
  });

  it('a cancel without a selection is refused by the station, and told', async () => {
    const bench = await ClientBench.started({ points: [point] });
    const cancelled = execute(bench, point, 'cancel');
    await bench.mirror(0, Cause.deactivationCon, true);
    expect((await cancelled).outcome).toBe('rejected');
  });
});

describe('the connection', () => {
  const point = yk(1, 1);

  it('nothing is sent, or kept for later, while there is none', async () => {
    const bench = await ClientBench.started({ points: [point] });
    await bench.lose();
    expect(await codeOf(execute(bench, point, 'operate', 1))).toBe('TRANSPORT_NOT_CONNECTED');
    expect(bench.requests).toEqual([]);
  });

  it('its end before the confirmation: unknown; before the termination: accepted, and told', async () => {
    for (const [isConfirmed, outcome, stage] of [
      [false, 'unknown', 'lost'],
      [true, 'accepted', 'lost'],
    ] as const) {
      const bench = await ClientBench.started({ points: [point] });
      const result = execute(bench, point, 'operate', 1);
      if (isConfirmed) await bench.mirror(0, Cause.activationCon);
      await settle();
      await bench.lose();
      expect([(await result).outcome, stages(await result).at(-1)]).toEqual([outcome, stage]);
    }
  });

  it('a station that acknowledges nothing: refused at k instead of kept', async () => {
    const points = Array.from({ length: 3 }, (_, at) => yk(at + 1, at + 1));
    const bench = await ClientBench.started({ points, protocol: { k: 2 } });
    bench.isStationUp = false;
    const results = points.slice(0, 2).map((item) => execute(bench, item, 'operate', 1));
    expect(await codeOf(execute(bench, points[2] ?? point, 'operate', 1))).toBe('TRANSPORT_NOT_CONNECTED');
    await bench.clock.advance(1000);
    expect((await Promise.all(results)).map((result) => result.outcome)).toEqual(['unknown', 'unknown']);
  });
});

/** Time of the tags in the recordings. */
const RECORDED_AT = Date.UTC(2024, 1, 29, 13, 14, 15, 678);

/** A recorded command with the first answer of the station to it. */
function recordedCommands(events: readonly CaptureEvent[]): { octets: Uint8Array; answer: Uint8Array }[] {
  const asdus = events
    .filter(({ kind, bytes }) => kind === 'apdu' && ((bytes[2] ?? 1) & 1) === 0)
    .map(({ from, bytes }) => ({ from, octets: bytes.subarray(6) }));
  const name = (octets: Uint8Array) => [octets[0], ...octets.subarray(4, 9)].join(' ');
  return asdus.flatMap(({ from, octets }, at) => {
    const isCommand = from === 'client' && POINT_TYPES[2].concat(POINT_TYPES[3]).includes(octets[0] ?? 0);
    if (!isCommand || octets[2] !== Cause.activation || octets[4] !== 1) return [];
    const answer = asdus.slice(at + 1).find((item) => item.from === 'server' && name(item.octets) === name(octets));
    return answer ? [{ octets, answer: answer.octets }] : [];
  });
}

describe.each(readCaptures().filter(({ name }) => /^5[0-7]_/.test(name)))('capture $name', ({ events }) => {
  it('our commands are the same octets, and end as the recorded station says', async () => {
    const recorded = recordedCommands(events);
    expect(recorded.length).toBeGreaterThan(0);
    for (const { octets, answer } of recorded) {
      const { typeId, originator, objects } = decodeAsdu(octets, STANDARD_SIZES);
      const object = objects[0] as CommandObject;
      const isYk = POINT_TYPES[2].includes(typeId);
      const point = (isYk ? yk : yt)(1, object.address, typeId, { protocol: { type_id: typeId, qualifier: object.qualifier } });
      const value = engineeringValue(point, object.value) ?? -1;
      const bench = await ClientBench.started({
        points: [point],
        protocol: { originator_address: originator },
        clock: new ManualClock(RECORDED_AT),
      });
      const result = execute(bench, point, object.isSelect ? 'select' : 'operate', value);
      await settle();
      expect(sentHex(bench)).toEqual([Buffer.from(octets).toString('hex')]);
      await bench.send(Uint8Array.from(answer));
      const isPositive = answer[2] === Cause.activationCon;
      if (!object.isSelect && isPositive) await bench.mirror(0, Cause.activationTermination);
      await bench.clock.advance(1000);
      expect((await result).outcome).toBe(isPositive ? 'accepted' : 'rejected');
    }
  });
});

it('the neutral value of a cancel is one that the type permits', async () => {
  for (const [typeId, last] of [
    [45, '80'],
    [46, '81'],
    [47, '81'],
  ] as const) {
    const point = yk(1, 5, typeId);
    const bench = await ClientBench.started({ points: [point] });
    void execute(bench, point, 'cancel');
    await settle();
    expect(sentHex(bench)[0]?.slice(-2)).toBe(last);
  }
});
