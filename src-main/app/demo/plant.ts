import { ConnType, ProtocolType } from '#shared/domain/enums.ts';
import type { Core } from '../types.ts';
import { addChannel, type DemoIds, type DemoPart, type DemoPorts } from './part.ts';
import { PlantModel } from './plant-model.ts';
import { loadPlant, type PlantClient, type PlantDefinition, type PlantPoint } from './plant-points.ts';
import { PlantSimulation } from './simulation.ts';
import { startDemoServer } from './start-server.ts';

const SEED = 20_260_101;
const SERVER_CYCLE_MS = 1000;

/** A storage plant: converter, racks of batteries, meter and inputs, by Modbus. */
export function storagePlant(): DemoPart {
  const plant = loadPlant();
  return {
    names: [plant.server.name, ...plant.clients.map(({ name }) => name)],
    async fill(core) {
      const clients: { readonly client: PlantClient; readonly id: number }[] = [];
      for (const client of plant.clients) clients.push({ client, id: await addClient(core, client, plant.server.preferredPort) });
      const serverId = await addServer(core, plant);
      for (const { client, id } of clients) await addPoints(core, id, client.points);
      await addPoints(core, serverId, servedPoints(plant));
    },
    start: (core, ports, idOf) => startPlant(core, ports, plant, idOf),
  };
}

function servedPoints({ clients }: PlantDefinition): PlantPoint[] {
  return clients.flatMap((client) => client.points.filter((item) => item.isServed));
}

async function startPlant(core: Core, ports: DemoPorts, plant: PlantDefinition, idOf: DemoIds): Promise<PlantSimulation> {
  const serverId = idOf(plant.server.name);
  const clientIds = plant.clients.map(({ name }) => idOf(name));
  await startDemoServer(core, ports, { serverId, clientIds, port: plant.server.preferredPort });
  // Another project may be opened meanwhile and use the same id: only this very channel is ever written to.
  const served = core.channel(serverId);
  const simulation = new PlantSimulation({
    clock: ports.clock,
    model: new PlantModel(SEED),
    points: servedPoints(plant),
    channel: () => (core.channel(serverId) === served ? served : undefined),
    onFault: (error) => ports.logger.warn({ error: error.message, code: error.code }, 'demo plant'),
  });
  await simulation.start();
  await startTask(core, plant.server.name, SERVER_CYCLE_MS);
  for (const client of plant.clients) {
    await core.api.call('startDevice', { channel_id: idOf(client.name) });
    await startTask(core, client.name, client.cycleIntervalMs);
  }
  return simulation;
}

async function addPoints(core: Core, channel_id: number, points: readonly PlantPoint[]): Promise<void> {
  await core.api.call('addPoints', { channel_id, points: points.map((item) => item.point) });
}

function addServer(core: Core, { server: { name, note, preferredPort } }: PlantDefinition): Promise<number> {
  const type = { protocol_type: ProtocolType.modbusTcp, conn_type: ConnType.tcpServer };
  return addChannel(core, { name, note, port: preferredPort, ...type });
}

function addClient(core: Core, { name, note, timeoutMs }: PlantClient, port: number): Promise<number> {
  const type = { protocol_type: ProtocolType.modbusTcp, conn_type: ConnType.tcpClient };
  return addChannel(core, { name, note, port, timeout_ms: timeoutMs, ...type });
}

async function startTask(core: Core, name: string, cycleMs: number): Promise<void> {
  await core.api.call('startAutoRead', { device_name: name, mode: 'batch', cycle_interval_ms: cycleMs });
}
