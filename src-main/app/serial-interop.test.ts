/** RTU master and slave of the whole service against modbus-serial, on two joined pseudo terminals. */
import ModbusRTU, { ServerSerial } from 'modbus-serial';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { InputOf } from '#shared/contract/index.ts';
import { modbusTcpDriver } from '../drivers/modbus/driver.ts';
import { modbusRtuDriver } from '../drivers/modbus/rtu/driver.ts';
import { openPtyPair, type PtyPair, whyNoPtys } from '../transport/testing/pty-pair.ts';
import { createDriverRegistry } from './driver-registry.ts';
import { freePort, type RunningCore, startCore, until } from './testing/running-core.ts';

if (whyNoPtys) console.warn(`serial interop: skipped, ${whyNoPtys}`);

const REGISTERS = [0x449a, 0x5000, 7, 0xfff6, 4, 5];
type PointInput = InputOf<'addPoints'>['points'][number];
const points: PointInput[] = [
  { frame_type: 0, code: 'FLOAT', address: 0, decode: '0x42' },
  { frame_type: 0, code: 'WORD', address: 2, decode: '0x20' },
  { frame_type: 0, code: 'NEGATIVE', address: 3, decode: '0x21', mul_coe: 0.1 },
  { frame_type: 1, code: 'COIL', address: 1 },
  { frame_type: 2, code: 'SWITCH', address: 5 },
  { frame_type: 3, code: 'SETPOINT', address: 5, decode: '0x20' },
  { frame_type: 3, code: 'WIDE', address: 4, decode: '0x40' },
];

