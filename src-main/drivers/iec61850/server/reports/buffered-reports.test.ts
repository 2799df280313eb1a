import { describe, expect, it } from 'vitest';
import { BRCB, FALSE, octets, POINTS, type Reader, Reporting, seconds, TRUE, text, triggers, unsigned } from './testing/reporting.ts';

const TEMPORARILY = 2;
const INVALID = 11;
const ZERO = new Uint8Array(8);
const IND = (place: number, value: boolean) => `${place}=${value} data-change`;

/** Changes of the first indication, each an entry of its own. */
async function change(device: Reporting, ...values: readonly number[]): Promise<void> {
  for (const value of values) {
    await device.set(1, value);
    await device.pass(100);
  }
}

async function lastEntry(reader: Reader): Promise<Uint8Array> {
  return Uint8Array.from(Buffer.from(String(await reader.read(BRCB, 'EntryID')), 'hex'));
}

describe('a buffered block', () => {
  it('keeps what happens while nobody listens, and tells all of it with an overflow to who does not say where to go on', async () => {
    const device = new Reporting();
    await change(device, 1, 0);
    const reader = await device.reader();
    expect(await reader.write(BRCB, 'RptEna', TRUE)).toBeNull();
    await change(device, 1);
    expect(reader.told()).toEqual([`0: overflow ${IND(0, true)}`, `1: ${IND(0, false)}`, `2: ${IND(0, true)}`]);
    await reader.write(BRCB, 'RptEna', FALSE);
    await reader.write(BRCB, 'RptEna', TRUE);
    await device.pass(0);
    expect(reader.told()).toEqual([`0: overflow ${IND(0, true)}`, `1: ${IND(0, false)}`, `2: ${IND(0, true)}`]);
  });

  it('goes on behind the last entry of a client that lost its association, without loss or repetition', async () => {
    const device = new Reporting();
    const first = await device.reader();
    await first.write(BRCB, 'ResvTms', seconds(60));
    await first.write(BRCB, 'PurgeBuf', TRUE);
    await first.write(BRCB, 'RptEna', TRUE);
    await change(device, 1, 0);
    expect(first.told()).toEqual([`0: overflow ${IND(0, true)}`, `1: ${IND(0, false)}`]);
    await change(device, 1);
    const entry = first.reports[0]?.entryId ?? ZERO;
    const madeAt = first.reports[0]?.entryTime;
    first.client.abort();
    await change(device, 0, 1);
    const second = await device.reader();
    expect(await second.read(BRCB, 'ResvTms')).toBe(60);
    expect(await second.read(BRCB, 'SqNum')).toBe(3);
    expect(await second.write(BRCB, 'EntryID', octets(entry))).toBeNull();
    expect(await second.write(BRCB, 'RptEna', TRUE)).toBeNull();
    await change(device, 0);
    const [next] = second.reports;
    expect(next?.entryTime).toBe((madeAt ?? 0) + 100);
    expect(Buffer.compare(next?.entryId ?? ZERO, entry)).toBe(1);
    expect(second.told()).toEqual([`0: ${IND(0, false)}`, `1: ${IND(0, true)}`, `2: ${IND(0, false)}`]);
    expect(await lastEntry(second)).not.toEqual(entry);
  });

  it('refuses an entry that it does not have, and takes zeros for none', async () => {
    const device = new Reporting();
    await change(device, 1, 0);
    const reader = await device.reader();
    expect(await reader.write(BRCB, 'EntryID', octets(Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 9)))).toBe(INVALID);
    expect(await reader.write(BRCB, 'EntryID', octets(Uint8Array.of(9)))).toBe(7);
    expect(await reader.write(BRCB, 'EntryID', octets(await lastEntry(reader)))).toBeNull();
    expect(await reader.write(BRCB, 'EntryID', octets(ZERO))).toBeNull();
    await reader.write(BRCB, 'RptEna', TRUE);
    await device.pass(0);
    expect(reader.told()).toEqual([`0: overflow ${IND(0, true)}`, `1: ${IND(0, false)}`]);
  });

  it('does not go on for one client where another said so', async () => {
    const device = new Reporting();
    await change(device, 1, 0);
    const [one, other] = [await device.reader({ address: '10.0.0.1' }), await device.reader({ address: '10.0.0.2' })];
    await one.write(BRCB, 'EntryID', octets(await lastEntry(one)));
    one.client.abort();
    await device.pass(10_000);
    await other.write(BRCB, 'RptEna', TRUE);
    await device.pass(0);
    expect(other.told()).toEqual([`0: overflow ${IND(0, true)}`, `1: ${IND(0, false)}`]);
  });

  it.each([
    ['RptID', text('other')],
    ['DatSet', text('LD/LLN0$dsMeas')],
    ['TrgOps', triggers('data_change')],
    ['IntgPd', unsigned(5000)],
    ['BufTm', unsigned(7)],
    ['PurgeBuf', TRUE],
  ] as const)('is emptied by a change of %s, and by nothing else', async (name, value) => {
    const device = new Reporting();
    const reader = await device.reader();
    await change(device, 1);
    const entry = await lastEntry(reader);
    for (const [same, as] of [
      ['RptID', text('')],
      ['DatSet', text('LD/LLN0$dsStat')],
      ['BufTm', unsigned(100)],
      ['IntgPd', unsigned(0)],
      ['TrgOps', triggers('data_change', 'quality_change', 'integrity', 'general_interrogation')],
      ['OptFlds', { kind: 'bit-string', size: 10, octets: Uint8Array.of(0x7f, 0x80) }],
      ['PurgeBuf', FALSE],
    ] as const) {
      expect(await reader.write(BRCB, same, as), same).toBeNull();
    }
    expect(await lastEntry(reader)).toEqual(entry);
    expect(await reader.write(BRCB, 'EntryID', octets(entry))).toBeNull();
    // gathered, and not yet an entry
    await device.set(2, 1);
    expect(await reader.write(BRCB, name, value)).toBeNull();
    await device.pass(1000);
    expect(await lastEntry(reader)).toEqual(ZERO);
    expect(await reader.write(BRCB, 'EntryID', octets(entry))).toBe(INVALID);
    expect(await reader.read(BRCB, 'PurgeBuf')).toBe(false);
    await reader.write(BRCB, 'RptEna', TRUE);
    await device.set(3, 1);
    await device.set(4, 2);
    await device.pass(1000);
    expect(reader.told()).toEqual([name === 'DatSet' ? '0: overflow 0=2 data-change' : `0: overflow ${IND(2, true)}`]);
  });

  it('is bounded: the oldest entries go, and the next report says so', async () => {
    const device = new Reporting();
    const reader = await device.reader();
    await reader.write(BRCB, 'BufTm', unsigned(0));
    await device.set(2, 1);
    await device.pass(0);
    const oldest = await lastEntry(reader);
    for (let count = 0; count < 3000; count++) await device.set(1, (count + 1) % 2);
    await device.pass(0);
    const newest = await lastEntry(reader);
    expect(await reader.write(BRCB, 'EntryID', octets(oldest))).toBe(INVALID);
    expect(await reader.write(BRCB, 'EntryID', octets(newest))).toBeNull();
    await reader.write(BRCB, 'RptEna', TRUE);
    await device.set(1, 1);
    await device.pass(0);
    // what went was not missing to this client
    expect(reader.told()).toEqual([`0: ${IND(0, true)}`]);
    await reader.write(BRCB, 'RptEna', FALSE);
    await reader.write(BRCB, 'RptEna', TRUE);
    await device.pass(1000);
    const [first, second, ...rest] = reader.told();
    expect(first).toMatch(/^0: overflow 0=/);
    expect(second).toMatch(/^1: 0=/);
    expect(rest.length).toBeGreaterThan(1000);
    expect(rest.length).toBeLessThan(2000);
  });

  it('makes interrogations and periods entries, but no periods while nobody listens', async () => {
    const device = new Reporting();
    const reader = await device.reader();
    await reader.write(BRCB, 'IntgPd', unsigned(1000));
    await device.pass(10_000);
    expect(await lastEntry(reader)).toEqual(ZERO);
    await reader.write(BRCB, 'RptEna', TRUE);
    await reader.write(BRCB, 'GI', TRUE);
    await device.pass(1000);
    const told = reader.told();
    expect(told[0]).toMatch(/^0: overflow 0=false general-interrogation/);
    expect(told[1]).toMatch(/^1: 0=false integrity/);
    await reader.write(BRCB, 'RptEna', FALSE);
    await device.pass(10_000);
    await reader.write(BRCB, 'RptEna', TRUE);
    await device.pass(0);
    expect(reader.told()).toHaveLength(2);
  });
});

