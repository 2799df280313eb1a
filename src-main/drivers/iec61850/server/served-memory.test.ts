import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { ManualClock } from '../../../platform/manual-clock.ts';
import type { DriverLasting } from '../../spi/index.ts';
import { sclText } from '../model/testing/files.ts';
import type { SimulatedIed } from './ied.ts';
import { BRCB, FALSE, octets, POINTS, Reporting, seconds, TRUE, text, triggers, URCB, unsigned } from './reports/testing/reporting.ts';
import { ServedMemory } from './served-memory.ts';
import { ask, float, names, value, write } from './testing/asking.ts';
import { named, ServedChannel } from './testing/served-channel.ts';

/** What the project keeps, and how often it was written. */
class Project implements DriverLasting {
  writes = 0;
  kept: unknown;

  read(): unknown {
    return this.kept;
  }

  write(value: unknown): void {
    this.writes += 1;
    this.kept = JSON.parse(JSON.stringify(value));
  }
}

const FILE = sclText('bay.cid');
const SETTING_GROUPS =
  '<LN0 lnClass="LLN0" inst="" lnType="LLN0_T"><SettingControl numOfSGs="3" actSG="1"/></LN0><LN lnClass="LPHD" inst="2" lnType="LPHD_T"/>';
const WITH_GROUPS = {
  name: 'bay.cid',
  text: FILE.replace(
    '<LDevice inst="PROT" ldName="Protection">\n          <LN0 lnClass="LLN0" inst="" lnType="LLN0_T"/>',
    `<LDevice inst="PROT" ldName="Protection">\n          ${SETTING_GROUPS}`,
  ),
};
const GROUPS = 'Protection/LLN0$SP$SGCB';
const setting = (constraint: 'SG' | 'SE') => `Protection/PTOC1$${constraint}$StrVal$setMag$f`;

