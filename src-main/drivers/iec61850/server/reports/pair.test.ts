import { describe, expect, it } from 'vitest';
import { english } from '#shared/messages/index.ts';
import { settle } from '../../../../platform/manual-clock.ts';
import { exchangeContext } from '../../../testing/sinks.ts';
import type { MmsClient } from '../../association/mms-client.ts';
import { bindPoints } from '../../binding.ts';
import { BoundTable } from '../../bound-table.ts';
import { ChannelMemory } from '../../channel-memory.ts';
import { Reports } from '../../reports/reports.ts';
import { shown } from '../../testing/client-bench.ts';
import { tableModel } from '../table-model.ts';
import { POINTS, Reporting } from './testing/reporting.ts';

/** A client channel of ours on the served device: its reports, and what they bring. */
class Centre {
  readonly memory: ChannelMemory;
  readonly came: { readonly point: number; readonly value: number; readonly cause: string }[] = [];
  readonly notices: string[] = [];
  readonly reports: Reports;
  readonly client: MmsClient;

  private constructor(client: MmsClient, device: Reporting, memory: ChannelMemory) {
    this.client = client;
    this.memory = memory;
    this.reports = new Reports({
      client,
      clock: device.channel.clock,
      memory,
      timeoutMs: 1000,
      table: new BoundTable({ memory, points: () => POINTS }),
      atStart: [],
      checkMs: 0,
      peer: '127.0.0.1:102',
      lasting: undefined,
      audit: undefined,
      health: { compared: () => undefined },
      mayWrite: () => true,
      sink: {
        notice: (said) => void this.notices.push(english(said)),
        values: (readings) => {
          for (const reading of readings) {
            if (reading.kind !== 'value') throw reading.error;
            const { value } = shown(reading) as { readonly value: number };
            this.came.push({ point: reading.pointId, value, cause: reading.detail?.cause?.name ?? '' });
          }
        },
      },
    });
  }

  static async associated(device: Reporting, maxPduOctets: number, memory = memoryOfDevice()): Promise<Centre> {
    const late: { centre: Centre | null } = { centre: null };
    const side = { onReport: (report: Parameters<Reports['onReport']>[0]) => void late.centre?.reports.onReport(report) };
    const client = await device.channel.associated({ maxPduOctets }, side);
    late.centre = new Centre(client, device, memory);
    return late.centre;
  }

  async run(name: Parameters<Reports['run']>[0], params: Readonly<Record<string, unknown>>): Promise<string> {
    return english((await this.reports.run(name, params, exchangeContext())).detail);
  }

  told(): string[] {
    return this.came.splice(0).map(({ point, value, cause }) => `${point}=${value} ${cause}`);
  }
}

function memoryOfDevice(): ChannelMemory {
  const memory = new ChannelMemory();
  memory.model.use(tableModel(POINTS), 'device', 0);
  if (bindPoints(POINTS, memory.model.index).excluded.length > 0) throw new Error('a point has no place');
  return memory;
}

const URCB = 'LD/LLN0.urcbStat01[RP]';
const BRCB = 'LD/LLN0.brcbStat01[BR]';
const gi = (...values: readonly number[]) => values.map((value, at) => `${at + 1}=${value} general-interrogation`);

describe.each([65_000, 1000, 300])('our client on our device, PDUs of %i octets', (octets) => {
  it('takes an unbuffered block: interrogation, changes, another client left alone, and gives it back', async () => {
    const device = new Reporting();
    await device.set(1, 1);
    const [one, other] = [await Centre.associated(device, octets), await Centre.associated(device, octets)];
    await one.run('enable_report', { block: URCB, integrity_ms: 2000 });
    await device.pass(0);
    expect(one.told()).toEqual(gi(1, 0, 0));
    await device.set(2, 1);
    await device.pass(100);
    expect(one.told()).toEqual(['2=1 data-change']);
    await device.pass(2000);
    expect(one.told()).toEqual(['1=1 integrity', '2=1 integrity', '3=0 integrity']);
    await expect(other.run('enable_report', { block: URCB })).rejects.toMatchObject({ code: expect.stringMatching(/^STATE_/) });
    await one.run('disable_report', { block: URCB });
    await other.run('enable_report', { block: URCB });
    await device.pass(0);
    expect([one.told(), other.told()]).toEqual([[], gi(1, 1, 0)]);
    expect([...one.notices, ...other.notices]).toEqual([]);
  });

  it('takes a buffered block up again behind the last entry after an abort, without loss or repetition', async () => {
    const device = new Reporting();
    const first = await Centre.associated(device, octets);
    await first.run('enable_report', { block: BRCB, from: 'now', interrogate: false, reserve_s: 60 });
    for (const value of [1, 0]) {
      await device.set(3, value);
      await device.pass(100);
    }
    expect(first.told()).toEqual(['3=1 data-change', '3=0 data-change']);
    first.client.abort();
    first.reports.lost();
    await settle();
    for (const value of [1, 0, 1]) {
      await device.set(3, value);
      await device.pass(100);
    }
    const second = await Centre.associated(device, octets, first.memory);
    await second.reports.resume();
    await device.set(2, 1);
    await device.pass(100);
    expect(second.told()).toEqual(['3=1 data-change', '3=0 data-change', '3=1 data-change', '2=1 data-change']);
    expect(second.notices).toEqual([expect.stringContaining('resumed behind the last entry')]);
    await second.run('disable_report', { block: BRCB });
    const after = await Centre.associated(device, octets);
    expect(await after.run('enable_report', { block: BRCB, from: 'oldest', interrogate: false })).toContain('enabled');
  });
});
