/** Slaves that behave legally and unhelpfully: late, half, once in two, twice, two of one address. What is said of them has to be true. */
import { describe, expect, it } from 'vitest';
import type { DoctorJob } from '#shared/contract/jobs.ts';
import { modbusTcpDriver } from '../../../drivers/modbus/driver.ts';
import { encodeMbap } from '../../../drivers/modbus/link/mbap.ts';
import { modbusRtuDriver } from '../../../drivers/modbus/rtu/driver.ts';
import { encodeRtu } from '../../../drivers/modbus/rtu/framing.ts';
import type { StoredChannel } from '../../../persistence/repositories.ts';
import { type DeviceScript, JobBench } from '../testing/job-bench.ts';
import { type BusAnswer, type BusOptions, registerSlave, SerialBus, type Slave } from '../testing/serial-bus.ts';
import { collide } from '../testing/uart.ts';

const TIMEOUT_MS = 200;
const SERIAL = { protocol_type: 2, conn_type: 0, com_port: 'COM3', baud_rate: 9600 } as const;
/** Codes that send a person to parity or baud rate. */
const LINE_SETTINGS = ['FRAMING_FORMAT_PROVED', 'FRAMING_FORMAT_SEEN', 'FRAMING_BAUD_SEEN', 'FRAMING_NOISE'];

function onBus(
  options: Partial<Omit<BusOptions, 'clock'>>,
  points: Parameters<JobBench['client']>[1] = [{ slave_id: 1 }],
  settings: Partial<StoredChannel> = {},
) {
  let bus: SerialBus | null = null;
  const bench: JobBench = new JobBench([modbusRtuDriver], (line) => {
    if (!bus) throw new Error('no bus');
    return bus.connector(line);
  });
  bus = new SerialBus({ clock: bench.clock, baudRate: 9600, format: '8N1', slaves: [[1, registerSlave(7)]], isVirtual: true, ...options });
  const channel = bench.client(502, points, { ...SERIAL, ...settings });
  const examine = async () => {
    const job = await bench.ended(bench.start('startDoctor', { channel_id: channel.id, slave_ids: [], listen_ms: 300 }) as DoctorJob);
    expect([job.state, job.last_error]).toEqual(['done', null]);
    // beside reads the telling request alone: function 8, sub-function 0, a token; never two in a row, and each with another token
    const others = bench.wire.filter((bytes) => (bytes[1] ?? 0) > 4);
    for (const bytes of others) expect([...bytes.subarray(1, 4), bytes.length]).toEqual([8, 0, 0, 8]);
    expect(new Set(others.map((bytes) => String(bytes.subarray(4, 6)))).size).toBe(others.length);
    for (const [at, bytes] of bench.wire.entries()) if (bytes[1] === 8) expect(bench.wire[at - 1]?.[1] ?? 0).toBeLessThanOrEqual(4);
    await bench.clock.advance(20_000);
    expect(bench.clock.pending).toBe(0);
    const codes = job.findings.map(({ state, code }) => `${state} ${code}`);
    const of = (layer: string) => job.findings.find((verdict) => verdict.layer === layer);
    return { job, codes, of };
  };
  return { bench, channel, examine };
}

const lateBy = (delayMs: number) => (octets: Uint8Array) => [{ delayMs, octets }];
/** Answers only every second question, as seen by the bus. */
const everySecond = (octets: Uint8Array, index: number): BusAnswer[] => (index % 2 === 1 ? [{ delayMs: 20, octets }] : []);