describe('the reservation of a buffered block', () => {
  it('outlasts the association for its time, for the client that had it', async () => {
    const device = new Reporting();
    const [one, other] = [await device.reader({ address: '10.0.0.1' }), await device.reader({ address: '10.0.0.2' })];
    expect(await one.write(BRCB, 'ResvTms', seconds(-1))).toBe(INVALID);
    expect(await one.write(BRCB, 'ResvTms', seconds(30))).toBeNull();
    expect([await other.read(BRCB, 'ResvTms'), await other.read(BRCB, 'Owner')]).toEqual([30, '0a000001']);
    one.client.abort();
    await device.pass(29_999);
    expect(await other.write(BRCB, 'RptEna', TRUE)).toBe(TEMPORARILY);
    const again = await device.reader({ address: '10.0.0.1' });
    expect(await again.write(BRCB, 'RptEna', TRUE)).toBeNull();
    await device.pass(100_000);
    expect(await other.write(BRCB, 'RptEna', TRUE)).toBe(TEMPORARILY);
    expect([await other.read(BRCB, 'ResvTms'), await other.read(BRCB, 'Owner')]).toEqual([30, '0a000001']);
    again.client.abort();
    await device.pass(30_000);
    expect([await other.read(BRCB, 'ResvTms'), await other.read(BRCB, 'Owner')]).toEqual([0, '']);
    expect(await other.write(BRCB, 'RptEna', TRUE)).toBeNull();
  });

  it('is ten seconds for a client that did not ask for it, and ends with its disabling', async () => {
    const device = new Reporting();
    const [one, other] = [await device.reader({ address: '10.0.0.1' }), await device.reader({ address: '10.0.0.2' })];
    expect(await one.write(BRCB, 'RptID', text('mine'))).toBeNull();
    expect(await other.write(BRCB, 'RptID', text('his'))).toBe(TEMPORARILY);
    one.client.abort();
    await device.pass(9999);
    expect(await other.write(BRCB, 'RptID', text('his'))).toBe(TEMPORARILY);
    await device.pass(1);
    expect(await other.write(BRCB, 'RptEna', TRUE)).toBeNull();
    expect(await other.write(BRCB, 'RptEna', FALSE)).toBeNull();
    expect(await other.read(BRCB, 'ResvTms')).toBe(0);
  });

  it('is given free by 0, and by nobody else', async () => {
    const device = new Reporting();
    const [one, other] = [await device.reader(), await device.reader()];
    await one.write(BRCB, 'ResvTms', seconds(30));
    expect(await other.write(BRCB, 'ResvTms', seconds(0))).toBe(TEMPORARILY);
    expect(await one.write(BRCB, 'ResvTms', seconds(0))).toBeNull();
    expect(await other.write(BRCB, 'ResvTms', seconds(5))).toBeNull();
  });
});

