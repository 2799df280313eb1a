import { describe, expect, it } from 'vitest';
import { FindBody } from '#shared/contract/jobs.ts';
import { modbusRtuDriver } from '../../../drivers/modbus/rtu/driver.ts';
import { encodeRtu } from '../../../drivers/modbus/rtu/framing.ts';
import { concatBytes } from '../../../protocol-kit/bytes.ts';
import { JobBench } from '../testing/job-bench.ts';
import { type BusOptions, registerSlave, SerialBus } from '../testing/serial-bus.ts';

async function search(options: Partial<Omit<BusOptions, 'clock'>>, request: Partial<FindBody> = {}) {
  let bus: SerialBus | null = null;
  const bench: JobBench = new JobBench([modbusRtuDriver], (line) => {
    if (!bus) throw new Error('no bus');
    return bus.connector(line);
  });
  const made = new SerialBus({ clock: bench.clock, baudRate: 19_200, format: '8E1', slaves: [[1, registerSlave(7)]], ...options });
  bus = made;
  const body = FindBody.parse({ protocol_type: 2, com_port: 'COM3', listen_ms: 100, ...request });
  const start = () => bench.find(body);
  const ended = async () => {
    const job = await bench.ended(await start(), 500);
    expect(bench.functionsOnWire().filter((code) => ![3, 43].includes(code))).toEqual([]);
    expect(made.isOpen).toBe(false);
    return job;
  };
  return { bench, bus: made, start, ended };
}

describe('a search of a serial line', () => {
  it('finds settings and slaves, and makes a channel of them', async () => {
    const { bus, ended } = await search({
      slaves: [
        [1, registerSlave(7)],
        [9, registerSlave(8)],
        [200, registerSlave(9)],
      ],
    });
    const job = await ended();
    expect(job.findings.map((device) => [device.slave_id, device.how, device.line])).toEqual([
      [1, 'answered', 'COM3 19200 8E1'],
      [9, 'answered', 'COM3 19200 8E1'],
      [200, 'answered', 'COM3 19200 8E1'],
    ]);
    expect(job.channel).toMatchObject({
      name: 'COM3 19200 8E1',
      protocol_type: 2,
      conn_type: 0,
      com_port: 'COM3',
      baud_rate: 19_200,
      data_bits: 8,
      parity: 'E',
      stop_bits: 1,
    });
    expect([job.state, job.current === job.total]).toEqual(['done', true]);
    // every setting up to the one that works, and no other
    expect(bus.opened).toEqual(['9600 8N1', '9600 8E1', '9600 8O1', '9600 8N2', '19200 8N1', '19200 8E1']);
  });

  it('comes back for unusual addresses when no setting had an answer', async () => {
    const { ended } = await search(
      { slaves: [[77, registerSlave(1)]] },
      { baud_rates: [9600, 19_200], formats: ['8N1', '8E1'], last_slave: 80 },
    );
    expect((await ended()).findings).toMatchObject([{ slave_id: 77, baud_rate: 19_200, format: '8E1' }]);
  });

  it('only listens where another master asks', async () => {
    const traffic = concatBytes(encodeRtu(4, Uint8Array.of(3, 0, 0, 0, 1)), encodeRtu(4, Uint8Array.of(3, 2, 9, 9)));
    const { bench, ended } = await search({ baudRate: 9600, format: '8E1', traffic });
    const job = await ended();
    expect(job).toMatchObject({
      state: 'done',
      other_master: true,
      findings: [{ slave_id: 4, how: 'heard', detail: '', line: 'COM3 9600 8E1' }],
    });
    expect(job.channel).toMatchObject({ baud_rate: 9600, parity: 'E' });
    expect(bench.wire).toEqual([]);
  });

  it('asks nothing on a line that is never free', async () => {
    const { bench, ended } = await search(
      { baudRate: 9600, format: '8N1', traffic: new Uint8Array(30).fill(0x55) },
      { baud_rates: [9600], formats: ['8N1'] },
    );
    expect(await ended()).toMatchObject({ findings: [], other_master: true, channel: null });
    expect(bench.wire).toEqual([]);
  });

  it('finds a slave whose first answer was disturbed', async () => {
    const onAnswer = (octets: Uint8Array, index: number) => [{ delayMs: 20, octets: index === 0 ? octets.with(4, 0x55) : octets }];
    const { ended } = await search({ slaves: [[1, registerSlave(7)]], onAnswer });
    const job = await ended();
    expect(job.findings).toMatchObject([{ slave_id: 1, how: 'answered', line: 'COM3 19200 8E1' }]);
  });

  it.each([120, 200, 300])('finds slaves that answer after %i ms, and takes none of it for another master', async (delayMs) => {
    for (const slave of [1, 3, 9]) {
      const { ended } = await search(
        {
          slaves: [[slave, registerSlave(7)]],
          onAnswer: (octets) => [{ delayMs, octets }],
          isVirtual: true,
          baudRate: 9600,
          format: '8N1',
        },
        { last_slave: 20, identify: false },
      );
      const job = await ended();
      expect([job.findings.map((device) => [device.slave_id, device.how, device.line]), job.other_master]).toEqual([
        [[slave, 'answered', 'COM3 9600 8N1']],
        false,
      ]);
    }
  });

  it('is not kept from a line by one stray answer on it', async () => {
    const stray = { delayMs: 50, octets: encodeRtu(9, Uint8Array.of(3, 2, 0, 1)) };
    const { ended } = await search({ stray, baudRate: 9600, format: '8N1' }, { identify: false });
    expect(await ended()).toMatchObject({ other_master: false, findings: [{ slave_id: 1, how: 'answered' }] });
  });

  it('takes no longer than it predicts, with nobody there', async () => {
    const { bench, start } = await search({ slaves: [] }, { baud_rates: [9600, 1200], formats: ['8N1', '8E1'], last_slave: 12 });
    const job = await start();
    const startedAt = bench.clock.monotonicMs();
    expect(await bench.ended(job, 20)).toMatchObject({ state: 'done', channel: null, other_master: false });
    const took = bench.clock.monotonicMs() - startedAt;
    expect(took).toBeLessThanOrEqual(job.predicted_ms * 1.05);
    expect(took).toBeGreaterThan(job.predicted_ms * 0.6);
  });

  it('holds the port, and a started channel keeps it out', async () => {
    const { bench, start } = await search({ slaves: [] });
    const job = await start();
    expect(() => bench.manager.holdPort('serial COM3', 'somebody')).toThrow('the search of this line');
    const cancelled = bench.board.cancel(job.id);
    await bench.clock.advance(1000);
    expect((await cancelled).state).toBe('cancelled');
    const release = bench.manager.holdPort('serial COM3', 'somebody');
    await expect(start()).rejects.toThrow('used by somebody');
    release();
  });

  it.each([0, 50, 150, 700, 5000, 30_000])('a cancel after %i ms closes the port', async (ms) => {
    const { bench, bus, start } = await search({ slaves: [] });
    const job = await start();
    await bench.clock.advance(ms);
    const answer = bench.board.cancel(job.id);
    await bench.clock.advance(1000);
    expect([(await answer).state, bus.isOpen, bench.clock.pending]).toEqual(['cancelled', false, 0]);
  });
});