describe.skipIf(whyNoPtys)('Modbus RTU with modbus-serial', () => {
  let running: RunningCore;
  let ptys: PtyPair;
  const cleanups: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    running = await startCore({}, { drivers: createDriverRegistry([modbusTcpDriver, modbusRtuDriver]) });
  });
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
  afterAll(() => running.close());

  async function channel(settings: Partial<InputOf<'addChannel'>>, table: readonly PointInput[]) {
    const name = `Serial ${Math.random()}`;
    const { data } = await running.api.call('addChannel', { name, protocol_type: 2, conn_type: 0, timeout_ms: 10_000, ...settings });
    await running.api.call('addPoints', { channel_id: data.id, points: [...table] });
    await running.api.call('startDevice', { channel_id: data.id });
    cleanups.push(async () => {
      await running.api.call('deleteChannel', { channel_id: data.id });
    });
    const rows = async () => {
      const { data: table } = await running.api.call('pointTable', { channel_id: data.id, page: 1, page_size: 100 });
      return new Map(table.items.map((row) => [row.code, row]));
    };
    return { id: data.id, name, rows };
  }

  async function pair() {
    ptys = await openPtyPair();
    cleanups.push(() => ptys.end());
    return ptys;
  }

  it('our master reads and writes its slave', async () => {
    const { a, b } = await pair();
    const registers = [...REGISTERS];
    const coils = new Map([[1, true]]);
    const server = new ServerSerial(
      {
        getHoldingRegister: (address: number) => registers[address] ?? 0,
        getCoil: (address: number) => coils.get(address) ?? false,
        setRegister: (address: number, value: number) => {
          registers[address] = value;
        },
        setCoil: (address: number, value: boolean) => {
          coils.set(address, value);
        },
      },
      { path: b, baudRate: 19_200, unitID: 1 },
    );
    await new Promise<void>((resolve) => server.on('initialized', () => resolve()));
    cleanups.push(() => new Promise((resolve) => server.close(() => resolve())));
    const { id, name, rows } = await channel({ com_port: a, baud_rate: 19_200 }, points);
    await running.api.call('manualRead', { device_name: name });
    await until(
      async () => (await running.api.call('manualReadStatus', { device_name: name })).data,
      (task) => task.state === 'idle' && task.success === points.length,
    );
    const read = await rows();
    expect([...read.values()].map((row) => [row.code, row.value, row.quality])).toEqual([
      ['FLOAT', 1234.5, 'good'],
      ['WORD', 7, 'good'],
      ['NEGATIVE', -1, 'good'],
      ['COIL', 1, 'good'],
      ['SWITCH', 0, 'good'],
      ['SETPOINT', 5, 'good'],
      ['WIDE', 4 * 65_536 + 5, 'good'],
    ]);
    const write = (code: string, value: number) => {
      const row = read.get(code);
      return running.api.call('updatePoint', { point_id: row?.id ?? 0, frame_type: row?.frame_type ?? 0, value });
    };
    await write('SWITCH', 1);
    await write('SETPOINT', 321);
    await write('WIDE', 0x0007_0008);
    expect([coils.get(5), registers[4], registers[5]]).toEqual([true, 7, 8]);
    const health = (await running.api.call('listChannels', {})).data.find((item) => item.id === id)?.health;
    expect(health).toMatchObject({ timeouts: 0, faults: 0, late: 0 });
  });

  it('our slave serves its master, broadcasts included', async () => {
    const { a, b } = await pair();
    const { rows } = await channel({ conn_type: 3, com_port: a }, points);
    const master = new ModbusRTU();
    await master.connectRTUBuffered(b, { baudRate: 9600 });
    master.setTimeout(10_000);
    master.setID(1);
    cleanups.push(() => new Promise((resolve) => master.close(() => resolve())));
    await master.writeRegisters(4, [1, 2]);
    await master.writeCoil(5, true);
    expect((await master.readHoldingRegisters(4, 2)).data).toEqual([1, 2]);
    expect((await master.readCoils(5, 1)).data[0]).toBe(true);
    await expect(master.readHoldingRegisters(40, 1)).rejects.toMatchObject({ modbusCode: 2 });
    for (let value = 0; value < 20; value++) await master.writeRegister(5, 777);
    await until(rows, (now) => now.get('SWITCH')?.value === 1 && now.get('SETPOINT')?.value === 777);
  });

  it('both of ours speak RTU frames over TCP, and with its client', async () => {
    const port = await freePort();
    await channel({ conn_type: 1, port }, points);
    const { name, rows } = await channel({ conn_type: 2, port }, points);
    await running.api.call('manualRead', { device_name: name });
    await until(rows, (now) => [...now.values()].every((row) => row.quality === 'good'));
    const master = new ModbusRTU();
    await master.connectTelnet('127.0.0.1', { port });
    master.setTimeout(10_000);
    master.setID(1);
    cleanups.push(() => new Promise((resolve) => master.close(() => resolve())));
    await master.writeRegister(5, 99);
    expect((await master.readHoldingRegisters(5, 1)).data).toEqual([99]);
  });

  it('a port that is pulled is told at once and found again when it is back', async () => {
    const { a, pull } = await pair();
    const { id } = await channel({ com_port: a }, points);
    const status = async () => (await running.api.call('listChannels', {})).data.find((item) => item.id === id);
    await pull();
    const lost = await until(status, (now) => now?.status === 'reconnecting');
    expect(lost?.last_error).toMatch(/was lost|no serial port/);
  });

  it('two channels cannot have one port, and a missing port names those there are', async () => {
    const { a } = await pair();
    await channel({ com_port: a }, points);
    const second = await running.api.call('addChannel', { name: 'Second', protocol_type: 2, conn_type: 3, com_port: a });
    await expect(running.api.call('startDevice', { channel_id: second.data.id })).rejects.toMatchObject({ code: 'TRANSPORT_PORT_TAKEN' });
    await running.api.call('updateChannel', { channel_id: second.data.id, com_port: '/dev/ttyNONE' });
    await expect(running.api.call('startDevice', { channel_id: second.data.id })).rejects.toMatchObject({ code: 'TRANSPORT_PORT_MISSING' });
  });
});
