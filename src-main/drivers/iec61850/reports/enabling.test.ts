import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { settle } from '../../../platform/manual-clock.ts';
import { BRCB, entry, lastEntry, OTHER, REPORT, ReportBench, URCB } from './testing/report-device.ts';
import { boolean, text, unsigned } from './testing/report-results.ts';

const owner = (...octets: number[]) => ({ kind: 'octet-string', octets: Uint8Array.from(octets) }) as const;
const seconds = (value: number) => ({ kind: 'integer', value }) as const;
const conflict = (message: string) => ({ code: 'STATE_CONFLICT', message: expect.stringContaining(message) });

describe('enabling a block', () => {
  it('unbuffered: reserved, enabled, interrogated; nothing is set that was not asked for', async () => {
    const bench = new ReportBench();
    const { detail, result, isRefused } = await bench.run('enable_report', { block: URCB });
    expect(bench.device.writes).toEqual(['urcb.Resv', 'urcb.RptEna', 'urcb.GI']);
    expect([isRefused, detail]).toEqual([undefined, 'LD/LLN0.urcb[RP] enabled, 3 members, 0 points of the table']);
    expect(result).toMatchObject({ report_id: 'LD/LLN0$RP$urcb', data_set: 'LD/LLN0$set', revision: 1, members: 3, resumed: false });
  });

  it('buffered: reserved for a time, the entry last, then enabled', async () => {
    const bench = new ReportBench();
    await bench.run('enable_report', { block: 'LD/LLN0$BR$brcb', interrogate: false, reserve_s: 120, integrity_ms: 5000 });
    expect(bench.device.writes).toEqual(['brcb.ResvTms', 'brcb.IntgPd', 'brcb.EntryID', 'brcb.RptEna']);
    expect(bench.device.written[0]).toEqual(seconds(120));
  });

  it('writes only what differs, and reads the revision that a new data set has', async () => {
    const bench = new ReportBench();
    const params = {
      data_set: 'LD/LLN0.two',
      buffer_ms: 50,
      integrity_ms: 0,
      triggers: ['data_change', 'quality_change', 'general_interrogation'],
    };
    const { result } = await bench.enable(URCB, params);
    expect(bench.device.writes).toEqual(['urcb.Resv', 'urcb.DatSet', 'urcb.RptEna']);
    expect(result).toMatchObject({ data_set: 'LD/LLN0$two', revision: 2 });
  });

  it('empties the buffer where reports are to begin now', async () => {
    const bench = new ReportBench();
    await bench.enable(BRCB, { from: 'now' });
    expect(bench.device.writes).toEqual(['brcb.ResvTms', 'brcb.PurgeBuf', 'brcb.RptEna']);
  });

  it('says that GI is no trigger of the block, and that the device did not take it', async () => {
    const bench = new ReportBench();
    const quiet = await bench.run('enable_report', { block: URCB, triggers: ['data_change'] });
    expect(quiet.detail).toContain('without general interrogation');
    expect(bench.device.writes).not.toContain('urcb.GI');
    const refusing = new ReportBench();
    refusing.device.refusals = { 'urcb.GI': 3 };
    const { detail, isRefused } = await refusing.run('enable_report', { block: URCB });
    expect([detail, isRefused]).toEqual([expect.stringContaining('was not taken: object-access-denied (3)'), undefined]);
  });

  it('sends nothing when the channel is stopping', async () => {
    const bench = new ReportBench();
    bench.isStopping = true;
    await expect(bench.enable(URCB)).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(bench.device.writes).toEqual([]);
  });
});

