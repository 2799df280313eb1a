import { manyDevices } from '../src-main/drivers/iec61850/model/testing/large.ts';
import { startPeer } from './peers/child.ts';
import { freePort } from './peers/service.ts';
import type { Bed } from './stalls.ts';

const DEVICES = 2_000;
const POINTS = 20_000;
const LOOK_EVERY_MS = 200;

interface Model {
  readonly state: string;
  readonly error: string | null;
}

interface Round {
  readonly state: string;
  readonly cycle_count: number;
}

/** A device in a process of its own, which serves a file through the API of a whole service. */
class Served {
  readonly #service = startPeer('stall-service.ts');
  port = 0;

  async begin(file: Uint8Array): Promise<void> {
    const { url } = await this.#service.ask<{ url: string }>({ kind: 'listen' });
    this.port = await freePort();
    const send = async (path: string, init: RequestInit) => {
      const answer = (await (await fetch(`${url}${path}`, init)).json()) as { code: number; message: string; data: { id: number } };
      if (answer.code !== 200) throw new Error(`${path}: ${answer.message}`);
      return answer.data;
    };
    const post = (path: string, body: object) =>
      send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    const { id } = await post('/api/channel/add', { name: 'served', protocol_type: 5, conn_type: 1, ip: '127.0.0.1', port: this.port });
    await send(`/api/channel/document?channel_id=${id}&mode=store`, { method: 'POST', body: formOf(file, 'station.scd') });
    await post('/api/device/start', { channel_id: id });
  }

  end(): Promise<void> {
    return this.#service.end();
  }
}

function formOf(bytes: Uint8Array, name: string): FormData {
  const body = new FormData();
  body.set('file', new File([Buffer.from(bytes)], name));
  return body;
}

