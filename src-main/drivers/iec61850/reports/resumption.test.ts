import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { settle } from '../../../platform/manual-clock.ts';
import { unlasting } from '../../kit/lasting.ts';
import { yx } from '../testing/client-bench.ts';
import { bitsOf, OPTION, OPTION_BITS } from './bits.ts';
import {
  BRCB,
  entry,
  MEMBERS,
  REPORT,
  ReportBench,
  type ReportBenchOptions,
  ReportDevice,
  reportMemory,
  status,
  URCB,
} from './testing/report-device.ts';
import { boolean } from './testing/report-results.ts';

const POINTS = [yx(1, 'LD/GGIO1.Ind1.stVal[ST]')];
const octetString = (octets: Uint8Array) => ({ kind: 'octet-string', octets }) as const;
const owner = { kind: 'octet-string', octets: Uint8Array.of(10, 0, 0, 9) } as const;

function starting(options: ReportBenchOptions = {}, before?: ReportBench): ReportBench {
  return new ReportBench(POINTS, before?.device ?? new ReportDevice(), before?.memory ?? reportMemory(), {
    atStart: [URCB],
    ...options,
  });
}

async function turns(count: number, bench: ReportBench, ms: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) {
    await bench.device.clock.advance(ms);
    for (let step = 0; step < 12; step++) await settle();
  }
}

/** The device has noticed the loss: nothing is enabled or reserved any more. */
function lose(bench: ReportBench): void {
  bench.reports.lost();
  for (const [name, values] of bench.device.blocks) {
    values.set('RptEna', boolean(false));
    if (name.includes('$RP$')) values.set('Resv', boolean(false));
  }
  bench.device.writes.length = 0;
}

