/** An adapter that is pulled while the doctor looks: what nobody could answer any more says nothing of devices. */
import { describe, expect, it } from 'vitest';
import type { DoctorJob } from '#shared/contract/jobs.ts';
import { modbusRtuDriver } from '../../../drivers/modbus/rtu/driver.ts';
import { JobBench } from '../testing/job-bench.ts';
import { type BusOptions, registerSlave, SerialBus } from '../testing/serial-bus.ts';

const SERIAL = { protocol_type: 2, conn_type: 0, com_port: 'COM3', baud_rate: 9600 } as const;
const LISTEN_MS = 300;
const POINTS = [1, 2, 3, 4, 5, 6].map((address) => ({ slave_id: 1, address }));

function onBus(options: Partial<Omit<BusOptions, 'clock'>>, points: Parameters<JobBench['client']>[1] = POINTS) {
  let bus: SerialBus | null = null;
  const bench: JobBench = new JobBench([modbusRtuDriver], (line) => {
    if (!bus) throw new Error('no bus');
    return bus.connector(line);
  });
  const made = new SerialBus({ clock: bench.clock, baudRate: 9600, format: '8N1', slaves: [[1, registerSlave(7)]], ...options });
  bus = made;
  const channel = bench.client(502, points, SERIAL);
  /** Examines; the adapter is pulled at the first time that `isTime` says so. */
  async function examine(isTime: (sent: number) => boolean): Promise<DoctorJob> {
    const job = bench.start('startDoctor', { channel_id: channel.id, slave_ids: [], listen_ms: LISTEN_MS }) as DoctorJob;
    const look = () => {
      if (isTime(bench.wire.length)) made.pull();
      else if (bench.board.list().find(({ id }) => id === job.id)?.state === 'running') bench.clock.after(10, look);
    };
    look();
    const ended = await bench.ended(job);
    expect(made.refusal, 'it was pulled').not.toBe(null);
    expect(made.isOpen).toBe(false);
    return ended;
  }
  return { bench, channel, examine };
}
const told = ({ state, last_error_info, findings }: DoctorJob) => [
  state,
  last_error_info?.code,
  ...findings.map((verdict) => `${verdict.state} ${verdict.code}`),
];
const behind = (count: number) => (sent: number) => sent >= count;

describe('an adapter that is pulled while the doctor', () => {
  it('listens: it is told, and nothing was sent', async () => {
    const { bench, examine } = onBus({});
    expect(told(await examine(behind(0)))).toEqual(['failed', 'transport.serial_lost', 'good PORT_OPEN']);
    expect(bench.wire).toEqual([]);
  });

  it('asks: no device is called silent', async () => {
    for (const slaves of [[[1, registerSlave(7)]], []] as const) {
      const { examine } = onBus({ slaves: slaves.map((slave) => slave) });
      expect(told(await examine(behind(1)))).toEqual(['failed', 'transport.serial_lost', 'good PORT_OPEN']);
    }
  });

  it('asks the second of two: the first has answered, and nothing is said of the other', async () => {
    const both = [{ slave_id: 1 }, { slave_id: 2 }];
    const { examine } = onBus({ slaves: [[1, registerSlave(7)]] }, both);
    expect(told(await examine(behind(2)))).toEqual(['failed', 'transport.serial_lost', 'good PORT_OPEN']);
  });

  it('tries other formats: it does not go on as if these were tried', async () => {
    for (const count of [4, 5, 6, 7]) {
      const { examine } = onBus({ slaves: [] });
      const [state, code, ...codes] = told(await examine(behind(count)));
      expect([state, codes]).toEqual(['failed', ['good PORT_OPEN']]);
      expect(['transport.serial_lost', 'transport.serial_none']).toContain(code);
    }
  });

  it('reads the table: what answered stays told, and of the table nothing is', async () => {
    for (const count of [2, 4]) {
      const { examine } = onBus({});
      expect(told(await examine(behind(count)))).toEqual([
        ...['failed', 'transport.serial_lost'],
        ...['good PORT_OPEN', 'good BYTES_SEEN', 'good FRAMING_GOOD', 'good ADDRESS_GOOD'],
      ]);
    }
  });

  it.each([
    ['asks', 1, [[1, registerSlave(7)]], []],
    ['asks, and nobody is there', 1, [], []],
    ['reads the table', 3, [[1, registerSlave(7)]], ['good BYTES_SEEN', 'good FRAMING_GOOD', 'good ADDRESS_GOOD']],
  ] as const)('%s on a running channel', async (_, count, slaves, codes) => {
    const { bench, channel, examine } = onBus({ slaves: slaves.map((slave) => slave) });
    await channel.start();
    const [state, code, ...found] = told(await examine(behind(count)));
    expect([state, found]).toEqual(['failed', ['good LINE_STANDS', ...codes]]);
    expect(code).toMatch(/^(transport|runtime)\./);
    const stopped = channel.stop();
    await bench.clock.advance(10_000);
    await stopped;
  });

  it('asks one of two on a running channel, whose first has answered', async () => {
    const both = [{ slave_id: 1 }, { slave_id: 2 }];
    const { bench, channel, examine } = onBus({ slaves: [[1, registerSlave(7)]] }, both);
    await channel.start();
    const [state, , ...found] = told(await examine(behind(2)));
    expect([state, found]).toEqual(['failed', ['good LINE_STANDS']]);
    const stopped = channel.stop();
    await bench.clock.advance(10_000);
    await stopped;
  });
});
