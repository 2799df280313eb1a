import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { interfaceBlock, LINK_ETHERNET, packetBlock, sectionHeader } from '../capture/pcapng.ts';
import { TcpStreams } from '../capture/tcp-streams.ts';
import { encodeMms } from '../drivers/iec61850/mms/codec.ts';
import type { MmsPdu } from '../drivers/iec61850/mms/pdu.ts';
import { dtHeader } from '../drivers/iec61850/osi/cotp.ts';
import { encodeUserData } from '../drivers/iec61850/osi/presentation.ts';
import { DATA_HEADER } from '../drivers/iec61850/osi/session.ts';
import { encodeTpkt } from '../drivers/iec61850/osi/tpkt.ts';
import { encodeRead } from '../drivers/modbus/codec/request.ts';
import { encodeMbap } from '../drivers/modbus/link/mbap.ts';
import { encodeAscii } from '../drivers/modbus/rtu/ascii.ts';
import { encodeRtu } from '../drivers/modbus/rtu/framing.ts';
import type { ProtocolDriver } from '../drivers/spi/index.ts';
import { Turns } from '../platform/turns.ts';
import type { WaysFor } from '../services/series/attempts.ts';
import { captureSeries, surveyCapture, type TakenCapture } from '../services/series/capture-series.ts';
import { builtInDrivers } from './built-in-drivers.ts';

const read = (name: string) => new Uint8Array(readFileSync(join(import.meta.dirname, `../capture/vectors/${name}.pcap`)));

/** The header of a pcap of low octets first, and its packets with their headers. */
function packetsOf(file: Uint8Array): { head: Uint8Array; packets: Uint8Array[] } {
  const view = new DataView(file.buffer, file.byteOffset);
  const packets: Uint8Array[] = [];
  for (let at = 24; at < file.length; ) {
    const end = at + 16 + view.getUint32(at + 8, true);
    packets.push(file.slice(at, end));
    at = end;
  }
  return { head: file.slice(0, 24), packets };
}

const joined = (head: Uint8Array, packets: readonly Uint8Array[]) => new Uint8Array(Buffer.concat([head, ...packets]));
/** Port that a TCP packet over Ethernet and IPv4 comes from. */
const sourceOf = (packet: Uint8Array) => new DataView(packet.buffer).getUint16(16 + 34);
const STATION = 12_404;

const inTpkt = (pdu: MmsPdu) => encodeTpkt(dtHeader(true), DATA_HEADER, encodeUserData(3, encodeMms(pdu)));

const workOf = (file: Uint8Array) => ({
  field: 'file',
  octets: () => [file],
  turns: new Turns(),
  signal: new AbortController().signal,
});
const drivers = builtInDrivers.all;
const ways: WaysFor<ProtocolDriver> = (form) =>
  drivers.flatMap((driver) => {
    const finder = driver.capturedReads?.(form);
    return finder ? [{ driver, finder }] : [];
  });

function take(file: Uint8Array, conversation = 0): Promise<TakenCapture<ProtocolDriver>> {
  return captureSeries(workOf(file), conversation, ways);
}

/** `column = value`, in the order of rows and columns. */
function values({ numbers }: TakenCapture<ProtocolDriver>): string[] {
  const texts: string[] = [];
  for (const row of numbers.times.keys())
    for (const [name, column] of numbers.columns) {
      const value = column[row] as number;
      if (!name.endsWith(':delay') && !Number.isNaN(value)) texts.push(`${name} = ${value}`);
    }
  return texts;
}

interface RecordedOptions {
  /** Frames that were not recorded. */
  readonly lost?: readonly number[];
  readonly everyMs?: number;
  /** What becomes of the packet of a frame. */
  readonly changed?: (bytes: Uint8Array, at: number) => Uint8Array;
}

/** A capture of frames of one connection to port 4001: a request each `everyMs`, and its answer 20 ms behind it. */
function recorded(
  frames: readonly (readonly [isToServer: boolean, payload: Uint8Array])[],
  { lost = [], everyMs = 40, changed = (bytes) => bytes }: RecordedOptions = {},
): Uint8Array {
  const streams = new TcpStreams(4001);
  const packets = frames.map(([isToServer, payload]) => streams.packets({ connection: 1, isToServer, payload, length: payload.length }));
  const blocks = packets.flatMap(([packet], at) => {
    if (!packet || lost.includes(at)) return [];
    const bytes = changed(packet.bytes, at);
    const timeUs = 1e15 + (Math.floor(at / 2) * everyMs + (at % 2) * 20) * 1_000;
    return [packetBlock({ link: 0, timeUs, bytes, length: bytes.length, isSent: true, dropped: 0, comments: [] })];
  });
  return joined(sectionHeader('test', ''), [interfaceBlock(LINK_ETHERNET, 'frames'), ...blocks]);
}

