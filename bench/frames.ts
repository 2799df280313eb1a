import type { BenchResult } from './result.ts';
import { Bed } from './stalls.ts';

const ENTRIES = 1_000_000;
const LOG_OCTETS = 268_435_456;
/** Frames of captures: about as much as may be sent; and with a column for each register and a row for each read, as much as becomes recorded values. */
const [LOOKED, TAKEN] = [150_000, 800];

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
    const take = () => bed.send('/api/simulation/capture/take?name=bench', taken);
    await bed.watch(`recorded values of a capture of ${TAKEN.toLocaleString('en')} frames`, take);
    return bed.results;
  } finally {
    await bed.end();
    bed.forget();
  }
}
