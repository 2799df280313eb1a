import { describe, expect, it } from 'vitest';
import { ProtocolType } from '#shared/domain/enums.ts';
import type { DriverDocument } from '../drivers/spi/model.ts';
import { ChannelManager } from './channel-manager.ts';
import { FakeModel } from './testing/fake-model.ts';
import { type FakeModelDevice, fakeModelDriver } from './testing/fake-model-driver.ts';
import { channelSettings, makeBench } from './testing/harness.ts';

function modelBench() {
  const { ports, plant, clock, net } = makeBench([]);
  const device: FakeModelDevice = { model: null };
  const driver = fakeModelDriver(plant, device);
  const kept: { document: DriverDocument | null } = { document: null };
  const drivers = { all: [driver], find: () => driver };
  const manager = new ChannelManager({ ...ports, drivers, documentOf: () => kept.document });
  const settings = channelSettings({ protocol_type: ProtocolType.iec61850, protocol: { ied_name: 'A' } });
  return { channel: manager.add(settings), settings, kept, device, plant, clock, net };
}

const firstName = (bench: ReturnType<typeof modelBench>) => bench.channel.model()?.children(null)?.[0]?.name ?? null;

describe('the model of a channel', () => {
  it('is null for a protocol without one', () => {
    expect(makeBench().channel.model()).toBeNull();
  });

  it('is that of the document before a first start, made once', () => {
    const bench = modelBench();
    expect(firstName(bench)).toBeNull();
    bench.kept.document = { name: 'a.cid', text: 'SCL A' };
    expect(firstName(bench)).toBe('ALD0');
    expect(bench.channel.model()).toBe(bench.channel.model());
  });

  it('is made anew on a stopped channel when document or device change, and kept when neither does', async () => {
    const bench = modelBench();
    bench.kept.document = { name: 'a.cid', text: 'SCL A' };
    const before = bench.channel.model();
    await bench.channel.reconfigure({ ...bench.settings, timeout_ms: 5000 });
    expect(bench.channel.model()).toBe(before);
    await bench.channel.reconfigure({ ...bench.settings, protocol: { ied_name: 'B' } });
    expect(firstName(bench)).toBe('BLD0');
    const second = bench.channel.model();
    await bench.channel.reconfigure({ ...bench.settings, protocol: { ied_name: 'B' } }, true);
    expect(bench.channel.model()).not.toBe(second);
  });

  it('outlives a stop', async () => {
    const bench = modelBench();
    await bench.channel.start();
    bench.device.model = new FakeModel(2);
    await bench.channel.stop();
    expect(firstName(bench)).toBe('BCU1LD0');
  });
});

describe('the document of a channel', () => {
  it('reaches the driver at start, and at a rebuild when it changes', async () => {
    const bench = modelBench();
    await bench.channel.start();
    expect(bench.plant.connections.map(({ io }) => io.document)).toEqual([null]);
    bench.kept.document = { name: 'a.cid', text: 'SCL A' };
    await bench.channel.reconfigure(bench.settings, true);
    expect(bench.plant.connections.map(({ io }) => io.document?.name)).toEqual([undefined, 'a.cid']);
    await bench.channel.reconfigure(bench.settings);
    expect(bench.plant.connections).toHaveLength(2);
  });

  it('rebuilds nothing while the channel is stopped', async () => {
    const bench = modelBench();
    await bench.channel.reconfigure(bench.settings, true);
    expect([bench.plant.connections.length, bench.channel.state().status]).toEqual([0, 'stopped']);
  });
});
