import type { InputOf } from '#shared/contract/index.ts';
import { ConnType, FrameType, ProtocolType } from '#shared/domain/enums.ts';
import type { Core } from '../types.ts';
import { addChannels, type DemoIds, type DemoPart, type DemoPorts } from './part.ts';
import { startDemoServer } from './start-server.ts';

const PREFERRED_PORT = 18_899;
const CYCLE_MS = 5000;
const FIRST_METER = 202_611_000_001;
const METERS = 8;
/** Place of the meter that nobody serves. */
const SILENT = 6;
/** Place of the meter of the 1997 edition. */
const OLD = 7;

const SERVER = { name: 'Demo 645 meters', note: 'Simulated DL/T 645 meters, served on this computer. 模拟电能表,仅在本机提供服务。' };
const CLIENT = {
  name: 'Demo 645 line',
  note: 'Eight meters on one line; number 7 never answers, number 8 is of 1997. 一条线路八块表,7号表不应答,8号表为1997版',
};

type NewPoint = InputOf<'addPoints'>['points'][number];

/** Code, identifier and category of the points of a meter. */
type Row = readonly [code: string, address: number, category: string];

const ROWS_2007: readonly Row[] = [
  ['EP', 0x00010000, 'energy'],
  ['EP1', 0x00010100, 'energy'],
  ['EP2', 0x00010200, 'energy'],
  ['EP3', 0x00010300, 'energy'],
  ['EP4', 0x00010400, 'energy'],
  ['EP_LAST', 0x00010001, 'settlement'],
  ['DEMAND', 0x01010000, 'demand'],
  ['UA', 0x02010100, 'measurement'],
  ['UB', 0x02010200, 'measurement'],
  ['UC', 0x02010300, 'measurement'],
  ['IA', 0x02020100, 'measurement'],
  ['IB', 0x02020200, 'measurement'],
  ['IC', 0x02020300, 'measurement'],
  ['P', 0x02030000, 'measurement'],
  ['PF', 0x02060000, 'measurement'],
  ['F', 0x02800002, 'measurement'],
  ['TIME', 0x04000102, 'clock'],
];

const ROWS_1997: readonly Row[] = [
  ['EP', 0x9010, 'energy'],
  ['EP1', 0x9011, 'energy'],
  ['EP2', 0x9012, 'energy'],
  ['EP3', 0x9013, 'energy'],
  ['EP4', 0x9014, 'energy'],
  ['UA', 0xb611, 'measurement'],
  ['IA', 0xb621, 'measurement'],
  ['P', 0xb630, 'measurement'],
  ['TIME', 0xc011, 'clock'],
];

/** What can be written to the first meter: its relay with the state of it, and its demand period. */
const WRITTEN: readonly NewPoint[] = [
  { frame_type: FrameType.yx, code: 'M1_OPEN', name: '继电器断开', address: 0x04000503, bit: 4, category: 'relay' },
  { frame_type: FrameType.yk, code: 'M1_RELAY', name: '继电器控制', address: 0, related_code: 'M1_OPEN', category: 'relay' },
  { frame_type: FrameType.yt, code: 'M1_PERIOD', address: 0x04000103, category: 'parameter' },
];
/** What simulated meters take as they come. */
const SECRETS = { password_02: '000000', password_04: '000000', operator_code: '00000001' };

/** Points of all meters; names and units are those of the dictionary. */
function meterPoints(): { readonly all: NewPoint[]; readonly served: NewPoint[] } {
  const meters = Array.from({ length: METERS }, (_, place): NewPoint[] => {
    const rows = place === OLD ? ROWS_1997 : ROWS_2007;
    return rows.map(([code, address, category]) => ({
      frame_type: FrameType.yc,
      code: `M${place + 1}_${code}`,
      address,
      slave_id: FIRST_METER + place,
      category,
      item: `Meter ${place + 1}`,
      ...(place === OLD ? { protocol: { edition: 1997 } } : {}),
    }));
  });
  const written = WRITTEN.map((point) => ({ ...point, slave_id: FIRST_METER, item: 'Meter 1' }));
  return { all: [...meters.flat(), ...written], served: [...meters.filter((_, place) => place !== SILENT).flat(), ...written] };
}

/** A line of meters by DL/T 645, and a master that reads them. */
export function meterLine(): DemoPart {
  return {
    names: [CLIENT.name, SERVER.name],
    async fill(core, names) {
      const common = { protocol_type: ProtocolType.dlt645, port: PREFERRED_PORT };
      const { all, served } = meterPoints();
      await addChannels(core, names, [
        { channel: { ...CLIENT, ...common, conn_type: ConnType.tcpClient, timeout_ms: 500 }, points: all },
        { channel: { ...SERVER, ...common, conn_type: ConnType.tcpServer }, points: served },
      ]);
    },
    start: startMeters,
  };
}

async function startMeters(core: Core, ports: DemoPorts, idOf: DemoIds): Promise<null> {
  const [client, server] = [idOf(CLIENT.name), idOf(SERVER.name)];
  // They lie beside the project, which may be new here.
  await core.api.call('updateChannelSecrets', { channel_id: client, secrets: SECRETS });
  await startDemoServer(core, ports, { serverId: server, clientIds: [client], port: PREFERRED_PORT });
  await core.api.call('startDevice', { channel_id: client });
  for (const device_name of [CLIENT.name, SERVER.name]) {
    await core.api.call('startAutoRead', { device_name, mode: 'batch', cycle_interval_ms: CYCLE_MS });
  }
  return null;
}