describe('what clients change', () => {
  it('outlasts a restart: data sets, settings and the configuration of buffered blocks', async () => {
    const project = new Project();
    const before = new Reporting({ lasting: project });
    const reader = await before.reader();
    await ask(reader.client, {
      service: 'define-named-variable-list',
      name: named('LD/LLN0$dyn'),
      items: [{ name: named('LD/GGIO1$ST$Ind2'), access: null }],
    });
    expect(await write(reader.client, 'LD/PTOC1$SP$StrVal$setMag$f', float(2.5))).toBeNull();
    expect(await write(reader.client, 'LD/GGIO1$DC$Ind1$dU', { kind: 'mms-string', text: 'door 门' })).toBeNull();
    for (const block of [BRCB, URCB]) {
      expect(await reader.write(block, 'DatSet', text('LD/LLN0$dyn'))).toBeNull();
      expect(await reader.write(block, 'TrgOps', triggers('data_change'))).toBeNull();
      expect(await reader.write(block, 'BufTm', unsigned(20))).toBeNull();
    }
    expect(project.writes).toBe(0);
    await before.pass(500);
    expect(project.writes).toBe(1);
    await reader.write(BRCB, 'RptID', text('mine'));
    await reader.write(BRCB, 'ResvTms', seconds(600));
    await reader.write(BRCB, 'RptEna', TRUE);
    // the end stores what waits
    await before.channel.connection.close();
    expect(project.writes).toBe(2);

    const after = new Reporting({ lasting: project });
    const again = await after.reader();
    expect(await names(again.client, 2, 'LD')).toEqual(['LLN0$dsMeas', 'LLN0$dsStat', 'LLN0$dyn']);
    expect(await value(again.client, 'LD/PTOC1$SP$StrVal$setMag$f')).toEqual(float(2.5));
    expect(await value(again.client, 'LD/GGIO1$DC$Ind1$dU')).toMatchObject({ text: 'door 门' });
    const read = (block: string, ...attributes: readonly string[]) => Promise.all(attributes.map((name) => again.read(block, name)));
    expect(await read(BRCB, 'RptID', 'DatSet', 'ConfRev', 'BufTm', 'TrgOps')).toEqual(['mine', 'LD/LLN0$dyn', 2, 20, '40']);
    expect(await read(BRCB, 'RptEna', 'ResvTms')).toEqual([false, 0]);
    expect(await read(URCB, 'DatSet', 'BufTm')).toEqual(['LD/LLN0$dsStat', 100]);
    // and the block gathers by it at once
    await after.set(2, 1);
    await after.pass(20);
    await again.write(BRCB, 'RptEna', TRUE);
    await after.pass(0);
    expect(again.told()).toEqual(['0: overflow 0=true data-change']);
    await ask(again.client, { service: 'delete-named-variable-list', scope: 0, names: [named('LD/LLN0$dyn')] });
    expect(await names(again.client, 2, 'LD')).toContain('LLN0$dyn');
    // what was kept before is kept with what comes to it
    await write(again.client, 'LD/GGIO1$DC$Ind2$dU', { kind: 'mms-string', text: 'window' });
    await after.channel.connection.close();
    const third = await new Reporting({ lasting: project }).reader();
    expect(await value(third.client, 'LD/PTOC1$SP$StrVal$setMag$f')).toEqual(float(2.5));
    expect(await value(third.client, 'LD/GGIO1$DC$Ind2$dU')).toMatchObject({ text: 'window' });
    expect(await third.read(BRCB, 'RptID')).toBe('mine');
  });

  it('outlasts it for setting groups: the active one, and the values of each', async () => {
    const project = new Project();
    const open = async () => {
      const channel = new ServedChannel({ document: WITH_GROUPS, lasting: project });
      return { channel, client: await channel.associated() };
    };
    const { channel, client } = await open();
    await write(client, `${GROUPS}$EditSG`, unsigned(2));
    await write(client, setting('SE'), float(7));
    await write(client, `${GROUPS}$CnfEdit`, TRUE);
    await write(client, `${GROUPS}$EditSG`, unsigned(3));
    await write(client, setting('SE'), float(9));
    await write(client, `${GROUPS}$ActSG`, unsigned(2));
    await channel.connection.close();
    const again = await open();
    expect(await value(again.client, `${GROUPS}$ActSG`)).toEqual(unsigned(2));
    expect(await value(again.client, `${GROUPS}$EditSG`)).toEqual(unsigned(0));
    expect(await value(again.client, setting('SG'))).toEqual(float(7));
    await write(again.client, `${GROUPS}$ActSG`, unsigned(3));
    expect(await value(again.client, setting('SG'))).toEqual(float(1.5));
  });

  it('is left out where the model has changed, or the store is damaged', async () => {
    const kept = {
      data_sets: [
        { name: 'LD/LLN0$gone', members: ['LD/GGIO9$ST$Ind1'] },
        { name: 'nonsense', members: ['LD/GGIO1$ST$Ind1'] },
        { name: 'LD/LLN0$fine', members: ['LD/GGIO1$ST$Ind1'] },
      ],
      values: [
        ['LD/PTOC1$SP$StrVal$setMag$f', '83 01 01'],
        ['LD/PTOC1$SP$None$setMag$f', '87 05 08 40 20 00 00'],
        ['LD/GGIO1$DC$Ind1$dU', 'zz'],
        [`${BRCB}$BufTm`, '86 01 07'],
      ],
    };
    const project = Object.assign(new Project(), { kept });
    const reader = await new Reporting({ lasting: project }).reader();
    expect(await names(reader.client, 2, 'LD')).toEqual(['LLN0$dsMeas', 'LLN0$dsStat', 'LLN0$fine']);
    expect(await value(reader.client, 'LD/PTOC1$SP$StrVal$setMag$f')).toEqual(float(0));
    expect(await reader.read(BRCB, 'BufTm')).toBe(7);
    const damaged = Object.assign(new Project(), { kept: 'nonsense' });
    expect((await new Reporting({ lasting: damaged }).reader()).client.isOpen).toBe(true);
  });

  it('is told when it cannot be stored, and bounded', async () => {
    const full: DriverLasting = {
      read: () => undefined,
      write: () => {
        throw new AppError('STATE_STORE', quoted('the disk is full'));
      },
    };
    const device = new Reporting({ lasting: full });
    const reader = await device.reader();
    await reader.write(BRCB, 'BufTm', unsigned(7));
    await device.pass(500);
    expect(device.channel.notices.at(-1)).toContain('the disk is full');
    const project = new Project();
    const many = Array.from({ length: 2100 }, (_, at) => ({
      ...(POINTS[5] as (typeof POINTS)[number]),
      id: at + 1,
      reference: `LD/GGIO1.Set${at}.setMag.f[SP]`,
    }));
    const channel = new ServedChannel({ points: many, lasting: project });
    const client = await channel.associated();
    for (let at = 0; at < many.length; at++) await write(client, `LD/GGIO1$SP$Set${at}$setMag$f`, float(at));
    await write(client, 'LD/GGIO1$SP$Set100$setMag$f', float(-1));
    await write(client, 'LD/GGIO1$SP$Set0$setMag$f', float(-1));
    await channel.clock.advance(500);
    const { values } = project.kept as { readonly values: readonly (readonly [string, string])[] };
    // the one that was set longest ago went
    expect([values.length, values[0]?.[0]]).toEqual([2000, 'LD/GGIO1$SP$Set102$setMag$f']);
    expect(values.slice(-2).map(([place]) => place)).toEqual(['LD/GGIO1$SP$Set100$setMag$f', 'LD/GGIO1$SP$Set0$setMag$f']);
  }, 30_000);
});