describe('blocks that a setting names', () => {
  it('are enabled when the channel starts, with the settings the device has, and their reports are values without any read task', async () => {
    const bench = starting({ atStart: [URCB, 'LD/LLN0$BR$brcb', URCB] });
    await bench.reports.resume();
    expect(bench.device.writes).toEqual(['urcb.Resv', 'urcb.RptEna', 'urcb.GI', 'brcb.ResvTms', 'brcb.EntryID', 'brcb.RptEna', 'brcb.GI']);
    bench.send();
    expect(bench.values()).toMatchObject([{ point: 1, value: 1, isEvent: true }]);
    expect(bench.notices).toEqual([
      'LD/LLN0.urcb[RP] is enabled, as the settings of the channel say: LD/LLN0.urcb[RP] enabled, 3 members, 1 points of the table.',
      expect.stringContaining('LD/LLN0.brcb[BR] is enabled, as the settings'),
    ]);
  });

  it('stand in the audit once a start, entered before anything is sent', async () => {
    const bench = starting({ atStart: [URCB, BRCB] });
    bench.device.onWrite = () => expect(bench.audited).toMatchObject([{ outcome: 'open' }]);
    await bench.reports.resume();
    expect(bench.device.writes.length).toBeGreaterThan(0);
    expect(bench.audited).toEqual([
      {
        operation: 'enable_report',
        blocks: ['LD/LLN0$RP$urcb', 'LD/LLN0$BR$brcb'],
        outcome: 'accepted',
        detail: expect.stringContaining('LD/LLN0.urcb[RP] is enabled'),
      },
    ]);
    lose(bench);
    bench.device.onWrite = () => undefined;
    const next = starting({}, bench);
    await next.reports.resume();
    expect(next.device.writes).toContain('urcb.RptEna');
    expect(next.audited).toEqual([]);
  });

  it('are not enabled where that cannot be entered into the audit', async () => {
    const bench = starting({
      audit: () => {
        throw new AppError('STATE_STORE', quoted('The disk is full.'));
      },
    });
    await bench.reports.resume();
    expect(bench.device.writes).toEqual([]);
    expect(bench.notices).toEqual([expect.stringContaining('could not be entered into the audit. The disk is full.')]);
  });

  it('are left alone by a read-only channel, also when it may write again; a start enables them then', async () => {
    const bench = starting();
    bench.device.mayWrite = false;
    await bench.reports.resume();
    expect([bench.device.writes, bench.audited]).toEqual([[], []]);
    expect(bench.notices).toEqual([expect.stringContaining('the channel is read-only')]);
    bench.device.mayWrite = true;
    lose(bench);
    const next = starting({}, bench);
    await next.reports.resume();
    expect(next.device.writes).toEqual([]);
    next.memory.reports.started();
    const started = starting({}, next);
    await started.reports.resume();
    expect(started.device.writes).toContain('urcb.RptEna');
  });

  it('come back behind a lost line, and behind a start with the same settings', async () => {
    const bench = starting();
    await bench.reports.resume();
    lose(bench);
    const again = starting({}, bench);
    await again.reports.resume();
    expect(again.device.writes).toEqual(['urcb.Resv', 'urcb.RptEna', 'urcb.GI']);
    expect(again.notices).toEqual([expect.stringContaining('is enabled again after the connection was lost')]);
    await again.reports.leave();
    expect(again.device.value('LLN0$RP$urcb', 'RptEna')).toEqual(boolean(false));
    again.memory.reports.started();
    const rebuilt = starting({}, again);
    await rebuilt.reports.resume();
    expect(rebuilt.device.value('LLN0$RP$urcb', 'RptEna')).toEqual(boolean(true));
    expect(rebuilt.audited).toHaveLength(1);
  });

  it('are enabled by the next connection where the line is lost on the way', async () => {
    const bench = starting({ atStart: [URCB, BRCB] });
    bench.device.onWrite = (name) => {
      if (name !== 'urcb.RptEna') return;
      bench.device.isLost = true;
      bench.reports.lost();
      throw new AppError('TRANSPORT_LOST', quoted('The line is gone.'));
    };
    await bench.reports.resume();
    expect(bench.audited).toMatchObject([{ outcome: 'unknown' }]);
    bench.device.isLost = false;
    bench.device.onWrite = () => undefined;
    lose(bench);
    const next = starting({}, bench);
    await next.reports.resume();
    expect(next.device.writes).toEqual(expect.arrayContaining(['urcb.RptEna', 'brcb.RptEna']));
  });

  it('are asked for as long as the channel runs where another has them, ever more seldom, and never written to meanwhile', async () => {
    const bench = starting();
    bench.device.set('LLN0$RP$urcb', 'Owner', owner);
    await bench.reports.resume();
    expect(bench.audited).toMatchObject([
      { outcome: 'rejected', detail: expect.stringContaining('is owned by another client (10.0.0.9)') },
    ]);
    await turns(15, bench, 10_000);
    expect(bench.device.writes).toEqual([]);
    expect(bench.notices).toEqual([
      expect.stringContaining('it is tried again'),
      expect.stringContaining('it is tried every 60 s from now on'),
    ]);
    bench.device.set('LLN0$RP$urcb', 'Owner', { ...owner, octets: new Uint8Array(0) });
    await turns(1, bench, 60_000);
    expect(bench.device.writes).toEqual(['urcb.Resv', 'urcb.RptEna', 'urcb.GI']);
    expect(bench.audited).toHaveLength(1);
  });

  it('are tried again where the device was only late', async () => {
    const bench = starting();
    let late = true;
    bench.device.onWrite = () => {
      if (late) throw new AppError('TIMEOUT_RESPONSE', quoted('The device did not answer.'));
    };
    await bench.reports.resume();
    late = false;
    bench.device.writes.length = 0;
    await turns(1, bench, 10_000);
    expect(bench.device.value('LLN0$RP$urcb', 'RptEna')).toEqual(boolean(true));
  });

  it('are left alone once they were disabled by hand, until the next start', async () => {
    const bench = starting();
    await bench.reports.resume();
    await bench.run('disable_report', { block: URCB });
    lose(bench);
    const next = starting({}, bench);
    await next.reports.resume();
    expect(next.device.writes).toEqual([]);
  });

  it('are not tried any more when they are disabled while they are waited for', async () => {
    const bench = starting();
    bench.device.set('LLN0$RP$urcb', 'Owner', owner);
    await bench.reports.resume();
    expect((await bench.run('disable_report', { block: URCB })).detail).toBe('LD/LLN0.urcb[RP] is not tried any more');
    bench.device.set('LLN0$RP$urcb', 'Owner', { ...owner, octets: new Uint8Array(0) });
    await turns(2, bench, 10_000);
    expect(bench.device.writes).toEqual([]);
  });

  it('that are no blocks are told, the others enabled', async () => {
    const bench = starting({ atStart: ['LD/LLN0.urcb.RptEna[RP]', BRCB] });
    await bench.reports.resume();
    expect(bench.notices[0]).toContain('is no report control block');
    expect(bench.device.writes).toContain('brcb.RptEna');
  });

  it('that a refusal keeps from being enabled are tried by the next connection', async () => {
    const bench = starting();
    bench.device.refusals = { 'urcb.RptEna': 2 };
    await bench.reports.resume();
    expect(bench.notices).toEqual([expect.stringContaining('could not be enabled')]);
    bench.device.refusals = {};
    lose(bench);
    const next = starting({}, bench);
    await next.reports.resume();
    expect(next.device.value('LLN0$RP$urcb', 'RptEna')).toEqual(boolean(true));
  });
});

