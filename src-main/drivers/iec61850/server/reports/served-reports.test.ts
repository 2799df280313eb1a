import { describe, expect, it } from 'vitest';
import { settle } from '../../../../platform/manual-clock.ts';
import { utcMs } from '../../model/time.ts';
import { BRCB, FALSE, MEASURED, octets, options, Reporting, seconds, TRUE, text, triggers, URCB, unsigned } from './testing/reporting.ts';

const TEMPORARILY = 2;
const DENIED = 3;
const TYPE = 7;
const INCONSISTENT = 8;
const INVALID = 11;

describe('an unbuffered block', () => {
  it('tells changes of values and qualities, and what is set again, while it is enabled', async () => {
    const device = new Reporting();
    const reader = await device.reader();
    await device.set(1, 1);
    await device.pass(1000);
    expect(await reader.write(URCB, 'RptEna', TRUE)).toBeNull();
    await device.set(1, 0);
    await device.pass(99);
    expect(reader.told()).toEqual([]);
    await device.set(2, 1);
    await device.pass(1);
    expect(reader.told()).toEqual(['0: 0=false data-change 1=true data-change']);
    await device.set(2, 1);
    await device.pass(1000);
    expect(reader.told()).toEqual([]);
    await device.set(2, 1, ['IV']);
    await device.pass(1000);
    expect(reader.told()).toEqual(['1: 1=true quality-change']);
    expect(await reader.write(URCB, 'RptEna', FALSE)).toBeNull();
    await device.set(3, 1);
    await device.pass(1000);
    expect(reader.told()).toEqual([]);
  });

  it('tells a value with the quality and time that came with it, and with both reasons', async () => {
    const device = new Reporting();
    const reader = await device.reader();
    await reader.write(URCB, 'BufTm', unsigned(0));
    await reader.write(URCB, 'RptEna', TRUE);
    await device.set(1, 1, ['questionable']);
    await device.pass(0);
    const [report] = reader.reports;
    const [member] = report?.members ?? [];
    expect(member?.reasons).toEqual([1, 2]);
    expect(member?.value).toMatchObject({ items: [{ value: true }, { octets: Uint8Array.of(0xc0, 0) }, { kind: 'utc-time' }] });
    const time = member?.value.kind === 'structure' ? member.value.items[2] : undefined;
    expect(utcMs(time ?? null)).toBe(Date.UTC(2026, 0, 1));
    expect(report).toMatchObject({ id: URCB, dataSet: 'LD/LLN0$dsStat', revision: 1, memberCount: 3, hasOverflow: null, entryId: null });
    expect(report?.entryTime).toBe(device.channel.clock.wallMs());
  });

  it('loses no change of a member that changes twice within BufTm, or within one turn', async () => {
    const device = new Reporting();
    const reader = await device.reader();
    await reader.write(URCB, 'RptEna', TRUE);
    await device.set(2, 1);
    await device.set(1, 1);
    await device.set(1, 0);
    await device.pass(50);
    expect(reader.told()).toEqual(['0: 0=true data-change 1=true data-change']);
    await device.pass(50);
    expect(reader.told()).toEqual(['1: 0=false data-change']);
    void device.set(3, 1);
    void device.set(3, 0);
    void device.set(3, 1);
    await device.pass(100);
    expect(reader.told()).toEqual(['2: 2=true data-change', '3: 2=false data-change', '4: 2=true data-change']);
  });

  it('tells numbers that are set again where updates are asked for', async () => {
    const device = new Reporting();
    const reader = await device.reader();
    await reader.write(MEASURED, 'TrgOps', triggers('data_update'));
    await reader.write(MEASURED, 'BufTm', unsigned(0));
    await reader.write(MEASURED, 'RptEna', TRUE);
    await device.set(4, 1.5);
    await device.pass(0);
    await device.set(4, 1.5);
    await device.pass(0);
    expect(reader.told()).toEqual(['0: 0=1.5 data-update', '1: 0=1.5 data-update']);
    await device.set(4, Number.NaN).catch(() => undefined);
    await device.pass(0);
    expect(reader.told()).toEqual([]);
  });

  it('sends all members for an interrogation, each period, and keeps the order', async () => {
    const device = new Reporting();
    const reader = await device.reader();
    expect(await reader.write(URCB, 'GI', TRUE)).toBe(TEMPORARILY);
    await reader.write(URCB, 'IntgPd', unsigned(1000));
    await reader.write(URCB, 'RptEna', TRUE);
    await device.set(1, 1);
    expect(await reader.write(URCB, 'GI', TRUE)).toBeNull();
    expect(await reader.read(URCB, 'GI')).toBe(false);
    await device.pass(0);
    const all = (reason: string) => `0=true ${reason} 1=false ${reason} 2=false ${reason}`;
    expect(reader.told()).toEqual(['0: 0=true data-change', `1: ${all('general-interrogation')}`]);
    await device.pass(1000);
    expect(reader.told()).toEqual([`2: ${all('integrity')}`]);
    await device.pass(3000);
    expect(reader.told()).toHaveLength(3);
    expect(await reader.write(URCB, 'GI', FALSE)).toBeNull();
    await reader.write(URCB, 'RptEna', FALSE);
    await reader.write(URCB, 'TrgOps', triggers('data_change'));
    await reader.write(URCB, 'RptEna', TRUE);
    expect(await reader.write(URCB, 'GI', TRUE)).toBe(TEMPORARILY);
    await device.pass(5000);
    expect(reader.told()).toEqual([]);
  });

  it('numbers its reports anew at each enabling, modulo 256', async () => {
    const device = new Reporting();
    const reader = await device.reader();
    await reader.write(URCB, 'RptEna', TRUE);
    for (let count = 0; count < 258; count++) {
      await reader.write(URCB, 'GI', TRUE);
      await device.pass(0);
    }
    const numbers = reader.reports.splice(0).map(({ sequence }) => sequence);
    expect([numbers[0], numbers[255], numbers[256], numbers.length]).toEqual([0, 255, 0, 258]);
    expect(await reader.read(URCB, 'SqNum')).toBe(2);
    await reader.write(URCB, 'RptEna', FALSE);
    await reader.write(URCB, 'RptEna', TRUE);
    await reader.write(URCB, 'GI', TRUE);
    await device.pass(0);
    expect(reader.told()[0]).toMatch(/^0:/);
  });

  it('carries just what its OptFlds say', async () => {
    const device = new Reporting();
    const reader = await device.reader();
    await reader.write(URCB, 'OptFlds', options('data_reference', 'buffer_overflow', 'entry_id'));
    await reader.write(URCB, 'RptEna', TRUE);
    await reader.write(URCB, 'GI', TRUE);
    await device.pass(0);
    const [report] = reader.reports;
    expect(report).toMatchObject({
      sequence: null,
      entryTime: null,
      dataSet: null,
      hasOverflow: null,
      entryId: null,
      revision: null,
      segment: null,
    });
    expect(report?.members.map(({ reference, reasons }) => [reference, reasons])).toEqual(
      [1, 2, 3].map((at) => [`LD/GGIO1$ST$Ind${at}`, null]),
    );
    expect(await reader.read(URCB, 'OptFlds')).toBe('0700');
  });
});

