/** A driver that throws where nobody awaits it: in a timer, at octets that came, in what the runtime does for it. Its channel ends, nothing else. */

import { beforeEach, describe, expect, it } from 'vitest';
import { ConnType, ProtocolType } from '#shared/domain/enums.ts';
import { say } from '#shared/messages/index.ts';
import type { DriverIo, PointConfig, PointReading, ProtocolDriver } from '../drivers/spi/index.ts';
import type { Logger } from '../platform/logger.ts';
import { ManualClock } from '../platform/manual-clock.ts';
import { ChannelManager } from '../runtime/channel-manager.ts';
import { EventLog } from '../runtime/logs/event-log.ts';
import { channelSettings, point } from '../runtime/testing/harness.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
import { LoopbackNetwork } from '../transport/loopback.ts';
import type { AcceptedPeer, TransportEvents } from '../transport/types.ts';
import { builtInDrivers } from './built-in-drivers.ts';

const PORT = 40_000;
/** A point that can be read, where it takes more than an address. */
const TABLE: Partial<Record<ProtocolType, Partial<PointConfig>>> = {
  [ProtocolType.dlt645]: { address: 0x0001_0000, decode: '', protocol: { edition: '2007' } },
  [ProtocolType.iec61850]: { reference: 'LD1/GGIO1.AnIn1.mag.f[MX]', decode: '' },
};
const planted = (): never => {
  throw new Error('planted');
};

type Role = 'client' | 'server';
/** Where the driver throws: in a callback of its line, or in one that it has set. */
type LineFault = 'octets' | 'end of the line' | 'a new peer';

/** What the next connections of a role do wrong. */
let lineFault: { role: Role; what: LineFault } | null = null;
/** What the drivers were given, by role. */
let given: Partial<Record<Role, DriverIo>> = {};

function faultyEvents(role: Role, events: TransportEvents): TransportEvents {
  const isDue = (what: LineFault) => lineFault?.role === role && lineFault.what === what;
  return {
    onData: (chunk) => (isDue('octets') ? planted() : events.onData(chunk)),
    onClosed: (cause) => (isDue('end of the line') ? planted() : events.onClosed(cause)),
  };
}

function faultyPeer(peer: AcceptedPeer): AcceptedPeer {
  return {
    label: peer.label,
    start: (events) => peer.start(faultyEvents('server', events)),
    write: (bytes) => peer.write(bytes),
    close: () => peer.close(),
  };
}

/** The driver as it is, on lines that have it throw. */
function faulty(driver: ProtocolDriver): ProtocolDriver {
  return {
    ...driver,
    connect(io, signal) {
      given.client = io;
      const { line } = io;
      const faultyLine = {
        label: line.label,
        write: (bytes: Uint8Array) => line.write(bytes),
        start: (events: TransportEvents) => line.start(faultyEvents('client', events)),
        close: () => line.close(),
      };
      return driver.connect({ ...io, line: faultyLine }, signal);
    },
    serve(io) {
      given.server = io;
      return driver.serve({
        ...io,
        onPeer: (accept) => io.onPeer((peer, frames) => (lineFault?.what === 'a new peer' ? planted() : accept(faultyPeer(peer), frames))),
      });
    },
  };
}

/** A served device and a channel that reads it, on lines in memory. */
class Plant {
  readonly clock = new ManualClock();
  readonly network = new LoopbackNetwork(this.clock);
  readonly errors: string[] = [];
  readonly manager: ChannelManager;
  readonly channels: Record<Role, ChannelRuntime>;

  constructor(driver: ProtocolDriver) {
    const made = faulty(driver);
    const note = (details: unknown, message?: string) => void this.errors.push(`${message} ${String((details as { err?: unknown }).err)}`);
    const quiet = () => undefined;
    const logger = { error: note, warn: quiet, info: quiet, debug: quiet } as unknown as Logger;
    this.manager = new ChannelManager({
      clock: this.clock,
      random: () => 0.5,
      newId: () => '00000000-0000-4000-8000-000000000001',
      transports: this.network,
      drivers: { all: [made], find: () => made },
      logger,
      events: new EventLog(1000),
    });
    const common = { protocol_type: driver.descriptor.protocolType, port: PORT, timeout_ms: 200, retries: 0 };
    const add = (id: number, conn_type: ConnType) =>
      this.manager.add(channelSettings({ ...common, id, name: `Channel ${id}`, conn_type }), [
        point(id * 10, TABLE[driver.descriptor.protocolType] ?? { decode: '0x20' }),
      ]);
    this.channels = { server: add(1, ConnType.tcpServer), client: add(2, ConnType.tcpClient) };
  }

