/** A channel that only listens beside a foreign master (modbus-serial) and its slave: three pseudo terminals on one bus. */
import ModbusRTU, { ServerSerial } from 'modbus-serial';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { InputOf } from '#shared/contract/index.ts';
import { modbusTcpDriver } from '../drivers/modbus/driver.ts';
import { modbusRtuDriver } from '../drivers/modbus/rtu/driver.ts';
import { openPtyBus, type PtyBus } from '../transport/testing/pty-bus.ts';
import { whyNoPtys } from '../transport/testing/pty-pair.ts';
import { createDriverRegistry } from './driver-registry.ts';
import { type RunningCore, startCore, until } from './testing/running-core.ts';

if (whyNoPtys) console.warn(`listening line: skipped, ${whyNoPtys}`);

/** Ports of the bus. */
const [MASTER, SLAVE, LISTENER] = [0, 1, 2];
type PointInput = InputOf<'addPoints'>['points'][number];
const points: PointInput[] = [
  { frame_type: 0, code: 'FLOAT', address: 0, decode: '0x42' },
  { frame_type: 0, code: 'WORD', address: 2, decode: '0x20' },
  { frame_type: 1, code: 'COIL', address: 1 },
  { frame_type: 3, code: 'SETPOINT', address: 5, decode: '0x20' },
];

