import { ConnType, ProtocolType } from '#shared/domain/enums.ts';
import type { Core } from '../types.ts';
import { addChannels, type DemoIds, type DemoPart, type DemoPorts, type NewChannel, simulate } from './part.ts';
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
    fill: (core, names) =>
      addChannels(core, names, [...plant.clients.map((client) => newClient(client, plant.server.preferredPort)), newServer(plant)]),
    start: (core, ports, idOf) => startPlant(core, ports, plant, idOf),
  };
}

function servedPoints({ clients }: PlantDefinition): PlantPoint[] {
  return clients.flatMap((client) => client.points.filter((item) => item.isServed));
}

async function startPlant(core: Core, ports: DemoPorts, plant: PlantDefinition, idOf: DemoIds): Promise<PlantSimulation> {
  const { name: server, preferredPort: preferred } = plant.server;
  const serverId = idOf(server);
  await startDemoServer(core, ports, { serverId, clientIds: plant.clients.map(({ name }) => idOf(name)), port: preferred });
  // Another project may be opened meanwhile and use the same id: only this very channel is ever written to.
  const served = core.channel(serverId);
  const simulation = new PlantSimulation({
    clock: ports.clock,
    model: new PlantModel(SEED),
    points: servedPoints(plant),
    channel: () => (core.channel(serverId) === served ? served : undefined),
    onFault: (error) => ports.logger.warn({ error: error.message, code: error.code }, 'demo plant'),
  });
  return simulate(simulation, async () => {
    await startTask(core, server, SERVER_CYCLE_MS);
    for (const client of plant.clients) {
      await core.api.call('startDevice', { channel_id: idOf(client.name) });
      await startTask(core, client.name, client.cycleIntervalMs);
    }
  });
}

function newServer(plant: PlantDefinition): NewChannel {
  const { name, note, preferredPort } = plant.server;
  const type = { protocol_type: ProtocolType.modbusTcp, conn_type: ConnType.tcpServer };
  return { channel: { name, note, port: preferredPort, ...type }, points: servedPoints(plant).map((item) => item.point) };
}

function newClient({ name, note, timeoutMs, points }: PlantClient, port: number): NewChannel {
  const type = { protocol_type: ProtocolType.modbusTcp, conn_type: ConnType.tcpClient };
  return { channel: { name, note, port, timeout_ms: timeoutMs, ...type }, points: points.map((item) => item.point) };
}

async function startTask(core: Core, name: string, cycleMs: number): Promise<void> {
  await core.api.call('startAutoRead', { device_name: name, mode: 'batch', cycle_interval_ms: cycleMs });
}
