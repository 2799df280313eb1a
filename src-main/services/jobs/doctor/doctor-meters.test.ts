import { describe, expect, it } from 'vitest';
import type { DoctorJob } from '#shared/contract/jobs.ts';
import { encodeAddress } from '../../../drivers/dlt645/codec/address.ts';
import { encodeFrame } from '../../../drivers/dlt645/codec/frame.ts';
import { dlt645Driver } from '../../../drivers/dlt645/driver.ts';
import type { StoredChannel } from '../../../persistence/repositories.ts';
import { JobBench } from '../testing/job-bench.ts';
import { type BusMeter, metersOn } from '../testing/meter-bus.ts';
import { type BusOptions, SerialBus } from '../testing/serial-bus.ts';
import { collide } from '../testing/uart.ts';

const SERIAL = { protocol_type: 4, conn_type: 0, com_port: 'COM3', baud_rate: 2400, parity: 'E' } as const;
const METER = 202_611_000_001;
const point = (slaveId: number, address = 0x00010000, protocol = {}) => ({
  slave_id: slaveId,
  address,
  protocol,
  decode: '',
  func_code: null,
});

interface Line extends Partial<Omit<BusOptions, 'clock'>> {
  readonly meters: readonly BusMeter[];
}

function onBus({ meters, ...options }: Line, points = [point(METER)], settings: Partial<StoredChannel> = {}) {
  let bus: SerialBus | null = null;
  const bench: JobBench = new JobBench([dlt645Driver], (line) => {
    if (!bus) throw new Error('no bus');
    return bus.connector(line);
  });
  const made = new SerialBus({ clock: bench.clock, baudRate: 2400, format: '8E1', respond: metersOn(bench.clock, meters), ...options });
  bus = made;
  const channel = bench.client(8899, points, { ...SERIAL, ...settings });
  const examine = async () => {
    const job = await bench.ended(bench.start('startDoctor', { channel_id: channel.id, slave_ids: [], listen_ms: 300 }) as DoctorJob);
    expect([job.state, job.last_error, made.isOpen]).toEqual(['done', null, false]);
    const controls = bench.wire.map((octets) => octets[octets.indexOf(0x68) + 8]);
    expect([...new Set(controls)].filter((control) => control !== 0x11 && control !== 0x01)).toEqual([]);
    return { job, codes: job.findings.map((verdict) => `${verdict.state} ${verdict.code}`) };
  };
  return { bench, bus: made, channel, examine };
}

describe('a line of meters', () => {
  it('is well, in both editions', async () => {
    const points = [point(METER), point(METER, 0x02010100), point(8, 0x9010, { edition: 1997 })];
    const { codes, job } = await onBus({ meters: [{ number: METER }, { number: 8, edition: 1997 }] }, points).examine();
    expect(codes).toEqual(['good PORT_OPEN', 'good BYTES_SEEN', 'good FRAMING_GOOD', 'good ADDRESS_GOOD', 'good TABLE_GOOD']);
    expect(job.findings[3]?.text).toBe('Address 202611000001, 000000000008 answers.');
  });

  it('with a meter that is silent names it with twelve digits', async () => {
    const { codes, job } = await onBus({ meters: [{ number: METER }] }, [point(METER), point(77)]).examine();
    expect(codes[3]).toBe('warning ADDRESS_SOME');
    expect(job.findings[3]?.text).toContain('000000000077 does not');
  });

  it('with a meter of the other edition says which', async () => {
    const { codes, job } = await onBus({ meters: [{ number: METER, edition: 1997 }] }).examine();
    expect(codes[3]).toBe('bad ADDRESS_EDITION');
    expect(job.findings[3]?.text).toBe('Address 202611000001 answers in the edition 1997, and its points have 2007.');
    expect(job.findings[3]?.next_step).toContain('protocol.edition');
  });

  it('with another meter than the table has names that one', async () => {
    const { codes, job } = await onBus({ meters: [{ number: 5 }] }).examine();
    expect(codes.slice(1, 4)).toEqual(['good BYTES_SEEN', 'good FRAMING_GOOD', 'bad ADDRESS_OTHER']);
    expect(job.findings[3]?.text).toBe('Address 202611000001 is silent, but 000000000005 answers.');
  });

  it('with several others says that there are some', async () => {
    const { codes } = await onBus({ meters: [{ number: 5 }, { number: 6 }, { number: 9 }] }).examine();
    expect(codes[3]).toBe('bad ADDRESS_CROWD');
  });

  it('on which nobody answers is silent', async () => {
    const { codes } = await onBus({ meters: [] }).examine();
    expect(codes.slice(1)).toEqual(['bad BYTES_NONE_SERIAL', 'skipped NOT_REACHED', 'skipped ADDRESS_SILENT', 'skipped NOT_REACHED']);
  });

  it('of which only the echo comes back', async () => {
    const { codes } = await onBus({ meters: [], echo: true }).examine();
    expect(codes[1]).toBe('bad BYTES_ECHO_ONLY');
  });

  it('with another parity is found by asking with it', async () => {
    const { codes, job } = await onBus({ meters: [{ number: METER }] }, [point(METER)], { parity: 'N' }).examine();
    expect(codes[2]).toBe('bad FRAMING_FORMAT_PROVED');
    expect(job.findings[2]?.text).toContain('2400 8E1');
  });

  it('that speaks at a lower rate is heard as such', async () => {
    // frames of a slower master are heard before anything is sent
    const data = Uint8Array.of(0, 0, 1, 0);
    const traffic = encodeFrame({ address: encodeAddress('000000000042'), control: 0x11, data }, 4);
    const { codes } = await onBus({ meters: [], traffic, baudRate: 1200 }, [point(42)]).examine();
    expect(codes.slice(1, 3)).toEqual(['warning BYTES_OTHER_MASTER', 'bad FRAMING_FORMAT_PROVED']);
  });

  it('with another master is left alone', async () => {
    const data = Uint8Array.of(0, 0, 1, 0);
    const address = encodeAddress('000000000042');
    const traffic = Uint8Array.from([
      ...encodeFrame({ address, control: 0x11, data }, 4),
      ...encodeFrame({ address, control: 0x91, data: Uint8Array.of(...data, 1, 2, 3, 4) }, 4),
    ]);
    const { bench, examine } = onBus({ meters: [], traffic });
    const { codes, job } = await examine();
    expect([codes[1], codes[3], bench.wire]).toEqual(['warning BYTES_OTHER_MASTER', 'good ADDRESS_HEARD', []]);
    expect(job.findings[1]?.text).toContain('000000000042');
  });

  it('whose octets are Modbus says so', async () => {
    const modbus = Uint8Array.of(1, 3, 2, 0, 7, 0xf9, 0x86);
    const { codes, job } = await onBus({ meters: [], respond: () => [{ delayMs: 20, octets: modbus }] }).examine();
    expect(codes[2]).toBe('bad FRAMING_FOREIGN');
    expect(job.findings[2]?.text).toBe('The octets are Modbus RTU, not DL/T 645.');
  });

  it('with identifiers that a meter does not have names them', async () => {
    const points = [point(METER), point(METER, 0x02ff0001, { format: 'XXXX' }), point(METER, 0x02ff0002, { format: 'XXXX' })];
    const { codes, job } = await onBus({ meters: [{ number: METER }] }, points).examine();
    expect(codes[4]).toBe('bad TABLE_MISSING_ITEM');
    expect(job.findings[4]?.text).toMatch(/no 2 of the 3 points that were tried, e\.g\. P\d+ with 02FF000\d\./);
  });
});