describe('a slave that is only late', () => {
  it.each([1.2, 1.4, 1.7, 2.6, 4, 6])('by %d × timeout is told so with the timeout it needs, and its table is read', async (times) => {
    const { examine } = onBus({ onAnswer: lateBy(times * TIMEOUT_MS) });
    const { codes, of } = await examine();
    expect(codes).toEqual(['good PORT_OPEN', 'good BYTES_SEEN', 'good FRAMING_GOOD', 'bad ADDRESS_LATE', 'good TABLE_GOOD']);
    const { ms, timeout, suggested } = of('address')?.params ?? {};
    expect(timeout).toBe(TIMEOUT_MS);
    expect(Math.abs(Number(ms) - times * TIMEOUT_MS)).toBeLessThanOrEqual(60);
    expect(Number(suggested)).toBeGreaterThan(Number(ms));
  });

  it.each([1.2, 2.6, 6])('by %d × timeout beside a prompt one is told as such', async (times) => {
    const onAnswer = (octets: Uint8Array) => [{ delayMs: octets[0] === 2 ? times * TIMEOUT_MS : 20, octets }];
    const slaves = [
      [1, registerSlave(7)],
      [2, registerSlave(8)],
    ] as const;
    const { codes, of } = await onBus({ slaves, onAnswer }, [{ slave_id: 1 }, { slave_id: 2 }]).examine();
    expect(codes.slice(2)).toEqual(['good FRAMING_GOOD', 'warning ADDRESS_LATE', 'good TABLE_GOOD']);
    expect(of('address')?.params.address).toBe('2');
  });

  it.each([
    [1.2, 'stopped'],
    [2.6, 'stopped'],
    [1.2, 'running'],
    [2.6, 'running'],
  ] as const)('by %d × timeout is told with its own time, whoever is asked behind it (%s)', async (times, state) => {
    const onAnswer = (octets: Uint8Array) => [{ delayMs: octets[0] === 1 ? times * TIMEOUT_MS : 20, octets }];
    const slaves = [
      [1, registerSlave(7)],
      [5, registerSlave(8)],
    ] as const;
    const points = [1, 2, 3, 4, 5].map((slave_id) => ({ slave_id }));
    const { channel, examine } = onBus({ slaves, onAnswer }, points);
    if (state === 'running') await channel.start();
    const { of } = await examine();
    await channel.stop();
    const { address, ms } = of('address')?.params ?? {};
    expect(address).toBe('1');
    expect(Math.abs(Number(ms) - times * TIMEOUT_MS)).toBeLessThanOrEqual(60);
  });

  it('is told on a running channel as well', async () => {
    const { bench, channel, examine } = onBus({ onAnswer: lateBy(1.5 * TIMEOUT_MS) });
    await channel.start();
    const { codes, of } = await examine();
    expect([codes[0], codes[3]]).toEqual(['good LINE_STANDS', 'bad ADDRESS_LATE']);
    expect(of('address')?.next_step).toContain('timeout_ms');
    await channel.stop();
    expect(bench.clock.pending).toBe(0);
  });

  it('to a question of somebody before is no other master, and is told', async () => {
    const stray = { delayMs: 100, octets: encodeRtu(1, Uint8Array.of(3, 2, 0, 9)) };
    const { codes, of } = await onBus({ stray }).examine();
    expect(codes).toEqual(['good PORT_OPEN', 'good BYTES_SEEN', 'good FRAMING_GOOD', 'good ADDRESS_GOOD', 'good TABLE_GOOD']);
    expect(of('bytes')?.notes).toMatchObject([{ code: 'BYTES_STRAY', params: { answering: '1' } }]);
  });

  it('with half an answer to somebody before is no other master either', async () => {
    const stray = { delayMs: 100, octets: Uint8Array.of(1, 3, 8, 0, 1, 0, 2) };
    expect((await onBus({ stray, isVirtual: false }).examine()).codes[3]).toBe('good ADDRESS_GOOD');
  });
});

describe('a slave that answers one question in two', () => {
  it('does not prove another format, and is told as unsteady', async () => {
    const { codes, of } = await onBus({ onAnswer: everySecond }).examine();
    expect(codes[3]).toBe('warning ADDRESS_UNSTEADY');
    expect(of('address')?.params).toEqual({ address: 1, answered: 1, asked: 2 });
    expect(codes.filter((code) => code.includes('FORMAT'))).toEqual([]);
  });

  it.each([2, 3, 4, 5])('or only the %ith, proves none', async (nth) => {
    const onAnswer = (octets: Uint8Array, index: number) => (index >= nth ? [{ delayMs: 20, octets }] : []);
    const { codes, of } = await onBus({ onAnswer }).examine();
    expect(codes.filter((code) => code.includes('FORMAT'))).toEqual([]);
    expect(codes[3]).toBe('warning ADDRESS_UNSTEADY');
    // one answer of one register
    expect([of('bytes')?.params, of('framing')?.params]).toEqual([{ count: 7 }, { frames: 1, protocol: 'Modbus RTU' }]);
  });

  it('whose first answer was disturbed is not lost', async () => {
    const onAnswer = (octets: Uint8Array, index: number) => [{ delayMs: 20, octets: index === 0 ? octets.with(3, 0x55) : octets }];
    const { codes } = await onBus({ onAnswer }).examine();
    expect(codes.slice(2)).toEqual(['warning FRAMING_MIXED', 'warning ADDRESS_UNSTEADY', 'good TABLE_GOOD']);
  });
});

