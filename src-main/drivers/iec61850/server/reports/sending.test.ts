import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import { encodeMms } from '../../mms/codec.ts';
import type { InformationReport } from '../../mms/pdu.ts';
import type { Report } from '../../reports/report.ts';
import { decodeReport } from '../../reports/report.ts';
import { Segments } from '../../reports/segments.ts';
import { context, point, write } from '../testing/asking.ts';
import { ServedChannel } from '../testing/served-channel.ts';
import { options, TRUE, unsigned } from './testing/reporting.ts';

const MANY = 640;
const MEASUREMENTS = Array.from({ length: MANY }, (_, at) => point(at + 1, FrameType.yc, `LD/GGIO1.AnIn${at + 1}.mag.f[MX]`));
const SETS = ['Meas', 'Meas2', 'Meas3', 'Meas4', 'Meas5', 'Meas6', 'Meas7'];

/** A device with many measurements, and a client that takes their reports. */
async function measured(maxPduOctets: number) {
  const channel = new ServedChannel({ points: MEASUREMENTS });
  const came: InformationReport[] = [];
  const client = await channel.associated({ maxPduOctets }, { onReport: (report) => void came.push(report) });
  const set = (at: number, value: number) =>
    channel.connection.execute({ point: MEASUREMENTS[at] ?? point(0, 0, ''), step: 'operate', value, options: {} }, context());
  return { channel, client, came, set };
}

/** Reports put together by the rules of the client. */
function joined(came: readonly InformationReport[]): { readonly whole: readonly Report[]; readonly isLost: boolean } {
  const segments = new Map<string, Segments>();
  let isLost = false;
  const whole = came.flatMap((each) => {
    const report = decodeReport(each);
    const own = segments.get(report.id) ?? new Segments();
    segments.set(report.id, own);
    const taken = own.take(report);
    isLost ||= taken.isLost;
    return taken.complete ?? [];
  });
  return { whole, isLost };
}

function numberOf(report: Report, at: number): unknown {
  const value = report.members[at]?.value;
  const mag = value?.kind === 'structure' ? value.items[0] : undefined;
  const f = mag?.kind === 'structure' ? mag.items[0] : undefined;
  return f?.kind === 'float' ? f.value : value;
}

describe('what is sent', () => {
  it.each([200, 1000, 65_000])('fits PDUs of %i octets, whatever the block carries, and nothing is left out', async (maxPduOctets) => {
    for (const words of [['reason'], ['sequence_number', 'time_stamp', 'reason', 'data_set', 'data_reference', 'revision']] as const) {
      const { channel, client, came, set } = await measured(maxPduOctets);
      const block = 'LD/LLN0$RP$urcbMeas01';
      for (let at = 0; at < 100; at++) await set(at, at + 0.5);
      await write(client, `${block}$OptFlds`, options(...words));
      await write(client, `${block}$RptEna`, TRUE);
      await write(client, `${block}$GI`, TRUE);
      await channel.clock.advance(0);
      expect(Math.max(...came.map((report) => encodeMms({ kind: 'information-report', report }).length))).toBeLessThanOrEqual(maxPduOctets);
      const reports = came.map(decodeReport);
      const numbers = reports.map(({ segment }) => segment?.number ?? null);
      expect(numbers).toEqual(reports.length === 1 ? [null] : reports.map((_, at) => at));
      expect(reports.length > 1).toBe(maxPduOctets < 65_000);
      const { whole, isLost } = joined(came);
      expect([whole.length, isLost]).toEqual([1, false]);
      const [report] = whole;
      expect(report?.members.map((_, at) => report && numberOf(report, at))).toEqual(Array.from({ length: 100 }, (_, at) => at + 0.5));
      expect(report?.memberCount).toBe(100);
      expect(report?.members[99]?.reference).toBe(words.length > 1 ? 'LD/GGIO1$MX$AnIn100' : null);
    }
  });

  it('tells more than 500 points that change at once, each', async () => {
    const { channel, client, came, set } = await measured(65_000);
    for (const name of SETS) expect(await write(client, `LD/LLN0$RP$urcb${name}01$RptEna`, TRUE)).toBeNull();
    await Promise.all(MEASUREMENTS.map((_, at) => set(at, at + 0.25)));
    await channel.clock.advance(200);
    const { whole, isLost } = joined(came);
    expect([whole.length, isLost]).toEqual([SETS.length, false]);
    expect(whole.flatMap((report) => report.members.map((_, at) => numberOf(report, at)))).toEqual(MEASUREMENTS.map((_, at) => at + 0.25));
  });

  it('goes out in turns, so that no burst holds up what others ask', async () => {
    const { channel, client, came, set } = await measured(65_000);
    for (const name of SETS) {
      await write(client, `LD/LLN0$RP$urcb${name}01$BufTm`, unsigned(0));
      await write(client, `LD/LLN0$RP$urcb${name}01$RptEna`, TRUE);
    }
    const rounds = 20;
    for (let round = 0; round < rounds; round++) for (let at = 0; at < MANY; at++) void set(at, round + 1);
    channel.writes.length = 0;
    await channel.clock.advance(0);
    expect(came.length).toBe(rounds * SETS.length);
    // one write a turn
    expect(channel.writes.length).toBeGreaterThan(4);
    expect(Math.max(...channel.writes)).toBeLessThan(80_000);
    expect(joined(came).isLost).toBe(false);
  });

  it('waits for a client that does not read, and tells by the sequence number what it had no room for', async () => {
    const { channel, client, came, set } = await measured(65_000);
    const block = 'LD/LLN0$RP$urcbMeas01';
    await write(client, `${block}$BufTm`, unsigned(0));
    await write(client, `${block}$RptEna`, TRUE);
    const line = Promise.withResolvers<void>();
    channel.stalled = line.promise;
    const rounds = 250;
    for (let round = 0; round < rounds; round++) {
      for (let at = 0; at < 100; at++) void set(at, round + 1);
      await channel.clock.advance(1);
    }
    const before = came.length;
    expect(before).toBeGreaterThan(50);
    expect(before).toBeLessThan(110);
    line.resolve();
    channel.stalled = Promise.resolve();
    await channel.clock.advance(1000);
    const numbers = came.map((report) => decodeReport(report).sequence ?? -1);
    const gaps = numbers.slice(1).map((number, at) => (number - (numbers[at] ?? 0) + 256) % 256);
    expect(gaps.filter((gap) => gap !== 1)).toHaveLength(1);
    // every report was sent or is missing in the numbers
    expect(gaps.reduce((sum, gap) => sum + gap, 1) % 256).toBe(rounds % 256);
    expect(numberOf(decodeReport(came.at(-1) as InformationReport), 0)).toBe(rounds);
    expect(client.isOpen).toBe(true);
  });
});
