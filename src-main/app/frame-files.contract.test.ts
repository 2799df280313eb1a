/** The frame log as a file: text, CSV, and a capture for Wireshark. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FrameEntry } from '#shared/contract/frames.ts';
import type { InputOf } from '#shared/contract/index.ts';
import { ProtocolType } from '#shared/domain/enums.ts';
import { readFrame } from '../capture/testing/read-network.ts';
import { readPcapng } from '../capture/testing/read-pcapng.ts';
import { type GatedDevice, GatedReader, type PointInput } from './testing/gated-device.ts';
import { type ManualCore, startManualCore } from './testing/manual-core.ts';

let plant: ManualCore;
beforeEach(async () => {
  plant = await startManualCore();
});
afterEach(() => plant.close());

const register = (code: string, address: number): PointInput => ({ frame_type: 0, code, address, decode: '0x20' });
const object = (code: string, address: number): PointInput => ({ frame_type: 0, code, address });
const PASSWORD = '112233';
const OPERATOR = '55667788';
const period: PointInput = { frame_type: 3, code: 'P', address: 0x0400_0103, slave_id: 12 };
const total = { frame_type: 0 as const, code: 'P', reference: 'BAY1MEAS/MMXU1.TotW.mag.f[MX]' };

function device(protocol: GatedDevice['protocol'], points: PointInput[], rest: Partial<GatedDevice> = {}): GatedDevice {
  return { protocol, client: {}, served: points, read: points, ...rest };
}

const REGISTERS = [register('P', 10), register('Q', 500)];
const METERS = device(ProtocolType.dlt645, [period], {
  secrets: { password_04: PASSWORD, operator_code: OPERATOR },
});

async function fileOf(input: InputOf<'framesFile'>) {
  const { data } = await plant.core.api.call('framesFile', input);
  return { ...data, text: Buffer.from(data.bytes).toString('utf8') };
}

async function captureOf(input: Omit<InputOf<'framesFile'>, 'format'>) {
  return readPcapng((await fileOf({ ...input, format: 'pcapng' })).bytes);
}

async function entriesOf(channel_id: number): Promise<readonly FrameEntry[]> {
  return (await plant.core.api.call('listFrames', { channel_id, limit: 2000 })).data.items;
}

const octetsOf = (hex: string) => Uint8Array.from(hex.split(' '), (pair) => (pair === '**' ? 0x2a : Number.parseInt(pair, 16)));

/** Ports that the protocols are known by. */
const NETWORK: Readonly<Record<string, [GatedDevice, number]>> = {
  'Modbus TCP': [device(ProtocolType.modbusTcp, REGISTERS), 502],
  'IEC 104': [device(ProtocolType.iec104, [object('P', 16_385)]), 2404],
  'IEC 61850': [device(ProtocolType.iec61850, [total], { document: 'bay.cid', client: { learn_model: false, keep_alive_s: 0 } }), 102],
};

