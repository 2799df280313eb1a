/** From a value to the frames behind it: in each protocol those of the point and no other's. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProtocolType } from '#shared/domain/enums.ts';
import { type GatedDevice, GatedReader, type PointInput } from './testing/gated-device.ts';
import { type ManualCore, startManualCore } from './testing/manual-core.ts';

let plant: ManualCore;
beforeEach(async () => {
  plant = await startManualCore();
});
afterEach(() => plant.close());

function device(protocol: GatedDevice['protocol'], points: PointInput[], rest: Partial<GatedDevice> = {}): GatedDevice {
  return { protocol, client: {}, served: points, read: points, ...rest };
}

const register = (code: string, address: number): PointInput => ({ frame_type: 0, code, address, decode: '0x20' });
const object = (code: string, address: number): PointInput => ({ frame_type: 0, code, address });
const meter = (code: string, slave_id: number): PointInput => ({ frame_type: 0, code, address: 0x0201_0100, slave_id });
const BAY = { document: 'bay.cid', client: { learn_model: false, keep_alive_s: 0 } };

/** Two points each, P and Q; what a read of P alone leaves in the log, in the words of the frames. */
const DEVICES: Readonly<Record<string, [GatedDevice, RegExp]>> = {
  'Modbus TCP': [device(ProtocolType.modbusTcp, [register('P', 10), register('Q', 500)]), /Read Holding Registers/],
  'Modbus RTU': [device(ProtocolType.modbusRtu, [register('P', 10), register('Q', 500)]), /Read Holding Registers/],
  'IEC 104': [device(ProtocolType.iec104, [object('P', 16_385), object('Q', 16_386)]), /16385/],
  'DL/T 645': [device(ProtocolType.dlt645, [meter('P', 11), meter('Q', 12)]), /000000000011/],
  'IEC 61850': [
    device(
      ProtocolType.iec61850,
      [
        { frame_type: 0, code: 'P', reference: 'BAY1MEAS/MMXU1.TotW.mag.f[MX]' },
        { frame_type: 0, code: 'Q', reference: 'BAY1MEAS/MMXU1.Hz.mag.f[MX]' },
      ],
      BAY,
    ),
    /TotW/,
  ],
};

async function framesOf(reader: GatedReader, code: string, limit?: number) {
  const { channel_id, id, frame_type } = await reader.row(code);
  const asked = { channel_id, point_id: id, frame_type, ...(limit === undefined ? {} : { limit }) };
  return (await plant.core.api.call('pointFrames', asked)).data.items;
}