describe('blocks of others are left alone', () => {
  it.each([
    ['enabled', 'LLN0$RP$urcb', URCB, { RptEna: boolean(true), Owner: owner(10, 0, 0, 7) }, 'is enabled by another client (10.0.0.7)'],
    ['reserved', 'LLN0$RP$urcb', URCB, { Resv: boolean(true) }, 'is reserved by another client;'],
    ['owned', 'LLN0$RP$urcb', URCB, { Owner: owner(10, 0, 0, 7) }, 'is owned by another client (10.0.0.7)'],
    ['enabled', 'LLN0$BR$brcb', BRCB, { RptEna: boolean(true) }, 'is enabled by another client'],
    ['reserved', 'LLN0$BR$brcb', BRCB, { ResvTms: seconds(30) }, 'is reserved by another client'],
    ['configured', 'LLN0$BR$brcb', BRCB, { ResvTms: seconds(-1) }, 'is reserved for a client by the configuration'],
  ])('%s: %s', async (_, name, block, values, message) => {
    const bench = new ReportBench();
    for (const [attribute, value] of Object.entries(values)) bench.device.set(name, attribute, value);
    await expect(bench.enable(block)).rejects.toMatchObject(conflict(message));
    expect(bench.device.writes).toEqual([]);
  });

  it('an owner of zeros only is none', async () => {
    const bench = new ReportBench();
    bench.device.set('LLN0$RP$urcb', 'Owner', owner(0, 0, 0, 0));
    expect((await bench.enable(URCB)).isRefused).toBeUndefined();
  });

  it('taken between the read and the reservation: the refusal is told, nothing was changed', async () => {
    const bench = new ReportBench();
    bench.device.refusals = { 'urcb.Resv': 2 };
    const { detail, isRefused } = await bench.enable(URCB);
    expect([isRefused, detail]).toEqual([
      true,
      expect.stringContaining('does not let Resv of LD/LLN0.urcb[RP] be written: temporarily-unavailable (2)'),
    ]);
    // not even the reservation is given back, which is that of the other
    expect(bench.device.writes).toEqual(['urcb.Resv']);
  });

  it('taken before it was enabled: what was changed is put back, and the block is given free', async () => {
    const bench = new ReportBench();
    bench.device.refusals = { 'urcb.RptEna': 2 };
    const { detail, isRefused } = await bench.enable(URCB, { buffer_ms: 7, integrity_ms: 1000 });
    expect([isRefused, detail]).toEqual([true, expect.stringContaining('What had been changed was put back')]);
    expect(bench.device.writes).toEqual([
      'urcb.Resv',
      'urcb.BufTm',
      'urcb.IntgPd',
      'urcb.RptEna',
      'urcb.IntgPd',
      'urcb.BufTm',
      'urcb.Resv',
    ]);
    expect(bench.device.value('LLN0$RP$urcb', 'BufTm')).toEqual(unsigned(50));
    expect(bench.memory.reports.changed.size).toBe(0);
  });

  it('an attribute that the device keeps to itself: the ones before it are put back', async () => {
    const bench = new ReportBench();
    bench.device.refusals = { 'urcb.IntgPd': 3 };
    const { isRefused } = await bench.enable(URCB, { buffer_ms: 7, integrity_ms: 1000 });
    expect(isRefused).toBe(true);
    expect(bench.device.writes).toEqual(['urcb.Resv', 'urcb.BufTm', 'urcb.IntgPd', 'urcb.BufTm', 'urcb.Resv']);
  });
});

describe('what is refused before anything is sent', () => {
  it.each([
    ['LD/LLN0.urcb.RptEna[RP]', {}, 'is no report control block'],
    ['LD/GGIO1.Ind1[ST]', {}, 'is no report control block'],
    [URCB, { data_set: '', empty: true }, 'has no data set'],
  ])('%s %j', async (block, { empty, ...more }: Record<string, unknown>, message) => {
    const bench = new ReportBench();
    if (empty) bench.device.set('LLN0$RP$urcb', 'DatSet', text(''));
    await expect(bench.enable(block, more)).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining(message) });
    expect(bench.device.writes).toEqual([]);
  });

  it('a block that is enabled here already', async () => {
    const bench = new ReportBench();
    await bench.enable(URCB);
    await expect(bench.enable(URCB)).rejects.toMatchObject(conflict('is enabled by this channel already'));
  });

  it('two blocks whose reports could not be told apart', async () => {
    const bench = new ReportBench();
    await bench.enable(URCB, { report_id: 'same' });
    bench.device.set('LLN0$RP$other', 'RptID', text('same'));
    await expect(bench.enable(OTHER)).rejects.toMatchObject(conflict('could not be told from those of LD/LLN0.urcb[RP]'));
    expect((await bench.enable(OTHER, { report_id: 'own' })).isRefused).toBeUndefined();
  });
});

