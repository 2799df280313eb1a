import { ConnType, ProtocolType } from '#shared/domain/enums.ts';
import type { Core } from '../types.ts';
import { addChannels, type DemoIds, type DemoPart, type DemoPorts, simulate } from './part.ts';
import { PlantSimulation } from './simulation.ts';
import { startDemoServer } from './start-server.ts';
import { SubstationModel } from './substation-model.ts';
import { clientPoint, isBuiltLater, substationPoints } from './substation-points.ts';

const PREFERRED_PORT = 12_404;
const SEED = 20_260_104;
const STEP_MS = 1000;
const SERVER_CYCLE_MS = 2000;
/** Interrogations of the client; between them the station sends by itself. */
const CLIENT_CYCLE_MS = 10_000;

const SERVER = { name: 'Demo 104 station', note: 'Simulated substation, served on this computer. 模拟变电站,仅在本机提供服务。' };
/** The device is this same process, however busy the computer is. */
const ANSWER_MS = 5000;
const CLIENT = {
  name: 'Demo 104 master',
  note: 'Substation of 18 feeders; feeder 19 is not in this table. 18路出线的变电站,第19路不在此点表中',
};

/** A substation by IEC 104: values that move and signals that come by themselves, and a master that reads it. */
export function substation(): DemoPart {
  const points = substationPoints();
  return {
    names: [CLIENT.name, SERVER.name],
    async fill(core, names) {
      const common = { protocol_type: ProtocolType.iec104, port: PREFERRED_PORT };
      const reads = { conn_type: ConnType.tcpClient, timeout_ms: ANSWER_MS };
      const serves = { conn_type: ConnType.tcpServer, protocol: { cyclic_s: 2 } };
      const table = points.filter((item) => !isBuiltLater(item)).map((item) => clientPoint(item.point));
      await addChannels(core, names, [
        { channel: { ...CLIENT, ...common, ...reads }, points: table },
        { channel: { ...SERVER, ...common, ...serves }, points: points.map((item) => item.point) },
      ]);
    },
    start: (core, ports, idOf) => startSubstation(core, ports, points, idOf),
  };
}

async function startSubstation(
  core: Core,
  ports: DemoPorts,
  points: ReturnType<typeof substationPoints>,
  idOf: DemoIds,
): Promise<PlantSimulation> {
  const [client, server] = [idOf(CLIENT.name), idOf(SERVER.name)];
  await startDemoServer(core, ports, { serverId: server, clientIds: [client], port: PREFERRED_PORT });
  // Another project may be opened meanwhile and use the same id: only this very channel is ever written to.
  const served = core.channel(server);
  const simulation = new PlantSimulation({
    clock: ports.clock,
    model: new SubstationModel(SEED),
    points,
    stepMs: STEP_MS,
    areOrdersTold: true,
    channel: () => (core.channel(server) === served ? served : undefined),
    onFault: (error) => ports.logger.warn({ error: error.message, code: error.code }, 'demo substation'),
  });
  return simulate(simulation, async () => {
    await core.api.call('startDevice', { channel_id: client });
    for (const [name, cycleMs] of [
      [SERVER.name, SERVER_CYCLE_MS],
      [CLIENT.name, CLIENT_CYCLE_MS],
    ] as const) {
      await core.api.call('startAutoRead', { device_name: name, mode: 'batch', cycle_interval_ms: cycleMs });
    }
  });
}