describe('the frames of a point', () => {
  it.each(Object.entries(DEVICES))('%s: request and answer of its reads, none of its neighbour', async (_, [it, words]) => {
    const reader = await GatedReader.open(plant, it);
    const before = new Set((await framesOf(reader, 'P', 200)).map(({ seq }) => seq));
    expect(await reader.readOne('P')).toBeNull();
    const own = (await framesOf(reader, 'P', 200)).filter(({ seq }) => !before.has(seq));
    expect(own.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['tx', 'rx']));
    expect(own[0]?.text).toMatch(words);
    const seqs = own.map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.toSorted((one, other) => one - other));
    const neighbours = new Set((await framesOf(reader, 'Q', 200)).map(({ seq }) => seq));
    expect(await reader.readOne('Q')).toBeNull();
    const added = (await framesOf(reader, 'Q', 200)).filter(({ seq }) => !neighbours.has(seq));
    expect(added.length).toBeGreaterThan(0);
    expect(added.filter(({ seq }) => seqs.includes(seq))).toEqual([]);
    expect((await framesOf(reader, 'P', 200)).map(({ seq }) => seq).at(-1)).toBe(seqs.at(-1));
  });

  it.each(Object.entries(DEVICES))('%s: lead back to the point, and to no other', async (_, [it]) => {
    const reader = await GatedReader.open(plant, it);
    expect(await reader.readOne('P')).toBeNull();
    const { channel_id, id, frame_type, code, name } = await reader.row('P');
    for (const { seq } of await framesOf(reader, 'P', 2)) {
      const { data } = await plant.core.api.call('framePoints', { channel_id, seq });
      expect(data).toEqual({ total: 1, items: [{ point_id: id, frame_type, code, name }] });
    }
    await expect(plant.core.api.call('framePoints', { channel_id, seq: 1_000_000 })).rejects.toMatchObject({ status: 404 });
  });

  it('are those of a read that has it among others, and the newest of them', async () => {
    const reader = await GatedReader.open(plant, device(ProtocolType.modbusTcp, [register('P', 10), register('Q', 11)]));
    for (let round = 0; round < 3; round++) await reader.round('batch');
    expect(await framesOf(reader, 'P')).toEqual(await framesOf(reader, 'Q'));
    const all = await framesOf(reader, 'P');
    expect(all).toHaveLength(6);
    expect(await framesOf(reader, 'P', 3)).toEqual(all.slice(-3));
  });

  it('are those of a read of a data set, and its members alone lead back from them', async () => {
    const points: PointInput[] = [
      { frame_type: 0, code: 'P', reference: 'BAY1MEAS/MMXU1.TotW.mag.f[MX]' },
      { frame_type: 0, code: 'Q', reference: 'BAY1MEAS/MMXU1.Hz.mag.f[MX]' },
    ];
    const reader = await GatedReader.open(plant, { ...device(ProtocolType.iec61850, points, BAY), client: { keep_alive_s: 0 } });
    await plant.clock.advance(60_000);
    const { channel_id } = await reader.row('P');
    await reader.round('dataset');
    const [request, answer] = (await framesOf(reader, 'P')).slice(-2);
    expect([request?.text, answer?.link]).toEqual([expect.stringContaining('dsMeas'), request?.seq]);
    expect((await framesOf(reader, 'Q')).map(({ text }) => text)).not.toContain(request?.text);
    const { items } = (await plant.core.api.call('framePoints', { channel_id, seq: answer?.seq ?? 0 })).data;
    expect(items.map(({ code }) => code)).toEqual(['P']);
  });

  it('are those of a setpoint that was written, and of the register behind it in one number', async () => {
    const points: PointInput[] = [
      { frame_type: 3, code: 'S', address: 20, decode: '0x42', func_code: 16 },
      { frame_type: 0, code: 'P', address: 21, decode: '0x20' },
      { frame_type: 0, code: 'Q', address: 22, decode: '0x20' },
    ];
    const reader = await GatedReader.open(plant, device(ProtocolType.modbusTcp, points));
    const { id } = await reader.row('S');
    const written = plant.core.api.call('updatePoint', { point_id: id, frame_type: 3, value: 1.5 });
    await plant.clock.advance(5000);
    await written;
    const writes = (await framesOf(reader, 'S')).filter(({ text }) => text.includes('Write Multiple Registers'));
    expect(writes).toHaveLength(2);
    expect((await framesOf(reader, 'P')).filter(({ text }) => text.includes('Write'))).toEqual(writes);
    expect((await framesOf(reader, 'Q')).filter(({ text }) => text.includes('Write'))).toEqual([]);
  });

  it('are no octets that were no frame, whatever they would ask for', async () => {
    const reader = await GatedReader.open(plant, device(ProtocolType.modbusTcp, [register('P', 10), register('Q', 500)]));
    await reader.readOne('P');
    const served = (await plant.core.api.call('listChannels', {})).data.find(({ name }) => name === 'Served');
    const channel_id = served?.id ?? 0;
    const [point] = (await plant.core.api.call('pointTable', { channel_id, page: 1, page_size: 1 })).data.items;
    const asked = { channel_id, point_id: point?.id ?? 0, frame_type: 0 };
    const before = (await plant.core.api.call('pointFrames', asked)).data.items;
    expect(before.map(({ kind }) => kind)).toEqual(['rx', 'tx']);
    // a read of address 10 with another protocol id than that of Modbus
    await plant.network.dial(served?.port ?? 0)?.write(Uint8Array.of(0, 1, 0, 5, 0, 6, 1, 3, 0, 10, 0, 1));
    await plant.clock.advance(100);
    const { items } = (await plant.core.api.call('listFrames', { channel_id })).data;
    expect(items.map(({ kind }) => kind)).toContain('noise');
    expect((await plant.core.api.call('pointFrames', asked)).data.items).toEqual(before);
  });

  it('take the address base of the channel into account', async () => {
    const reader = await GatedReader.open(plant, device(ProtocolType.modbusTcp, [register('P', 10), register('Q', 11)]));
    await reader.readOne('P');
    const { channel_id } = await reader.row('P');
    expect(await framesOf(reader, 'P')).toHaveLength(2);
    const channel = (await plant.core.api.call('listChannels', {})).data.find(({ id }) => id === channel_id);
    const stopped = plant.core.api.call('stopDevice', { channel_id });
    await plant.clock.advance(2000);
    await stopped;
    await plant.core.api.call('updateChannel', { channel_id, ...(channel ? { name: channel.name } : {}), address_base: 1 });
    // address 11 of the table is 10 on the wire now
    const [p, q] = [await framesOf(reader, 'P'), await framesOf(reader, 'Q')];
    expect([p.length, q.length]).toEqual([0, 2]);
  });
});