describe('disabling', () => {
  it('puts back in reverse order, and gives the block free', async () => {
    const bench = new ReportBench();
    await bench.enable(BRCB, { buffer_ms: 7, integrity_ms: 1000 });
    bench.device.writes.length = 0;
    const { detail } = await bench.run('disable_report', { block: BRCB });
    expect(bench.device.writes).toEqual(['brcb.RptEna', 'brcb.IntgPd', 'brcb.BufTm', 'brcb.ResvTms']);
    expect(detail).toBe('LD/LLN0.brcb[BR] disabled, and put back as it was');
    expect(bench.device.value('LLN0$BR$brcb', 'ResvTms')).toEqual(seconds(0));
  });

  it('says what the device did not take back, and tries it again by hand', async () => {
    const bench = new ReportBench();
    await bench.enable(URCB, { buffer_ms: 7 });
    bench.device.refusals = { 'urcb.BufTm': 2 };
    expect((await bench.run('disable_report', { block: URCB })).detail).toContain('not put back: BufTm: temporarily-unavailable (2)');
    bench.device.refusals = {};
    expect((await bench.run('disable_report', { block: URCB })).detail).toBe('LD/LLN0.urcb[RP] put back as it was');
    expect(bench.device.value('LLN0$RP$urcb', 'BufTm')).toEqual(unsigned(50));
  });

  it('of a block that was never enabled here is refused', async () => {
    const bench = new ReportBench();
    await expect(bench.run('disable_report', { block: URCB })).rejects.toMatchObject(conflict('is not enabled by this channel'));
    expect(bench.device.writes).toEqual([]);
  });

  it('when the channel stops: all blocks, and what was changed', async () => {
    const bench = new ReportBench();
    await bench.enable(URCB, { buffer_ms: 7 });
    await bench.enable(BRCB);
    await bench.reports.leave();
    expect(bench.device.value('LLN0$RP$urcb', 'RptEna')).toEqual(boolean(false));
    expect(bench.device.value('LLN0$RP$urcb', 'BufTm')).toEqual(unsigned(50));
    expect(bench.device.value('LLN0$BR$brcb', 'RptEna')).toEqual(boolean(false));
    expect(bench.device.value('LLN0$RP$urcb', 'Resv')).toEqual(boolean(false));
    expect(bench.notices).toEqual([]);
  });

  it('while a block is being enabled: what was changed so far is put back first', async () => {
    const bench = new ReportBench();
    const stop = new AbortController();
    let left: Promise<void> | null = null;
    bench.device.onWrite = (name) => {
      if (name !== 'urcb.BufTm' || left) return;
      stop.abort();
      left = bench.reports.leave();
    };
    const enabling = bench.run('enable_report', { block: URCB, buffer_ms: 7 }, stop.signal);
    await expect(enabling).rejects.toMatchObject({ code: 'CANCELLED' });
    await left;
    expect(bench.device.writes).toEqual(['urcb.Resv', 'urcb.BufTm', 'urcb.BufTm', 'urcb.Resv']);
    expect(bench.device.value('LLN0$RP$urcb', 'BufTm')).toEqual(unsigned(50));
    expect(bench.device.value('LLN0$RP$urcb', 'Resv')).toEqual(boolean(false));
  });

  it('ends within its time where the device has fallen silent', async () => {
    const bench = new ReportBench();
    await bench.enable(URCB, { buffer_ms: 7 });
    bench.device.isSilent = true;
    const left = bench.reports.leave();
    await bench.device.clock.advance(3000);
    await left;
    expect(bench.notices).toEqual([expect.stringContaining('still has settings that this channel changed (BufTm)')]);
  });
});