describe('who may do what', () => {
  it('is one client: others are refused until it gives the block free or is gone', async () => {
    const device = new Reporting();
    const one = await device.reader({ address: '10.0.0.1' });
    const other = await device.reader({ address: '10.0.0.1' });
    expect(await one.write(URCB, 'Resv', TRUE)).toBeNull();
    expect([await one.read(URCB, 'Resv'), await one.read(URCB, 'Owner')]).toEqual([true, '0a000001']);
    for (const [name, value] of [
      ['Resv', TRUE],
      ['Resv', FALSE],
      ['RptEna', TRUE],
      ['RptEna', FALSE],
      ['GI', TRUE],
      ['BufTm', unsigned(1)],
    ] as const) {
      expect(await other.write(URCB, name, value), name).toBe(TEMPORARILY);
    }
    expect(await one.write(URCB, 'RptEna', TRUE)).toBeNull();
    expect(await one.write(URCB, 'RptEna', TRUE)).toBe(TEMPORARILY);
    expect(await one.write(URCB, 'Resv', FALSE)).toBe(TEMPORARILY);
    await device.set(1, 1);
    one.client.abort();
    await device.pass(1000);
    expect([await other.read(URCB, 'Resv'), await other.read(URCB, 'RptEna'), await other.read(URCB, 'Owner')]).toEqual([false, false, '']);
    expect(await other.write(URCB, 'RptEna', TRUE)).toBeNull();
    await device.pass(1000);
    expect([one.told(), other.told()]).toEqual([[], []]);
    expect(await other.write(URCB, 'RptEna', FALSE)).toBeNull();
    // taken by enabling alone, it is free again
    expect(await other.read(URCB, 'Resv')).toBe(false);
  });

  it('is written only while the block is disabled, and with values that mean something', async () => {
    const device = new Reporting();
    const reader = await device.reader();
    for (const block of [URCB, BRCB]) {
      for (const name of ['ConfRev', 'SqNum']) expect(await reader.write(block, name, unsigned(1))).toBe(DENIED);
      expect(await reader.write(block, 'Owner', octets(Uint8Array.of(1)))).toBe(DENIED);
      expect(await reader.write(block, 'RptEna', unsigned(1))).toBe(TYPE);
      expect(await reader.write(block, 'RptID', text('x'.repeat(130)))).toBe(TYPE);
      expect(await reader.write(block, 'DatSet', text('LD/LLN0$none'))).toBe(INVALID);
      expect(await reader.write(block, 'BufTm', unsigned(3_600_001))).toBe(INVALID);
      for (const period of [1, 99, 2 ** 32 - 1]) expect(await reader.write(block, 'IntgPd', unsigned(period))).toBe(INVALID);
      expect(await reader.write(block, 'DatSet', text(''))).toBeNull();
      expect(await reader.write(block, 'RptEna', TRUE)).toBe(INCONSISTENT);
      expect(await reader.write(block, 'DatSet', text('LD/LLN0$dsMeas'))).toBeNull();
      expect(await reader.read(block, 'ConfRev')).toBe(3);
      expect(await reader.write(block, 'RptEna', TRUE)).toBeNull();
      for (const [name, value] of [
        ['RptID', text('x')],
        ['DatSet', text('LD/LLN0$dsMeas')],
        ['OptFlds', options()],
        ['BufTm', unsigned(100)],
        ['TrgOps', triggers()],
        ['IntgPd', unsigned(0)],
      ] as const) {
        expect(await reader.write(block, name, value), name).toBe(TEMPORARILY);
      }
    }
    expect(await reader.write(BRCB, 'ResvTms', seconds(10))).toBe(TEMPORARILY);
    expect(await reader.write(BRCB, 'PurgeBuf', TRUE)).toBe(TEMPORARILY);
    expect(await reader.write(BRCB, 'EntryID', octets(new Uint8Array(8)))).toBe(TEMPORARILY);
    expect(await reader.write(BRCB, 'TimeofEntry', { kind: 'binary-time', octets: new Uint8Array(6) })).toBe(DENIED);
    expect(await reader.write(URCB, 'None', TRUE)).toBe(10);
    expect(await reader.write('LD/LLN0$RP', 'urcbStat02', { kind: 'structure', items: [] })).toBe(DENIED);
  });

  it('keeps data sets that blocks name from being deleted, those of an association for their client', async () => {
    const device = new Reporting();
    const [reader, other] = [await device.reader(), await device.reader()];
    const define = (name: { scope: 'association'; item: string } | { scope: 'domain'; domain: string; item: string }) =>
      reader.client.request({
        service: 'define-named-variable-list',
        name,
        items: [{ name: { scope: 'domain', domain: 'LD', item: 'GGIO1$ST$Ind2' }, access: null }],
      });
    const remove = (name: Parameters<typeof define>[0]) =>
      reader.client.request({ service: 'delete-named-variable-list', scope: 0, names: [name] });
    const mine = { scope: 'association', item: 'mine' } as const;
    const shared = { scope: 'domain', domain: 'LD', item: 'LLN0$dyn' } as const;
    await define(mine);
    await define(shared);
    expect(await other.write(URCB, 'DatSet', text('@mine'))).toBe(INVALID);
    expect(await reader.write(BRCB, 'DatSet', text('@mine'))).toBe(INVALID);
    expect(await reader.write(URCB, 'DatSet', text('@mine'))).toBeNull();
    expect(await reader.write(BRCB, 'DatSet', text('LD/LLN0$dyn'))).toBeNull();
    expect(await remove(mine)).toMatchObject({ matched: 1, deleted: 0 });
    expect(await remove(shared)).toMatchObject({ matched: 1, deleted: 0 });
    await reader.write(URCB, 'RptEna', TRUE);
    await device.set(2, 1);
    await device.pass(100);
    expect(reader.told()).toEqual(['0: 0=true data-change']);
    await reader.client.close();
    await settle();
    expect(await other.write(URCB, 'RptEna', TRUE)).toBe(INCONSISTENT);
    expect(await other.write(URCB, 'DatSet', text('LD/LLN0$dsStat'))).toBeNull();
    expect(await other.write(URCB, 'RptEna', TRUE)).toBeNull();
  });
});
