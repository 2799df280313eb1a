/** The program that proves a gateway: it serves the device below, reads the gateway above, and traces every point through it. */
import { setTimeout as rest } from 'node:timers/promises';
import { ConnType, ProtocolType } from '../../src-shared/domain/enums.ts';
import { servePeer } from './child.ts';
import { gatewayPoints, servedAbove } from './gateway-points.ts';
import { benchCore, freePort } from './service.ts';
import { takeLongestBlock, watchBlocks } from './thread-blocks.ts';

/** First the device below is opened, then the gateway behind `gateway` is traced. */
interface Request {
  readonly measurements: number;
  readonly signals: number;
  /** Port of the gateway above; null: the device is opened. */
  readonly gateway: number | null;
}

const LOOK_EVERY_MS = 50;
const api = (await benchCore()).api;
let below = 0;

servePeer<Request>(async ({ measurements, signals, gateway }) => {
  const points = gatewayPoints(measurements, signals);
  if (gateway === null) {
    const port = await freePort();
    const settings = { name: 'below', protocol_type: ProtocolType.modbusTcp, conn_type: ConnType.tcpServer, port, timeout_ms: 1000 };
    below = (await api.call('addChannel', settings)).data.id;
    await api.call('addPoints', { channel_id: below, points });
    await api.call('startDevice', { channel_id: below });
    return { port };
  }
  const settings = { name: 'above', protocol_type: ProtocolType.iec104, conn_type: ConnType.tcpClient, port: gateway, timeout_ms: 5000 };
  const above = (await api.call('addChannel', settings)).data.id;
  await api.call('addPoints', { channel_id: above, points: points.map(servedAbove) });
  await api.call('startDevice', { channel_id: above });
  await api.call('startAutoRead', { device_name: 'above', cycle_interval_ms: 1000 });
  const session_id = (await api.call('addCheck', { name: 'Gateway' })).data.id;
  await api.call('addCheckItems', { session_id, channel_id: above });
  await rest(5000);
  const watching = watchBlocks();
  takeLongestBlock();
  const began = performance.now();
  await api.call('traceCheck', { session_id, operator: 'bench', reference_channel_id: below, within_ms: 60_000 });
  for (;;) {
    const { run } = (await api.call('checkRun', {})).data;
    if (run?.state === 'ended') break;
    await rest(LOOK_EVERY_MS);
  }
  const seconds = (performance.now() - began) / 1000;
  const block = takeLongestBlock();
  clearInterval(watching);
  const { counts } = (await api.call('checkSummary', { session_id })).data;
  if (counts.passed !== points.length) throw new Error(`${JSON.stringify(counts)}, not ${points.length} passed`);
  return { seconds, block };
});