/** Until the model of a channel is known. */
async function known(bed: Bed, id: number): Promise<void> {
  for (;;) {
    const { state, error } = (await bed.send(`/api/channel/model?channel_id=${id}`)).data as Model;
    if (state === 'known') return;
    if (state === 'failed') throw new Error(`the model was not learnt: ${error}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/** Until a first round has ended. */
async function roundOf(bed: Bed, device_name: string): Promise<void> {
  for (;;) {
    const { state, cycle_count } = (await bed.post('/api/devices/auto-read-status', { device_name })).data as Round;
    if (state !== 'running' || cycle_count > 0) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/** What is asked of a model that is known. */
async function askModel(bed: Bed, id: number, of: string): Promise<void> {
  const get = (path: string) => () => bed.send(`${path}${path.includes('?') ? '&' : '?'}channel_id=${id}`);
  await bed.watchBlock(`first node of ${of}`, get('/api/channel/model_nodes?page_size=50'));
  await bed.watchBlock(`all logical devices of ${of}`, get('/api/channel/model_nodes?page_size=1000'));
  await bed.watchBlock(`first levels of the tree of ${of}`, get('/api/channel/iec61850-tree-data?depth=2'));
  await bed.watchBlock(`whole tree of ${of}`, get('/api/channel/iec61850-tree-data'));
  await bed.watchBlock(`search of nodes in ${of}`, get('/api/channel/model_nodes?search=nothing'));
  await bed.watchBlock(`state and data sets of ${of}`, get('/api/channel/model'));
  const set = encodeURIComponent('STATIONLD1999/LLN0.dsStat');
  await bed.watchBlock(`members of a data set of ${of}`, get(`/api/channel/iec61850-dataset-detail?dataset=${set}`));
  await bed.watchBlock(`${of} exported`, get('/api/channel/model_export'));
  const references = Array.from({ length: 1_000 }, (_, at) => `STATIONLD${at}/GGIO1.Ind1`);
  await bed.watchBlock(`1,000 points suggested from ${of}`, () => bed.post('/api/channel/model_points', { channel_id: id, references }));
}

/** A station file of 2,000 logical devices taken over, and the same learnt from a device. */
export async function runModels(bed: Bed): Promise<void> {
  const file = new TextEncoder().encode(manyDevices(DEVICES));
  const device = new Served();
  try {
    await device.begin(file);
    const add = async (name: string, conn_type: number) => {
      const body = { name, protocol_type: 5, conn_type, ip: '127.0.0.1', port: conn_type === 1 ? await freePort() : device.port };
      return ((await bed.post('/api/channel/add', body)).data as { id: number }).id;
    };
    const ofFile = `a file of ${DEVICES.toLocaleString('en')} logical devices`;
    const store = (id: number) => () =>
      bed.send(`/api/channel/document?channel_id=${id}&mode=store`, { method: 'POST', body: formOf(file, 'station.scd') });
    const described = await add('described', 2);
    await bed.watchBlock(`${ofFile} kept`, store(described));
    await bed.watchBlock(`model of ${ofFile} taken over`, () => bed.send(`/api/channel/model_nodes?channel_id=${described}&page_size=1`));
    await askModel(bed, described, ofFile);
    await bed.send(`/api/channel/delete?channel_id=${described}`, { method: 'DELETE' });

    const ofDevice = `${DEVICES.toLocaleString('en')} learnt logical devices`;
    const learnt = await add('learnt', 2);
    await bed.watchBlock(`${ofDevice}: learning`, async () => {
      await bed.post('/api/device/start', { channel_id: learnt });
      await known(bed, learnt);
    });
    await askModel(bed, learnt, ofDevice);
    const pointAt = (index: number) => {
      const reference = `STATIONLD${index % DEVICES}/GGIO${1 + Math.floor(index / DEVICES)}.Ind1`;
      return { frame_type: 1, code: `P${index}`, name: `point ${index}`, reference };
    };
    const points = Array.from({ length: POINTS }, (_, at) => pointAt(at));
    await bed.watchBlock(`${POINTS.toLocaleString('en')} points added beside ${ofDevice}`, () =>
      bed.post('/api/device/add_points', { channel_id: learnt, points }),
    );
    const ofTable = `${POINTS.toLocaleString('en')} points beside ${ofDevice}`;
    const csv = await bed.send(`/api/channel/export_points?channel_id=${learnt}&format=csv`);
    const given = await bed.send('/api/points/compare_file', { method: 'POST', body: formOf(csv.data as Uint8Array, 'table.csv') });
    const ofFileSide = { of: 'file', file_id: (given.data as { file_id: string }).file_id };
    const ofChannel = { of: 'channel', channel_id: learnt };
    await bed.watchBlock(`a file compared with ${ofTable}`, () =>
      bed.post('/api/points/compare', { before: ofFileSide, after: ofChannel }),
    );
    await bed.watchBlock(`a file of a foreign list for ${ofTable}`, async () => {
      const body = formOf(csv.data as Uint8Array, 'table.csv');
      body.set('mapping', '{}');
      await bed.send(`/api/channel/import_points?channel_id=${learnt}&mode=preview`, { method: 'POST', body });
    });
    await bed.watchBlock(`${ofTable} looked at by the rules`, () => bed.send(`/api/points/table_check?channel_id=${learnt}`));
    await bed.watchBlock(`first automatic round of ${ofTable}`, async () => {
      await bed.post('/api/devices/start-auto-read', { device_name: 'learnt', cycle_interval_ms: 3_600_000 });
      await roundOf(bed, 'learnt');
    });
    await bed.post('/api/devices/stop-auto-read', { device_name: 'learnt' });
    await bed.watchBlock(`${ofDevice}: all data sets read`, async () => {
      await bed.post('/api/devices/start-auto-read', { device_name: 'learnt', mode: 'dataset', cycle_interval_ms: 3_600_000 });
      await roundOf(bed, 'learnt');
    });
    await bed.post('/api/devices/stop-auto-read', { device_name: 'learnt' });
    await bed.watchBlock(`whole tree with values of ${ofDevice}`, () => bed.send(`/api/channel/iec61850-tree-data?channel_id=${learnt}`));
    await bed.watchBlock(`state and data sets with values of ${ofDevice}`, () => bed.send(`/api/channel/model?channel_id=${learnt}`));
    await bed.watchBlock(`${ofDevice}: the same device again`, async () => {
      await bed.post('/api/device/reload', { channel_id: learnt });
      await known(bed, learnt);
    });
    await bed.watchBlock(`${ofDevice}: their file beside them`, async () => {
      await store(learnt)();
      await known(bed, learnt);
    });
    await bed.watchBlock(`differences of ${ofDevice} and their file`, () =>
      bed.send(`/api/channel/model_differences?channel_id=${learnt}`),
    );
    await bed.send(`/api/channel/delete?channel_id=${learnt}`, { method: 'DELETE' });

    const served = await add('simulated', 1);
    await store(served)();
    await bed.watchBlock(`${ofFile}: served`, () => bed.post('/api/device/start', { channel_id: served }));
    await bed.watchBlock(`${ofFile}: built anew`, () => bed.post('/api/device/reload', { channel_id: served }));
    await bed.send(`/api/channel/delete?channel_id=${served}`, { method: 'DELETE' });
  } finally {
    await device.end();
  }
}
