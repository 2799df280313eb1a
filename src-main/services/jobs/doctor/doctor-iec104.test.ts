/** The doctor at stations of IEC 104: ours with any sizes and addresses, and ones that are silent, closed or something else. */
import { describe, expect, it } from 'vitest';
import type { DoctorJob } from '#shared/contract/jobs.ts';
import { FrameType, ProtocolType } from '#shared/domain/enums.ts';
import { iec104Driver } from '../../../drivers/iec104/driver.ts';
import type { PointConfig } from '../../../drivers/spi/index.ts';
import { type DeviceScript, JobBench } from '../testing/job-bench.ts';

const STARTDT_CON = Uint8Array.of(0x68, 4, 0x0b, 0, 0, 0);
const yx = (slaveId: number): Partial<PointConfig> => ({
  frame_type: FrameType.yx,
  slave_id: slaveId,
  decode: '',
  protocol: { type_id: 1 },
});

class Patient {
  readonly bench = new JobBench([iec104Driver]);

  /** Serves a station on a port. */
  async station(protocol: Record<string, unknown>, stations: readonly number[] = [1]): Promise<number> {
    const port = this.bench.network.freePort();
    const points = stations.flatMap((station, at) => [0, 1, 2].map((index) => ({ ...yx(station), address: at * 10 + index + 1 })));
    const channel = this.bench.client(port, points, { protocol_type: ProtocolType.iec104, conn_type: 1, protocol });
    await channel.start();
    return port;
  }

  async examine(port: number, protocol: Record<string, unknown> = {}, stations: readonly number[] = [1], isRunning = false) {
    const channel = this.bench.client(port, stations.map(yx), {
      protocol_type: ProtocolType.iec104,
      timeout_ms: 500,
      protocol: { general_interrogation: false, ...protocol },
    });
    if (isRunning) {
      const started = channel.start();
      await this.bench.clock.advance(100);
      await started;
    }
    const started = this.bench.start('startDoctor', { channel_id: channel.id, slave_ids: [], listen_ms: 0 }) as DoctorJob;
    const job = await this.bench.ended(started);
    const codes = job.findings.slice(3).map(({ state, code }) => `${state} ${code}`);
    return { job, codes, channel, of: (at: number) => job.findings[3 + at] };
  }
}

const examineScript = async (script: DeviceScript) => {
  const patient = new Patient();
  return patient.examine(await patient.bench.device(script), { t1_s: 2, t2_s: 1 });
};

describe('the start of data transfer', () => {
  it('a station that says nothing', async () => {
    const { codes, of } = await examineScript(() => undefined);
    expect(codes).toEqual(['bad STARTDT_SILENT', 'skipped NOT_REACHED', 'skipped NOT_REACHED']);
    expect(of(0)?.text).toContain('within 2000 ms');
    expect(of(0)?.next_step).toContain('Another master');
  });

  it('a station that closes', async () => {
    const { codes } = await examineScript((peer, bytes) => bytes.length > 0 && void peer.close());
    expect(codes[0]).toBe('bad STARTDT_CLOSED');
  });

  it('another service', async () => {
    const { codes, of } = await examineScript((peer, bytes) => bytes.length > 0 && void peer.write(Buffer.from('SSH-2.0-x\r\n')));
    expect(codes[0]).toBe('bad STARTDT_FOREIGN');
    expect(of(0)?.text).toContain('53 53 48 2D');
  });

  it('a station that speaks TLS here', async () => {
    const { codes } = await examineScript((peer, bytes) => bytes.length > 0 && void peer.write(Uint8Array.of(0x15, 3, 3, 0, 2, 2, 70)));
    expect(codes[0]).toBe('bad STARTDT_TLS');
  });

  it('w above two thirds of k is noted', async () => {
    const patient = new Patient();
    const port = await patient.station({});
    const { of, codes } = await patient.examine(port, { k: 12, w: 9 });
    expect([codes[0], of(0)?.notes[0]?.text]).toEqual([
      'good STARTDT_CONFIRMED',
      'w is 9 at k 12: a station with the same k stops sending before it is acknowledged.',
    ]);
    expect((await patient.examine(port, { k: 12, w: 8 })).of(0)?.notes).toEqual([]);
  });
});

