import { describe, expect, it } from 'vitest';
import type { DoctorJob } from '#shared/contract/jobs.ts';
import { ASKING_LAYERS } from '#shared/domain/doctor.ts';
import { modbusTcpDriver } from '../../../drivers/modbus/driver.ts';
import { encodeMbap } from '../../../drivers/modbus/link/mbap.ts';
import { modbusRtuDriver } from '../../../drivers/modbus/rtu/driver.ts';
import { encodeRtu } from '../../../drivers/modbus/rtu/framing.ts';
import type { AcceptedPeer } from '../../../transport/types.ts';
import { type DeviceScript, JobBench } from '../testing/job-bench.ts';

const READS = [1, 2, 3, 4, 43];

async function examine(
  script: DeviceScript | null,
  points: Parameters<JobBench['client']>[1] = [{ slave_id: 1 }],
  slaveIds: number[] = [],
) {
  const bench = new JobBench([modbusTcpDriver]);
  const channel = bench.client(script ? await bench.device(script) : 9, points);
  const job = bench.start('startDoctor', { channel_id: channel.id, slave_ids: slaveIds, listen_ms: 100 }) as DoctorJob;
  const ended = await bench.ended(job);
  expect(bench.functionsOnWire().filter((code) => !READS.includes(code))).toEqual([]);
  expect(ended.findings.map((verdict) => verdict.layer)).toEqual([...ASKING_LAYERS]);
  expect([ended.state, ended.current, ended.total]).toEqual(['done', 5, 5]);
  expect(channel.state().status).toBe('stopped');
  return { bench, channel, job: ended, codes: ended.findings.map((verdict) => `${verdict.state} ${verdict.code}`) };
}

