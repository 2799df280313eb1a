import { tcpFrame } from '../src-main/capture/network.ts';
import { interfaceBlock, LINK_ETHERNET, packetBlock, sectionHeader } from '../src-main/capture/pcapng.ts';
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
    const file = new FormData();
    file.set('file', new File([lostSegments()], 'lost.pcapng'));
    const waiting = (CONNECTIONS * EXCHANGES * 2).toLocaleString('en');
    await bed.watch(`look into a capture of ${waiting} frames that wait for lost segments to its end`, () =>
      bed.send('/api/simulation/capture/look', { method: 'POST', body: file }),
    );
    const take = () => bed.send('/api/simulation/capture/take?name=bench', taken);
    await bed.watch(`recorded values of a capture of ${TAKEN.toLocaleString('en')} frames`, take);
    return bed.results;
  } finally {
    await bed.end();
    bed.forget();
  }
}

/** Connections of Modbus TCP of which the second segment of each direction was lost, and nothing tells that the other end has it. */
function lostSegments(): Uint8Array<ArrayBuffer> {
  const device = { station: 1, address: 0xc000_0201, port: 502 };
  const blocks: Uint8Array[] = [sectionHeader('bench', ''), interfaceBlock(LINK_ETHERNET, 'frames')];
  for (let connection = 0; connection < CONNECTIONS; connection++) {
    const master = { station: 2, address: 0xc612_0000, port: 50_000 + connection };
    let [toDevice, toMaster] = [1, 1];
    for (let at = 0; at < EXCHANGES; at++) {
      const request = encodeMbap(at, 1, encodeRead(3, at & 0xff, 1));
      const answer = encodeMbap(at, 1, Uint8Array.of(3, 2, at >> 8, at & 0xff));
      const asked = tcpFrame({ from: master, to: device, payload: request, length: request.length }, toDevice, 0);
      const told = tcpFrame({ from: device, to: master, payload: answer, length: answer.length }, toMaster, 0);
      toDevice += request.length;
      toMaster += answer.length;
      if (at === 1) continue;
      for (const bytes of [asked, told]) {
        bytes[FLAGS] = PUSH;
        blocks.push(
          packetBlock({ link: 0, timeUs: 1e15 + at * 1000, bytes, length: bytes.length, isSent: true, dropped: 0, comments: [] }),
        );
      }
    }
  }
  return new Uint8Array(Buffer.concat(blocks));
}