describe('answers that are no frames', () => {
  it.each([2, 3, 4, 6])('half ones of %i octets are broken answers, and no wrong baud rate', async (octets) => {
    const { codes, of } = await onBus({ onAnswer: (answer) => [{ delayMs: 20, octets: answer.slice(0, octets) }] }).examine();
    expect(codes.slice(1, 3)).toEqual(['good BYTES_SEEN', 'bad FRAMING_BROKEN']);
    expect(of('framing')?.next_step).toContain('Two devices with this address');
  });

  it.each([0, 1, 3, 10, 25])(
    'of two slaves of one address at once, %i bits apart and more from question to question, are none either',
    async (offset) => {
      const two = [registerSlave(0x1234), registerSlave(0x4321)] as const;
      const frames = two.map((slave) => (pdu: Uint8Array) => encodeRtu(1, slave(pdu) ?? pdu));
      let question = Uint8Array.of(3, 0, 0, 0, 1);
      const watching: Slave = (pdu) => {
        question = Uint8Array.from(pdu);
        return two[0](pdu);
      };
      const onAnswer = (_: Uint8Array, index: number) => {
        const [first, second] = frames.map((frame) => frame(question)) as [Uint8Array, Uint8Array];
        return [{ delayMs: 20, octets: collide(first, second, offset + 3 * (index % 4), '8N1') }];
      };
      const { codes } = await onBus({ slaves: [[1, watching]], onAnswer }).examine();
      expect(codes.filter((code) => LINE_SETTINGS.some((wrong) => code.endsWith(wrong)))).toEqual([]);
      expect(codes[2]).toMatch(/^(bad FRAMING_BROKEN|bad FRAMING_UNSTEADY|warning FRAMING_MIXED)$/);
    },
  );
});

describe('octets that no device of the protocol sends', () => {
  /** Of twelve such ones none is made by a slower sender. */
  const ODD = [0x01, 0x1a, 0x25, 0x2c, 0x57, 0x91, 0xa4, 0xb5, 0xd3, 0xe6, 0xf1, 0x8a];
  const EVEN = ODD.map((octet) => octet ^ 0x40);

  it.each([
    ['with an odd number of ones each', ODD, 'FRAMING_FORMAT_SEEN', { seen: '8E1', set: '8N1' }],
    ['with an even number of ones each', EVEN, 'FRAMING_FORMAT_SEEN', { seen: '8O1', set: '8N1' }],
    ['with ones of both parities', [...'SP 230.1 V L1'].map((char) => char.charCodeAt(0) | 0x80), 'FRAMING_NOISE', { count: 39 }],
    [
      'of a sender at half the rate',
      [0x18, 0x1e, 0x66, 0x78, 0x7e, 0x80, 0x86, 0x98, 0x9e, 0xe0, 0xe6],
      'FRAMING_BAUD_SEEN',
      { seen: 4800, set: 9600 },
    ],
    ['of a line that is held low', [0, 0, 0, 0], 'FRAMING_BREAK', {}],
    ['of a line that is held low, too few to say so', [0], 'FRAMING_NOISE', { count: 3 }],
  ])('%s', async (_, octets, code, params) => {
    const respond = () => [{ delayMs: 20, octets: Uint8Array.from(octets) }];
    const { codes, of } = await onBus({ slaves: [], respond }).examine();
    expect(codes.slice(1)).toEqual(['good BYTES_SEEN', `bad ${code}`, 'skipped NOT_REACHED', 'skipped NOT_REACHED']);
    expect(of('framing')?.params).toMatchObject(params);
  });

  it.each([
    ['other ones to each question are of a line that is disturbed', 4, 'FRAMING_UNSTEADY'],
    ['fewer than an answer has are noise', 3, 'FRAMING_NOISE'],
  ])('%s', async (_, count, code) => {
    let times = 0;
    const respond = () => [{ delayMs: 20, octets: Uint8Array.from([0x12, 0xb7, 0x3e, 0xc1 + times++]).slice(4 - count) }];
    const { of } = await onBus({ slaves: [], respond }).examine();
    expect(of('framing')).toMatchObject({ state: 'bad', code });
  });

  it('the same ones to each question are of somebody else', async () => {
    const respond = () => [{ delayMs: 20, octets: Uint8Array.of(0x12, 0xb7, 0x3e, 0xc1) }];
    expect((await onBus({ slaves: [], respond }).examine()).codes[2]).toBe('bad FRAMING_NOISE');
  });
});

