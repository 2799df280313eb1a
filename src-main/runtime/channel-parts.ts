import type { AppError } from '#shared/domain/errors.ts';
import type { ProtocolDriver } from '../drivers/spi/index.ts';
import type { StoredChannel } from '../persistence/repositories.ts';
import { ChannelConnector } from './connection/channel-connector.ts';
import { missingDriver } from './connection/missing-driver.ts';
import { Device, type DeviceChannel } from './device.ts';
import { ChannelJournal } from './logs/channel-journal.ts';
import { FrameLog } from './logs/frame-log.ts';
import { HealthCounters } from './logs/health.ts';
import { ChannelSimulation } from './simulation/channel-simulation.ts';
import { FaultyLines } from './simulation/line-faults.ts';
import { TaskSlots } from './tasks/task-slots.ts';
import type { RuntimePorts } from './types.ts';
import type { PointStore } from './values/point-table.ts';
import { ValueIntake } from './values/value-intake.ts';

export interface ChannelOptions {
  readonly settings: StoredChannel;
  readonly ports: RuntimePorts;
  readonly points: PointStore;
  readonly frameLogBytes: number;
  /** Throws `TRANSPORT_PORT_TAKEN` when another channel holds this port. */
  claimPort(port: string): void;
  /** The point table of the channel with this name. */
  tableOf(name: string): PointStore | undefined;
}

/** What a channel consists of, put together. Settings and driver become others when somebody edits the channel. */
export class ChannelParts {
  readonly id: number;
  readonly ports: RuntimePorts;
  readonly points: PointStore;
  readonly frames: FrameLog;
  readonly health: HealthCounters;
  readonly journal: ChannelJournal;
  readonly faults: FaultyLines;
  readonly connector: ChannelConnector;
  readonly device: Device;
  readonly tasks: TaskSlots;
  readonly simulation: ChannelSimulation;
  settings: StoredChannel;
  driver: ProtocolDriver;

  /** `whyNotConnected`: as `DeviceChannel` has it. */
  constructor(options: ChannelOptions, whyNotConnected: () => AppError) {
    const { settings, ports, points } = options;
    const { clock } = ports;
    this.id = settings.id;
    this.ports = ports;
    this.points = points;
    this.settings = settings;
    this.driver = this.driverOf(settings);
    this.health = new HealthCounters(clock);
    this.frames = new FrameLog(clock, options.frameLogBytes);
    this.journal = new ChannelJournal(this.id, ports.events, clock);
    this.faults = new FaultyLines(
      clock,
      () => ports.random(),
      () => this.driver.descriptor.frameCheck,
      (said) => this.journal.notice(said),
    );
    this.connector = new ChannelConnector(
      {
        ports,
        points,
        mayWrite: () => !(this.settings.read_only || ports.isReadOnly?.()),
        frames: this.frames,
        health: this.health,
        journal: this.journal,
        intake: new ValueIntake(points, this.journal, clock),
        faults: this.faults,
        claimPort: (port) => options.claimPort(port),
      },
      settings,
      this.driver,
    );
    this.device = new Device(this.#deviceChannel(whyNotConnected));
    this.tasks = new TaskSlots(
      this.device,
      () => ports.newId(),
      (task) => this.journal.taskEnded(task),
    );
    this.simulation = new ChannelSimulation({
      id: this.id,
      clock,
      own: points,
      of: options.tableOf,
      seriesOf: (file) => ports.seriesOf?.(file),
      readServed: (pointIds) => this.device.readServed(pointIds),
      onFault: (thrown) => ports.logger.error({ err: thrown, channel: this.id }, 'simulation'),
    });
  }

  /** The driver of these settings; one that only says what is missing where this version has none. */
  driverOf(settings: StoredChannel): ProtocolDriver {
    return this.ports.drivers.find(settings.protocol_type) ?? missingDriver(settings.protocol_type);
  }

  #deviceChannel(whyNotConnected: () => AppError): DeviceChannel {
    const parts = this;
    return {
      clock: this.ports.clock,
      points: this.points,
      get driver() {
        return parts.driver;
      },
      get settings() {
        return parts.settings;
      },
      line: this.health.line,
      get isServing() {
        return parts.connector.isServing;
      },
      get retries() {
        return parts.settings.retries;
      },
      whyNotConnected,
    };
  }
}
