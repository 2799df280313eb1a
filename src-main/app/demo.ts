import type { InputOf } from '#shared/contract/index.ts';
import { ConnType, ProtocolType } from '#shared/domain/enums.ts';
import type { RuntimePorts } from '../runtime/types.ts';
import { addBay, BAY_CHANNELS } from './demo/bay.ts';
import { freePort } from './demo/free-port.ts';
import { addMeterLine, METER_CHANNELS } from './demo/meter-line.ts';
import { PlantModel } from './demo/plant-model.ts';
import { loadPlant, type PlantClient, type PlantDefinition, type PlantPoint } from './demo/plant-points.ts';
import { PlantSimulation } from './demo/simulation.ts';
import { startDemoServer } from './demo/start-server.ts';
import { addSubstation, SUBSTATION_CHANNELS } from './demo/substation.ts';
import type { Core, Demo } from './types.ts';

const SEED = 20_260_101;
const SERVER_CYCLE_MS = 1000;

type DemoPorts = Pick<RuntimePorts, 'clock' | 'transports' | 'logger'>;

/**
 * Restores the demo plant in the open project and starts it: a served simulated plant, a line of simulated meters, a substation and a bay
 * controller on loopback, and client channels that read them by automatic tasks. Channels of the demo are removed and added anew; all others
 * stay. Call it after the core listens.
 */
export async function startDemo(core: Core, ports: DemoPorts): Promise<Demo> {
  const plant = loadPlant();
  await removeOldChannels(core, plant);
  // Channels get their numbers in this order; filled and started they are side by side, as each waits for files, threads and lines.
  const startPlant = await addPlant(core, ports, plant);
  const startMeterLine = await addMeterLine(core, ports);
  const startSubstation = await addSubstation(core, ports);
  const startBay = await addBay(core, ports);
  // First the bay: its file is read in a thread, while the others are filled.
  const ended = await Promise.allSettled([startBay(), startPlant(), startMeterLine().then(() => null), startSubstation()]);
  const stop = async () => {
    await Promise.all(ended.map((each) => (each.status === 'fulfilled' ? each.value?.stop() : undefined)));
  };
  const failed = ended.find((each) => each.status === 'rejected');
  if (!failed) return { stop };
  await stop();
  throw failed.reason;
}

async function addPlant(core: Core, ports: DemoPorts, plant: PlantDefinition): Promise<() => Promise<PlantSimulation>> {
  const port = await freePort(ports, plant.server.preferredPort);
  const clients: { readonly client: PlantClient; readonly id: number }[] = [];
  for (const client of plant.clients) clients.push({ client, id: await addClient(core, client, port) });
  const serverId = await addServer(core, plant, port);
  return () => startPlant(core, ports, { plant, clients, serverId });
}

interface AddedPlant {
  readonly plant: PlantDefinition;
  readonly clients: readonly { readonly client: PlantClient; readonly id: number }[];
  readonly serverId: number;
}

async function startPlant(core: Core, ports: DemoPorts, { plant, clients, serverId }: AddedPlant): Promise<PlantSimulation> {
  const servedPoints = plant.clients.flatMap((client) => client.points.filter((item) => item.isServed));
  for (const { client, id } of clients) await addPoints(core, id, client.points);
  await addPoints(core, serverId, servedPoints);
  await startDemoServer(
    core,
    ports,
    serverId,
    clients.map(({ id }) => id),
  );
  // Another project may be opened meanwhile and use the same id: only this very channel is ever written to.
  const served = core.channel(serverId);
  const simulation = new PlantSimulation({
    clock: ports.clock,
    model: new PlantModel(SEED),
    points: servedPoints,
    channel: () => (core.channel(serverId) === served ? served : undefined),
    onFault: (error) => ports.logger.warn({ error: error.message, code: error.code }, 'demo plant'),
  });
  await simulation.start();
  await startTask(core, plant.server.name, SERVER_CYCLE_MS);
  for (const { client, id } of clients) {
    await core.api.call('startDevice', { channel_id: id });
    await startTask(core, client.name, client.cycleIntervalMs);
  }
  return simulation;
}

async function removeOldChannels(core: Core, plant: PlantDefinition): Promise<void> {
  const clients = plant.clients.map((client) => client.name);
  const names = new Set([plant.server.name, ...clients, ...METER_CHANNELS, ...SUBSTATION_CHANNELS, ...BAY_CHANNELS]);
  const { data: channels } = await core.api.call('listChannels', {});
  for (const channel of channels) if (names.has(channel.name)) await core.api.call('deleteChannel', { channel_id: channel.id });
}

async function addChannel(core: Core, input: InputOf<'addChannel'>): Promise<number> {
  return (await core.api.call('addChannel', input)).data.id;
}

async function addPoints(core: Core, channel_id: number, points: readonly PlantPoint[]): Promise<void> {
  await core.api.call('addPoints', { channel_id, points: points.map((item) => item.point) });
}

function addServer(core: Core, plant: PlantDefinition, port: number): Promise<number> {
  const { name, note } = plant.server;
  return addChannel(core, { name, note, port, protocol_type: ProtocolType.modbusTcp, conn_type: ConnType.tcpServer });
}

function addClient(core: Core, client: PlantClient, port: number): Promise<number> {
  const { name, note, timeoutMs } = client;
  const type = { protocol_type: ProtocolType.modbusTcp, conn_type: ConnType.tcpClient };
  return addChannel(core, { name, note, port, timeout_ms: timeoutMs, ...type });
}

async function startTask(core: Core, name: string, cycleMs: number): Promise<void> {
  await core.api.call('startAutoRead', { device_name: name, mode: 'batch', cycle_interval_ms: cycleMs });
}