describe('sizes and common addresses', () => {
  it.each([
    [2, 2, 3],
    [1, 1, 2],
    [2, 1, 2],
    [1, 2, 3],
  ])(
    'a station with %i/%i/%i that tells of its start: found, and right where they are right',
    async (cause_size, common_address_size, object_address_size) => {
      for (const end_of_initialization of [true, false]) {
        const patient = new Patient();
        const sizes = { cause_size, common_address_size, object_address_size };
        const port = await patient.station({ ...sizes, end_of_initialization });
        const text = `${cause_size}/${common_address_size}/${object_address_size}`;
        const right = await patient.examine(port, sizes);
        expect(right.codes).toEqual(['good STARTDT_CONFIRMED', 'good SIZES_GOOD', 'good STATION_GOOD']);
        const wrong = await patient.examine(port, { cause_size: 2, common_address_size: 2, object_address_size: text === '2/2/3' ? 2 : 3 });
        expect(wrong.codes.slice(0, 2)).toEqual(['good STARTDT_CONFIRMED', 'bad SIZES_OTHER']);
        expect(wrong.of(1)?.params.found).toBe(text);
      }
    },
  );

  it('another common address: named', async () => {
    const patient = new Patient();
    const { codes, of } = await patient.examine(await patient.station({ end_of_initialization: false }, [7, 9]), {}, [1]);
    expect(codes).toEqual(['good STARTDT_CONFIRMED', 'good SIZES_GOOD', 'bad STATION_OTHER']);
    expect(of(2)?.params).toEqual({ addresses: '1', found: '7, 9' });
  });

  it('one of two common addresses, and none in the table', async () => {
    const patient = new Patient();
    const port = await patient.station({}, [1, 2]);
    const part = await patient.examine(port, {}, [1, 5]);
    expect([part.codes[2], part.of(2)?.params]).toEqual(['warning STATION_PART', { addresses: '1', missing: '5' }]);
    const none = await patient.examine(port, {}, []);
    expect([none.codes[2], none.of(2)?.params]).toEqual(['good STATION_SEEN', { found: '1, 2' }]);
  });

  it('a station that confirms STARTDT and answers nothing', async () => {
    const { codes, job, of } = await examineScript((peer, bytes) => bytes[2] === 0x07 && void peer.write(STARTDT_CON));
    expect(codes).toEqual(['good STARTDT_CONFIRMED', 'warning SIZES_UNPROVED', 'bad STATION_SILENT']);
    expect([job.state, of(2)?.params]).toEqual(['done', { addresses: '1', ms: 500 }]);
  });

  it('over a running channel: no second connection, and the same words', async () => {
    const patient = new Patient();
    const port = await patient.station({}, [1]);
    const good = await patient.examine(port, {}, [1], true);
    expect(good.codes).toEqual(['good STARTDT_STANDS', 'good SIZES_GOOD', 'good STATION_GOOD']);
    const other = await patient.examine(port, {}, [4], true);
    expect(other.codes).toEqual(['good STARTDT_STANDS', 'warning SIZES_UNPROVED', 'bad STATION_UNKNOWN']);
  });

  it('asks nothing but interrogations', async () => {
    const patient = new Patient();
    await patient.examine(await patient.station({ object_address_size: 2, end_of_initialization: false }), {});
    const asked = patient.bench.wire
      .filter((bytes) => bytes[0] === 0x68 && ((bytes[2] ?? 1) & 1) === 0 && bytes.length > 6)
      .map((bytes) => bytes[6]);
    expect(new Set(asked.filter((type) => (type ?? 0) >= 45 && type !== 70))).toEqual(new Set([100]));
  });
});
