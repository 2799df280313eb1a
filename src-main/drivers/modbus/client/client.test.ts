import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import { ManualClock } from '../../../platform/manual-clock.ts';
import type { DriverChannelSettings, PointConfig, PointReading, ReadBatch } from '../../spi/index.ts';
import { testPoint } from '../../testing/points.ts';
import { clientSettings } from '../../testing/settings.ts';
import { exchangeContext, TestFrames, TestHealth, TestSink } from '../../testing/sinks.ts';
import { modbusTcpDriver } from '../driver.ts';
import { encodeMbap } from '../link/mbap.ts';
import { TestLine } from '../testing/line.ts';
import { octets } from '../vectors/load.ts';

/** A device: gets the request PDU, gives the answer PDU as hex, or '' for silence. */
type Device = (pdu: Uint8Array, unitId: number) => string;

async function connect(points: readonly PointConfig[], device: Device, changes: Partial<DriverChannelSettings> = {}) {
  const clock = new ManualClock();
  const line = new TestLine();
  const frames = new TestFrames();
  const health = new TestHealth();
  const sink = new TestSink();
  const settings = clientSettings({ ...changes });
  line.onWrite = (bytes) => {
    const answer = device(bytes.subarray(7), bytes[6] ?? 0);
    if (answer !== '') line.receive(encodeMbap(((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0), bytes[6] ?? 0, octets(answer)));
  };
  const io = { clock, settings, points, sink, frames, health, line };
  const client = await modbusTcpDriver.connect(io, new AbortController().signal);
  /** One automatic round: every batch, and the smaller ones a refusal leads to. */
  const round = async (skipKnownHoles = true) => {
    const plan = client.plan(points, { mode: 'batch', skipKnownHoles });
    const readings: PointReading[] = [...plan.excluded];
    const waiting: ReadBatch[] = [...plan.batches];
    for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
      const answer = await client.read(batch, exchangeContext());
      readings.push(...answer.readings);
      waiting.unshift(...answer.next);
    }
    return readings.sort((a, b) => a.pointId - b.pointId);
  };
  return { clock, line, frames, health, sink, client, round };
}

const registers = (count: number) => Array.from({ length: count }, (_, at) => testPoint({ id: at + 1, address: at }));
const word = (bytes: Uint8Array, at: number) => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
const hex = (value: number) =>
  value
    .toString(16)
    .padStart(4, '0')
    .replace(/(..)(..)/, '$1 $2');

/** A device whose register n holds n; it refuses reads that touch one of `holes`, or cross a boundary. */
function device(holes: readonly number[] = [], boundaries: readonly number[] = []): Device {
  return (pdu) => {
    const [start, quantity] = [word(pdu, 1), word(pdu, 3)];
    const isRefused =
      holes.some((hole) => hole >= start && hole < start + quantity) ||
      boundaries.some((boundary) => boundary > start && boundary < start + quantity);
    if (isRefused) return `${(0x80 | (pdu[0] ?? 0)).toString(16)} 02`;
    const data = Array.from({ length: quantity }, (_, at) => hex(start + at));
    return `0${pdu[0]} ${(2 * quantity).toString(16).padStart(2, '0')} ${data.join(' ')}`;
  };
}

describe('Modbus client, reading', () => {
  it('reads neighbouring registers in one request and gives each point its value and octets', async () => {
    const { line, round } = await connect(registers(3), device());
    expect(await round()).toMatchObject([
      { kind: 'value', pointId: 1, value: 0, raw: octets('00 00') },
      { kind: 'value', pointId: 2, value: 1, raw: octets('00 01') },
      { kind: 'value', pointId: 3, value: 2, raw: octets('00 02') },
    ]);
    expect(line.sent).toEqual([octets('00 01 00 00 00 06 01 03 00 00 00 03')]);
  });

  it('reads coils out of packed octets', async () => {
    const points = Array.from({ length: 10 }, (_, at) =>
      testPoint({ id: at + 1, address: 19 + at, frame_type: FrameType.yx, func_code: 1 }),
    );
    const { round } = await connect(points, () => '01 02 CD 01');
    expect((await round()).map((reading) => reading.kind === 'value' && reading.value)).toEqual([1, 0, 1, 1, 0, 0, 1, 1, 1, 0]);
  });

  it('throws what ended the exchange', async () => {
    const { clock, client } = await connect(registers(1), () => '');
    const [batch] = client.plan(registers(1), { mode: 'batch', skipKnownHoles: true }).batches;
    const reading = batch && client.read(batch, exchangeContext());
    const failure = expect(reading).rejects.toMatchObject({ code: 'TIMEOUT_RESPONSE' });
    await clock.advance(1000);
    await failure;
  });

  it('fails all points of a batch that is refused for another reason than its address', async () => {
    const { line, round, health } = await connect(registers(3), () => '83 06');
    const readings = await round();
    expect(line.sent).toHaveLength(1);
    expect(readings).toHaveLength(3);
    for (const reading of readings) {
      expect(reading).toMatchObject({
        kind: 'failure',
        error: {
          code: 'DEVICE_EXCEPTION',
          message: expect.stringMatching(/exception 6 \(Server Device Busy\)/),
          data: { kind: 'exception' },
        },
      });
    }
    expect(health.refusals).toBe(1);
  });

  it('takes a batch that it did not plan for a fault of the house', async () => {
    const { client } = await connect(registers(1), device());
    await expect(client.read({ slaveId: 1, pointIds: [1] }, exchangeContext())).rejects.toMatchObject({ code: 'INTERNAL' });
  });
});

