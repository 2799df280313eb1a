import { ProtocolType } from '#shared/domain/enums.ts';
import { freePort } from './peers/service.ts';
import type { Bed } from './stalls.ts';

/** Points of a table; Modbus and IEC 104 serve as many as a channel may have as well. */
const COUNT = 20_000;
const MOST = 100_000;
/** Points of one unit of Modbus. */
const POINTS_OF_UNIT = 20_000;
/** As many points as are changed without being made aside first. */
const EDITED_AT_ONCE = 500;
const POINTS_OF_NODE = 100;
const POINTS_OF_DEVICE = 2_000;

interface Served {
  readonly name: string;
  readonly protocol: ProtocolType;
  readonly counts: readonly number[];
  placeOf(index: number): object;
  /** What the protocol settings of each point have. */
  readonly settings?: object;
}

/** One of as many meters as there are points. */
const DLT645: Served = {
  name: 'DL/T 645',
  protocol: ProtocolType.dlt645,
  counts: [COUNT],
  placeOf: (index) => ({ address: 0x0201_0100, slave_id: index + 1 }),
};

const SERVED: readonly Served[] = [
  {
    name: 'IEC 61850',
    protocol: ProtocolType.iec61850,
    counts: [COUNT],
    placeOf: (index) => {
      const node = Math.floor(index / POINTS_OF_NODE) % (POINTS_OF_DEVICE / POINTS_OF_NODE);
      const object = `LD${Math.floor(index / POINTS_OF_DEVICE)}/GGIO${node}.AnIn${index % POINTS_OF_NODE}`;
      return { reference: `${object}.mag.f[MX]` };
    },
  },
  {
    name: 'Modbus TCP',
    protocol: ProtocolType.modbusTcp,
    counts: [COUNT, MOST],
    placeOf: (index) => ({ slave_id: 1 + Math.floor(index / POINTS_OF_UNIT), address: 2 * (index % POINTS_OF_UNIT) }),
  },
  { name: 'IEC 104', protocol: ProtocolType.iec104, counts: [COUNT, MOST], placeOf: (index) => ({ address: 0x4001 + index }) },
  DLT645,
];

async function addChannel(bed: Bed, name: string, protocol_type: ProtocolType): Promise<number> {
  const body = { name, protocol_type, conn_type: 1, ip: '127.0.0.1', port: await freePort() };
  return ((await bed.post('/api/channel/add', body)).data as { id: number }).id;
}

function imported(bed: Bed, id: number, mode: string, csv: string): () => Promise<unknown> {
  return () => {
    const body = new FormData();
    body.set('file', new File([csv], 'table.csv'));
    return bed.send(`/api/channel/import_points?channel_id=${id}&mode=${mode}`, { method: 'POST', body });
  };
}

async function idsOf(bed: Bed, id: number, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let page = 1; ids.length < count; page++) {
    const { data } = await bed.send(`/api/device/table?channel_id=${id}&page=${page}&page_size=10000`);
    ids.push(...(data as { items: { id: number }[] }).items.map((item) => item.id));
  }
  return ids;
}

/** What is served is made with the start of the channel, and anew with its table while the channel runs. */
async function runKind(bed: Bed, { name, protocol, placeOf }: Served, count: number): Promise<void> {
  const id = await addChannel(bed, 'served', protocol);
  await bed.post('/api/device/start', { channel_id: id });
  const pointAt = (index: number) => ({ frame_type: 0, code: `P${index}`, name: `point ${index}`, ...placeOf(index) });
  const add = (from: number, to: number) => () =>
    bed.post('/api/device/add_points', { channel_id: id, points: Array.from({ length: to - from }, (_, at) => pointAt(from + at)) });
  const step = (way: 'undo' | 'redo') => () => bed.post(`/api/points/${way}`, { channel_id: id });
  const of = `${count.toLocaleString('en')} points that ${name} serves`;
  await bed.watchBlock(`${of} added`, add(0, count));
  if (count < MOST) {
    await bed.watchBlock(`one more beside ${of}`, add(count, count + 1));
    await step('undo')();
  }
  await bed.watchBlock(`${of} taken back`, step('undo'));
  await bed.watchBlock(`${of} added again`, step('redo'));
  const { data } = await bed.send(`/api/channel/export_points?channel_id=${id}&format=csv`);
  const csv = new TextDecoder().decode(data as Uint8Array);
  await bed.watchBlock(`a file of ${of} previewed`, imported(bed, id, 'preview', csv));
  await bed.watchBlock(`a file of ${of} merged, all changed`, imported(bed, id, 'merge', csv.replaceAll('point ', 'other ')));
  await bed.watchBlock(`a file of ${of} takes their place`, imported(bed, id, 'replace', csv.replaceAll(/\bP(?=\d)/g, 'Q')));
  const ids = await idsOf(bed, id, count);
  const edits = ids
    .slice(0, EDITED_AT_ONCE)
    .map((point_id, at) => ({ op: 'edit', point_id, frame_type: 0, ...placeOf(EDITED_AT_ONCE - 1 - at) }));
  await bed.watchBlock(`${EDITED_AT_ONCE} of ${of} change places`, () => bed.post('/api/points/bulk', { channel_id: id, changes: edits }));
  const few = ids.slice(-EDITED_AT_ONCE);
  await bed.watchBlock(`${EDITED_AT_ONCE} of ${of} deleted`, () =>
    bed.post('/api/device/delete_points', { channel_id: id, point_ids: few }),
  );
  await step('undo')();
  const some = ids.filter((_, at) => at % 2 === 0);
  await bed.watchBlock(`half of ${of} deleted`, () => bed.post('/api/device/delete_points', { channel_id: id, point_ids: some }));
  await step('undo')();
  await bed.post('/api/device/stop', { channel_id: id });
  await bed.watchBlock(`${of}: their channel started`, () => bed.post('/api/device/start', { channel_id: id }));
  await bed.watchBlock(`${of}: their channel built anew`, () => bed.post('/api/device/reload', { channel_id: id }));
  await bed.send(`/api/channel/delete?channel_id=${id}`, { method: 'DELETE' });
}

/** Each point has a value that is set with the start. */
async function runStartValues(bed: Bed, { name, protocol, placeOf, settings }: Served): Promise<void> {
  const id = await addChannel(bed, 'start values', protocol);
  const pointAt = (index: number) => ({ frame_type: 0, code: `P${index}`, ...placeOf(index), protocol: { ...settings, start_value: 1 } });
  await bed.post('/api/device/add_points', { channel_id: id, points: Array.from({ length: COUNT }, (_, at) => pointAt(at)) });
  const of = `${COUNT.toLocaleString('en')} points with start values`;
  await bed.watchBlock(`${of} that ${name} serves: their channel started`, () => bed.post('/api/device/start', { channel_id: id }));
  await bed.send(`/api/channel/delete?channel_id=${id}`, { method: 'DELETE' });
}

/** Identifiers that no standard has, all of one meter. */
const ONE_METER: Served = {
  ...DLT645,
  name: 'one meter of DL/T 645',
  placeOf: (index) => ({ address: 0xee00_0000 + index, slave_id: 1 }),
  settings: { format: 'XXXXXX.XX' },
};

/** How long changes of large served tables, and starts with them, hold the thread that runs the lines. */
export async function runServed(bed: Bed): Promise<void> {
  for (const kind of SERVED) {
    for (const count of kind.counts) await runKind(bed, kind, count);
    await runStartValues(bed, kind);
  }
  await runStartValues(bed, ONE_METER);
}
