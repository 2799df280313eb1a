import { tcpFrame } from '../src-main/capture/network.ts';
import { interfaceBlock, LINK_ETHERNET, packetBlock, sectionHeader } from '../src-main/capture/pcapng.ts';
import { encodeMms } from '../src-main/drivers/iec61850/mms/codec.ts';
import type { MmsPdu, VariableSpec } from '../src-main/drivers/iec61850/mms/pdu.ts';
import { dtHeader } from '../src-main/drivers/iec61850/osi/cotp.ts';
import { encodeUserData } from '../src-main/drivers/iec61850/osi/presentation.ts';
import { DATA_HEADER } from '../src-main/drivers/iec61850/osi/session.ts';
import { encodeTpkt } from '../src-main/drivers/iec61850/osi/tpkt.ts';
import { encodeRead } from '../src-main/drivers/modbus/codec/request.ts';
import { encodeMbap } from '../src-main/drivers/modbus/link/mbap.ts';
import type { BenchResult } from './result.ts';
import { Bed } from './stalls.ts';

const ENTRIES = 1_000_000;
const LOG_OCTETS = 268_435_456;
/** Frames of captures: about as much as may be sent; and with a column for each register and a row for each read, as much as becomes recorded values. */
const [LOOKED, TAKEN] = [150_000, 800];
/** Connections, and exchanges of each, that wait to the end of their capture for a segment that was not recorded. */
const [CONNECTIONS, EXCHANGES] = [50, 2_000];
/** Flags of TCP in an Ethernet frame over IPv4: without ACK. */
const [FLAGS, PUSH] = [47, 8];

/** A frame log of a million entries, as large as one may be: what is asked of it holds no line. */
export async function run(): Promise<BenchResult[]> {
  const bed = new Bed('frames-service.ts');
  try {
    await bed.begin();
    await bed.send('/api/service/settings', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ frame_log_bytes: LOG_OCTETS }),
    });
    const id = await bed.addChannel('logged', 1);
    await bed.post('/api/device/add_points', {
      channel_id: id,
      points: [{ frame_type: 0, code: 'P', address: 7, decode: '0x42', slave_id: 8 }],
    });
    const { entries } = await bed.ask<{ entries: number }>({ kind: 'fill', channelId: id, entries: ENTRIES });
    if (entries < ENTRIES) throw new Error(`the log keeps ${entries} entries`);
    const of = `of ${ENTRIES.toLocaleString('en')} frames`;
    const list = (filter: string) => () => bed.send(`/api/frames/list?channel_id=${id}&limit=100&filter=${encodeURIComponent(filter)}`);
    await bed.watch(`last page ${of}`, () => bed.send(`/api/frames/list?channel_id=${id}&limit=100`));
    await bed.watch(`a filter that nothing ${of} passes, by slave`, list('slave == 250'));
    await bed.watch(`a filter that nothing ${of} passes, by point`, list('point == P and error'));
    await bed.watch(`a filter that nothing ${of} passes, by text`, list('text contains "nowhere"'));
    await bed.watch(`a filter that nothing ${of} passes, by latency`, list('latency > 60000'));
    await bed.watch(`statistics ${of}`, () => bed.send(`/api/frames/statistics?channel_id=${id}`));
    await bed.watch(`file ${of} as pcapng`, () => bed.send(`/api/frames/file?channel_id=${id}&format=pcapng`));
    const capture = async (frames: number) => {
      const { data } = await bed.send(`/api/frames/file?channel_id=${id}&format=pcapng&limit=${frames}`);
      const body = new FormData();
      body.set('file', new File([data as Uint8Array<ArrayBuffer>], 'bench.pcapng'));
      return { method: 'POST', body };
    };
    const [looked, taken] = [await capture(LOOKED), await capture(TAKEN)];
    await bed.watch(`look into a capture of ${LOOKED.toLocaleString('en')} frames`, () => bed.send('/api/simulation/capture/look', looked));
    const waiting = (CONNECTIONS * EXCHANGES * 2).toLocaleString('en');
    await bed.watch(`look into a capture of ${waiting} frames that wait for lost segments to its end`, () =>
      bed.send('/api/simulation/capture/look', lostSegments()),
    );
    const mms = mmsReads();
    await bed.watch(`look into a capture of ${LOOKED.toLocaleString('en')} frames of MMS`, () =>
      bed.send('/api/simulation/capture/look', mms),
    );
    const take = () => bed.send('/api/simulation/capture/take?name=bench', taken);
    await bed.watch(`recorded values of a capture of ${TAKEN.toLocaleString('en')} frames`, take);
    return bed.results;
  } finally {
    await bed.end();
    bed.forget();
  }
}

