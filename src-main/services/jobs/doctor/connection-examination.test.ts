import { describe, expect, it } from 'vitest';
import type { DoctorJob } from '#shared/contract/jobs.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { iec104Driver } from '../../../drivers/iec104/driver.ts';
import type { DriverExamination, ExaminationContext, LayerVerdict } from '../../../drivers/spi/examination.ts';
import type { ProtocolDriver } from '../../../drivers/spi/index.ts';
import type { StoredChannel } from '../../../persistence/repositories.ts';
import { delay } from '../../../platform/clock.ts';
import { type DeviceScript, JobBench } from '../testing/job-bench.ts';

const STARTDT_ACT = Uint8Array.of(0x68, 4, 0x07, 0, 0, 0);
const STARTDT_CON = Uint8Array.of(0x68, 4, 0x0b, 0, 0, 0);

/** A toy: asks by hand, then brings a session up on a second line and reads its sizes from the settings it was tried with. */
const toy: DriverExamination = {
  layers: ['startdt', 'sizes', 'station'],
  async *examine(context): AsyncGenerator<LayerVerdict, void> {
    if (context.standing) {
      const link = await context.standing.ask(async (connection) => connection.link.kind);
      yield { layer: 'startdt', state: 'good', code: 'STARTDT_CONFIRMED', params: { ms: link.length } };
      return;
    }
    context.show(quoted('Asking for STARTDT'));
    const line = await context.open();
    context.frames.record({ kind: 'tx', bytes: STARTDT_ACT });
    await line.write(STARTDT_ACT);
    await line.listen(500, context.signal);
    const { heard } = line.take();
    if (heard.length === 0) {
      yield { layer: 'startdt', state: 'bad', code: 'LAYER_FAILED', params: { detail: 'no confirmation' } };
      return;
    }
    if (heard[0] === 0x15) yield { layer: 'tls', state: 'bad', code: 'TLS_FAILED', params: { target: line.label, detail: 'alert' } };
    yield { layer: 'startdt', state: 'good', code: 'STARTDT_CONFIRMED', params: { ms: 1 } };
    const second = await context.open();
    expect(line.ended).toEqual({ kind: 'local' });
    const io = context.ioOf(second, { k: 5 });
    expect([io.settings.protocol.k, io.secrets, io.document]).toEqual([5, {}, null]);
    yield {
      layer: 'sizes',
      state: 'warning',
      code: 'STARTDT_CONFIRMED',
      params: { ms: 2 },
      notes: [{ code: 'BYTES_SEEN', params: { count: 6 } }],
    };
  },
};

const driverWith = (examination: DriverExamination): ProtocolDriver => ({ ...iec104Driver, examination });
const confirming: DeviceScript = (peer, bytes) => bytes.length > 0 && void peer.write(STARTDT_CON);

function onBench(examination: DriverExamination = toy) {
  const bench = new JobBench([driverWith(examination)]);
  const examine = async (port: number, settings: Partial<StoredChannel> = {}, slaveIds: number[] = []) => {
    const channel = bench.client(port, [], { protocol_type: 3, ...settings });
    const started = bench.start('startDoctor', { channel_id: channel.id, slave_ids: slaveIds, listen_ms: 0 }) as DoctorJob;
    const job = await bench.ended(started);
    const codes = job.findings.map(({ layer, state, code }) => `${layer} ${state} ${code}`);
    expect(bench.clock.pending).toBe(0);
    return { job, codes, channel };
  };
  return { bench, examine };
}

/** An examination that gives these verdicts, whatever the device does. */
function giving(...verdicts: LayerVerdict[]): DriverExamination {
  return {
    layers: ['startdt', 'sizes', 'station'],
    async *examine() {
      yield* verdicts;
    },
  };
}