describe('the last entry of a buffered block', () => {
  const buffered = (number: number) => ({ ...REPORT, id: 'buffered', entryId: entry(number), hasOverflow: false });

  it('outlasts the program: the block goes on behind it', async () => {
    const lasting = unlasting();
    const bench = starting({ atStart: [BRCB], lasting });
    await bench.reports.resume();
    bench.send(buffered(7));
    expect(lasting.read()).toBeUndefined();
    await bench.device.clock.advance(5000);
    bench.send({ ...buffered(8), sequence: 1 });
    await bench.reports.leave();
    bench.device.writes.length = 0;
    bench.device.written.length = 0;
    bench.device.entries = new Set([8, 9]);
    const next = new ReportBench(POINTS, bench.device, reportMemory(), { atStart: [BRCB], lasting });
    await next.reports.resume();
    expect(next.device.writes).toContain('brcb.EntryID');
    expect(next.device.written).toContainEqual({ kind: 'octet-string', octets: entry(8) });
    expect(next.notices[0]).toContain('resumed behind the last entry');
  });

  it('of another device is none', async () => {
    const lasting = unlasting();
    const bench = starting({ atStart: [BRCB], lasting });
    await bench.reports.resume();
    bench.send(buffered(7));
    await bench.reports.leave();
    const device = new ReportDevice();
    device.entries = new Set([7]);
    const other = new ReportBench(POINTS, device, reportMemory(), { atStart: [BRCB], lasting, peer: '10.0.0.8:102' });
    await other.reports.resume();
    expect(device.written).not.toContainEqual({ kind: 'octet-string', octets: entry(7) });
  });

  it.each([{ report_entries: 7 }, { report_entries: { peer: '10.0.0.7:102', blocks: { x: { entry_id: 'zz' } } } }, 'nonsense', null])(
    'that was not kept by this version is none: %j',
    async (kept) => {
      const bench = starting({ atStart: [BRCB], lasting: { read: () => kept, write: () => undefined } });
      await bench.reports.resume();
      expect(bench.device.written).toContainEqual({ kind: 'octet-string', octets: entry(0) });
    },
  );

  it('that cannot be stored is told once, and the reports go on', async () => {
    const lasting = {
      read: () => undefined,
      write: () => {
        throw new AppError('STATE_STORE', quoted('The disk is full.'));
      },
    };
    const bench = starting({ atStart: [BRCB], lasting });
    await bench.reports.resume();
    for (const number of [7, 8, 9]) {
      bench.send({
        ...buffered(number),
        sequence: number - 7,
        members: [{ place: 0, reference: null, value: status(number % 2 === 0), reasons: [1] }],
      });
      await bench.device.clock.advance(5000);
    }
    expect(bench.notices.filter((notice) => notice.includes('The disk is full.'))).toHaveLength(1);
    expect(bench.values()).toHaveLength(3);
  });

  it('is written soon behind a quiet time, and every 5 s while reports come', async () => {
    const written: number[] = [];
    const lasting = { read: () => undefined, write: () => void written.push(bench.device.clock.monotonicMs() - begin) };
    const bench = starting({ atStart: [BRCB], lasting });
    await bench.reports.resume();
    const begin = bench.device.clock.monotonicMs();
    for (let number = 1; number <= 110; number++) {
      bench.send({ ...buffered(number), sequence: number - 1 });
      await bench.device.clock.advance(100);
    }
    expect(written).toEqual([500, 5500, 10_500]);
    await bench.device.clock.advance(60_000);
    bench.send({ ...buffered(111), sequence: 110 });
    await bench.device.clock.advance(499);
    expect(written).toEqual([500, 5500, 10_500, 15_500]);
    await bench.device.clock.advance(1);
    expect(written).toHaveLength(5);
  });

  it('is written once for many reports', async () => {
    const written: unknown[] = [];
    const bench = starting({ atStart: [BRCB], lasting: { read: () => undefined, write: (value) => void written.push(value) } });
    await bench.reports.resume();
    for (let number = 1; number <= 200; number++) bench.send({ ...buffered(number), sequence: number - 1 });
    await bench.device.clock.advance(5000);
    await bench.reports.leave();
    expect(written).toHaveLength(1);
  });
});