describe('a device that does not answer while a block is enabled', () => {
  it('is told, and what the device took before is put back where it still can be', async () => {
    const bench = new ReportBench();
    bench.device.onWrite = (name) => {
      if (name === 'urcb.RptEna' && bench.device.writes.filter((each) => each === name).length === 1) {
        throw new AppError('TIMEOUT_RESPONSE', quoted('The device did not answer.'));
      }
    };
    await expect(bench.enable(URCB, { buffer_ms: 7 })).rejects.toMatchObject({ code: 'TIMEOUT_RESPONSE' });
    expect(bench.device.writes).toEqual(['urcb.Resv', 'urcb.BufTm', 'urcb.RptEna', 'urcb.RptEna', 'urcb.BufTm', 'urcb.Resv']);
    expect(bench.memory.reports.wanted.size).toBe(0);
  });

  it('nothing is put back where the channel was made read-only; what is still changed is told', async () => {
    const bench = new ReportBench();
    await bench.enable(URCB, { buffer_ms: 7 });
    bench.device.writes.length = 0;
    bench.device.mayWrite = false;
    await bench.reports.leave();
    expect(bench.device.writes).toEqual([]);
    expect(bench.notices.at(-1)).toContain('still has settings that this channel changed');
  });

  it('or is known to be changed, where the line is gone', async () => {
    const bench = new ReportBench();
    bench.device.onWrite = (name) => {
      if (name !== 'urcb.RptEna') return;
      bench.device.isLost = true;
      throw new AppError('TRANSPORT_LOST', quoted('The line is gone.'));
    };
    await expect(bench.enable(URCB, { buffer_ms: 7 })).rejects.toMatchObject({ code: 'TRANSPORT_LOST' });
    expect([...bench.memory.reports.changed.keys()]).toEqual(['LD/LLN0$RP$urcb']);
  });
});