describe('Modbus client, addresses the device refuses', () => {
  it('reads around one refused address, and leaves it out of automatic rounds once it is known', async () => {
    const { line, round, client } = await connect(registers(8), device([5]));
    const revision = client.planRevision;
    for (let count = 0; count < 3; count++) {
      const readings = await round();
      expect(readings.filter((reading) => reading.kind === 'failure').map((reading) => reading.pointId)).toEqual([6]);
    }
    expect(client.planRevision).not.toBe(revision);
    line.sent.length = 0;
    const readings = await round();
    expect(readings[5]).toMatchObject({ kind: 'failure', error: { code: 'DEVICE_EXCEPTION' } });
    expect(line.sent.map((bytes) => [word(bytes, 8), word(bytes, 10)])).toEqual([
      [0, 5],
      [6, 2],
    ]);
  });

  it('asks a known hole all the same where the round is a manual one', async () => {
    const { line, round } = await connect(registers(8), device([5]));
    for (let count = 0; count < 3; count++) await round();
    line.sent.length = 0;
    await round(false);
    expect(line.sent.some((bytes) => word(bytes, 8) <= 5 && word(bytes, 8) + word(bytes, 10) > 5)).toBe(true);
  });

  it('takes a boundary of the device for a boundary: every point is read, with two requests from then on', async () => {
    const { line, round } = await connect(registers(8), device([], [4]));
    const readings = await round();
    expect(readings.every((reading) => reading.kind === 'value')).toBe(true);
    line.sent.length = 0;
    await round();
    expect(line.sent).toHaveLength(2);
  });

  it('does not leave out points of a device that refuses everything', async () => {
    const { line, round } = await connect(registers(4), () => '83 02');
    for (let count = 0; count < 4; count++) {
      line.sent.length = 0;
      const readings = await round();
      expect(readings.every((reading) => reading.kind === 'failure')).toBe(true);
      expect(line.sent.length).toBeGreaterThan(0);
    }
  });
});

describe('Modbus client, end of the connection', () => {
  it('reports a stream that cannot be trusted, and closes the line', async () => {
    const { line, sink, client } = await connect(registers(1), () => '');
    const [batch] = client.plan(registers(1), { mode: 'batch', skipKnownHoles: true }).batches;
    const failure = expect(batch && client.read(batch, exchangeContext())).rejects.toMatchObject({ code: 'FRAME_LENGTH' });
    line.receive('00 01 00 00 FF FF 01 03');
    await failure;
    expect(sink.losses).toMatchObject([{ code: 'FRAME_LENGTH' }]);
    expect(line.isClosed).toBe(true);
  });

  it('after close nothing is sent', async () => {
    const { line, client } = await connect(registers(1), device());
    const [batch] = client.plan(registers(1), { mode: 'batch', skipKnownHoles: true }).batches;
    await client.close();
    await expect(batch && client.read(batch, exchangeContext())).rejects.toMatchObject({ code: 'TRANSPORT_NOT_CONNECTED' });
    expect(line.sent).toEqual([]);
  });
});

describe('a probe of a suspended slave', () => {
  const silentFor = async (probeBudgetMs: number, turnRoundMs: number | null) => {
    let isSilent = false;
    const bench = await connect(registers(1), (pdu, unit) => (isSilent ? '' : device()(pdu, unit)), { timeoutMs: 500 });
    const [batch] = bench.client.plan(registers(1), { mode: 'batch', skipKnownHoles: true }).batches;
    if (!batch) throw new Error('nothing is planned');
    if (turnRoundMs !== null) {
      const answer = bench.line.onWrite;
      bench.line.onWrite = (bytes) => void bench.clock.after(turnRoundMs, () => answer?.(bytes));
      const heard = bench.client.read(batch, exchangeContext());
      await bench.clock.advance(turnRoundMs);
      await heard;
    }
    isSilent = true;
    let endedAt = -1;
    const began = bench.clock.monotonicMs();
    const probe = bench.client.read(batch, { ...exchangeContext(), retries: 0, probeBudgetMs }).catch(() => {
      endedAt = bench.clock.monotonicMs() - began;
    });
    await bench.clock.advance(20_000);
    await probe;
    return endedAt;
  };

  it.each([
    ['never heard', 100, null, 500],
    ['quick', 100, 10, 100],
    ['quick, after long pauses', 1200, 10, 500],
    ['known to be slow', 100, 400, 500],
  ])('%s: with %i ms of budget it waits %s at most its timeout', async (_, budget, turnRound, waits) => {
    expect(await silentFor(budget, turnRound)).toBe(waits);
  });
});
