import { describe, expect, it } from 'vitest';
import type { DoctorJob } from '#shared/contract/jobs.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { modbusRtuDriver } from '../../../drivers/modbus/rtu/driver.ts';
import { encodeRtu } from '../../../drivers/modbus/rtu/framing.ts';
import type { StoredChannel } from '../../../persistence/repositories.ts';
import { concatBytes } from '../../../protocol-kit/bytes.ts';
import { JobBench } from '../testing/job-bench.ts';
import { type BusOptions, registerSlave, SerialBus } from '../testing/serial-bus.ts';

const SERIAL = { protocol_type: 2, conn_type: 0, com_port: 'COM3', baud_rate: 9600 } as const;

function onBus(
  options: Partial<Omit<BusOptions, 'clock'>>,
  settings: Partial<StoredChannel> = {},
  points: Parameters<JobBench['client']>[1] = [{ slave_id: 1 }],
) {
  let bus: SerialBus | null = null;
  const bench: JobBench = new JobBench([modbusRtuDriver], (line) => {
    if (!bus) throw new Error('no bus');
    return bus.connector(line);
  });
  const made = new SerialBus({ clock: bench.clock, baudRate: 9600, format: '8N1', slaves: [[1, registerSlave(7)]], ...options });
  bus = made;
  const channel = bench.client(502, points, { ...SERIAL, ...settings });
  const start = () => bench.start('startDoctor', { channel_id: channel.id, slave_ids: [], listen_ms: 300 }) as DoctorJob;
  const examine = async () => {
    const job = await bench.ended(start());
    expect([job.state, job.last_error]).toEqual(['done', null]);
    expect(bench.functionsOnWire().filter((code) => code !== 3)).toEqual([]);
    expect(made.isOpen).toBe(false);
    return { job, codes: job.findings.map((verdict) => `${verdict.state} ${verdict.code}`) };
  };
  return { bench, bus: made, channel, start, examine };
}

/** A question and an answer of another master's line. */
const TRAFFIC = concatBytes(
  encodeRtu(4, Uint8Array.of(3, 0, 0, 0, 4)),
  encodeRtu(4, Uint8Array.of(3, 8, 9, 8, 7, 6, 5, 4, 3, 2)),
  encodeRtu(5, Uint8Array.of(3, 1, 0, 0, 2)),
);

describe('the port', () => {
  it('opens, and everything is well', async () => {
    const { examine } = onBus({});
    const { codes, job } = await examine();
    expect(codes).toEqual(['good PORT_OPEN', 'good BYTES_SEEN', 'good FRAMING_GOOD', 'good ADDRESS_GOOD', 'good TABLE_GOOD']);
    expect(job.findings[0]?.text).toBe('COM3 is open with 9600 8N1.');
  });

  it.each([
    ['TRANSPORT_PORT_MISSING', 'PORT_MISSING'],
    ['TRANSPORT_PORT_TAKEN', 'PORT_BUSY'],
    ['TRANSPORT_PERMISSION', 'PORT_FORBIDDEN'],
    ['TIMEOUT_CONNECT', 'PORT_HUNG'],
    ['TRANSPORT_UNREACHABLE', 'PORT_FAILED'],
  ] as const)('%s is %s', async (code, expected) => {
    const { bench, bus, examine } = onBus({});
    bus.refusal = new AppError(code, quoted('no'));
    bench.serialPorts = [
      { path: 'COM7', manufacturer: null, vendorId: null, productId: null, serialNumber: null } as (typeof bench.serialPorts)[number],
    ];
    const { codes, job } = await examine();
    expect(codes[0]).toBe(`bad ${expected}`);
    if (expected === 'PORT_MISSING') expect(job.findings[0]?.text).toContain('There are: COM7.');
  });

  it('is not chosen', async () => {
    const { examine, bench } = onBus({}, { com_port: null });
    expect((await examine()).codes[0]).toBe('bad PORT_NOT_SET');
    expect(bench.wire).toEqual([]);
  });

  it('is held by the doctor meanwhile, and free afterwards', async () => {
    const { bench, channel, start } = onBus({ slaves: [] });
    const job = start();
    await bench.clock.advance(10);
    await expect(channel.start()).rejects.toMatchObject({
      code: 'TRANSPORT_PORT_TAKEN',
      message: expect.stringContaining('connection doctor of "Channel 1"'),
    });
    await bench.ended(job);
    await channel.start();
    expect(channel.state().status).toBe('running');
    await channel.stop();
  });

  it('of another running channel is refused at once', async () => {
    const { bench, channel } = onBus({});
    await channel.start();
    const other = bench.client(502, [], SERIAL);
    expect(() => bench.start('startDoctor', { channel_id: other.id, slave_ids: [], listen_ms: 0 })).toThrow(
      'used by the channel "Channel 1"',
    );
    await channel.stop();
  });
});