describe('the layers below a protocol', () => {
  it('are judged before those of the driver, who gets the line that was opened', async () => {
    const { bench, examine } = onBench();
    let connections = 0;
    const port = await bench.device((peer, bytes, clock) => {
      if (bytes.length === 0) connections += 1;
      confirming(peer, bytes, clock);
    });
    const { job, codes, channel } = await examine(port);
    expect(job.layers).toEqual(['host', 'port', 'tls', 'startdt', 'sizes', 'station']);
    expect(codes).toEqual([
      'host good LINE_REACHED',
      'port good LINE_CONNECTED',
      'tls skipped TLS_OFF',
      'startdt good STARTDT_CONFIRMED',
      'sizes warning STARTDT_CONFIRMED',
      'station skipped NOT_REACHED',
    ]);
    expect(job.findings[4]?.notes).toMatchObject([{ code: 'BYTES_SEEN', text: '6 octets arrived.' }]);
    expect([job.state, job.current, job.total, connections]).toEqual(['done', 6, 6, 2]);
    expect(channel.frames.list({ limit: 9 }).map((frame) => [frame.connection, frame.kind])).toEqual([[0, 'tx']]);
    expect(channel.state().status).toBe('stopped');
  });

  it('refused: the host is there, the port is not, and the next step names the usual one', async () => {
    const { job, codes } = await onBench().examine(9);
    expect(codes.slice(0, 3)).toEqual(['host good LINE_REACHED', 'port bad LINE_REFUSED', 'tls skipped NOT_REACHED']);
    expect(job.findings[1]?.next_step).toContain('Check the port number (IEC 104: 2404)');
  });

  it('silent: the host is not proved, the port timed out', async () => {
    const { bench, examine } = onBench();
    bench.network.isSilent = true;
    const { codes, job } = await examine(9);
    expect(codes.slice(0, 2)).toEqual(['host warning LINE_UNPROVED', 'port bad LINE_TIMEOUT']);
    expect(job.findings[1]?.params.ms).toBe(30_000);
  });

  it('closed at once: another master has the only connection', async () => {
    const { bench, examine } = onBench();
    const { codes } = await examine(await bench.device((peer) => void peer.close()));
    expect(codes.slice(0, 2)).toEqual(['host good LINE_REACHED', 'port bad LINE_DROPPED']);
  });

  it('a certificate file that is not there is told, behind host and port', async () => {
    const { bench, examine } = onBench();
    const port = await bench.device(confirming);
    const protocol = { tls: true, tls_ca: '/nowhere/ca.pem' };
    bench.beforeOpen = (line) => {
      if (line.tls) throw new AppError('CONFIG_INVALID', quoted('protocol.tls_ca: there is no file /nowhere/ca.pem'));
    };
    const { codes, job } = await examine(port, { protocol });
    expect(codes.slice(0, 4)).toEqual([
      'host good LINE_REACHED',
      'port good LINE_ACCEPTED',
      'tls bad TLS_MATERIAL',
      'startdt skipped NOT_REACHED',
    ]);
    expect(job.findings[2]?.text).toContain('/nowhere/ca.pem');
  });
});

