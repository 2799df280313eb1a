/** What a person meets at a station that is not ours: one that does not know the read command, and a table from a file. */
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { mirrorAsdu } from '../drivers/iec104/codec/asdu.ts';
import { Cause } from '../drivers/iec104/codec/causes.ts';
import { iec104Driver } from '../drivers/iec104/driver.ts';
import { APCI_LENGTH, encodeI } from '../drivers/iec104/link/apci.ts';
import { createDriverRegistry } from './driver-registry.ts';
import { type RunningCore, startCore, until } from './testing/running-core.ts';

let running: RunningCore;
let station: Server;
const sockets = new Set<Socket>();

beforeEach(async () => {
  running = await startCore({}, { drivers: createDriverRegistry([iec104Driver]) });
  station = createServer(serveUnknowing);
  await new Promise<void>((resolve) => station.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await running.close();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => station.close(resolve));
});

/** Confirms STARTDT and STOPDT; answers whatever is asked with cause 44, unknown type. */
function serveUnknowing(socket: Socket): void {
  sockets.add(socket);
  let sent = 0;
  let received = 0;
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Uint8Array) => {
    for (let at = 0; at < chunk.length; at += 2 + (chunk[at + 1] ?? 0)) {
      const apdu = chunk.subarray(at, at + 2 + (chunk[at + 1] ?? 0));
      const control = apdu[2] ?? 0;
      if (control === 0x07 || control === 0x13) socket.write(Uint8Array.of(0x68, 4, control === 0x07 ? 0x0b : 0x23, 0, 0, 0));
      if ((control & 1) === 1) continue;
      received += 1;
      socket.write(encodeI(sent++, received, mirrorAsdu(apdu.subarray(APCI_LENGTH), Cause.unknownType, true)));
    }
  });
}

it('a round in mode single at a station without the read command fails, and its last error points to mode batch', async () => {
  const address = station.address();
  if (address === null || typeof address === 'string') throw new Error('The station has no port.');
  const { api } = running;
  const { port } = address;
  const { data } = await api.call('addChannel', {
    name: 'Old station',
    protocol_type: 3,
    conn_type: 2,
    port,
    protocol: { general_interrogation: false },
  });
  await api.call('addPoints', { channel_id: data.id, points: [{ frame_type: 0, code: 'U', address: 16_385 }] });
  await api.call('startDevice', { channel_id: data.id });
  await api.call('manualRead', { device_name: 'Old station', mode: 'single' });
  const ended = await until(
    async () => (await api.call('manualReadStatus', { device_name: 'Old station' })).data,
    ({ state, cycle_count }) => state !== 'running' && cycle_count > 0,
  );
  expect(ended).toMatchObject({ success: 0, fail: 1, last_error: expect.stringMatching(/cause 44.*mode batch/) });
});

it('a table from a file has decimal object addresses, and the types of the protocol', async () => {
  const { api } = running;
  const { data } = await api.call('addChannel', { name: 'From file', protocol_type: 3, conn_type: 2 });
  const rows = ['测点类型,测点编码,测点名称,从机地址,寄存器地址', '遥测,U,电压,1,16385', '遥信,Q,断路器,2,1', '遥控,K,分合闸,1,24577'];
  const file = new File([rows.join('\n')], 'points.csv');
  expect((await api.call('importPoints', { channel_id: data.id, mode: 'merge', file })).data).toMatchObject({ applied: true });
  const { items } = (await api.call('pointTable', { channel_id: data.id, page: 1, page_size: 10 })).data;
  expect(items.map((item) => [item.code, item.slave_id, item.address, item.protocol.type_id])).toEqual([
    ['U', 1, 16_385, 13],
    ['Q', 2, 1, 1],
    ['K', 1, 24_577, 45],
  ]);
});