describe('after a lost connection', () => {
  async function lostWith(block: string, more: Record<string, unknown> = {}) {
    const first = new ReportBench();
    await first.run('enable_report', { block, ...more });
    first.reports.lost();
    for (const [name, values] of first.device.blocks) if (name.includes('$RP$')) values.set('Resv', boolean(false));
    for (const values of first.device.blocks.values()) values.set('RptEna', boolean(false));
    first.device.writes.length = 0;
    return { first, next: new ReportBench([], first.device, first.memory) };
  }

  it('an unbuffered block is enabled again with the same settings, and asked for everything', async () => {
    const { first, next } = await lostWith(URCB, { buffer_ms: 7 });
    await next.reports.resume();
    expect(first.device.writes).toEqual(['urcb.Resv', 'urcb.RptEna', 'urcb.GI']);
    expect(next.notices).toEqual([expect.stringContaining('is enabled again after the connection was lost')]);
    await next.run('disable_report', { block: URCB });
    expect(first.device.value('LLN0$RP$urcb', 'BufTm')).toEqual(unsigned(50));
  });

  it('a buffered block goes on behind the entry that came last, without the ones before; values that did not change are asked for', async () => {
    const { first, next } = await lostWith(BRCB);
    first.memory.reports.entries.set('LD/LLN0$BR$brcb', lastEntry(9));
    first.device.entries = new Set([9, 10]);
    await next.reports.resume();
    expect(first.device.writes).toEqual(['brcb.ResvTms', 'brcb.EntryID', 'brcb.RptEna', 'brcb.GI']);
    expect(first.device.written.at(-3)).toEqual({ kind: 'octet-string', octets: entry(9) });
    expect(next.notices[0]).toContain('resumed behind the last entry');
    // its own reservation still stands
    expect(first.device.value('LLN0$BR$brcb', 'ResvTms')).toEqual(seconds(60));
  });

  it('a buffer that was emptied at first is not emptied again: it holds what came meanwhile', async () => {
    const { first, next } = await lostWith(BRCB, { from: 'now', interrogate: false });
    first.memory.reports.entries.set('LD/LLN0$BR$brcb', lastEntry(9));
    first.device.entries = new Set([9]);
    await next.reports.resume();
    expect(first.device.writes).toEqual(['brcb.ResvTms', 'brcb.EntryID', 'brcb.RptEna']);
  });

  it('an entry of another revision of the block is no place to go on from', async () => {
    const { first, next } = await lostWith(BRCB);
    first.memory.reports.entries.set('LD/LLN0$BR$brcb', lastEntry(9, 8));
    first.device.entries = new Set([9]);
    await next.reports.resume();
    expect(first.device.writes).toEqual(['brcb.ResvTms', 'brcb.EntryID', 'brcb.RptEna', 'brcb.GI']);
    expect(first.device.written.at(-3)).toEqual({ kind: 'octet-string', octets: entry(0) });
  });

  it('what the device had at first is put back, whatever was set behind the loss', async () => {
    const { first, next } = await lostWith(URCB, { buffer_ms: 7 });
    await next.enable(URCB, { buffer_ms: 9 });
    await next.run('disable_report', { block: URCB });
    expect(first.device.value('LLN0$RP$urcb', 'BufTm')).toEqual(unsigned(50));
  });

  it('an entry that the device has no more is told, and everything it has is sent', async () => {
    const { first, next } = await lostWith(BRCB);
    first.memory.reports.entries.set('LD/LLN0$BR$brcb', lastEntry(9));
    await next.reports.resume();
    expect(first.device.writes).toEqual(['brcb.ResvTms', 'brcb.EntryID', 'brcb.EntryID', 'brcb.RptEna', 'brcb.GI']);
    expect(next.notices[0]).toContain('does not know the last entry of LD/LLN0.brcb[BR] any more (object-value-invalid (11))');
  });

  it('waits for a block that the device still counts as enabled, and takes it when it is free', async () => {
    const { first, next } = await lostWith(URCB);
    first.device.set('LLN0$RP$urcb', 'RptEna', boolean(true));
    await next.reports.resume();
    expect(next.notices).toEqual([expect.stringContaining('is not free yet')]);
    await first.device.clock.advance(10_000);
    await settle();
    expect(first.device.writes).toEqual([]);
    first.device.set('LLN0$RP$urcb', 'RptEna', boolean(false));
    await first.device.clock.advance(10_000);
    for (let turn = 0; turn < 10; turn++) await settle();
    expect(first.device.writes).toEqual(['urcb.Resv', 'urcb.RptEna', 'urcb.GI']);
    expect(next.notices).toHaveLength(2);
  });

  it('gives up a block that another client has taken for good, and says so', async () => {
    const { first, next } = await lostWith(URCB, { buffer_ms: 7 });
    first.device.set('LLN0$RP$urcb', 'Resv', boolean(true));
    await next.reports.resume();
    for (let turn = 0; turn < 15; turn++) {
      await first.device.clock.advance(10_000);
      for (let step = 0; step < 5; step++) await settle();
    }
    expect(first.device.writes).toEqual([]);
    expect(next.notices.at(-1)).toContain('could not be enabled again');
    expect(first.memory.reports.wanted.size).toBe(0);
    // what was changed is known still
    expect([...(first.memory.reports.changed.get('LD/LLN0$RP$urcb') ?? [])]).toEqual([['BufTm', unsigned(50)]]);
  });

  it('nothing is enabled again and nothing written where the channel was made read-only meanwhile; told once', async () => {
    const { first, next } = await lostWith(URCB, { buffer_ms: 7 });
    first.device.mayWrite = false;
    await next.reports.resume();
    expect(first.device.writes).toEqual([]);
    expect(next.notices).toEqual([expect.stringMatching(/could not be enabled again .* the channel is read-only/)]);
    first.device.mayWrite = true;
    await new ReportBench([], first.device, first.memory).reports.resume();
    expect(first.device.writes).toEqual([]);
    await next.run('enable_report', { block: URCB, buffer_ms: 7 });
    expect(first.device.writes).toContain('urcb.RptEna');
  });

  it('a block that is waited for is left alone as well', async () => {
    const { first, next } = await lostWith(URCB);
    first.device.blocks.get('LLN0$RP$urcb')?.set('RptEna', boolean(true));
    await next.reports.resume();
    first.device.blocks.get('LLN0$RP$urcb')?.set('RptEna', boolean(false));
    first.device.mayWrite = false;
    first.device.writes.length = 0;
    await first.device.clock.advance(30_000);
    expect(first.device.writes).toEqual([]);
    expect(next.notices.at(-1)).toContain('read-only');
  });

  it('stays wanted where the line is lost again meanwhile', async () => {
    const { first, next } = await lostWith(URCB);
    first.device.isLost = true;
    next.reports.lost();
    await next.reports.resume();
    expect(first.memory.reports.wanted.has('LD/LLN0$RP$urcb')).toBe(true);
    expect(next.notices).toEqual([]);
  });

  it('stays wanted where the line is lost while it is enabled again', async () => {
    const { first, next } = await lostWith(URCB);
    first.device.onWrite = () => {
      first.device.isLost = true;
      next.reports.lost();
      throw new AppError('TRANSPORT_LOST', quoted('The line is gone.'));
    };
    await next.reports.resume();
    expect(first.memory.reports.wanted.has('LD/LLN0$RP$urcb')).toBe(true);
    expect(next.notices).toEqual([]);
  });

  it('a channel that is started anew enables nothing, and says what is still changed', async () => {
    const { first, next } = await lostWith(URCB, { buffer_ms: 7 });
    first.memory.reports.started();
    await next.reports.resume();
    expect(first.device.writes).toEqual([]);
    expect(next.notices).toEqual([expect.stringContaining('(BufTm); disable_report puts them back')]);
  });
});

