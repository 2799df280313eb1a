import { freePort } from './peers/service.ts';
import type { Bed } from './stalls.ts';

const COUNT = 20_000;
const POINTS_OF_NODE = 100;
const POINTS_OF_DEVICE = 2_000;

interface Served {
  readonly name: string;
  readonly protocol: number;
  placeOf(index: number): object;
}

const SERVED: readonly Served[] = [
  {
    name: 'IEC 61850',
    protocol: 5,
    placeOf: (index) => {
      const node = Math.floor(index / POINTS_OF_NODE) % (POINTS_OF_DEVICE / POINTS_OF_NODE);
      const object = `LD${Math.floor(index / POINTS_OF_DEVICE)}/GGIO${node}.AnIn${index % POINTS_OF_NODE}`;
      return { reference: `${object}.mag.f[MX]` };
    },
  },
  { name: 'Modbus TCP', protocol: 1, placeOf: (index) => ({ address: 2 * index }) },
  { name: 'IEC 104', protocol: 2, placeOf: (index) => ({ address: 0x4001 + index }) },
  { name: 'DL/T 645', protocol: 4, placeOf: (index) => ({ address: 0x0201_0100, slave_id: index + 1 }) },
];

/** What is served is made with the start of the channel, and anew with its table while the channel runs. */
async function runKind(bed: Bed, { name, protocol, placeOf }: Served): Promise<void> {
  const body = { name: 'served', protocol_type: protocol, conn_type: 1, ip: '127.0.0.1', port: await freePort() };
  const { id } = (await bed.post('/api/channel/add', body)).data as { id: number };
  await bed.post('/api/device/start', { channel_id: id });
  const pointAt = (index: number) => ({ frame_type: 0, code: `P${index}`, name: `point ${index}`, ...placeOf(index) });
  const add = (from: number, count: number) => () =>
    bed.post('/api/device/add_points', { channel_id: id, points: Array.from({ length: count }, (_, at) => pointAt(from + at)) });
  const step = (way: 'undo' | 'redo') => () => bed.post(`/api/points/${way}`, { channel_id: id });
  const of = `${COUNT.toLocaleString('en')} points that ${name} serves`;
  await bed.watchBlock(`${of} added`, add(0, COUNT));
  await bed.watchBlock(`one more beside ${of}`, add(COUNT, 1));
  await step('undo')();
  await bed.watchBlock(`${of} taken back`, step('undo'));
  await bed.watchBlock(`${of} added again`, step('redo'));
  const csv = await bed.send(`/api/channel/export_points?channel_id=${id}&format=csv`);
  await bed.watchBlock(`a file of ${of} previewed`, async () => {
    const body = new FormData();
    body.set('file', new File([Buffer.from(csv.data as Uint8Array)], 'table.csv'));
    await bed.send(`/api/channel/import_points?channel_id=${id}&mode=preview`, { method: 'POST', body });
  });
  await bed.post('/api/device/stop', { channel_id: id });
  await bed.watchBlock(`${of}: their channel started`, () => bed.post('/api/device/start', { channel_id: id }));
  await bed.watchBlock(`${of}: their channel built anew`, () => bed.post('/api/device/reload', { channel_id: id }));
  await bed.send(`/api/channel/delete?channel_id=${id}`, { method: 'DELETE' });
}

/** Each point has a value that is set with the start. */
async function runStartValues(bed: Bed, { name, protocol, placeOf }: Served): Promise<void> {
  const body = { name: 'start values', protocol_type: protocol, conn_type: 1, ip: '127.0.0.1', port: await freePort() };
  const { id } = (await bed.post('/api/channel/add', body)).data as { id: number };
  const pointAt = (index: number) => ({ frame_type: 0, code: `P${index}`, ...placeOf(index), protocol: { start_value: 1 } });
  await bed.post('/api/device/add_points', { channel_id: id, points: Array.from({ length: COUNT }, (_, at) => pointAt(at)) });
  const of = `${COUNT.toLocaleString('en')} points with start values`;
  await bed.watchBlock(`${of} that ${name} serves: their channel started`, () => bed.post('/api/device/start', { channel_id: id }));
  await bed.send(`/api/channel/delete?channel_id=${id}`, { method: 'DELETE' });
}

/** How long changes of large served tables, and starts with them, hold the thread that runs the lines. */
export async function runServed(bed: Bed): Promise<void> {
  for (const kind of SERVED) {
    await runKind(bed, kind);
    await runStartValues(bed, kind);
  }
}