  status(role: Role): string {
    return this.channels[role].state().status;
  }

  /** Starts a channel; what it says does not matter here. */
  async start(role: Role): Promise<void> {
    const started = this.channels[role].start().catch(() => undefined);
    for (let step = 0; step < 40 && this.status(role) === 'starting'; step++) await this.clock.advance(100);
    await this.clock.advance(0);
    if (this.status(role) !== 'starting') await started;
  }

  /** Has octets run, whatever the protocol. */
  async traffic(): Promise<void> {
    const { client } = this.channels;
    const reading = client.readSingle(20).catch(() => undefined);
    await this.clock.advance(1000);
    await reading;
  }

  async stop(): Promise<void> {
    const stopped = Promise.all([this.channels.client.stop(), this.channels.server.stop()]);
    await this.clock.advance(20_000);
    await stopped;
  }
}

beforeEach(() => {
  lineFault = null;
  given = {};
});

const drivers = builtInDrivers.all.map((driver) => [driver.descriptor.key, driver] as const);

/** Callbacks that a driver sets by itself, and what the runtime does for it. */
const CALLBACKS: readonly (readonly [string, (io: DriverIo) => void])[] = [
  ['a timer', ({ clock }) => void clock.after(10, planted)],
  ['a timer that works on', ({ clock }) => void clock.after(10, () => Promise.reject(new Error('planted')))],
  ['the rest of a turn', ({ clock }) => clock.soon(planted)],
  ['values that the runtime cannot take', ({ sink }) => sink.values([badReading()], true)],
];

function badReading(): PointReading {
  return {
    get kind(): 'failure' {
      return planted();
    },
  } as unknown as PointReading;
}

describe.each(drivers)('%s', (_key, driver) => {
  async function standing(): Promise<Plant> {
    const plant = new Plant(driver);
    await plant.start('server');
    await plant.start('client');
    expect([plant.status('server'), plant.status('client')]).toEqual(['running', 'running']);
    return plant;
  }

  async function expectEnded(plant: Plant, role: Role): Promise<void> {
    const state = plant.channels[role].state();
    expect([state.status, state.lastError]).toEqual(['error', say('runtime.fault', { detail: 'planted' })]);
    expect(plant.errors.filter((text) => text.includes('planted'))).not.toEqual([]);
    // it stays as it is until somebody starts it
    await plant.clock.advance(60_000);
    expect(plant.status(role)).toBe('error');
    const other = role === 'client' ? 'server' : 'client';
    expect(plant.status(other)).not.toBe('error');
    lineFault = null;
    await plant.start(role);
    expect(plant.status(role)).toBe('running');
    await plant.stop();
  }

  for (const role of ['client', 'server'] as const) {
    it.each(CALLBACKS)(`${role}: %s ends its channel`, async (_what, act) => {
      const plant = await standing();
      const io = given[role];
      if (!io) throw new Error(`The ${role} was given nothing.`);
      act(io);
      await plant.clock.advance(1000);
      await expectEnded(plant, role);
    });

    it.each(['octets', 'end of the line'] as const)(`${role}: a throw at the %s ends its channel`, async (what) => {
      const plant = await standing();
      lineFault = { role, what };
      if (what === 'octets') await plant.traffic();
      else plant.network.breakLines();
      await plant.clock.advance(100);
      await expectEnded(plant, role);
    });
  }

  // the others say nothing before they are asked
  const { protocolType } = driver.descriptor;
  const hasHandshake = protocolType === ProtocolType.iec104 || protocolType === ProtocolType.iec61850;
  if (hasHandshake)
    it('client: a throw at octets while it comes up is a start that failed', async () => {
      const plant = new Plant(driver);
      await plant.start('server');
      lineFault = { role: 'client', what: 'octets' };
      await plant.start('client');
      await expectEnded(plant, 'client');
    });

  it('server: a throw at a new peer ends its channel', async () => {
    const plant = new Plant(driver);
    await plant.start('server');
    lineFault = { role: 'server', what: 'a new peer' };
    await plant.start('client');
    await plant.channels.client.stop();
    expect(plant.channels.server.state()).toMatchObject({
      status: 'error',
      lastError: say('runtime.fault', { detail: 'planted' }),
    });
    await plant.stop();
  });
});