/** A Modbus TCP device: `answer` makes the PDU of an answer for each unit it is; null is silence. */
function modbus(answer: (unitId: number, pdu: Uint8Array) => Uint8Array | null): DeviceScript {
  return (peer, bytes) => {
    if (bytes.length < 8) return;
    const pdu = answer(bytes[6] ?? 0, bytes.subarray(7));
    if (pdu) void peer.write(encodeMbap(((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0), bytes[6] ?? 0, pdu));
  };
}

const registers = (pdu: Uint8Array, ...values: number[]) => {
  const quantity = pdu[4] ?? 1;
  return Uint8Array.from([3, 2 * quantity, ...Array.from({ length: 2 * quantity }, (_, index) => values[index % values.length] ?? 0)]);
};
const text = (words: string) => new TextEncoder().encode(words);

describe('a device that is as it should be', () => {
  it('gets five good verdicts, and what was sent is in the frame log of the channel', async () => {
    const { codes, channel, job } = await examine(modbus((unit, pdu) => (unit === 1 ? registers(pdu, 0, 7) : null)));
    expect(codes).toEqual(['good LINE_CONNECTED', 'good BYTES_SEEN', 'good FRAMING_GOOD', 'good ADDRESS_GOOD', 'good TABLE_GOOD']);
    expect(job.findings[0]?.text).toMatch(/^192\.0\.2\.10:\d+ accepted the connection after \d+ ms\.$/);
    expect(job.findings[0]?.next_step).toBeNull();
    expect(channel.frames.list({ limit: 10 }).map((frame) => frame.kind)).toEqual(['tx', 'rx', 'tx', 'rx']);
  });

  it('without a table is told to have one made', async () => {
    const { codes } = await examine(
      modbus((_, pdu) => registers(pdu, 0)),
      [],
    );
    expect(codes.slice(3)).toEqual(['good ADDRESS_GOOD', 'warning TABLE_EMPTY']);
  });

  it('that answers with exceptions is alive', async () => {
    const { codes } = await examine(
      modbus((_, pdu) => (pdu[4] === 1 && pdu[2] === 0 ? Uint8Array.of(0x83, 2) : registers(pdu, 0))),
      [{ address: 7 }],
    );
    expect(codes).toEqual(['good LINE_CONNECTED', 'good BYTES_SEEN', 'good FRAMING_GOOD', 'good ADDRESS_GOOD', 'good TABLE_GOOD']);
  });
});

describe('line', () => {
  it('refused', async () => {
    const { codes, job } = await examine(null);
    expect(job.findings[0]?.params).toEqual({ target: '192.0.2.10:9', protocol: 'Modbus TCP', usual: 502 });
    expect(codes).toEqual(['bad LINE_REFUSED', 'skipped NOT_REACHED', 'skipped NOT_REACHED', 'skipped NOT_REACHED', 'skipped NOT_REACHED']);
  });

  it('timed out', async () => {
    const bench = new JobBench([modbusTcpDriver]);
    bench.network.isSilent = true;
    const job = bench.start('startDoctor', { channel_id: bench.client(9).id, slave_ids: [], listen_ms: 0 }) as DoctorJob;
    const ended = await bench.ended(job);
    expect(ended.findings[0]).toMatchObject({ layer: 'line', state: 'bad', code: 'LINE_TIMEOUT', params: { ms: 3000 } });
  });

  it('dropped at once', async () => {
    const { codes } = await examine((peer) => void peer.close());
    expect(codes[1]).toBe('bad LINE_DROPPED');
  });
});

describe('bytes and framing', () => {
  it('silence', async () => {
    const { codes, job } = await examine(() => undefined);
    expect(codes.slice(1)).toEqual(['bad BYTES_NONE_TCP', 'skipped NOT_REACHED', 'skipped ADDRESS_SILENT', 'skipped NOT_REACHED']);
    expect(job.findings[1]?.params).toEqual({ asked: 1, ms: 200 });
  });

  it('closed when asked', async () => {
    const { codes } = await examine((peer, bytes) => bytes.length > 0 && void peer.close());
    expect(codes[1]).toBe('bad BYTES_CLOSED');
  });

  it('a device that speaks RTU frames over TCP is recognised by asking it so', async () => {
    const answer = encodeRtu(1, Uint8Array.of(3, 2, 0, 1));
    const isRtu = (bytes: Uint8Array) => bytes.length === 8 && bytes[1] === 3;
    const { codes, job } = await examine((peer: AcceptedPeer, bytes) => isRtu(bytes) && void peer.write(answer));
    expect(codes.slice(1, 3)).toEqual(['good BYTES_SEEN', 'bad FRAMING_RTU_OVER_TCP']);
    expect(job.findings[2]?.next_step).toContain('Modbus RTU');
  });

  it('a device that speaks Modbus TCP where RTU frames are asked for is recognised in the same way', async () => {
    const bench = new JobBench([modbusRtuDriver]);
    const port = await bench.device((peer, bytes) => {
      if (bytes[2] === 0 && bytes[3] === 0 && bytes.length === 12)
        void peer.write(encodeMbap(((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0), bytes[6] ?? 0, Uint8Array.of(3, 2, 0, 1)));
    });
    const channel = bench.client(port, [{ slave_id: 1 }], { protocol_type: 2 });
    const job = await bench.ended(bench.start('startDoctor', { channel_id: channel.id, slave_ids: [], listen_ms: 100 }) as DoctorJob);
    expect(job.findings.map(({ state, code }) => `${state} ${code}`).slice(1, 3)).toEqual(['good BYTES_SEEN', 'bad FRAMING_TCP_NOT_RTU']);
    expect(job.findings[2]?.next_step).toContain('Modbus TCP');
  });

  it.each([
    ['HTTP', text('HTTP/1.0 400 Bad Request\r\n\r\n')],
    ['TLS', Uint8Array.of(0x15, 3, 1, 0, 2, 2, 10)],
    ['IEC 60870-5-104', Uint8Array.of(0x68, 4, 0x0b, 0, 0, 0)],
  ])('%s is recognised', async (found, reply) => {
    const { codes, job } = await examine((peer, bytes) => bytes.length > 0 && void peer.write(reply));
    expect(codes.slice(1, 3)).toEqual(['good BYTES_SEEN', 'bad FRAMING_FOREIGN']);
    expect(job.findings[2]?.params).toEqual({ found, protocol: 'Modbus TCP' });
  });

  it('a greeting is recognised without a question', async () => {
    const { bench, job } = await examine((peer, bytes) => bytes.length === 0 && void peer.write(text('SSH-2.0-dropbear\r\n')));
    expect(job.findings[2]?.params.found).toBe('SSH');
    expect(bench.wire).toEqual([]);
  });

  it('octets without meaning are noise', async () => {
    const { codes } = await examine(
      (peer, bytes) => bytes.length > 0 && void peer.write(Uint8Array.of(0xf8, 0, 0x78, 0x80, 0xfe, 0xf8, 1, 2)),
    );
    expect(codes[2]).toBe('bad FRAMING_NOISE');
  });

  it.each([
    ['of a serial line that is held low', () => new Uint8Array(6)],
    ['that differ each time', (at: number) => Uint8Array.of(0xf8, 0, 0x78, 0x80 + at, 0xfe, 0xf8, 1, at)],
  ])('octets %s are noise as well: no parity, no baud rate, no second device is looked for', async (_, octets) => {
    let asked = 0;
    const { codes, job } = await examine((peer, bytes) => bytes.length > 0 && void peer.write(octets(asked++)));
    expect(codes.slice(1)).toEqual(['good BYTES_SEEN', 'bad FRAMING_NOISE', 'skipped NOT_REACHED', 'skipped NOT_REACHED']);
    expect(job.findings[2]?.params).toEqual({ count: job.findings[1]?.params.count, protocol: 'Modbus TCP' });
  });
});

describe('address', () => {
  it('another one answers', async () => {
    const { codes, job } = await examine(modbus((unit, pdu) => (unit === 255 ? registers(pdu, 0) : null)));
    expect(codes.slice(1)).toEqual(['good BYTES_SEEN', 'good FRAMING_GOOD', 'bad ADDRESS_OTHER', 'skipped NOT_REACHED']);
    expect(job.findings[3]?.params).toEqual({ asked: '1', answering: '255' });
  });

  it('some answer', async () => {
    const { codes, job } = await examine(
      modbus((unit, pdu) => (unit === 2 ? registers(pdu, 0) : null)),
      [{ slave_id: 1 }, { slave_id: 2 }],
    );
    expect(codes.slice(3)).toEqual(['warning ADDRESS_SOME', 'good TABLE_GOOD']);
    expect(job.findings[3]?.params).toEqual({ answering: '2', silent: '1' });
  });

  it('a gateway answers for a device it does not reach', async () => {
    const { codes, job } = await examine(modbus(() => Uint8Array.of(0x83, 11)));
    expect(codes.slice(3)).toEqual(['bad ADDRESS_GATEWAY', 'skipped NOT_REACHED']);
    expect(job.findings[3]?.text).toContain('exception 11');
  });

  it('an answer in the name of another unit', async () => {
    const foreign: DeviceScript = (peer, bytes) => {
      if (bytes.length >= 8) void peer.write(encodeMbap(((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0), 9, Uint8Array.of(3, 2, 0, 1)));
    };
    const { codes } = await examine(foreign);
    expect(codes[3]).toBe('bad ADDRESS_MISMATCH');
  });

  it('asked for by the caller goes before the table', async () => {
    const { job } = await examine(
      modbus((_, pdu) => registers(pdu, 0)),
      [{ slave_id: 1 }],
      [7],
    );
    expect(job.findings[3]?.params).toEqual({ answering: '7' });
  });
});

describe('table', () => {
  const table = (answer: (address: number, pdu: Uint8Array) => Uint8Array) =>
    modbus((_, pdu) => answer(((pdu[1] ?? 0) << 8) | (pdu[2] ?? 0), pdu));

  it('addresses the device has not', async () => {
    const { codes, job } = await examine(
      table((address, pdu) => (address < 10 ? registers(pdu, 0) : Uint8Array.of(0x83, 2))),
      [{ address: 5 }, { address: 20, code: 'X' }, { address: 30 }],
    );
    expect(codes[4]).toBe('bad TABLE_MISSING');
    expect(job.findings[4]?.params).toMatchObject({ missing: 2, asked: 3 });
  });

  it('printed register numbers', async () => {
    const { job } = await examine(
      table((address, pdu) => (address < 100 ? registers(pdu, 0) : Uint8Array.of(0x83, 2))),
      [{ address: 40_001 }, { address: 40_010 }],
    );
    expect(job.findings[4]).toMatchObject({ code: 'TABLE_MISSING', notes: [{ code: 'TABLE_BASE', params: { base: 40_001 } }] });
  });

  it('floats in another order', async () => {
    const { codes, job } = await examine(
      table((_, pdu) => (pdu[4] === 2 ? Uint8Array.of(3, 4, 0x80, 0, 0x43, 0x66) : registers(pdu, 0))),
      [
        { address: 10, decode: '0x42' },
        { address: 12, decode: '0x42' },
      ],
    );
    expect(codes[4]).toBe('warning TABLE_ORDER');
    expect(job.findings[4]?.text).toContain('0x45 float32 CDAB');
  });

  it.each([
    ['from the first point on', () => true, 3],
    ['now and then', (at: number) => at % 3 !== 0, 8],
    ['from the fifth on', (at: number) => at > 4, 7],
  ])('of a device that is silent %s: three questions in a row that nobody answers are the last', async (_, isSilent, asked) => {
    const addresses: number[] = [];
    const device = modbus((_unit, pdu) => {
      const address = ((pdu[1] ?? 0) << 8) | (pdu[2] ?? 0);
      if (address < 100) return registers(pdu, 0);
      if (addresses.at(-1) !== address) addresses.push(address);
      return isSilent(addresses.length) ? null : registers(pdu, 1);
    });
    // four of each kind are read
    const table = [103, 106, 109, 112].flatMap((address) => [{ address }, { address: address + 1, decode: '0x21' }]);
    const { job } = await examine(device, table);
    expect(addresses).toHaveLength(asked);
    expect(job.findings[4]?.params).toMatchObject({ asked });
  });

  it('of a device that closes behind each answer: nothing of it is good', async () => {
    const once: DeviceScript = (peer, bytes) => {
      if (bytes.length < 8) return;
      modbus((_, pdu) => registers(pdu, 0))(peer, bytes, undefined as never);
      void peer.close();
    };
    const { codes, job } = await examine(once, [{ address: 3 }, { address: 4 }]);
    expect(codes.slice(3)).toEqual(['good ADDRESS_GOOD', 'bad TABLE_FAILED']);
    expect(job.findings[4]?.params).toMatchObject({ failed: 1, asked: 1 });
  });

  it('of a device that closes behind the third answer: what came is not all of it', async () => {
    let asked = 0;
    const thrice: DeviceScript = (peer, bytes) => {
      if (bytes.length < 8) return;
      modbus((_, pdu) => registers(pdu, 0))(peer, bytes, undefined as never);
      asked += 1;
      if (asked === 3) void peer.close();
    };
    const { codes, job } = await examine(
      thrice,
      [3, 4, 5, 6].map((address) => ({ address })),
    );
    expect(codes.slice(3)).toEqual(['good ADDRESS_GOOD', 'warning TABLE_FAILED']);
    expect(job.findings[4]?.params).toMatchObject({ failed: 1, asked: 3 });
  });

  it('reads that fail otherwise', async () => {
    const { codes } = await examine(
      table((address, pdu) => (address === 0 ? registers(pdu, 0) : Uint8Array.of(0x83, 4))),
      [{ address: 3 }],
    );
    expect(codes[4]).toBe('bad TABLE_FAILED');
  });
});

describe('on a running channel', () => {
  it('asks between the exchanges of its tasks, under its lock', async () => {
    const bench = new JobBench([modbusTcpDriver]);
    const port = await bench.device(modbus((unit, pdu) => (unit === 1 ? registers(pdu, 0, 9) : null)));
    const channel = bench.client(port, [{ slave_id: 1 }, { slave_id: 2 }]);
    await channel.start();
    const job = bench.start('startDoctor', { channel_id: channel.id, slave_ids: [], listen_ms: 0 }) as DoctorJob;
    const ended = await bench.ended(job);
    const codes = ended.findings.map((verdict) => verdict.code);
    expect(codes).toEqual(['LINE_STANDS', 'BYTES_SEEN', 'FRAMING_GOOD', 'ADDRESS_SOME', 'TABLE_GOOD']);
    expect(channel.state().status).toBe('running');
    expect(bench.functionsOnWire()).toEqual([3]);
  });

  it('that is silent says so', async () => {
    const bench = new JobBench([modbusTcpDriver]);
    const channel = bench.client(await bench.device(() => undefined), [{ slave_id: 1 }]);
    await channel.start();
    const ended = await bench.ended(bench.start('startDoctor', { channel_id: channel.id, slave_ids: [], listen_ms: 0 }) as DoctorJob);
    expect(ended.findings.map((verdict) => verdict.code)).toEqual([
      'LINE_STANDS',
      'BYTES_NONE_TCP',
      'NOT_REACHED',
      'ADDRESS_SILENT',
      'NOT_REACHED',
    ]);
  });

  it('whose device closed meanwhile is not told as silent', async () => {
    const bench = new JobBench([modbusTcpDriver]);
    const port = await bench.device((peer, bytes) => bytes.length > 0 && void peer.close());
    const channel = bench.client(port, [{ slave_id: 1 }]);
    await channel.start();
    const ended = await bench.ended(bench.start('startDoctor', { channel_id: channel.id, slave_ids: [], listen_ms: 0 }) as DoctorJob);
    const codes = ended.findings.map((verdict) => verdict.code);
    expect([ended.state, codes]).toEqual(['done', ['LINE_STANDS', 'BYTES_CLOSED', 'NOT_REACHED', 'ADDRESS_SILENT', 'NOT_REACHED']]);
  });

  it('fails when the channel is stopped meanwhile', async () => {
    const bench = new JobBench([modbusTcpDriver]);
    const channel = bench.client(await bench.device(() => undefined), [{ slave_id: 1 }, { slave_id: 2 }, { slave_id: 3 }]);
    await channel.start();
    const job = bench.start('startDoctor', { channel_id: channel.id, slave_ids: [], listen_ms: 0 }) as DoctorJob;
    await bench.clock.advance(10);
    void channel.stop();
    const ended = await bench.ended(job);
    expect([ended.state, ended.last_error]).toEqual(['failed', expect.stringContaining('is stopping')]);
  });
});

describe('cancel', () => {
  it.each([0, 1, 100, 160, 200, 400, 700])('after %i ms ends with what was found, and leaves nothing behind', async (ms) => {
    const bench = new JobBench([modbusTcpDriver]);
    const channel = bench.client(await bench.device(() => undefined), [{ slave_id: 1 }]);
    const job = bench.start('startDoctor', { channel_id: channel.id, slave_ids: [1, 2, 3], listen_ms: 0 }) as DoctorJob;
    await bench.clock.advance(ms);
    const answer = bench.board.cancel(job.id);
    await bench.clock.advance(1000);
    expect((await answer).state).toBe('cancelled');
    expect(bench.clock.pending).toBe(0);
    expect(bench.functionsOnWire().every((code) => READS.includes(code))).toBe(true);
  });
});

describe('refusals', () => {
  it('of channels that serve', () => {
    const bench = new JobBench([modbusTcpDriver]);
    const channel = bench.client(5020, [], { conn_type: 1 });
    expect(() => bench.start('startDoctor', { channel_id: channel.id, slave_ids: [], listen_ms: 0 })).toThrow(/serves/);
  });

  it('of a second doctor on the same channel, with the snapshot of the first', async () => {
    const bench = new JobBench([modbusTcpDriver]);
    const channel = bench.client(await bench.device(() => undefined), [{ slave_id: 1 }]);
    const request = { channel_id: channel.id, slave_ids: [], listen_ms: 0 };
    const first = bench.start('startDoctor', request) as DoctorJob;
    let refusal: unknown;
    try {
      bench.start('startDoctor', request);
    } catch (thrown) {
      refusal = thrown;
    }
    expect(refusal).toMatchObject({ code: 'STATE_CONFLICT', data: { id: first.id, kind: 'doctor' } });
    await bench.ended(first);
    expect(bench.start('startDoctor', request).id).not.toBe(first.id);
    expect(bench.board.list()).toHaveLength(1);
    await bench.clock.advance(60_000);
  });
});