describe('two answers to one question', () => {
  it('are two devices only when they come again', async () => {
    const twice = (octets: Uint8Array) => [
      { delayMs: 10, octets },
      { delayMs: 40, octets },
    ];
    const always = await onBus({ onAnswer: twice }).examine();
    expect(always.codes[3]).toBe('bad ADDRESS_TWO');
    const once = await onBus({ onAnswer: (octets, index) => (index === 0 ? twice(octets) : [{ delayMs: 10, octets }]) }).examine();
    expect(once.codes[3]).toBe('good ADDRESS_GOOD');
  });
});

describe('a device that knows one function', () => {
  /** Registers of function 4 alone. */
  const inputs: Slave = (pdu) => {
    if (pdu[0] !== 4) return Uint8Array.of((pdu[0] ?? 0) | 0x80, 1);
    const quantity = ((pdu[3] ?? 0) << 8) | (pdu[4] ?? 0);
    return Uint8Array.from([4, 2 * quantity, ...new Uint8Array(2 * quantity).fill(1)]);
  };

  it('which the table does not use: the function that works is the headline', async () => {
    const { codes, of } = await onBus({ slaves: [[1, inputs]] }, [{ slave_id: 1, address: 5 }]).examine();
    expect(codes[4]).toBe('bad TABLE_FUNCTION_OTHER');
    expect(of('table')?.params).toMatchObject({ function: 3, works: 4 });
    expect(of('table')?.next_step).toBe('Set func_code of these points to 4.');
  });

  it('and not the address either: the hint is the headline', async () => {
    const none: Slave = (pdu) => Uint8Array.of((pdu[0] ?? 0) | 0x80, pdu[0] === 4 ? 2 : 1);
    expect((await onBus({ slaves: [[1, none]] }, [{ slave_id: 1, address: 5 }]).examine()).codes[4]).toBe('bad TABLE_FUNCTION');
  });
});

describe('over TCP', () => {
  async function examine(script: DeviceScript) {
    const bench = new JobBench([modbusTcpDriver]);
    const channel = bench.client(await bench.device(script), [{ slave_id: 1 }]);
    const job = await bench.ended(bench.start('startDoctor', { channel_id: channel.id, slave_ids: [], listen_ms: 0 }) as DoctorJob);
    await bench.clock.advance(20_000);
    expect(bench.clock.pending).toBe(0);
    return job.findings.map(({ state, code }) => `${state} ${code}`);
  }
  const answerTo = (bytes: Uint8Array) => encodeMbap(((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0), bytes[6] ?? 0, Uint8Array.of(3, 2, 0, 7));

  it.each([1.2, 2.6, 6])('an answer that is late by %d × timeout is told as late', async (times) => {
    const codes = await examine((peer, bytes, clock) => {
      if (bytes.length > 7) clock.after(times * TIMEOUT_MS, () => void peer.write(answerTo(bytes)).catch(() => undefined));
    });
    expect(codes.slice(1)).toEqual(['good BYTES_SEEN', 'good FRAMING_GOOD', 'bad ADDRESS_LATE', 'good TABLE_GOOD']);
  });

  it('a gateway that says late that it does not reach the device is one, and no slow device', async () => {
    const codes = await examine((peer, bytes, clock) => {
      const refusal = encodeMbap(((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0), bytes[6] ?? 0, Uint8Array.of(0x83, 11));
      if (bytes.length > 7) clock.after(2 * TIMEOUT_MS, () => void peer.write(refusal).catch(() => undefined));
    });
    expect(codes.slice(3)).toEqual(['bad ADDRESS_GATEWAY', 'skipped NOT_REACHED']);
  });

  it('half an answer is told as cut', async () => {
    const codes = await examine((peer, bytes) => {
      if (bytes.length > 7) void peer.write(answerTo(bytes).slice(0, 8));
    });
    expect(codes[2]).toBe('bad FRAMING_CUT');
  });

  it('every second question unanswered is told as unsteady', async () => {
    let asked = 0;
    const codes = await examine((peer, bytes) => {
      if (bytes.length > 7 && asked++ % 2 === 1) void peer.write(answerTo(bytes));
    });
    expect(codes[3]).toBe('warning ADDRESS_UNSTEADY');
  });
});
