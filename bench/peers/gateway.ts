/** A gateway: reads a Modbus TCP device below all the time and serves what it reads by IEC 104 above, point for point by code. */
import { setTimeout as rest } from 'node:timers/promises';
import type { InputOf } from '../../src-shared/contract/index.ts';
import type { Point } from '../../src-shared/contract/points.ts';
import { ConnType, ProtocolType } from '../../src-shared/domain/enums.ts';
import { servePeer } from './child.ts';
import { type GatewayPoint, gatewayPoints, servedAbove } from './gateway-points.ts';
import { benchCore, freePort } from './service.ts';

interface Request {
  /** Port of the device below. */
  readonly port: number;
  readonly measurements: number;
  readonly signals: number;
}

const PAGE = 1000;
const LOOK_EVERY_MS = 100;
const CYCLE_MS = 200;

servePeer<Request>(async ({ port, measurements, signals }) => {
  const { api } = await benchCore();
  const add = async (settings: InputOf<'addChannel'>, points: readonly GatewayPoint[]) => {
    const { id } = (await api.call('addChannel', { timeout_ms: 1000, ...settings })).data;
    await api.call('addPoints', { channel_id: id, points: [...points] });
    await api.call('startDevice', { channel_id: id });
    return id;
  };
  const points = gatewayPoints(measurements, signals);
  const upPort = await freePort();
  const up = await add(
    { name: 'up', protocol_type: ProtocolType.iec104, conn_type: ConnType.tcpServer, port: upPort },
    points.map(servedAbove),
  );
  const down = await add({ name: 'down', protocol_type: ProtocolType.modbusTcp, conn_type: ConnType.tcpClient, port }, points);
  await api.call('startAutoRead', { device_name: 'down', cycle_interval_ms: CYCLE_MS });

  const rows = async (channel_id: number) => {
    const all: Point[] = [];
    for (let page = 1; ; page++) {
      const { data } = await api.call('pointTable', { channel_id, page, page_size: PAGE });
      all.push(...data.items);
      if (data.items.length < PAGE) return all;
    }
  };
  const idAbove = new Map((await rows(up)).map(({ code, id }) => [code, id]));
  const shown = new Map<string, number>();
  void (async () => {
    for (;;) {
      for (const { code, frame_type, value, quality } of await rows(down)) {
        if (quality !== 'good' || value === null || value === shown.get(code)) continue;
        shown.set(code, value);
        await api.call('updatePoint', { point_id: idAbove.get(code) ?? 0, frame_type, value });
      }
      await rest(LOOK_EVERY_MS);
    }
  })();
  return { port: upPort };
});