describe('the layers of a driver', () => {
  it('end at the first that is bad, with its session closed', async () => {
    let isClosed = false;
    const { bench, examine } = onBench({
      layers: ['startdt', 'sizes', 'station'],
      async *examine() {
        try {
          yield { layer: 'startdt', state: 'bad', code: 'LAYER_FAILED', params: { detail: 'x' } };
          throw new Error('asked for more');
        } finally {
          isClosed = true;
        }
      },
    });
    const { codes } = await examine(await bench.device(confirming));
    expect(codes.slice(3)).toEqual(['startdt bad LAYER_FAILED', 'sizes skipped NOT_REACHED', 'station skipped NOT_REACHED']);
    expect(isClosed).toBe(true);
  });

  it('that throw make the layer under way bad with their words', async () => {
    const { bench, examine } = onBench({
      layers: ['startdt', 'sizes', 'station'],
      async *examine(context) {
        yield { layer: 'startdt', state: 'good', code: 'STARTDT_CONFIRMED', params: { ms: 3 } };
        bench.network.breakLines();
        await (await context.open()).write(STARTDT_ACT);
        throw new AppError('TIMEOUT_RESPONSE', quoted('The station sent nothing within 15 s.'));
      },
    });
    const { codes, job } = await examine(await bench.device(confirming));
    expect(codes[4]).toBe('sizes bad LAYER_FAILED');
    expect(job.findings[4]?.text).toContain('within 15 s');
  });

  it('may find that the device wants TLS where the channel has none', async () => {
    const { bench, examine } = onBench();
    const port = await bench.device((peer, bytes) => bytes.length > 0 && void peer.write(Uint8Array.of(0x15, 3, 1, 0, 2, 2, 10)));
    expect((await examine(port)).codes.slice(2, 4)).toEqual(['tls bad TLS_FAILED', 'startdt skipped NOT_REACHED']);
  });

  it('of another protocol are a fault of the driver, and end the job', async () => {
    const { bench, examine } = onBench(giving({ layer: 'model', state: 'good', code: 'BYTES_SEEN' }));
    const { job } = await examine(await bench.device(confirming));
    expect([job.state, job.last_error]).toEqual(['failed', 'This examination has no layer model.']);
  });

  it('know the addresses that were asked about', async () => {
    let asked: ExaminationContext | null = null;
    const { bench, examine } = onBench({
      layers: ['startdt', 'sizes', 'station'],
      async *examine(context) {
        asked = context;
        yield { layer: 'startdt', state: 'good', code: 'STARTDT_CONFIRMED', params: { ms: 0 } };
      },
    });
    await examine(await bench.device(confirming), {}, [3, 3, 7]);
    expect((asked as ExaminationContext | null)?.slaveIds).toEqual([3, 7]);
  });

  it.each([0, 100, 200, 600, 900])('leave nothing behind when they are cancelled after %i ms', async (ms) => {
    const { bench } = onBench({
      layers: ['startdt', 'sizes', 'station'],
      async *examine(context) {
        const line = await context.open();
        await line.listen(400, context.signal);
        await delay(context.clock, 10_000, context.signal);
        yield { layer: 'startdt', state: 'bad', code: 'LAYER_FAILED', params: { detail: 'never' } };
      },
    });
    const channel = bench.client(await bench.device(confirming), [], { protocol_type: 3 });
    const job = bench.start('startDoctor', { channel_id: channel.id, slave_ids: [], listen_ms: 0 });
    await bench.clock.advance(ms);
    const answer = bench.board.cancel(job.id);
    await bench.clock.advance(1000);
    expect([(await answer).state, bench.clock.pending]).toEqual(['cancelled', 0]);
  });
});

describe('on a running channel', () => {
  it('no second connection is opened; the driver asks over the one that stands', async () => {
    const { bench } = onBench({
      layers: ['startdt', 'sizes', 'station'],
      async *examine(context) {
        await expect(context.open()).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
        yield* toy.examine(context);
      },
    });
    let connections = 0;
    const port = await bench.device((peer, bytes, clock) => {
      if (bytes.length === 0) connections += 1;
      confirming(peer, bytes, clock);
    });
    const channel = bench.client(port, [], { protocol_type: 3, protocol: { general_interrogation: false } });
    await channel.start();
    const started = bench.start('startDoctor', { channel_id: channel.id, slave_ids: [], listen_ms: 0 }) as DoctorJob;
    const { findings } = await bench.ended(started);
    expect(findings.map(({ code }) => code).slice(0, 4)).toEqual(['LINE_REACHED', 'LINE_STANDS', 'TLS_OFF', 'STARTDT_CONFIRMED']);
    expect([connections, channel.state().status]).toEqual([1, 'running']);
    const stopped = channel.stop();
    await bench.clock.advance(5000);
    await stopped;
  });
});
