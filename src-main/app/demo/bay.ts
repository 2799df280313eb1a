import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NewPoint } from '#shared/contract/points.ts';
import { ConnType, FrameType, ProtocolType } from '#shared/domain/enums.ts';
import bay from '../../../resources/demo/bay.json' with { type: 'json' };
import type { Core } from '../types.ts';
import { BayModel } from './bay-model.ts';
import { addChannels, type DemoIds, type DemoPart, type DemoPorts, simulate } from './part.ts';
import { type AddedPoint, fullPoint, type PlantPoint } from './plant-points.ts';
import { PlantSimulation } from './simulation.ts';
import { startDemoServer } from './start-server.ts';

const PREFERRED_PORT = 10_102;
const CYCLE_MS = 1000;
const SEED = 20_260_102;
/** The breaker is seen on its way. */
const EXECUTION_MS = 1200;
const FILE = 'bay.cid';

const SERVER = {
  name: 'Demo 61850 bay',
  note: 'Simulated bay controller, served on this computer from an SCL file. 模拟间隔测控装置,按SCL文件在本机提供服务。',
};
/** The device is this same process, however busy the computer is. */
const ANSWER_MS = 5000;
const CLIENT = {
  name: 'Demo 61850 client',
  note: 'Reads the bay by its data sets; an overcurrent trips it every 90 s; its breaker is commanded by BAY_CB_CTL. 按数据集读取，每90秒一次过流跳闸；断路器由 BAY_CB_CTL 控制。',
};

/** A row of resources/demo/bay.json. `initial`: first value of a setting. `client_type`: type of the point on the client, where it is another one. `commanded`: see `PlantPoint`. */
export interface BayRow extends AddedPoint {
  readonly initial?: number;
  readonly client_type?: FrameType;
  readonly commanded?: boolean;
}

export const BAY_ROWS = bay.points as unknown as readonly BayRow[];

interface BayPoint extends PlantPoint {
  /** The point as the client has it. */
  readonly seen: NewPoint;
}

/** The point table of the bay. */
export function loadBay(): readonly BayPoint[] {
  return BAY_ROWS.map(({ initial, client_type, commanded = false, ...row }) => {
    const point = fullPoint(row);
    return {
      point,
      seen: client_type === undefined ? point : { ...point, frame_type: client_type },
      isServed: true,
      isFed: initial === undefined && point.frame_type !== FrameType.yk,
      isCommanded: commanded,
      initial: initial ?? null,
    };
  });
}

/** The SCL file of the bay. It lies in resources, from the sources as well as from the built program. */
export function bayFile(): File {
  const folders = ['../../../resources', '../../resources'].map((folder) => join(import.meta.dirname, folder, 'demo', FILE));
  const path = folders.find((place) => existsSync(place));
  if (path === undefined) throw new RangeError(`The demo has no ${FILE}.`);
  return new File([readFileSync(path)], FILE);
}

/** A bay controller of a substation, by IEC 61850; its client reads data sets. */
export function bayController(): DemoPart {
  const points = loadBay();
  return {
    names: [CLIENT.name, SERVER.name],
    async fill(core, names) {
      const common = { protocol_type: ProtocolType.iec61850, port: PREFERRED_PORT };
      const reads = { conn_type: ConnType.tcpClient, timeout_ms: ANSWER_MS };
      const serves = { conn_type: ConnType.tcpServer, protocol: { execution_ms: EXECUTION_MS } };
      await addChannels(core, names, [
        { channel: { ...CLIENT, ...common, ...reads }, points: points.map(({ seen }) => seen), file: bayFile() },
        { channel: { ...SERVER, ...common, ...serves }, points: points.map(({ point }) => point), file: bayFile() },
      ]);
    },
    start: (core, ports, idOf) => startBay(core, ports, points, idOf),
  };
}

async function startBay(core: Core, ports: DemoPorts, points: ReturnType<typeof loadBay>, idOf: DemoIds): Promise<PlantSimulation> {
  const [client, server] = [idOf(CLIENT.name), idOf(SERVER.name)];
  await startDemoServer(core, ports, { serverId: server, clientIds: [client], port: PREFERRED_PORT });
  const served = core.channel(server);
  const simulation = new PlantSimulation({
    clock: ports.clock,
    model: new BayModel(SEED),
    points,
    areOrdersTold: true,
    channel: () => (core.channel(server) === served ? served : undefined),
    onFault: (error) => ports.logger.warn({ error: error.message, code: error.code }, 'demo bay'),
  });
  return simulate(simulation, async () => {
    await core.api.call('startDevice', { channel_id: client });
    await core.api.call('startAutoRead', { device_name: SERVER.name, mode: 'batch', cycle_interval_ms: CYCLE_MS });
    await core.api.call('startAutoRead', { device_name: CLIENT.name, mode: 'dataset', cycle_interval_ms: CYCLE_MS });
  });
}