describe('listening first', () => {
  it('another master is recognised and nothing is sent', async () => {
    const { bench, examine } = onBus({ traffic: TRAFFIC });
    const { codes, job } = await examine();
    expect(codes).toEqual([
      'good PORT_OPEN',
      'warning BYTES_OTHER_MASTER',
      'good FRAMING_GOOD',
      'good ADDRESS_HEARD',
      'skipped NOT_REACHED',
    ]);
    expect(job.findings[1]?.params).toEqual({ addresses: '4, 5' });
    expect(bench.wire).toEqual([]);
  });

  it.each([
    [{ format: '8E1' }, '9600 8E1'],
    [{ format: '8O1' }, '9600 8O1'],
    [{ baudRate: 4800 }, '4800 8N1'],
    [{ baudRate: 2400, format: '8E1' }, '2400 8E1'],
  ])('its settings are found by listening with others: %j', async (line, works) => {
    const { bench, examine } = onBus({ traffic: TRAFFIC, ...line });
    const { codes, job } = await examine();
    expect(codes.slice(1, 3)).toEqual(['warning BYTES_OTHER_MASTER', 'bad FRAMING_FORMAT_PROVED']);
    expect(job.findings[2]?.params).toEqual({ works, set: '9600 8N1' });
    expect(bench.wire).toEqual([]);
  });
});

describe('asking', () => {
  it('nobody answers', async () => {
    const { codes, job } = await onBus({ slaves: [] }).examine();
    expect(codes.slice(1)).toEqual(['bad BYTES_NONE_SERIAL', 'skipped NOT_REACHED', 'skipped ADDRESS_SILENT', 'skipped NOT_REACHED']);
    expect(job.findings[1]?.params).toEqual({ port: 'COM3', format: '9600 8N1', asked: 1, ms: 200 });
  });

  it('only the echo comes back', async () => {
    expect((await onBus({ slaves: [], echo: true }).examine()).codes[1]).toBe('bad BYTES_ECHO_ONLY');
  });

  it('an echo in front of the answers changes nothing', async () => {
    const { codes } = await onBus({ echo: true }).examine();
    expect(codes.slice(1)).toEqual(['good BYTES_SEEN', 'good FRAMING_GOOD', 'good ADDRESS_GOOD', 'good TABLE_GOOD']);
  });

  it('a device with another parity is found by asking with it', async () => {
    const { codes, job } = await onBus({ format: '8E1' }).examine();
    expect(codes.slice(1)).toEqual(['good BYTES_SEEN', 'bad FRAMING_FORMAT_PROVED', 'good ADDRESS_GOOD', 'skipped NOT_REACHED']);
    expect(job.findings[2]?.text).toBe('The line can be read with 9600 8E1, not with 9600 8N1.');
  });

  it('two devices on one address are told', async () => {
    const { codes, job } = await onBus({
      slaves: [
        [1, registerSlave(7)],
        [1, registerSlave(8)],
      ],
    }).examine();
    expect(codes[3]).toBe('bad ADDRESS_TWO');
    expect(job.findings[3]?.params).toEqual({ address: 1 });
  });

  it('another address answers', async () => {
    const { codes, job } = await onBus({ slaves: [[2, registerSlave(7)]] }).examine();
    expect(codes[3]).toBe('bad ADDRESS_OTHER');
    expect(job.findings[3]?.params).toEqual({ asked: '1', answering: '2' });
  });

  it('a device on an address of two that answers in fragments is suspected', async () => {
    const fragments = () => Uint8Array.of(3, 200, 1, 2);
    const { codes } = await onBus(
      {
        slaves: [
          [1, registerSlave(7)],
          [2, fragments],
        ],
      },
      {},
      [{ slave_id: 1 }, { slave_id: 2 }],
    ).examine();
    expect(codes[2]).toBe('warning FRAMING_MIXED');
    expect(codes[3]).toBe('bad ADDRESS_COLLISION');
  });
});

describe('cancel', () => {
  it.each([0, 150, 350, 500, 900, 1500])('after %i ms closes the port', async (ms) => {
    const { bench, bus, start } = onBus({ slaves: [] });
    const job = start();
    await bench.clock.advance(ms);
    const answer = bench.board.cancel(job.id);
    await bench.clock.advance(1000);
    expect([(await answer).state, bus.isOpen, bench.clock.pending]).toEqual(['cancelled', false, 0]);
    expect(() => bench.manager.holdPort('serial COM3', 'a test')).not.toThrow();
  });
});
