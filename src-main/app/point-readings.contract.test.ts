/** A point that is set up wrongly, and what the octets it was read from may mean: each fault that is met on site is found, and its remedy is right. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PlausibleReading } from '#shared/contract/points.ts';
import { ProtocolType } from '#shared/domain/enums.ts';
import { GatedReader, type PointInput } from './testing/gated-device.ts';
import { type ManualCore, startManualCore } from './testing/manual-core.ts';

let plant: ManualCore;
beforeEach(async () => {
  plant = await startManualCore();
});
afterEach(() => plant.close());

/** A device that serves these, and a channel that has read them under the settings of `read`. */
async function wired(served: readonly (PointInput & { value: number })[], read: readonly PointInput[]): Promise<GatedReader> {
  const points = served.map(({ value: _, ...point }) => point);
  const reader = await GatedReader.open(plant, { protocol: ProtocolType.modbusTcp, client: {}, served: points, read });
  for (const { code, value } of served) await reader.serve(code, value);
  await reader.round('batch');
  return reader;
}

async function readingsOf(reader: GatedReader, known?: string) {
  const { channel_id, id, frame_type } = await reader.row('P');
  return (await plant.core.api.call('pointReadings', { channel_id, point_id: id, frame_type, ...(known === undefined ? {} : { known }) }))
    .data;
}

/** Takes an answer over and reads again, as a person does. */
async function takeOver(reader: GatedReader, found: PlausibleReading | undefined) {
  const { id, frame_type } = await reader.row('P');
  await plant.core.api.call('editPoint', { point_id: id, frame_type, ...found?.changes });
  await reader.round('batch');
  return reader.row('P');
}

const yc = (address: number, decode: string, rest: Partial<PointInput> = {}): PointInput => ({
  frame_type: 0,
  code: 'P',
  address,
  decode,
  ...rest,
});

const FAULTS = {
  'octets in another order': [{ ...yc(10, '0x45'), value: 312.3 }, yc(10, '0x42'), '312.3', ['decode']],
  'octets swapped within the words': [{ ...yc(10, '0xD3'), value: -48.25 }, yc(10, '0x42'), '-48.25', ['decode']],
  'a number with a sign': [{ ...yc(10, '0x21'), value: -5 }, yc(10, '0x20'), '-5', ['decode']],
  'a factor of ten': [{ ...yc(10, '0x20'), value: 3123 }, yc(10, '0x20'), '312.3', ['factor']],
  'a factor of a hundred beside its own': [{ ...yc(10, '0x20'), value: 4998 }, yc(10, '0x20', { mul_coe: 0.1 }), '4.998', ['factor']],
  'another sign': [{ ...yc(10, '0x21'), value: 777 }, yc(10, '0x21'), '-777', ['sign']],
} satisfies Record<string, [PointInput & { value: number }, PointInput, string, string[]]>;

describe('what a known value finds', () => {
  it.each(Object.entries(FAULTS))('%s', async (_, [served, read, known, differs]) => {
    const reader = await wired([served], [read]);
    expect(String((await reader.row('P')).value)).not.toBe(known);
    const [found] = (await readingsOf(reader, known)).plausible ?? [];
    expect(found?.differs).toEqual(differs);
    const half = 0.5 * 10 ** -(known.split('.')[1]?.length ?? 0);
    const { value, quality } = await takeOver(reader, found);
    expect([Math.abs(value - Number(known)) <= half, quality]).toEqual([true, 'good']);
  });

  it('the address beside, by what the neighbours in the table hold', async () => {
    const neighbour = { ...yc(11, '0x20'), code: 'N' };
    const reader = await wired(
      [
        { ...yc(10, '0x20'), value: 17 },
        { ...neighbour, value: 2304 },
      ],
      [yc(10, '0x20'), neighbour],
    );
    const [found] = (await readingsOf(reader, '2304')).plausible ?? [];
    expect(found).toMatchObject({ changes: { address: 11 }, differs: ['address'], raw_hex: '0900' });
  });

  it('a number of two registers where one was meant, by the register behind', async () => {
    const behind = { ...yc(11, '0x20'), code: 'N' };
    const reader = await wired([{ ...yc(10, '0x40'), value: 70_001 }], [yc(10, '0x20'), behind]);
    const [found] = (await readingsOf(reader, '70001')).plausible ?? [];
    expect(found).toMatchObject({ changes: { decode: '0x40' }, differs: ['decode'], value: 70_001 });
  });

  it('no neighbour of another slave, nor of another function', async () => {
    const others = [yc(11, '0x20', { code: 'S', slave_id: 2 }), yc(11, '0x20', { code: 'F', func_code: 4 })];
    const reader = await wired(
      [{ ...yc(10, '0x20'), value: 17 }, ...others.map((point) => ({ ...point, value: 2304 }))],
      [yc(10, '0x20'), ...others],
    );
    expect((await readingsOf(reader, '2304')).plausible).toEqual([]);
  });

  it('that nothing is wrong with a point that is right, first of all', async () => {
    const reader = await wired([{ ...yc(10, '0x42'), value: 312.3 }], [yc(10, '0x42')]);
    expect((await readingsOf(reader, '312')).plausible?.[0]).toMatchObject({ changes: {}, differs: [] });
  });

  it('the octets of the point itself where another point at its address holds older ones', async () => {
    const twin: PointInput = { frame_type: 3, code: 'T', address: 10, decode: '0x20', func_code: 16 };
    const reader = await wired([{ ...yc(10, '0x20'), value: 17 }], [yc(10, '0x20'), twin]);
    await reader.serve('P', 23);
    await reader.readOne('P');
    expect((await reader.row('T')).value).toBe(17);
    expect((await readingsOf(reader, '2.3')).plausible?.[0]).toMatchObject({ raw_hex: '0017', differs: ['factor'] });
  });

  it('no neighbour whose octets hold no more', async () => {
    const neighbour = { ...yc(11, '0x20'), code: 'N' };
    const reader = await wired(
      [
        { ...yc(10, '0x20'), value: 17 },
        { ...neighbour, value: 2304 },
      ],
      [yc(10, '0x20'), neighbour],
    );
    reader.gate.state = 'shut';
    await reader.readOne('N');
    expect((await reader.row('N')).quality).toBe('stale');
    expect((await readingsOf(reader, '2304')).plausible).toEqual([]);
  });

  it('nothing for a zero, which is a zero however it is read', async () => {
    const reader = await wired([{ ...yc(10, '0x20'), value: 0 }], [yc(10, '0x20')]);
    expect((await readingsOf(reader, '0.0')).plausible).toEqual([]);
  });
});