/** A master that asks for one register after the other, and a device that answers with the address. */
const asking = (encode: (pdu: Uint8Array) => Uint8Array, count: number) =>
  Array.from({ length: count }, (_, at) => [
    [true, encode(encodeRead(3, 10 + at, 1))] as const,
    [false, encode(Uint8Array.of(3, 2, 0, 10 + at))] as const,
  ]).flat();
/** Where it says something else than its address, the answer is one to something else. */
const isRight = (text: string) => text.split(/[: ]/)[2] === text.split(' = ')[1];

describe('a conversation of which segments are missing', () => {
  const WAYS = [
    ['Modbus TCP of one id', (pdu: Uint8Array) => encodeMbap(0, 1, pdu)],
    ['Modbus RTU over TCP', (pdu: Uint8Array) => encodeRtu(1, pdu)],
    ['Modbus ASCII over TCP', (pdu: Uint8Array) => encodeAscii(1, pdu)],
  ] as const;
  /** Places in an Ethernet frame of TCP over IPv4. */
  const [IP_LENGTH, SEQUENCE, ACKNOWLEDGED, FLAGS, OCTETS] = [16, 38, 42, 47, 54];

  it.each(WAYS)('has no value of another address, and goes on soon behind them: %s', async (_, encode) => {
    const frames = asking(encode, 40);
    for (let lost = 2; lost < 20; lost++) {
      const file = recorded(frames, { lost: [lost] });
      expect((await surveyCapture(workOf(file), ways)).conversations).toMatchObject([{ gaps: 1 }]);
      const found = values(await take(file));
      expect(found.filter((text) => !isRight(text))).toEqual([]);
      expect(found.length).toBeGreaterThanOrEqual(37);
    }
  });

  it.each(WAYS)('has none where the device left a request alone, and the next one was not recorded: %s', async (_, encode) => {
    const frames = asking(encode, 20);
    frames.splice(11, 1);
    const found = values(await take(recorded(frames, { lost: [11] })));
    expect(found.filter((text) => !isRight(text))).toEqual([]);
    expect(found.length).toBeGreaterThanOrEqual(17);
  });

  it.each(WAYS)('does not wait for ever where nobody acknowledges anything: %s', async (_, encode) => {
    const changed = (bytes: Uint8Array) => bytes.with(FLAGS, 8);
    const found = values(await take(recorded(asking(encode, 60), { lost: [5], everyMs: 1_000, changed })));
    expect(found.filter((text) => !isRight(text))).toEqual([]);
    expect(found.length).toBeGreaterThan(30);
  });

  it('that waited to the end of the capture is gone through in turns', async () => {
    const changed = (bytes: Uint8Array) => bytes.with(FLAGS, 8);
    const file = recorded(
      asking((pdu) => encodeRtu(1, pdu), 400),
      { lost: [2, 3], changed },
    );
    let [heard, most, all] = [0, 0, 0];
    const hear = () => {
      heard += 1;
      all += 1;
      most = Math.max(most, heard);
      return [];
    };
    const turns = Object.assign(new Turns(), {
      breathe: async () => {
        heard = 0;
      },
    });
    await surveyCapture({ ...workOf(file), turns }, () => [{ driver: null, finder: { push: hear, gap: () => undefined } }]);
    // each piece is heard twice, because nothing tells the ends apart
    expect([most, all]).toEqual([2, 2 * 798]);
  });

  it.each(WAYS)(
    'and is opened again on the same ports tells a gap, and answers nothing of the connection before: %s',
    async (_, encode) => {
      const frames = asking(encode, 20);
      // the last request of the first connection has no answer; of the first one of the next nothing but its opening was recorded
      frames.splice(19, 1);
      const changed = (bytes: Uint8Array, at: number) => {
        const view = new DataView(bytes.buffer, bytes.byteOffset);
        const isOpening = at === 19;
        if (at < 19) return bytes;
        view.setUint32(SEQUENCE, view.getUint32(SEQUENCE) + (isOpening ? 999_999 : 1_000_000));
        view.setUint32(ACKNOWLEDGED, view.getUint32(ACKNOWLEDGED) + 1_000_000);
        if (!isOpening) return bytes;
        bytes[FLAGS] = 2;
        view.setUint16(IP_LENGTH, 40);
        return bytes.subarray(0, OCTETS);
      };
      const file = recorded(frames, { changed });
      expect((await surveyCapture(workOf(file), ways)).conversations).toMatchObject([{ gaps: 3 }]);
      const found = values(await take(file));
      expect(found.filter((text) => !isRight(text))).toEqual([]);
      expect(found.length).toBeGreaterThanOrEqual(17);
    },
  );
});