describe('entries of buffered blocks', () => {
  const entriesIn = (project: Project) =>
    (project.kept as { readonly entries: readonly { readonly block: string; readonly entries: readonly unknown[] }[] }).entries;

  it('outlast a restart, and are resumed behind an EntryID without loss or repetition', async () => {
    const project = new Project();
    const before = new Reporting({ lasting: project });
    const reader = await before.reader();
    await reader.write(BRCB, 'BufTm', unsigned(0));
    await reader.write(BRCB, 'RptEna', TRUE);
    for (const to of [1, 0, 1]) {
      await before.set(1, to);
      await before.pass(10);
    }
    const last = reader.reports.at(-1)?.entryId;
    expect(reader.told()).toHaveLength(3);
    reader.client.abort();
    await before.pass(10);
    await before.set(2, 1);
    await before.pass(10);
    await before.set(3, 1, ['IV']);
    await before.channel.connection.close();

    const after = new Reporting({ lasting: project });
    const again = await after.reader();
    expect(await again.read(BRCB, 'EntryID')).not.toBe('0000000000000000');
    expect(await again.write(BRCB, 'EntryID', octets(last ?? new Uint8Array(8)))).toBeNull();
    await again.write(BRCB, 'RptEna', TRUE);
    await after.pass(0);
    // what was set and not gathered yet at the end is there as well
    expect(again.told()).toEqual(['0: 1=true data-change', '1: 2=true data-change+quality-change']);
    await after.set(1, 1);
    await after.pass(0);
    expect(again.told()).toEqual(['2: 0=true data-change']);
  });

  it('are written out in turns, stored once as they are by then, and at once where the device ends meanwhile', async () => {
    for (const ends of [false, true]) {
      const project = new Project();
      const clock = new ManualClock();
      const order: string[] = [];
      const reports = {
        *keptSteps() {
          for (const step of [1, 2, 3]) {
            order.push(`block ${step}`);
            clock.after(0, () => {
              order.push('other work');
              memory.entriesChanged();
              if (ends && step === 2) memory.end();
            });
            yield;
          }
        },
        keptEntries: (isWhole: boolean) => [{ block: isWhole ? 'whole' : 'present', mark: '', entries: [] }],
      };
      const ied = { reports, dataSets: { dynamic: () => [] }, logs: { kept: () => [] } } as unknown as SimulatedIed;
      const memory = new ServedMemory({ lasting: project, clock, sink: {} as never }, ied);
      memory.entriesChanged();
      await clock.advance(499);
      expect(order).toEqual([]);
      await clock.advance(60_000);
      const turns = ['block 1', 'other work', 'block 2', 'other work', 'block 3', 'other work'];
      expect(order).toEqual(ends ? turns.slice(0, 4) : turns);
      expect(project.writes).toBe(1);
      expect(entriesIn(project)).toEqual([{ block: ends ? 'whole' : 'present', mark: '', entries: [] }]);
    }
  });

  it('are numbered on behind a restart, also where the clock has gone back', async () => {
    const project = new Project();
    const before = new Reporting({ lasting: project });
    await before.pass(3_600_000);
    await before.set(1, 1);
    await before.channel.connection.close();
    const after = new Reporting({ lasting: project });
    await after.set(1, 1);
    await after.pass(1000);
    const reader = await after.reader();
    await reader.write(BRCB, 'RptEna', TRUE);
    await after.pass(0);
    const ids = reader.reports.map(({ entryId }) => Buffer.from(entryId ?? []).toString('hex'));
    expect(ids).toHaveLength(2);
    expect(ids).toEqual([...new Set(ids)].sort());
  });

  it('are kept every 5 s, so that a kill loses no more, and bounded', async () => {
    const project = new Project();
    const device = new Reporting({ lasting: project });
    const reader = await device.reader();
    await reader.write(BRCB, 'BufTm', unsigned(0));
    await device.pass(500);
    const writes = project.writes;
    for (let at = 1; at <= 4000; at++) {
      await device.set(1, at % 2);
      await device.pass(1);
    }
    expect(project.writes).toBe(writes);
    await device.pass(1000);
    expect(project.writes).toBe(writes + 1);
    const { logs, ...others } = project.kept as { logs: unknown };
    expect(JSON.stringify(others).length).toBeLessThan(300_000);
    expect(JSON.stringify(logs).length).toBeLessThan(260_000);
    await device.pass(60_000);
    expect(project.writes).toBe(writes + 1);
    const killed = new Reporting({ lasting: project });
    const again = await killed.reader();
    await again.write(BRCB, 'RptEna', TRUE);
    await killed.pass(0);
    expect(again.reports.length).toBeGreaterThan(500);
    expect(entriesIn(project).find(({ block }) => block === BRCB)?.entries.length).toBe(again.reports.length);
  });

  it('are dropped where the block has other members or settings, and purged ones stay gone', async () => {
    const project = new Project();
    const before = new Reporting({ lasting: project });
    await before.set(1, 1);
    await before.pass(1000);
    await before.channel.connection.close();
    const [first, ...rest] = POINTS;
    expect(first).toBeDefined();
    const other = new Reporting({ lasting: project, points: rest });
    const reader = await other.reader();
    await reader.write(BRCB, 'RptEna', TRUE);
    await other.pass(1000);
    expect(reader.told()).toEqual([]);

    const purging = new Reporting({ lasting: project });
    const purger = await purging.reader();
    await purger.write(BRCB, 'PurgeBuf', TRUE);
    await purging.channel.connection.close();
    const after = await new Reporting({ lasting: project }).reader();
    expect(await after.read(BRCB, 'EntryID')).toBe('0000000000000000');
  });

  it('that are damaged are left out', async () => {
    const project = new Project();
    const before = new Reporting({ lasting: project });
    await before.set(1, 1);
    await before.pass(1000);
    await before.channel.connection.close();
    const kept = JSON.parse(JSON.stringify(project.kept)) as { entries: { entries: { values: [number, number, string][] }[] }[] };
    for (const { entries } of kept.entries) for (const { values } of entries) for (const value of values) value[2] = 'gwEB';
    project.kept = kept;
    const reader = await new Reporting({ lasting: project }).reader();
    expect(await reader.read(BRCB, 'EntryID')).toBe('0000000000000000');
    project.kept = { ...kept, entries: [{ block: 7 }] };
    expect((await new Reporting({ lasting: project }).reader()).client.isOpen).toBe(true);
  });
});