describe('the readings of a point', () => {
  it('are those of as many octets, each once, the present one marked', async () => {
    const reader = await wired([{ ...yc(10, '0x42'), value: 1234.5 }], [yc(10, '0xD0', { mul_coe: 0.1 })]);
    const { point, items, plausible } = await readingsOf(reader);
    expect([point.raw_hex, plausible]).toEqual(['449A5000', null]);
    const plain = items.filter(({ protocol }) => protocol?.kind === undefined);
    expect(plain.map(({ decode }) => decode)).toEqual([
      '0xD0',
      '0x40',
      '0x41',
      '0x42',
      '0x43',
      '0x44',
      '0x45',
      '0xD1',
      '0xD2',
      '0xD3',
      '0xD4',
      '0xD5',
    ]);
    expect(items.filter((item) => item.is_present)).toEqual([
      { decode: '0xD0', raw: '5282372', value: 528_237.2, value_text: '', is_present: true },
    ]);
    expect(items.find(({ decode }) => decode === '0x42')).toMatchObject({ raw: '1234.5', value: 123.45 });
  });

  it('say what is no number', async () => {
    const reader = await wired([{ ...yc(10, '0x40'), value: 0x7fc0_0000 }], [yc(10, '0x40')]);
    expect((await readingsOf(reader)).items.find(({ decode }) => decode === '0x42')).toMatchObject({ raw: 'NaN', value: null });
  });

  it('are exact for 64 bits', async () => {
    const reader = await wired([{ ...yc(10, '0x62'), value: -1.5 }], [yc(10, '0x60')]);
    expect((await readingsOf(reader)).items[0]).toMatchObject({ raw: '13832806255468478464', value_text: '13832806255468478464' });
  });

  it('are none before the first read, for a coil, and for a bit of a register', async () => {
    const read = [
      yc(10, '0x20'),
      { frame_type: 1, code: 'C', address: 1, func_code: 1 },
      { frame_type: 1, code: 'B', address: 9, func_code: 3, bit: 2 },
    ] as const;
    const reader = await GatedReader.open(plant, { protocol: ProtocolType.modbusTcp, client: {}, served: read, read });
    expect(await readingsOf(reader)).toMatchObject({ point: { code: 'P', raw_hex: '' }, items: [], plausible: null });
    await reader.round('batch');
    for (const row of await reader.rows()) {
      const asked = { channel_id: row.channel_id, point_id: row.id, frame_type: row.frame_type };
      const { items } = (await plant.core.api.call('pointReadings', asked)).data;
      expect([row.code, items.length > 0]).toEqual([row.code, row.code === 'P']);
    }
  });

  it.each(['312,3', 'abc', '1e5', ''])('refuse %j as a known value', async (known) => {
    const reader = await wired([{ ...yc(10, '0x20'), value: 1 }], [yc(10, '0x20')]);
    await expect(readingsOf(reader, known)).rejects.toMatchObject({ code: 'CONFIG_INVALID', data: [{ path: 'known' }] });
  });
});
