import { describe, expect, it } from 'vitest';
import { ProtocolType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import type { DriverMemory } from '../drivers/spi/index.ts';
import type { DocumentDevice, DriverDocument } from '../drivers/spi/model.ts';
import { settle } from '../platform/manual-clock.ts';
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

/** A channel whose documents are taken over in steps, when the test lets them go on. */
function takingBench() {
  const { ports, plant } = makeBench([]);
  const base = fakeModelDriver(plant, { model: null });
  const asked: string[] = [];
  const makings: { resolve(parts: readonly unknown[]): void; reject(error: unknown): void }[] = [];
  const log: string[] = [];
  const device: DocumentDevice = {
    make: () => [],
    isTaken: (memory) => memory.has('taken'),
    *take(memory, made) {
      if (memory.has('taken')) return;
      const what = made instanceof AppError ? made.message : made.join('');
      for (const _ of what) {
        log.push(what);
        if (what === 'broken' && !(made instanceof AppError)) throw new TypeError('a fault of ours');
        yield;
      }
      memory.set('taken', what);
    },
  };
  const documents = { extensions: [], maxOctets: 1, setting: 'ied_name', read: () => expect.fail('nobody looks'), device };
  const driver = { ...base, documents, model: (memory: DriverMemory) => (memory.get('taken') ?? null) as never };
  const manager = new ChannelManager({
    ...ports,
    drivers: { all: [driver], find: () => driver },
    documentOf: () => ({ name: 'a.cid', text: '' }),
    deviceOf: ({ protocol }) => {
      asked.push(String(protocol.ied_name));
      return new Promise((resolve, reject) => void makings.push({ resolve, reject }));
    },
  });
  const settings = channelSettings({ protocol_type: ProtocolType.iec61850, protocol: { ied_name: 'A' } });
  return { channel: manager.add(settings), settings, asked, makings, log, plant };
}

describe('a document that is taken over', () => {
  it('is waited for by all who ask meanwhile, and made once', async () => {
    const { channel, makings, asked } = takingBench();
    const both = [channel.modelReady(), channel.modelReady()];
    makings[0]?.resolve(['part', 's']);
    await Promise.all(both);
    expect([channel.model(), asked]).toEqual(['parts', ['A']]);
    await channel.modelReady();
    expect(asked).toHaveLength(1);
  });

  it('and is another one before its end is left where it stands: whoever waits has the other one', async () => {
    const { channel, settings, makings, asked, log } = takingBench();
    const waiting = channel.modelReady();
    makings[0]?.resolve(['old'.repeat(1_000)]);
    await channel.reconfigure({ ...settings, protocol: { ied_name: 'B' } });
    const second = channel.modelReady();
    await settle();
    makings.at(-1)?.resolve(['new']);
    await Promise.all([waiting, second]);
    expect([channel.model(), asked]).toEqual(['new', ['A', 'B']]);
    expect(log.filter((what) => what !== 'new').length).toBeLessThan(3_000);
  });

  it('and cannot be made says why, as does one whose taking over fails', async () => {
    for (const [made, said] of [
      [new AppError('CONFIG_INVALID', quoted('no such device')), 'no such device'],
      [['broken'], 'a fault of ours'],
    ] as const) {
      const { channel, makings } = takingBench();
      const waiting = channel.modelReady();
      if (made instanceof AppError) makings[0]?.reject(made);
      else makings[0]?.resolve(made);
      await waiting;
      expect(channel.model()).toBe(said);
    }
  });

  it('holds no stop of a channel that is being started with it; the next start has it', async () => {
    const { channel, makings, plant, asked } = takingBench();
    const starting = channel.start().catch((error: AppError) => error.code);
    await settle();
    const stopping = channel.stop();
    await settle();
    expect([channel.state().status, plant.connections.length]).toEqual(['stopped', 0]);
    makings[0]?.resolve(['late']);
    await Promise.all([starting, stopping]);
    await settle();
    expect([channel.state().status, plant.connections.length, asked.length]).toEqual(['stopped', 0, 1]);
    const again = channel.start();
    await settle();
    // its driver keeps nothing from one start to the next
    makings[1]?.resolve(['next']);
    await again;
    expect([channel.state().status, channel.model()]).toEqual(['running', 'next']);
  });

  it('and is another one while a start waits for it, which is then stopped, is that one', async () => {
    const { channel, settings, makings, asked } = takingBench();
    const starting = channel.start().catch((error: AppError) => error.code);
    await settle();
    const changed = channel.reconfigure({ ...settings, protocol: { ied_name: 'B' } }, true);
    await Promise.all([channel.stop(), changed]);
    expect([await starting, channel.state().status]).toEqual(['CANCELLED', 'stopped']);
    makings[0]?.resolve(['old']);
    const ready = channel.modelReady();
    await settle();
    makings[1]?.resolve(['new']);
    await ready;
    expect([channel.model(), asked]).toEqual(['new', ['A', 'B']]);
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
