import { describe, expect, it } from 'vitest';
import { FindBody, type FindJob } from '#shared/contract/jobs.ts';
import { modbusTcpDriver } from '../../../drivers/modbus/driver.ts';
import { encodeMbap } from '../../../drivers/modbus/link/mbap.ts';
import { type DeviceScript, JobBench } from '../testing/job-bench.ts';

const IDENTITY = Uint8Array.of(43, 14, 1, 1, 0, 0, 2, 0, 4, 0x41, 0x43, 0x4d, 0x45, 1, 2, 0x58, 0x31);

/** Units that answer: with data, or with an exception where listed. */
function gateway(units: readonly number[], refusing: readonly number[] = []): DeviceScript {
  return (peer, bytes) => {
    if (bytes.length < 8) return;
    const unit = bytes[6] ?? 0;
    const reply = (pdu: Uint8Array) => void peer.write(encodeMbap(((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0), unit, pdu));
    if (bytes[7] === 43 && units.includes(unit)) reply(unit === units[0] ? IDENTITY : Uint8Array.of(0xab, 1));
    else if (refusing.includes(unit)) reply(Uint8Array.of((bytes[7] ?? 0) | 0x80, 2));
    else if (units.includes(unit)) reply(Uint8Array.of(3, 2, 0, unit));
    else reply(Uint8Array.of(0x83, 11));
  };
}

async function search(script: DeviceScript, request: Partial<FindBody> = {}) {
  const bench = new JobBench([modbusTcpDriver]);
  const port = await bench.device(script);
  const job = await bench.find(FindBody.parse({ protocol_type: 1, ip: '127.0.0.1', port, ...request }));
  return { bench, port, job };
}

describe('unit ids', () => {
  it('that answer are found with their identification, exceptions count, and the result is a channel', async () => {
    const { bench, port, job } = await search(gateway([1, 17], [40]), { first_slave: 0, last_slave: 60 });
    expect(job).toMatchObject({ state: 'running', total: 61, channel: null, findings: [] });
    const done = await bench.ended(job);
    expect([done.state, done.current, done.total, done.other_master]).toEqual(['done', 61, 61, false]);
    expect(done.findings.map((device) => [device.slave_id, device.how, device.identity])).toEqual([
      [1, 'answered', 'ACME X1'],
      [17, 'answered', ''],
      [40, 'refused', ''],
    ]);
    expect(done.findings[0]).toMatchObject({ line: `127.0.0.1:${port}`, baud_rate: null, format: null });
    expect(done.channel).toMatchObject({
      name: `127.0.0.1:${port}`,
      protocol_type: 1,
      conn_type: 2,
      ip: '127.0.0.1',
      port,
      timeout_ms: 1000,
    });
    expect(bench.functionsOnWire()).toEqual([3, 43]);
  });

  it('that answer late are found, and under their own number', async () => {
    const late: DeviceScript = (peer, bytes, clock) => {
      if (bytes.length > 7) clock.after(250, () => gateway([2, 5])(peer, bytes, clock));
    };
    const { bench, job } = await search(late, { first_slave: 1, last_slave: 6, timeout_ms: 100, identify: false });
    const done = await bench.ended(job);
    expect(done.findings.map((device) => device.slave_id)).toEqual([2, 5]);
  });

  it('none: the search ends without a channel', async () => {
    const { bench, job } = await search(gateway([]), { first_slave: 1, last_slave: 20 });
    expect(await bench.ended(job)).toMatchObject({ state: 'done', findings: [], channel: null });
  });

  it('are asked over a new connection when the device closes it for those it does not know', async () => {
    const script: DeviceScript = (peer, bytes, clock) => {
      if (bytes.length > 0 && bytes[6] !== 3) void peer.close();
      else gateway([3])(peer, bytes, clock);
    };
    const { bench, job } = await search(script, { first_slave: 2, last_slave: 4, identify: false });
    expect((await bench.ended(job)).findings.map((device) => device.slave_id)).toEqual([3]);
    const { bench: other, job: never } = await search((peer, bytes) => bytes.length > 0 && void peer.close());
    expect(await other.ended(never)).toMatchObject({
      state: 'failed',
      last_error: expect.stringContaining('closes the connection at every question'),
    });
  });

  it('on an address that refuses fail with its reason', async () => {
    const bench = new JobBench([modbusTcpDriver]);
    const job = await bench.find(FindBody.parse({ protocol_type: 1, port: 9 }));
    expect(await bench.ended(job)).toMatchObject({ state: 'failed', last_error: expect.stringContaining('refused') });
  });

  it('the predicted time is that of a search in silence', async () => {
    const { bench, job } = await search(() => undefined, { first_slave: 1, last_slave: 10, timeout_ms: 100 });
    const startedAt = bench.clock.monotonicMs();
    await bench.ended(job, 10);
    const took = bench.clock.monotonicMs() - startedAt;
    expect(job.predicted_ms).toBe(1600);
    expect(Math.abs(took - job.predicted_ms)).toBeLessThan(100);
  });

  it.each([0, 50, 450, 999])('a cancel after %i ms keeps what was found', async (ms) => {
    const { bench, job } = await search((peer, bytes, clock) => (bytes[6] === 1 ? gateway([1])(peer, bytes, clock) : undefined), {
      identify: false,
    });
    await bench.clock.advance(ms);
    const answer = bench.board.cancel(job.id);
    await bench.clock.advance(1000);
    const cancelled = (await answer) as FindJob;
    expect([cancelled.state, bench.clock.pending]).toEqual(['cancelled', 0]);
    expect(cancelled.findings.length).toBe(ms >= 50 ? 1 : cancelled.findings.length);
  });
});

describe('requests that cannot work', () => {
  it.each([
    [{ protocol_type: 1, first_slave: 9, last_slave: 3 }, 'first_slave'],
    [{ protocol_type: 1, com_port: 'COM3' }, 'connection type'],
    [{ protocol_type: 3 }, 'not built into'],
  ])('%j', async (request, words) => {
    const bench = new JobBench([modbusTcpDriver]);
    await expect(bench.find(FindBody.parse(request))).rejects.toThrow(words);
  });
});