describe('a meter that is unhelpful', () => {
  it.each([1.7, 2.6, 5])('and late by %d × timeout is told as late, and is no other meter', async (times) => {
    const { codes, job } = await onBus({ meters: [{ number: METER, delayMs: times * 200 }] }).examine();
    expect(codes.slice(1)).toEqual(['good BYTES_SEEN', 'good FRAMING_GOOD', 'bad ADDRESS_LATE', 'good TABLE_GOOD']);
    expect(job.findings[3]?.params.address).toBe('202611000001');
  });

  it('and answers one question in three is told as unsteady', async () => {
    let asked = 0;
    const one = { respond: undefined as BusOptions['respond'] };
    const { bench, examine } = onBus({ meters: [], respond: (heard) => (asked++ % 3 === 2 ? (one.respond?.(heard) ?? []) : []) });
    one.respond = metersOn(bench.clock, [{ number: METER }]);
    const { codes } = await examine();
    expect(codes[3]).toBe('warning ADDRESS_UNSTEADY');
  });

  it.each([12, 14, 18])('and sends %i octets of its answer is told as broken, and sends nobody to the baud rate', async (octets) => {
    const one = { respond: undefined as BusOptions['respond'] };
    const half = (answer: { delayMs: number; octets: Uint8Array }) => ({ ...answer, octets: answer.octets.slice(0, octets) });
    const { bench, examine } = onBus({ meters: [], respond: (heard) => (one.respond?.(heard) ?? []).map(half) });
    one.respond = metersOn(bench.clock, [{ number: METER }]);
    const { codes } = await examine();
    expect(codes[2]).toBe('bad FRAMING_BROKEN');
  });

  it.each([0, 1, 8, 15])('with a twin of the same number, %i bits apart and more, sends nobody to the baud rate', async (apart) => {
    const twins: NonNullable<BusOptions['respond']>[] = [];
    let asked = 0;
    const { bench, examine } = onBus({
      meters: [],
      respond: (heard) => {
        const [first, second] = twins.map((twin) => twin(heard)[0]);
        asked += 1;
        return first && second ? [{ ...first, octets: collide(first.octets, second.octets, apart + 3 * (asked % 4), '8E1') }] : [];
      },
    });
    for (const otherEnergy of [false, true]) twins.push(metersOn(bench.clock, [{ number: METER, otherEnergy }]));
    const { codes } = await examine();
    expect(codes[2]).toMatch(/^(bad FRAMING_BROKEN|bad FRAMING_UNSTEADY|warning FRAMING_MIXED)$/);
  });
});