interface Recorded {
  readonly port: number;
  readonly connections: number;
  readonly exchanges: number;
  /** What is asked and answered in an exchange of a connection; null: its segments were lost, and nothing tells that the other end has them. */
  exchange(at: number): readonly [Uint8Array, Uint8Array] | null;
  /** Octets of an exchange that was lost, both ways. */
  readonly lost?: number;
}

/** A capture of connections to one device. */
function recorded({ port, connections, exchanges, exchange, lost = 0 }: Recorded): RequestInit {
  const device = { station: 1, address: 0xc000_0201, port };
  const blocks: Uint8Array[] = [sectionHeader('bench', ''), interfaceBlock(LINK_ETHERNET, 'frames')];
  for (let connection = 0; connection < connections; connection++) {
    const master = { station: 2, address: 0xc612_0000, port: 50_000 + connection };
    let [toDevice, toMaster] = [1, 1];
    for (let at = 0; at < exchanges; at++) {
      const said = exchange(at);
      if (said) {
        const [request, answer] = said;
        const asked = tcpFrame({ from: master, to: device, payload: request, length: request.length }, toDevice, 0);
        const told = tcpFrame({ from: device, to: master, payload: answer, length: answer.length }, toMaster, 0);
        for (const bytes of [asked, told]) {
          bytes[FLAGS] = PUSH;
          blocks.push(
            packetBlock({ link: 0, timeUs: 1e15 + at * 1000, bytes, length: bytes.length, isSent: true, dropped: 0, comments: [] }),
          );
        }
      }
      toDevice += said?.[0].length ?? lost;
      toMaster += said?.[1].length ?? lost;
    }
  }
  const body = new FormData();
  body.set('file', new File([new Uint8Array(Buffer.concat(blocks))], 'bench.pcapng'));
  return { method: 'POST', body };
}

/** Connections of Modbus TCP of which the second segment of each direction was lost. */
const lostSegments = () =>
  recorded({
    port: 502,
    connections: CONNECTIONS,
    exchanges: EXCHANGES,
    lost: 11,
    exchange: (at) =>
      at === 1 ? null : [encodeMbap(at, 1, encodeRead(3, at & 0xff, 1)), encodeMbap(at, 1, Uint8Array.of(3, 2, at >> 8, at & 0xff))],
  });

/** One connection of MMS: reads of two measured values each. */
function mmsReads(): RequestInit {
  const tpkt = (pdu: MmsPdu) => encodeTpkt(dtHeader(true), DATA_HEADER, encodeUserData(3, encodeMms(pdu)));
  const items: VariableSpec[] = Array.from({ length: 2 }, (_, at) => ({
    name: { scope: 'domain', domain: 'BAY1LD0', item: `MMXU${at + 1}$MX$TotW$mag$f` },
    access: null,
  }));
  const request = { service: 'read', spec: { kind: 'variables', items }, withSpecification: false } as const;
  return recorded({
    port: 102,
    connections: 1,
    exchanges: LOOKED / 2,
    exchange: (at) => {
      const results = items.map((_, each) => ({ kind: 'float', value: at + each, width: 32 }) as const);
      return [
        tpkt({ kind: 'request', invokeId: at, request }),
        tpkt({ kind: 'response', invokeId: at, response: { service: 'read', spec: null, results } }),
      ];
    },
  });
}
