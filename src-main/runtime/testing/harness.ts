import { ReadTaskConfig } from '#shared/contract/tasks.ts';
import { ConnType, ProtocolType } from '#shared/domain/enums.ts';
import type { PointConfig } from '../../drivers/spi/index.ts';
import { testPoint } from '../../drivers/testing/points.ts';
import type { StoredChannel } from '../../persistence/repositories.ts';
import { silentLogger } from '../../platform/logger.ts';
import { ManualClock } from '../../platform/manual-clock.ts';
import { ChannelManager } from '../channel-manager.ts';
import { EventLog } from '../logs/event-log.ts';
import type { ChannelRuntime, RuntimePorts } from '../types.ts';
import { FakePlant, fakeDriver } from './fake-driver.ts';
import { FakeNet } from './fake-net.ts';

export function channelSettings(changes: Partial<StoredChannel> = {}): StoredChannel {
  return {
    id: 1,
    name: 'PCS 1',
    protocol_type: ProtocolType.modbusTcp,
    conn_type: ConnType.tcpClient,
    ip: '192.0.2.10',
    port: 502,
    com_port: null,
    baud_rate: 9600,
    data_bits: 8,
    stop_bits: 1,
    parity: 'N',
    timeout_ms: 1000,
    retries: 2,
    request_gap_ms: null,
    max_gap: 0,
    address_base: 0,
    auto_reconnect: true,
    auto_start: false,
    read_only: false,
    note: '',
    group: '',
    protocol: {},
    ...changes,
  };
}

export function point(id: number, changes: Partial<PointConfig> = {}): PointConfig {
  return testPoint({ id, name: `Point ${id}`, address: id, decode: '0x41', ...changes });
}

/** Points 1 to `count`, all of slave 1 unless `changes` says otherwise. */
export function points(count: number, changes: Partial<PointConfig> = {}): PointConfig[] {
  return Array.from({ length: count }, (_, index) => point(index + 1, changes));
}

export function taskConfig(changes: Partial<ReadTaskConfig> = {}): ReadTaskConfig {
  return { ...ReadTaskConfig.parse({}), ...changes };
}

export interface Bench {
  readonly clock: ManualClock;
  readonly net: FakeNet;
  readonly plant: FakePlant;
  readonly events: EventLog;
  readonly ports: RuntimePorts;
  readonly manager: ChannelManager;
  /** The first channel. */
  readonly channel: ChannelRuntime;
}

/** A manager with one stopped channel, a fake device behind it, and a clock that moves by hand. */
export function makeBench(
  table: readonly PointConfig[] = points(20),
  settings: Partial<StoredChannel> = {},
  clock: ManualClock = new ManualClock(),
): Bench {
  const net = new FakeNet(clock);
  const plant = new FakePlant();
  const events = new EventLog(1000);
  const driver = fakeDriver(plant);
  let ids = 0;
  const ports: RuntimePorts = {
    clock,
    random: () => 0.5,
    newId: () => {
      ids += 1;
      return `00000000-0000-4000-8000-${String(ids).padStart(12, '0')}`;
    },
    transports: net,
    drivers: { all: [driver], find: (type) => (type === driver.descriptor.protocolType ? driver : undefined) },
    logger: silentLogger,
    events,
  };
  const manager = new ChannelManager(ports);
  const channel = manager.add(channelSettings(settings), table);
  return { clock, net, plant, events, ports, manager, channel };
}