describe('a captured conversation', () => {
  it('has the same values whatever TCP did to its segments: twice, in another order, octet by octet', async () => {
    const file = read('32_monitor_cp56');
    const { head, packets } = packetsOf(file);
    const taken = await take(file);
    expect(taken.driver.descriptor.key).toBe('iec104');
    const whole = values(taken);
    expect(whole.length).toBeGreaterThan(20);
    const twice = packets.flatMap((packet) => [packet, packet]);
    expect(values(await take(joined(head, twice)))).toEqual(whole);
    // what has data changes its place with the next of its direction
    const data = packets.filter((packet) => sourceOf(packet) === STATION && packet.length > 100);
    const swapped = packets.map((packet) => {
      const at = data.indexOf(packet);
      return at < 0 ? packet : (data[at ^ 1] ?? packet);
    });
    expect(data.length).toBeGreaterThan(4);
    expect(values(await take(joined(head, swapped)))).toEqual(whole);
    expect(values(await take(read('63_apdu_split_to_client')))).toEqual([
      '1:16385 = 1',
      '1:16386 = -1.5',
      '1:16387 = 220.5',
      '1:16387:quality = 128',
    ]);
  });

  it('may begin in the middle, and have one direction alone', async () => {
    const file = read('32_monitor_cp56');
    const { head, packets } = packetsOf(file);
    const whole = values(await take(file));
    const station = packets.filter((packet) => sourceOf(packet) === STATION);
    expect(values(await take(joined(head, station)))).toEqual(whole);
    for (let from = 1; from < packets.length; from++) {
      const left = packets.slice(from);
      const has = left.some((packet) => sourceOf(packet) === STATION && packet.length > 100);
      if (!has) continue;
      const found = values(await take(joined(head, left)));
      expect(whole.slice(whole.length - found.length)).toEqual(found);
    }
  });

  it('is understood whoever spoke first, at whatever port: Modbus RTU over TCP', async () => {
    const ask = (start: number) => encodeRtu(5, encodeRead(3, start, 1));
    const answer = (value: number) => encodeRtu(5, Uint8Array.of(3, 2, 0, value));
    const frames: [boolean, Uint8Array][] = [
      [false, answer(1)],
      [true, ask(7)],
      [false, answer(2)],
      [true, ask(7)],
      [false, answer(3)],
    ];
    const file = recorded(frames);
    const taken = await take(file);
    expect(taken.driver.descriptor.key).toBe('modbus-rtu');
    expect(values(taken)).toEqual(['5:3:7 = 2', '5:3:7 = 3']);
  });

  it('whose packets were cut has what is whole of it', async () => {
    const { head, packets } = packetsOf(read('32_monitor_cp56'));
    const whole = values(await take(joined(head, packets)));
    // the first packet with data keeps half of it
    const first = packets.findIndex((packet) => sourceOf(packet) === STATION && packet.length > 100);
    const half = packets.map((packet, at) => {
      if (at !== first) return packet;
      const kept = packet.slice(0, packet.length - 10);
      new DataView(kept.buffer).setUint32(8, kept.length - 16, true);
      return kept;
    });
    const found = values(await take(joined(head, half)));
    expect(found.length).toBeLessThan(whole.length);
    expect(found.length).toBeGreaterThan(whole.length / 2);
    expect(whole).toEqual(expect.arrayContaining(found));
  });

  it('of IEC 61850 has what was read and reported, each value at its place', async () => {
    const read20 = await take(read('20-read-single-attributes'));
    expect(read20.driver.descriptor.key).toBe('iec61850');
    expect(values(read20)).toContain('EMS1LD0/GGIO1.Dbl1.val[MX] = -123456.789');
    const reported = await take(read('50-urcb'));
    const [ind, total] = ['EMS1LD0/GGIO1.Ind1.stVal[ST]', 'EMS1LD0/MMXU1.TotW.mag.f[MX]'];
    const ofTwo = values(reported).filter((said) => (said.startsWith(ind) || said.startsWith(total)) && !said.endsWith(':quality = 0'));
    expect(ofTwo).toEqual([
      `${ind} = 0`,
      `${total} = 1234.5`,
      `${ind} = 1`,
      `${total} = 1500.5`,
      // IV and oldData, questionable and OV
      `${ind} = 1`,
      `${ind}:quality = ${128 + 1024}`,
      `${total} = 1500.5`,
      `${total}:quality = ${256 + 1}`,
    ]);
  });

  it('of IEC 61850 is one of each client: the same invokeIDs at the same time are no doubt', async () => {
    const streams = new TcpStreams(102);
    const name = { scope: 'domain', domain: 'BAY1LD0', item: 'GGIO1$MX$AnIn1$mag$f' } as const;
    const spec = { kind: 'variables', items: [{ name, access: null }] } as const;
    const pdus = [1, 2, 3].flatMap((invokeId) => [
      ...[1, 2].map((connection) => {
        const request = { service: 'read', spec, withSpecification: false } as const;
        return { connection, isToServer: true, payload: inTpkt({ kind: 'request', invokeId, request }) };
      }),
      ...[2, 1].map((connection) => {
        const results = [{ kind: 'float', value: 10 * connection + invokeId, width: 32 }] as const;
        return {
          connection,
          isToServer: false,
          payload: inTpkt({ kind: 'response', invokeId, response: { service: 'read', spec: null, results } }),
        };
      }),
    ]);
    const packets = pdus.flatMap((pdu, at) =>
      streams
        .packets({ ...pdu, length: pdu.payload.length })
        .map((packet) => packetBlock({ link: 0, timeUs: 1e15 + at * 1000, ...packet, isSent: pdu.isToServer, dropped: 0, comments: [] })),
    );
    const file = joined(sectionHeader('test', ''), [interfaceBlock(LINK_ETHERNET, 'frames'), ...packets]);
    for (const conversation of [0, 1]) {
      const found = values(await take(file, conversation));
      expect(found).toEqual([1, 2, 3].map((value) => `BAY1LD0/GGIO1.AnIn1.mag.f[MX] = ${10 * (conversation + 1) + value}`));
    }
  });

  it('of IEC 61850 that names nothing says what would', async () => {
    const file = read('51-urcb-minimal-optflds');
    const { surveyed, conversations } = await surveyCapture(workOf(file), ways);
    const [first] = conversations;
    const reason = { code: 'capture.mms_unnamed', params: { sets: 3, structures: 0 } };
    expect(first && surveyed(first)).toMatchObject({ driver: null, reads: 0, reason });
    await expect(take(file)).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining('3 answers and reports') });
  });

  it('is told before it is taken, as it is then taken', async () => {
    const names = readdirSync(join(import.meta.dirname, '../capture/vectors')).map((name) => name.replace('.pcap', ''));
    const told: (string | undefined)[] = [];
    for (const name of names) {
      const file = read(name);
      const { conversations, surveyed } = await surveyCapture(workOf(file), ways);
      for (const [at, conversation] of conversations.entries()) {
        const { driver, reads, addresses, reason } = surveyed(conversation);
        told.push(driver?.descriptor.key);
        if (reason) {
          await expect(take(file, at)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
          continue;
        }
        const taken = await take(file, at);
        expect([taken.driver, taken.reads, taken.places.length]).toEqual([driver, reads, addresses]);
      }
    }
    expect(new Set(told)).toEqual(new Set(['iec104', 'iec61850', undefined]));
  });

  it('is no longer gone through when nobody waits for it', async () => {
    const gone = new AbortController();
    const file = read('91_chinese_profile');
    const octets = function* () {
      yield file.subarray(0, 100);
      gone.abort(new Error('gone'));
      yield file.subarray(100);
      expect.fail('it went on');
    };
    await expect(surveyCapture({ ...workOf(file), octets, signal: gone.signal }, ways)).rejects.toThrow('gone');
  });
});
