import { AppError } from '#shared/domain/errors.ts';
import { english, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { PointConfig } from '../drivers/spi/index.ts';
import type { ProjectStore, StoredChannel } from '../persistence/repositories.ts';
import { Channel } from './channel.ts';
import { ClockWatch } from './clock-watch.ts';
import { portsCollide } from './settings.ts';
import type { ChannelRuntime, RuntimePorts } from './types.ts';
import { ChangeCounter } from './values/change-counter.ts';
import { ColumnPointStore } from './values/point-store.ts';

/** Octets a frame log may take until somebody resizes it. */
const FRAME_LOG_BYTES = 1024 * 1024;

/** All channels of the open project while it runs. */
export class ChannelManager {
  readonly #ports: RuntimePorts;
  readonly #changes: ChangeCounter;
  readonly #watch: ClockWatch;
  readonly #channels = new Map<number, Channel>();
  /** Ports that something else than a channel uses, with its name. */
  readonly #holds = new Map<object, { readonly port: string; readonly holder: string }>();

  /** `changes` numbers the changes of all tables. */
  constructor(ports: RuntimePorts, changes = new ChangeCounter()) {
    this.#ports = ports;
    this.#changes = changes;
    this.#watch = new ClockWatch(ports.clock, (ms) => {
      void this.connectionsSuspect(say('runtime.was_asleep', { seconds: Math.round(ms / 1000) }));
    });
  }

  /** Undefined when the project has no channel with this id. */
  get(id: number): ChannelRuntime | undefined {
    return this.#channels.get(id);
  }

  /** The channel whose device has this name; names are compared as they are written. */
  byName(name: string): ChannelRuntime | undefined {
    for (const channel of this.#channels.values()) if (channel.settings.name === name) return channel;
    return undefined;
  }

  /** In id order. */
  list(): ChannelRuntime[] {
    return [...this.#channels.values()].sort((a, b) => a.id - b.id);
  }

  /** Takes in a channel of the store with its points; it is `stopped`. */
  add(settings: StoredChannel, points: Iterable<PointConfig> = []): ChannelRuntime {
    const store = new ColumnPointStore(this.#changes);
    store.add(points);
    return this.#take(this.#made(settings, store));
  }

  /** Makes channels of the store with their points ready, `breathe` between the bits; what it answers takes all of them in at once, `stopped`. */
  async stage(
    given: readonly { readonly channel: StoredChannel; readonly points: readonly PointConfig[] }[],
    breathe: () => Promise<void>,
  ): Promise<() => void> {
    const made: Channel[] = [];
    for (const { channel, points } of given) {
      await this.#ports.drivers.load?.(channel.protocol_type);
      made.push(this.#made(channel, await ColumnPointStore.load(points, points.length, breathe, this.#changes)));
    }
    return () => {
      for (const channel of made) this.#take(channel);
    };
  }

  #take(channel: Channel): ChannelRuntime {
    this.#channels.set(channel.id, channel);
    return channel;
  }

  #made(settings: StoredChannel, points: ColumnPointStore): Channel {
    const channel: Channel = new Channel({
      settings,
      ports: this.#ports,
      points,
      frameLogBytes: FRAME_LOG_BYTES,
      claimPort: (port) => this.#claimPort(channel, port),
      tableOf: (name) => this.byName(name)?.points,
    });
    return channel;
  }

  /** Stops tasks and channel, then forgets it with its points and logs; answers it as it was last. Undefined for an unknown id. */
  async remove(id: number): Promise<ChannelRuntime | undefined> {
    const channel = this.#channels.get(id);
    if (!channel) return undefined;
    await channel.remove();
    this.#channels.delete(id);
    return channel;
  }

  /** Drops everything that runs and takes in the channels of another project but `except`, `breathe` between the bits; all of them are `stopped`. */
  async load(
    { channels, points }: Pick<ProjectStore, 'channels' | 'points'>,
    breathe: () => Promise<void>,
    except: readonly number[] = [],
  ): Promise<void> {
    await this.unload();
    for (const settings of channels.list().filter(({ id }) => !except.includes(id))) {
      await this.#ports.drivers.load?.(settings.protocol_type);
      // what a full disk keeps from being carried over is read from where it lies
      await points.settle(settings.id, breathe).catch(() => {});
      const table = await ColumnPointStore.load(points.iterate(settings.id), points.count(settings.id), breathe, this.#changes);
      this.#take(this.#made(settings, table));
    }
  }

  /** Stops and forgets all channels. */
  async unload(): Promise<void> {
    const channels = [...this.#channels.values()];
    await Promise.all(channels.map((channel) => this.remove(channel.id)));
  }

  /** Stops every channel; bounded in time as one stop is. */
  async stopAll(): Promise<void> {
    await Promise.all(this.list().map((channel) => channel.stop()));
  }

  /** Starts the channels with `auto_start`, those in `except` left out; one that does not start is in `error` and is not tried again. Settles when all have answered. */
  async startAutoStart(except: readonly number[] = []): Promise<void> {
    const wanted = this.list().filter((channel) => channel.settings.auto_start && !except.includes(channel.id));
    await Promise.all(
      wanted.map((channel) =>
        channel.start().catch((error: unknown) => {
          this.#ports.logger.warn({ err: error, channel: channel.settings.name }, 'a channel did not start with the service');
        }),
      ),
    );
  }

  /**
   * Drops every line of the started channels and opens it anew: they may be dead without knowing it, as after sleep. Work under way
   * fails or is unknown, nothing is sent again. With a pause in milliseconds, as before sleep, they stay closed for so long or until the
   * next call. Settles when all are dropped.
   */
  async connectionsSuspect(reason: Message, pauseMs = 0): Promise<void> {
    this.#ports.logger.info({ reason: english(reason) }, 'all connections are opened anew');
    await Promise.all([...this.#channels.values()].map((channel) => channel.connectionSuspect(reason, pauseMs)));
  }

  /** Watches for sleep by itself, where no desktop tells of it. */
  watchClock(isOn: boolean): void {
    if (isOn) this.#watch.start();
    else this.#watch.stop();
  }

  /**
   * Takes a port for something that is no channel; `port` as `portOf` writes it, `holder` as a message names it. Answers what gives it
   * back. Throws `TRANSPORT_PORT_TAKEN` when a channel or another holder has it.
   */
  holdPort(port: string, holder: string): () => void {
    this.#claimPort(null, port);
    const key = {};
    this.#holds.set(key, { port, holder });
    return () => {
      this.#holds.delete(key);
    };
  }

  #claimPort(claimant: Channel | null, port: string): void {
    for (const hold of this.#holds.values()) {
      if (!portsCollide(hold.port, port)) continue;
      throw new AppError('TRANSPORT_PORT_TAKEN', say('runtime.port_held', { port: describePort(port), holder: hold.holder }));
    }
    for (const channel of this.#channels.values()) {
      if (channel === claimant || channel.heldPort === null || !portsCollide(channel.heldPort, port)) continue;
      const name = channel.settings.name;
      throw new AppError('TRANSPORT_PORT_TAKEN', say('runtime.port_of_channel', { port: describePort(port), channel: name }));
    }
  }
}

function describePort(port: string): string {
  return port.startsWith('serial ') ? `The serial port ${port.slice('serial '.length)}` : `The address ${port.slice('tcp-listen '.length)}`;
}