describe('a capture', () => {
  it.each(Object.entries(NETWORK))(
    '%s: every frame in a segment of one connection, its octets, time, direction, explanation and ends',
    async (_, [it, port]) => {
      const reader = await GatedReader.open(plant, it);
      for (let round = 0; round < 3; round++) expect(await reader.readOne('P')).toBeNull();
      const { links, packets, application, comment } = await captureOf({ channel_id: reader.id });
      expect([application, comment]).toEqual([expect.stringMatching(/^Loopcheck /), 'Device']);
      expect(links.map(({ type }) => type)).toEqual([1, 252]);
      const frames = (await entriesOf(reader.id)).filter(({ hex }) => hex !== '');
      expect(frames.length).toBeGreaterThan(5);
      expect(packets).toHaveLength(frames.length);
      const next = { out: 1, in: 1 };
      for (const [at, entry] of frames.entries()) {
        const packet = packets[at] ?? expect.fail('a frame is missing');
        const { direction } = packet;
        expect(direction).toBe(entry.kind === 'tx' ? 'out' : 'in');
        expect(Math.floor(packet.timeUs / 1000)).toBe(Date.parse(entry.at));
        expect(packet.comments).toEqual([entry.text, entry.peer]);
        expect([packet.link, packet.length]).toEqual([0, packet.bytes.length]);
        const { payload, isChecksumRight, seq, ack, from, to } = readFrame(packet.bytes);
        expect(payload).toEqual(octetsOf(entry.hex));
        expect(isChecksumRight).toBe(true);
        const here = direction ?? 'in';
        expect([seq, ack]).toEqual([next[here], next[here === 'in' ? 'out' : 'in']]);
        next[here] += payload.length;
        expect(here === 'out' ? to : from).toBe(`192.0.2.1:${port}`);
      }
    },
  );

  it('of a served channel has the same frames the other way round', async () => {
    const reader = await GatedReader.open(plant, device(ProtocolType.modbusTcp, REGISTERS));
    await reader.readOne('P');
    const served = (await plant.core.api.call('listChannels', {})).data.find(({ name }) => name === 'Served')?.id ?? 0;
    const there = (await captureOf({ channel_id: reader.id })).packets;
    const here = (await captureOf({ channel_id: served })).packets;
    expect(here.map(({ bytes }) => readFrame(bytes).payload)).toEqual(there.map(({ bytes }) => readFrame(bytes).payload));
    expect(here.map(({ direction }) => direction)).toEqual(there.map(({ direction }) => (direction === 'in' ? 'out' : 'in')));
    // the number of the connection, and so the port of the client, is that of each channel
    const target = ({ bytes }: { readonly bytes: Uint8Array }) => readFrame(bytes).to.split(':')[0];
    expect(here.map(target)).toEqual(there.map(target));
  });

  it.each([
    ['Modbus RTU', device(ProtocolType.modbusRtu, REGISTERS), 'mbrtu'],
    ['Modbus ASCII', device(ProtocolType.modbusRtu, REGISTERS, { client: { framing: 'ascii' } }), 'Modbus ASCII'],
    ['DL/T 645', METERS, 'DL/T 645'],
  ] as const)('%s: every frame behind the name of its dissector', async (_, it, name) => {
    const reader = await GatedReader.open(plant, it);
    await reader.readOne('P');
    const { links, packets } = await captureOf({ channel_id: reader.id });
    expect(links.map(({ type }) => type)).toEqual([252]);
    const frames = (await entriesOf(reader.id)).filter(({ hex }) => hex !== '');
    expect(frames.length).toBeGreaterThan(0);
    expect(packets).toHaveLength(frames.length);
    for (const [at, { bytes, comments }] of packets.entries()) {
      const octets = octetsOf(frames[at]?.hex ?? '');
      expect(Buffer.from(bytes).includes(name)).toBe(true);
      expect(bytes.slice(-octets.length)).toEqual(octets);
      expect(comments).toEqual([frames[at]?.text, frames[at]?.peer]);
    }
  });

  it('keeps octets that were no frame out of the connection', async () => {
    const reader = await GatedReader.open(plant, device(ProtocolType.modbusTcp, REGISTERS));
    const served = (await plant.core.api.call('listChannels', {})).data.find(({ name }) => name === 'Served');
    await plant.network.dial(served?.port ?? 0)?.write(Uint8Array.of(0, 1, 0, 5, 0, 6, 1, 3, 0, 10, 0, 1));
    await plant.clock.advance(100);
    await reader.readOne('P');
    const { packets } = await captureOf({ channel_id: served?.id ?? 0 });
    const [noise, ...rest] = packets.filter(({ link }) => link === 1);
    expect(rest).toEqual([]);
    expect(
      Buffer.from(noise?.bytes ?? [])
        .subarray(0, 8)
        .toString('latin1'),
    ).toBe('\0\x0c\0\x04data');
    expect(packets.filter(({ link }) => link === 0).length).toBeGreaterThan(1);
  });

  it('of an empty log is a sound file without packets', async () => {
    const channel_id = (await plant.core.api.call('addChannel', { name: 'New', protocol_type: 1, conn_type: 2, port: 502 })).data.id;
    expect(await captureOf({ channel_id })).toMatchObject({ comment: 'New', packets: [] });
  });
});

describe('secrets', () => {
  it('are masked in every format as in the list, and a capture says which octets they were', async () => {
    const reader = await GatedReader.open(plant, METERS);
    expect(await reader.write('P', 30)).toBeNull();
    const written = (await entriesOf(reader.id)).filter(({ hex }) => hex.includes('**'));
    expect(written).toHaveLength(1);
    const hex = written[0]?.hex ?? '';
    for (const format of ['text', 'csv'] as const) {
      const { text } = await fileOf({ channel_id: reader.id, format });
      expect(text).toContain(hex);
    }
    const secret = [0x33, 0x22, 0x11].map((octet) => octet + 0x33);
    const operator = [0x88, 0x77, 0x66, 0x55].map((octet) => (octet + 0x33) & 0xff);
    const file = Buffer.from((await fileOf({ channel_id: reader.id, format: 'pcapng' })).bytes);
    expect([file.includes(Buffer.from(secret)), file.includes(Buffer.from(operator))]).toEqual([false, false]);
    const packet = readPcapng(file).packets.find(({ comments }) => comments.length === 3);
    const octets = octetsOf(hex);
    expect(packet?.bytes.slice(-octets.length)).toEqual(octets);
    const first = hex.split(' ').indexOf('**');
    expect(packet?.comments[2]).toMatch(new RegExp(`^Hidden octets of the frame: ${first} to \\d+`));
  });
});