describe('editing of a setting group', () => {
  const open = async (reservation = '') => {
    const file = { ...WITH_GROUPS, text: WITH_GROUPS.text.replace('numOfSGs="3" actSG="1"', `numOfSGs="3" actSG="1"${reservation}`) };
    const channel = new ServedChannel({ document: file });
    return { channel, one: await channel.associated(), other: await channel.associated() };
  };

  it('is one client’s, and free again when it confirms, gives up or is gone', async () => {
    const { channel, one, other } = await open();
    expect(await write(one, `${GROUPS}$EditSG`, unsigned(2))).toBeNull();
    expect(await write(one, setting('SE'), float(7))).toBeNull();
    for (const [name, to] of [
      ['EditSG', unsigned(3)],
      ['EditSG', unsigned(0)],
      ['CnfEdit', TRUE],
    ] as const) {
      expect(await write(other, `${GROUPS}$${name}`, to), name).toBe(2);
    }
    expect(await write(other, setting('SE'), float(8))).toBe(2);
    expect(await value(other, setting('SE'))).toEqual({ kind: 'failure', code: 2 });
    expect(await value(one, setting('SE'))).toEqual(float(7));
    expect(await write(one, `${GROUPS}$CnfEdit`, FALSE)).toBeNull();
    one.abort();
    await channel.clock.advance(0);
    expect(await value(other, `${GROUPS}$EditSG`)).toEqual(unsigned(0));
    expect(await write(other, `${GROUPS}$CnfEdit`, TRUE)).toBe(2);
    expect(await write(other, `${GROUPS}$EditSG`, unsigned(2))).toBeNull();
    // what was not confirmed is gone
    expect(await value(other, setting('SE'))).toEqual(float(1.5));
    expect(await write(other, `${GROUPS}$EditSG`, unsigned(0))).toBeNull();
    expect(await write(other, setting('SE'), float(8))).toBe(2);
  });

  it('ends after ResvTms seconds in which nothing was written', async () => {
    const { channel, one, other } = await open(' resvTms="30"');
    expect(await value(one, `${GROUPS}$ResvTms`)).toEqual(unsigned(30));
    await write(one, `${GROUPS}$EditSG`, unsigned(1));
    await channel.clock.advance(29_000);
    await write(one, setting('SE'), float(7));
    await channel.clock.advance(29_000);
    expect(await write(other, `${GROUPS}$EditSG`, unsigned(1))).toBe(2);
    await channel.clock.advance(1000);
    expect(await write(one, setting('SE'), float(8))).toBe(2);
    expect(await write(other, `${GROUPS}$EditSG`, unsigned(1))).toBeNull();
    expect(await value(other, setting('SE'))).toEqual(float(1.5));
  });

  it('makes reports: of a confirmed active group, and of another that becomes active', async () => {
    const device = new Reporting({ document: WITH_GROUPS, points: [] });
    const reader = await device.reader();
    const members = [setting('SG').replace('$setMag$f', '')];
    const items = members.map((key) => ({ name: named(key), access: null }));
    await ask(reader.client, { service: 'define-named-variable-list', name: named('BAY1LD0/LLN0$groups'), items });
    const block = 'BAY1LD0/LLN0$RP$urcbStat01';
    expect(await reader.write(block, 'DatSet', text('BAY1LD0/LLN0$groups'))).toBeNull();
    await reader.write(block, 'OptFlds', { kind: 'bit-string', size: 10, octets: Uint8Array.of(0x50, 0) });
    await reader.write(block, 'BufTm', unsigned(0));
    expect(await reader.write(block, 'RptEna', TRUE)).toBeNull();
    const edit = async (group: number, to: number) => {
      await write(reader.client, `${GROUPS}$EditSG`, unsigned(group));
      await write(reader.client, setting('SE'), float(to));
      await write(reader.client, `${GROUPS}$CnfEdit`, TRUE);
      await device.pass(0);
    };
    await edit(2, 7);
    expect(reader.told()).toEqual([]);
    await edit(1, 5);
    expect(reader.told()).toEqual(['0: 0=5 data-change']);
    await write(reader.client, `${GROUPS}$ActSG`, unsigned(2));
    await device.pass(0);
    expect(reader.told()).toEqual(['1: 0=7 data-change']);
    await write(reader.client, `${GROUPS}$ActSG`, unsigned(2));
    await device.pass(0);
    expect(reader.told()).toEqual([]);
  });
});