describe.skipIf(whyNoPtys)('a channel that only listens', () => {
  let running: RunningCore;
  let bus: PtyBus;
  let master: ModbusRTU;
  let channel: { readonly id: number; readonly name: string };
  const registers = [0x449a, 0x5000, 7, 8, 9, 10];
  beforeAll(async () => {
    running = await startCore({}, { drivers: createDriverRegistry([modbusTcpDriver, modbusRtuDriver]) });
  });
  afterAll(() => running.close());
  let ends: (() => Promise<unknown>)[] = [];

  beforeEach(async () => {
    bus = await openPtyBus('master', 'slave', 'listener');
    const [masterPath = '', slavePath = '', listenerPath = ''] = bus.ports;
    const server = new ServerSerial(
      {
        getHoldingRegister: (address: number) => registers[address] ?? 0,
        getCoil: (address: number) => address === 1,
        setRegister: (address: number, value: number) => {
          registers[address] = value;
        },
      },
      { path: slavePath, baudRate: 19_200, unitID: 1 },
    );
    await new Promise<void>((resolve) => server.on('initialized', () => resolve()));
    master = new ModbusRTU();
    await master.connectRTUBuffered(masterPath, { baudRate: 19_200 });
    master.setTimeout(10_000);
    master.setID(1);
    const name = `Listener ${Math.random()}`;
    const settings = { name, protocol_type: 2, conn_type: 0, com_port: listenerPath, baud_rate: 19_200, timeout_ms: 5000 } as const;
    const { data } = await running.api.call('addChannel', { ...settings, protocol: { listen_only: 'on' } });
    await running.api.call('addPoints', { channel_id: data.id, points });
    await running.api.call('startDevice', { channel_id: data.id });
    channel = { id: data.id, name };
    ends = [
      async () => running.api.call('deleteChannel', { channel_id: data.id }),
      () => new Promise<void>((resolve) => master.close(() => resolve())),
      () => new Promise<void>((resolve) => server.close(() => resolve())),
      () => bus.end(),
    ];
  });
  afterEach(async () => {
    for (const end of ends) await end();
  });

  async function rows() {
    const { data } = await running.api.call('pointTable', { channel_id: channel.id, page: 1, page_size: 100 });
    return new Map(data.items.map((row) => [row.code, row]));
  }

  it('has the values that the master reads, however they are delivered, and its commands as events', async () => {
    const read = await until(
      async () => {
        await master.readHoldingRegisters(0, 6);
        await master.readCoils(0, 8);
        return rows();
      },
      (now) => [...now.values()].every((row) => row.quality === 'good'),
    );
    expect([...read.values()].map(({ code, value }) => [code, value])).toEqual([
      ['FLOAT', 1234.5],
      ['WORD', 7],
      ['COIL', 1],
      ['SETPOINT', 10],
    ]);
    // the adapter stalls, and delivers all of it at once
    bus.hold(LISTENER, true);
    await master.writeRegister(5, 321);
    registers[2] = 77;
    await master.readHoldingRegisters(0, 6);
    await master.readHoldingRegisters(2, 1);
    await master.readHoldingRegisters(40, 3);
    bus.hold(LISTENER, false);
    await until(rows, (now) => now.get('SETPOINT')?.value === 321 && now.get('WORD')?.value === 77);
    const { data: events } = await running.api.call('listEvents', { channel_id: channel.id });
    expect(JSON.stringify(events)).toContain('a command of another master to slave 1');
    const { data: audit } = await running.api.call('listAudit', { channel_id: channel.id });
    expect(audit.items).toEqual([]);
    const { data: unknown } = await running.api.call('unknownObjects', { channel_id: channel.id });
    expect(unknown.items.map(({ address }) => address)).toEqual(expect.arrayContaining([40, 41, 42]));
    const { data: frames } = await running.api.call('listFrames', { channel_id: channel.id });
    const told = frames.items.map(({ kind, text }) => `${kind} ${text}`).join('\n');
    expect(told).toContain('Overheard: the answer to another master');
    expect(told).not.toMatch(/^tx/m);
    expect(bus.sent[LISTENER]).toBe(0);
    expect(bus.sent[SLAVE]).toBeGreaterThan(0);
    expect(bus.sent[MASTER]).toBeGreaterThan(0);
  });

  it('sends nothing, whatever it is asked, and says what to do', async () => {
    const table = await rows();
    const setpoint = table.get('SETPOINT')?.id ?? 0;
    const { id: channel_id, name: device_name } = channel;
    const refused = { code: 'STATE_CONFLICT', message: expect.stringContaining('only listens') };
    const { api } = running;
    await expect(api.call('manualRead', { device_name })).rejects.toMatchObject(refused);
    await expect(api.call('startAutoRead', { device_name })).rejects.toMatchObject(refused);
    await expect(api.call('readSinglePoint', { channel_id, point_id: setpoint, frame_type: 3 })).rejects.toMatchObject(refused);
    await expect(api.call('updatePoint', { point_id: setpoint, frame_type: 3, value: 5 })).rejects.toMatchObject(refused);
    await expect(api.call('command', { channel_id, point_id: setpoint, frame_type: 3, step: 'operate', value: 5 })).rejects.toMatchObject(
      refused,
    );
    await expect(api.call('startDoctor', { channel_id })).rejects.toMatchObject(refused);
    await expect(api.call('startScan', { channel_id, slave_id: 1, func_codes: [3], start: 0, quantity: 10 })).rejects.toMatchObject(
      refused,
    );
    await expect(api.call('startTableJob', { channel_id })).rejects.toMatchObject(refused);
    await expect(api.call('identifyDevice', { channel_id, slave_id: 1 })).rejects.toMatchObject(refused);
    await expect(api.call('deviceOperation', { channel_id, operation: 'report_server_id', params: { slave_id: 1 } })).rejects.toMatchObject(
      {
        code: expect.stringMatching(/STATE_CONFLICT|CONFIG_/),
      },
    );
    const port = bus.ports[LISTENER] ?? '';
    await expect(api.call('startFind', { protocol_type: 2, com_port: port, first_slave: 1, last_slave: 2 })).rejects.toMatchObject(refused);
    // nothing was about to be sent, so nothing is in the audit of our own commands
    expect((await api.call('listAudit', { channel_id })).data.items).toEqual([]);
    // the line was there all the time
    // a busy computer answers late, and the first late answers are doubted
    await until(
      async () => {
        await master.readHoldingRegisters(0, 6);
        return rows();
      },
      (now) => now.get('WORD')?.quality === 'good',
    );
    expect(bus.sent[LISTENER]).toBe(0);
  });

  it('is refused for a channel that serves', async () => {
    const serving = { name: 'Serves', protocol_type: 2, conn_type: 3, com_port: '/dev/none', protocol: { listen_only: 'on' } } as const;
    await expect(running.api.call('addChannel', serving)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('cannot only listen'),
    });
  });
});