describe('by hand', () => {
  it('asks an enabled block for all values, and no other', async () => {
    const bench = new ReportBench();
    await expect(bench.run('interrogate_report', { block: URCB })).rejects.toMatchObject(conflict('is not enabled by this channel'));
    await bench.enable(URCB);
    await bench.run('interrogate_report', { block: URCB });
    expect(bench.device.writes).toEqual(['urcb.Resv', 'urcb.RptEna', 'urcb.GI']);
  });

  it('empties a buffer that nobody reads', async () => {
    const bench = new ReportBench();
    await bench.run('purge_report', { block: BRCB });
    expect(bench.device.writes).toEqual(['brcb.ResvTms', 'brcb.PurgeBuf', 'brcb.ResvTms']);
    bench.device.set('LLN0$BR$brcb', 'RptEna', boolean(true));
    await expect(bench.run('purge_report', { block: BRCB })).rejects.toMatchObject(conflict('enabled by another client'));
    await expect(bench.run('purge_report', { block: URCB })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });

  it('lists the blocks with who has them and what they send', async () => {
    const bench = new ReportBench();
    bench.device.set('LLN0$RP$other', 'RptEna', boolean(true));
    bench.device.set('LLN0$RP$other', 'Owner', owner(10, 0, 0, 7));
    await bench.enable(BRCB, { buffer_ms: 7 });
    bench.send({ ...REPORT, id: 'buffered', entryId: entry(3), hasOverflow: true });
    const { detail, result } = await bench.run('report_blocks');
    expect(detail).toBe('3 report control blocks');
    expect(result.blocks).toMatchObject([
      { reference: URCB, state: 'free', owner: '', buffered: false, data_set: 'LD/LLN0$set', reserved: false, entry_id: null },
      { reference: OTHER, state: 'enabled', owner: '10.0.0.7' },
      {
        reference: BRCB,
        state: 'enabled_here',
        buffered: true,
        report_id: 'buffered',
        option_fields: ['sequence_number', 'reason', 'data_set', 'buffer_overflow', 'entry_id'],
        triggers: ['data_change', 'quality_change', 'general_interrogation'],
        buffer_ms: 7,
        reserved_s: 60,
        changed_here: 'BufTm',
        reports: 1,
        missing: 0,
      },
    ]);
    expect((await bench.run('report_blocks', { logical_device: 'none' })).detail).toBe('the device has no report control blocks');
  });
});