describe('a table that changes', () => {
  it('ends the associations whose data set has other members, and no others', async () => {
    const device = new Reporting();
    const [status, measured] = [await device.reader(), await device.reader()];
    await status.write(BRCB, 'RptEna', TRUE);
    await measured.write('LD/LLN0$BR$brcbMeas01', 'RptEna', TRUE);
    await change(device, 1);
    expect(status.told()).toHaveLength(1);
    const more = { ...(POINTS[0] as (typeof POINTS)[number]), id: 99, reference: 'LD/GGIO1.Ind9.stVal[ST]', code: 'P99' };
    device.channel.connection.pointsChanged([...POINTS, more]);
    await device.pass(0);
    expect([status.client.isOpen, measured.client.isOpen]).toEqual([false, true]);
    expect(device.channel.notices.at(-1)).toContain('127.0.0.1 was let go');
    await device.set(4, 7);
    await device.pass(100);
    expect(measured.told()).toEqual(['0: overflow 0=7 data-change']);
    const again = await device.reader();
    expect([await again.read(BRCB, 'ConfRev'), await again.read(BRCB, 'RptEna'), await again.read(BRCB, 'ResvTms')]).toEqual([2, false, 0]);
    expect(await lastEntry(again)).toEqual(ZERO);
    await again.write(BRCB, 'RptEna', TRUE);
    await again.write(BRCB, 'GI', TRUE);
    await device.pass(0);
    expect(again.reports[0]?.memberCount).toBe(4);
    device.channel.connection.pointsChanged(POINTS.filter(({ id }) => id > 3));
    await device.pass(0);
    expect(again.client.isOpen).toBe(false);
    await device.channel.connection.close();
    expect(device.channel.clock.pending).toBe(0);
  });

  it('ends them as well where as many members are others, and not where a point gets another code', async () => {
    const device = new Reporting();
    const status = await device.reader();
    await status.write(BRCB, 'RptEna', TRUE);
    const [first, ...rest] = POINTS as [(typeof POINTS)[number], ...typeof POINTS];
    const { connection } = device.channel;
    const serve = async (points: typeof POINTS) => {
      const staged = await connection.stageTable?.(points, async () => undefined);
      staged?.takeOver();
      await device.pass(0);
    };
    await serve([{ ...first, code: 'other' }, ...rest]);
    expect([status.client.isOpen, await status.read(BRCB, 'ConfRev')]).toEqual([true, 1]);
    await serve([{ ...first, reference: 'LD/GGIO1.Ind0.stVal[ST]' }, ...rest]);
    expect(status.client.isOpen).toBe(false);
    expect(await (await device.reader()).read(BRCB, 'ConfRev')).toBe(2);
  });

  it('gives all blocks of such a client free, also those whose data set stays', async () => {
    const device = new Reporting();
    const both = await device.reader({ address: '10.0.0.1' });
    const measured = 'LD/LLN0$BR$brcbMeas01';
    for (const block of [BRCB, measured]) expect(await both.write(block, 'RptEna', TRUE)).toBeNull();
    const more = { ...(POINTS[0] as (typeof POINTS)[number]), id: 99, reference: 'LD/GGIO1.Ind9.stVal[ST]', code: 'P99' };
    device.channel.connection.pointsChanged([...POINTS, more]);
    await device.pass(10_000);
    expect(both.client.isOpen).toBe(false);
    const other = await device.reader({ address: '10.0.0.2' });
    for (const block of [BRCB, measured]) expect(await other.write(block, 'RptEna', TRUE), block).toBeNull();
  });
});
