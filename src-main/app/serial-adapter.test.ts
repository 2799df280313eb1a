/** An adapter that is pulled and plugged in anew, as a person sees it: status, port list, events. */
import { afterEach, describe, expect, it } from 'vitest';
import { modbusRtuDriver } from '../drivers/modbus/rtu/driver.ts';
import { pacedClock } from '../platform/testing/paced-clock.ts';
import { createTransports } from '../transport/index.ts';
import { SerialLines } from '../transport/serial-lines.ts';
import { adapter, FakeBinding } from '../transport/testing/fake-serial.ts';
import { createDriverRegistry } from './driver-registry.ts';
import { type RunningCore, startCore, until } from './testing/running-core.ts';

describe('a pulled adapter', () => {
  let running: RunningCore;
  afterEach(() => running.close());

  async function started(place: Parameters<typeof adapter>[1]) {
    const binding = new FakeBinding();
    binding.plugged = [adapter('COM5', place)];
    const list = async () => binding.plugged;
    const clock = pacedClock();
    running = await startCore(
      {},
      {
        clock,
        transports: createTransports(clock, new SerialLines(clock, binding, list)),
        drivers: createDriverRegistry([modbusRtuDriver]),
        listSerialPorts: list,
      },
    );
    const { data } = await running.api.call('addChannel', { name: 'Line', protocol_type: 2, conn_type: 0, com_port: 'com5' });
    await running.api.call('startDevice', { channel_id: data.id });
    const channel = async () => (await running.api.call('listChannels', {})).data[0];
    const users = async () => (await running.api.call('listSerialPorts', {})).data.map((port) => [port.path, port.used_by]);
    return { binding, channel, users };
  }

  it('is found again under its new name, which is then the one in use', async () => {
    const { binding, channel, users } = await started({ serialNumber: 'A7' });
    expect(await users()).toEqual([['COM5', 'Line']]);
    binding.plugged = [];
    binding.last.pull();
    const lost = await until(channel, (now) => now?.status === 'reconnecting');
    expect(lost?.last_error).toContain('COM5');
    binding.plugged = [adapter('COM12', { serialNumber: 'A7' }), adapter('COM13', { serialNumber: 'B1' })];
    await until(channel, (now) => now?.status === 'running');
    expect(await users()).toEqual([
      ['COM12', 'Line'],
      ['COM13', null],
    ]);
    const { data: events } = await running.api.call('listEvents', {});
    expect(events.items.map((event) => event.text)).toContainEqual(expect.stringContaining('found again as COM12'));
  });

  it('asks which one when two fit', async () => {
    const { binding, channel } = await started({ place: '1-1' });
    binding.plugged = [adapter('COM12', { place: '1-2' }), adapter('COM13', { place: '1-3' })];
    binding.last.pull();
    const asked = await until(channel, (now) => now?.last_error?.includes('COM13') ?? false);
    expect(asked).toMatchObject({ status: 'reconnecting', last_error: expect.stringMatching(/COM12, COM13.*com_port/) });
  });
});