describe('the last entry of a buffered block whose data set has other members by now, under the same name and revision', () => {
  const buffered = (number: number) => ({ ...REPORT, id: 'buffered', entryId: entry(number), hasOverflow: false });
  const [ind1, ind2, quality] = MEMBERS;
  const others: readonly (readonly [string, readonly string[]])[] = [
    ['changed places', [ind1, quality, ind2]],
    ['one came', [...MEMBERS, 'LD/GGIO1$ST$Ind2$t']],
    ['one went', [ind1, ind2]],
  ];
  const kept = octetString(entry(8));

  /** A channel that has entry 8, and the device as it is then; the buffer still has 8 and 9. */
  async function behind(lasting = unlasting()) {
    const bench = starting({ atStart: [BRCB], lasting });
    await bench.reports.resume();
    bench.send(buffered(8));
    await bench.device.clock.advance(5000);
    bench.device.entries = new Set([8, 9]);
    return { bench, lasting };
  }

  async function again(bench: ReportBench, lasting: ReturnType<typeof unlasting>, isRestart: boolean): Promise<ReportBench> {
    if (isRestart) await bench.reports.leave();
    lose(bench);
    bench.device.written.length = 0;
    const next = new ReportBench(POINTS, bench.device, isRestart ? reportMemory() : bench.memory, { atStart: [BRCB], lasting });
    await next.reports.resume();
    return next;
  }

  it.each(others.flatMap(([what, members]) => [true, false].map((isRestart) => ({ what, members, isRestart }))))(
    'is no place to go on from, and the buffer is emptied ($what, behind a restart: $isRestart)',
    async ({ members, isRestart }) => {
      const { bench, lasting } = await behind();
      bench.device.members = members;
      const next = await again(bench, lasting, isRestart);
      expect(next.device.written).not.toContainEqual(kept);
      expect(next.device.writes).toEqual(['brcb.ResvTms', 'brcb.PurgeBuf', 'brcb.RptEna', 'brcb.GI']);
      expect(next.notices[0]).toMatch(/^Data set LD\/LLN0\$set has other members .* buffer was emptied/);
      expect(next.notices[1]).not.toContain('resumed');
      // told once: the next entry is one of these members
      next.send({ ...buffered(9), memberCount: members.length });
      const last = await again(next, lasting, isRestart);
      expect(last.notices[0]).toContain('resumed behind the last entry');
    },
  );

  it('is no place to go on from where reports name their members: the whole buffer comes, and those of others are refused', async () => {
    const { bench, lasting } = await behind();
    bench.device.members = [ind1, quality, ind2];
    bench.device.set('LLN0$BR$brcb', 'OptFlds', bitsOf(OPTION, ['sequence_number', 'reason', 'data_reference', 'entry_id'], OPTION_BITS));
    const next = await again(bench, lasting, true);
    expect(next.device.writes).not.toContain('brcb.PurgeBuf');
    expect([next.device.written].flat()).toContainEqual(octetString(entry(0)));
    expect(next.device.written).not.toContainEqual(kept);
    expect(next.notices[0]).toContain('sends its whole buffer; reports that name other members are refused');
  });

  it('is no place to go on from where the device does not empty its buffer, and what that may mean is told', async () => {
    const { bench, lasting } = await behind();
    bench.device.members = [ind1, quality, ind2];
    bench.device.refusals = { 'brcb.PurgeBuf': 3 };
    const next = await again(bench, lasting, false);
    expect(next.device.written).not.toContainEqual(kept);
    expect(next.device.value('LLN0$BR$brcb', 'RptEna')).toEqual(boolean(true));
    expect(next.notices[0]).toMatch(/could not be emptied \(.+\): it sends all of it/);
  });

  it('that an earlier version kept without its members is none either; the buffer stays', async () => {
    const { bench, lasting } = await behind();
    await bench.reports.leave();
    const stored = JSON.parse(JSON.stringify(lasting.read())) as { report_entries: { blocks: Record<string, { members?: string }> } };
    for (const block of Object.values(stored.report_entries.blocks)) delete block.members;
    lasting.write(stored);
    const next = await again(bench, lasting, true);
    expect(next.device.writes).toEqual(['brcb.ResvTms', 'brcb.EntryID', 'brcb.RptEna', 'brcb.GI']);
    expect(next.device.written).not.toContainEqual(kept);
    expect(next.notices[0]).toContain('an earlier version kept it');
  });

  it.each([true, false])(
    'is forgotten with the buffer: what comes in behind that is not lost with the next line (restart: %s)',
    async (isRestart) => {
      const { bench, lasting } = await behind();
      bench.device.members = [ind1, quality, ind2];
      bench.device.onWrite = (name) => {
        const value = bench.device.written.at(-1);
        const isEnabling = name === 'brcb.RptEna' && value?.kind === 'boolean' && value.value;
        if (isEnabling) throw new AppError('TRANSPORT_LOST', quoted('The line is gone.'));
      };
      const cut = await again(bench, lasting, isRestart);
      expect(cut.device.writes).toContain('brcb.PurgeBuf');
      cut.device.onWrite = () => undefined;
      const next = await again(cut, lasting, isRestart);
      expect(next.device.writes).toEqual(['brcb.ResvTms', 'brcb.EntryID', 'brcb.RptEna', 'brcb.GI']);
      expect(next.device.written).not.toContainEqual(kept);
      expect(next.notices.join()).not.toContain('other members');
    },
  );
});
