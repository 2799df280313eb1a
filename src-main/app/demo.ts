import type { InputOf } from '#shared/contract/index.ts';
import { ConnType, ProtocolType } from '#shared/domain/enums.ts';
import type { RuntimePorts } from '../runtime/types.ts';
import { BAY_CHANNELS, startBay } from './demo/bay.ts';
import { freePort } from './demo/free-port.ts';
import { METER_CHANNELS, startMeterLine } from './demo/meter-line.ts';
import { PlantModel } from './demo/plant-model.ts';
import { loadPlant, type PlantClient, type PlantDefinition, type PlantPoint } from './demo/plant-points.ts';
import { PlantSimulation } from './demo/simulation.ts';
import { startDemoServer } from './demo/start-server.ts';
import { SUBSTATION_CHANNELS, startSubstation } from './demo/substation.ts';
import type { Core, Demo } from './types.ts';

const SEED = 20_260_101;
const SERVER_CYCLE_MS = 1000;

/**
 * Restores the demo plant in the open project and starts it: a served simulated plant, a line of simulated meters, a substation and a bay
 * controller on loopback, and client channels that read them by automatic tasks. Channels of the demo are removed and added anew; all others
 * stay. Call it after the core listens.
 */
export async function startDemo(core: Core, ports: Pick<RuntimePorts, 'clock' | 'transports' | 'logger'>): Promise<Demo> {
  const plant = loadPlant();
  await removeOldChannels(core, plant);
  const port = await freePort(ports, plant.server.preferredPort);
  const clients = [];
  for (const client of plant.clients) clients.push({ client, id: await addClient(core, client, port) });
  const servedPoints = plant.clients.flatMap((client) => client.points.filter((item) => item.isServed));
  const serverId = await addServer(core, plant, servedPoints, port);
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
  await startMeterLine(core, ports);
  const substation = await startSubstation(core, ports);
  const bay = await startBay(core, ports);
  return {
    async stop() {
      await Promise.all([simulation.stop(), substation.stop(), bay.stop()]);
    },
  };
}

async function removeOldChannels(core: Core, plant: PlantDefinition): Promise<void> {
  const clients = plant.clients.map((client) => client.name);
  const names = new Set([plant.server.name, ...clients, ...METER_CHANNELS, ...SUBSTATION_CHANNELS, ...BAY_CHANNELS]);
  const { data: channels } = await core.api.call('listChannels', {});
  for (const channel of channels) if (names.has(channel.name)) await core.api.call('deleteChannel', { channel_id: channel.id });
}

async function addChannel(core: Core, input: InputOf<'addChannel'>, points: readonly PlantPoint[]): Promise<number> {
  const { data: channel } = await core.api.call('addChannel', input);
  await core.api.call('addPoints', { channel_id: channel.id, points: points.map((item) => item.point) });
  return channel.id;
}

function addServer(core: Core, plant: PlantDefinition, points: readonly PlantPoint[], port: number): Promise<number> {
  const { name, note } = plant.server;
  return addChannel(core, { name, note, port, protocol_type: ProtocolType.modbusTcp, conn_type: ConnType.tcpServer }, points);
}

function addClient(core: Core, client: PlantClient, port: number): Promise<number> {
  const { name, note, timeoutMs, points } = client;
  const type = { protocol_type: ProtocolType.modbusTcp, conn_type: ConnType.tcpClient };
  return addChannel(core, { name, note, port, timeout_ms: timeoutMs, ...type }, points);
}

async function startTask(core: Core, name: string, cycleMs: number): Promise<void> {
  await core.api.call('startAutoRead', { device_name: name, mode: 'batch', cycle_interval_ms: cycleMs });
}