describe('text and CSV', () => {
  it('have a mark of UTF-8, and a line for each entry with time, kind, length, octets and explanation', async () => {
    const reader = await GatedReader.open(plant, device(ProtocolType.modbusTcp, REGISTERS));
    await reader.readOne('P');
    const entries = await entriesOf(reader.id);
    const csv = await fileOf({ channel_id: reader.id, format: 'csv' });
    expect([csv.name, csv.mediaType]).toEqual(['Device-frames.csv', 'text/csv; charset=utf-8']);
    const [head, ...lines] = csv.text.split('\r\n');
    expect(head).toBe('\uFEFFNumber,Time (UTC),Kind,Length,Octets,Explanation,Answers,Answered by,Latency (ms),Connection,Line');
    expect(lines.pop()).toBe('');
    expect(lines).toHaveLength(entries.length);
    for (const [at, { seq, at: time, kind, length, hex }] of entries.entries()) {
      expect(lines[at]?.startsWith(`${seq},${time},${kind.toUpperCase()},${length},${hex},`)).toBe(true);
      expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
    const plain = await fileOf({ channel_id: reader.id, format: 'text' });
    expect([plain.name, plain.mediaType]).toEqual(['Device-frames.txt', 'text/plain; charset=utf-8']);
    const request = entries.find(({ kind }) => kind === 'tx');
    expect(plain.text.startsWith('\uFEFF# Channel: Device\r\n# Entries 1 to ')).toBe(true);
    expect(plain.text).toContain(`${request?.at}  TX         12  ${request?.hex}  ${request?.text}  [${request?.peer}]\r\n`);
    const chinese = await fileOf({ channel_id: reader.id, format: 'csv', lang: 'zh' });
    expect(chinese.text.startsWith('\uFEFF序号,时间 (UTC),类型,')).toBe(true);
  });

  it('of an empty log say so', async () => {
    const channel_id = (await plant.core.api.call('addChannel', { name: '=1+1', protocol_type: 1, conn_type: 2, port: 502 })).data.id;
    expect((await fileOf({ channel_id, format: 'text' })).text).toBe('\uFEFF# Channel: =1+1\r\n# The frame log is empty.\r\n');
    const { text, name } = await fileOf({ channel_id, format: 'csv' });
    expect(text.split('\r\n')).toHaveLength(2);
    expect(name).toBe('_1_1-frames.csv');
  });
});

describe('what is wanted', () => {
  it('is bounded by number and count, or by a point, in all formats alike', async () => {
    const reader = await GatedReader.open(plant, device(ProtocolType.modbusTcp, REGISTERS));
    for (const code of ['P', 'Q', 'P', 'Q']) await reader.readOne(code);
    const channel_id = reader.id;
    const seqs = async (more: Partial<InputOf<'framesFile'>>) => {
      const { text } = await fileOf({ channel_id, format: 'csv', ...more });
      return text
        .split('\r\n')
        .slice(1, -1)
        .map((line) => Number(line.split(',')[0]));
    };
    const all = (await entriesOf(channel_id)).map(({ seq }) => seq);
    expect(await seqs({})).toEqual(all);
    expect(await seqs({ limit: 3 })).toEqual(all.slice(-3));
    expect(await seqs({ after_seq: 2 })).toEqual(all.slice(2));
    expect(await seqs({ after_seq: 2, limit: 3 })).toEqual(all.slice(2, 5));
    expect(await seqs({ after_seq: 9999 })).toEqual([]);
    const { id, frame_type } = await reader.row('P');
    const point = { point_id: id, frame_type };
    const own = (await plant.core.api.call('pointFrames', { channel_id, ...point, limit: 200 })).data.items.map(({ seq }) => seq);
    expect(own.length).toBeGreaterThan(3);
    expect(await seqs(point)).toEqual(own);
    expect(await seqs({ ...point, limit: 2 })).toEqual(own.slice(-2));
    expect(await seqs({ ...point, after_seq: own[0] ?? 0, limit: 2 })).toEqual(own.slice(1, 3));
    expect((await captureOf({ channel_id, ...point })).packets).toHaveLength(own.length);
  });

  it('is refused with what would be right', async () => {
    const channel_id = (await plant.core.api.call('addChannel', { name: 'New', protocol_type: 1, conn_type: 2, port: 502 })).data.id;
    const refused = (input: object) => plant.core.api.call('framesFile', { channel_id, format: 'csv', ...input } as InputOf<'framesFile'>);
    await expect(refused({ format: 'pcap' })).rejects.toMatchObject({ status: 422, message: expect.stringMatching(/format.*pcapng/) });
    await expect(refused({ format: undefined })).rejects.toMatchObject({ status: 422, message: expect.stringContaining('format') });
    await expect(refused({ channel_id: 77 })).rejects.toMatchObject({ status: 404 });
    await expect(refused({ point_id: 1 })).rejects.toMatchObject({ status: 422, message: expect.stringContaining('frame_type') });
    await expect(refused({ frame_type: 0 })).rejects.toMatchObject({ status: 422, message: expect.stringContaining('point_id') });
    await expect(refused({ point_id: 1, frame_type: 0 })).rejects.toMatchObject({ status: 404 });
    await expect(refused({ limit: 0 })).rejects.toMatchObject({ status: 422 });
  });
});

it('two files that are asked for at once are both whole', async () => {
  const reader = await GatedReader.open(plant, device(ProtocolType.modbusTcp, REGISTERS));
  await reader.readOne('P');
  const [one, other] = await Promise.all([
    fileOf({ channel_id: reader.id, format: 'text' }),
    fileOf({ channel_id: reader.id, format: 'text' }),
  ]);
  expect(one.bytes).toEqual(other.bytes);
  expect(one.bytes.length).toBeGreaterThan(200);
});
