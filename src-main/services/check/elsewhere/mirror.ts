import type { FrameEntry } from '#shared/contract/frames.ts';
import type { QualityFlag } from '#shared/domain/enums.ts';
import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { PointConfig, ProtocolDriver } from '../../../drivers/spi/index.ts';
import type { StoredChannel } from '../../../persistence/repositories.ts';
import { Turns } from '../../../platform/turns.ts';
import type { EventRecord } from '../../../runtime/logs/event-log.ts';
import type { ChannelState, DriverRegistry } from '../../../runtime/types.ts';
import type { ServiceDeps } from '../../ports.ts';
import type { CheckedChannel, Elsewhere, ServiceThere } from './checked-channel.ts';
import { MirroredPoints } from './mirrored-points.ts';
import { type ChannelThere, type EventThere, MOST_EVENTS, ROWS_A_PAGE, ServiceClient } from './service-client.ts';

/** Clocks that agree within this time are not worth a word, in seconds. */
const CLOCKS_AGREE_S = 2;
/** A service is not asked again to read within this time, in milliseconds. */
const READ_AGAIN_MS = 1000;
/** What a service says to a manual read while a task reads. */
const READ_BY_TASK = 'runtime.task_runs';
/** Points of a channel that are taken. */
const MOST_POINTS = 200_000;
/** Events that wait for a check; the oldest give way. */
const MOST_WAITING = 10_000;

/** An event of another service. */
export interface MirroredEvent {
  readonly event: EventRecord;
  readonly rawHex: string;
  /** It happened behind this time, monotonic milliseconds: else it had come before. */
  readonly happenedBehind: number;
  /** When it came here, UTC milliseconds. */
  readonly arrivedAt: number;
}

/** Another service as it was greeted. */
interface Greeted {
  readonly client: ServiceClient;
  /** Number that it has here: another one once it was removed and added again. */
  readonly id: number;
  readonly address: string;
  readonly version: string;
  /** Number of its last event that came here. */
  eventSeq: number;
}

/** A channel there. */
interface Known {
  readonly settings: StoredChannel;
  readonly text: string;
  readonly driver: ProtocolDriver;
}

/**
 * A channel of another service, found by the names of both, as its answers tell it. It is asked in looks, one after the other; each brings the events since the one before, then the table. Nothing is known of it until a
 * look has come to its end; when one fails its values are out of date, and the next one that does not is a connection anew: so nothing passes by what happened while nobody heard of it. All times that a check compares are
 * ours; those of the service stand in the evidence.
 */
export class Mirror implements Elsewhere {
  readonly name: string;
  readonly serviceName: string;
  readonly points = new MirroredPoints();
  /** Below zero: no channel of the project has it. */
  readonly id: number;
  readonly #deps: Pick<ServiceDeps, 'clock' | 'drivers' | 'facts'>;
  readonly #ending: AbortSignal;
  #greeted: Greeted | null = null;
  #known: Known | null = null;
  #channel: CheckedChannel | undefined;
  #isThere = false;
  #status: ChannelState['status'] = 'stopped';
  #since = '';
  #looking: Promise<void> | null = null;
  #events: MirroredEvent[] = [];
  #readAt = Number.NEGATIVE_INFINITY;
  #isReading = false;
  trouble: Message | null = say('check.elsewhere_not_asked');
  readTrouble: Message | null = null;
  readTakenAt = Number.NEGATIVE_INFINITY;
  connectedAt: number | null = null;
  askedAt = Number.NEGATIVE_INFINITY;
  /** False while the service has more events than it told at once: the table shows what they have not told yet. */
  isDrained = true;
  /** All events of before had been told then, monotonic. */
  #toldAt = Number.NEGATIVE_INFINITY;
  /** When a look began last, monotonic. */
  lookedAt = Number.NEGATIVE_INFINITY;

  constructor(
    deps: Pick<ServiceDeps, 'clock' | 'drivers' | 'facts'>,
    place: { readonly id: number; readonly service: string; readonly channel: string },
    ending: AbortSignal,
  ) {
    this.#deps = deps;
    this.#ending = ending;
    this.id = place.id;
    this.serviceName = place.service;
    this.name = place.channel;
  }

  /** The channel as it is known, always the same; undefined: it never was, or is not there any more. */
  get channel(): CheckedChannel | undefined {
    return this.#isThere ? this.#channel : undefined;
  }

  get channelId(): number {
    return this.#known?.settings.id ?? 0;
  }

  get service(): ServiceThere {
    const { address = '', version = '', client } = this.#greeted ?? {};
    const ahead = client?.clockAheadS ?? 0;
    return { name: this.serviceName, address, version, ...(Math.abs(ahead) >= CLOCKS_AGREE_S && { clockAheadS: ahead }) };
  }

  arrivedAt(pointId: number): number | null {
    return this.points.arrivedAt(pointId);
  }

  /** What came since the last call. */
  takeEvents(): readonly MirroredEvent[] {
    return this.#events.splice(0);
  }

  /** Looks once, or joins the look that is under way. Never rejects: what keeps it from looking is `trouble`. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  /** A look that begins now, behind the one that is under way. */
  async lookAnew(): Promise<void> {
    await this.#looking;
    await this.look();
  }

  async #look(): Promise<void> {
    this.lookedAt = this.#deps.clock.monotonicMs();
    try {
      await this.#ask().catch(async (thrown: unknown) => {
        // it was started anew, or opened another project: numbers mean something else now
        if (toAppError(thrown).said.code !== 'service.meant_other_project') throw thrown;
        this.#greeted = null;
        this.connectedAt = null;
        await this.#ask();
      });
      this.trouble = null;
    } catch (thrown) {
      this.trouble = toAppError(thrown).said;
      this.connectedAt = null;
    }
    this.points.isSilent = this.trouble !== null;
  }

  async #ask(): Promise<void> {
    const { clock } = this.#deps;
    const askedAt = clock.monotonicMs();
    const { client } = await this.#greet();
    const there = (await client.channels()).find(({ name }) => name === this.name);
    if (!there) {
      this.#isThere = false;
      throw new AppError('CONFIG_NOT_FOUND', say('check.elsewhere_no_channel', { service: this.serviceName, channel: this.name }));
    }
    await this.#deps.drivers.load?.(there.protocol_type);
    this.#takeSettings(there);
    // before anything is told that came over it
    const isAnew = this.#follow(there);
    // events first: what they tell was before the value of the table
    await this.#takeEvents(client, there.id);
    await this.#takeTable(client, there.id);
    if (isAnew && this.connectedAt !== null) this.connectedAt = clock.monotonicMs();
    this.askedAt = askedAt;
    if (this.isDrained) this.#toldAt = askedAt;
  }

  async #greet(): Promise<Greeted> {
    const { clock, facts } = this.#deps;
    const remote = facts.remotes.list().find(({ name }) => name === this.serviceName);
    if (!remote) throw new AppError('CONFIG_NOT_FOUND', say('check.elsewhere_unknown', { service: this.serviceName }));
    const { id, address } = remote;
    if (this.#greeted?.id === id && this.#greeted.address === address) return this.#greeted;
    const client = new ServiceClient(facts.remotes, clock, remote, this.#ending);
    const version = await client.greet();
    this.#events = [];
    this.connectedAt = null;
    this.readTrouble = null;
    this.#greeted = { client, id, address, version, eventSeq: -1 };
    return this.#greeted;
  }

  #takeSettings({ status: _, since: __, ...settings }: ChannelThere): void {
    const address = this.#greeted?.address ?? '';
    const text = JSON.stringify([address, settings]);
    const known =
      this.#known?.text === text ? this.#known : { settings, text, driver: driverOf(this.#deps.drivers, settings, this.serviceName) };
    this.#known = known;
    this.#channel ??= this.#channelOf(known);
    this.#isThere = true;
  }

  #channelOf(first: Known): CheckedChannel {
    const known = () => this.#known ?? first;
    const connectedAt = () => this.connectedAt;
    const { id, points } = this;
    return {
      id,
      points,
      elsewhere: this,
      get settings() {
        return known().settings;
      },
      get driver() {
        return known().driver;
      },
      get connectedAt() {
        return connectedAt();
      },
      state: () => ({ status: this.trouble !== null && this.#status === 'running' ? 'reconnecting' : this.#status }),
    };
  }

  async #takeEvents(client: ServiceClient, channelId: number): Promise<void> {
    const greeted = this.#greeted;
    if (!greeted) return;
    if (greeted.eventSeq < 0) {
      greeted.eventSeq = await client.lastEvent(channelId);
      this.isDrained = true;
      return;
    }
    // of many that wait, those on a later page happened as early as those on the first
    const happenedBehind = this.#toldAt;
    const came = await client.events(channelId, greeted.eventSeq);
    const arrivedAt = this.#deps.clock.wallMs();
    this.isDrained = came.length < MOST_EVENTS;
    for (const entry of came) {
      greeted.eventSeq = entry.seq;
      this.#events.push({ event: eventOf(entry, this.id), rawHex: entry.raw_hex ?? '', happenedBehind, arrivedAt });
    }
    if (this.#events.length > MOST_WAITING) this.#events.splice(0, this.#events.length - MOST_WAITING);
  }

  async #takeTable(client: ServiceClient, channelId: number): Promise<void> {
    const turns = new Turns();
    const { clock } = this.#deps;
    const ids = new Set<number>();
    const totals = new Set<number>();
    for (let page = 1; ; page++) {
      const { total, items } = await client.page(channelId, page);
      const now = clock.wallMs();
      if (total > MOST_POINTS) {
        const params = { service: this.serviceName, channel: this.name, most: MOST_POINTS };
        throw new AppError('PROTOCOL_MISMATCH', say('check.elsewhere_too_many', params));
      }
      totals.add(total);
      for (const item of items) {
        await turns.breathe();
        ids.add(this.points.take(item, client, now));
      }
      if (items.length < ROWS_A_PAGE || page * ROWS_A_PAGE >= total) break;
    }
    // rows that moved between two pages are not gone
    if (totals.size === 1 && totals.has(ids.size)) this.points.keep(ids);
  }

  /** Values come over a connection that stands there, and to here. Answers whether it is another one than at the last look. */
  #follow({ status, since }: ChannelThere): boolean {
    const isAnother = since !== this.#since || this.connectedAt === null;
    this.#status = status;
    this.#since = since;
    if (status !== 'running') this.connectedAt = null;
    else if (isAnother) this.connectedAt = this.#deps.clock.monotonicMs();
    return isAnother;
  }

  readOnce(points: readonly PointConfig[]): void {
    const now = this.#deps.clock.monotonicMs();
    if (!this.#greeted || this.trouble !== null || this.#isReading || now - this.#readAt < READ_AGAIN_MS) return;
    this.#readAt = now;
    this.#isReading = true;
    const taken = () => {
      this.readTakenAt = now;
      this.readTrouble = null;
    };
    void this.#greeted.client
      .read(this.name, points)
      .then(taken, (thrown: unknown) => {
        const { code, said } = toAppError(thrown);
        // a task that reads them already brings the values as well; another manual read is one of other points
        if (said.code === READ_BY_TASK) taken();
        else this.readTrouble = code === 'STATE_CONFLICT' ? null : said;
      })
      .finally(() => {
        this.#isReading = false;
      });
  }

  async framesOf(point: PointConfig, most: number): Promise<FrameEntry[]> {
    if (!this.#greeted || this.trouble) throw new AppError('TRANSPORT_NOT_CONNECTED', this.trouble ?? say('check.elsewhere_not_asked'));
    return this.#greeted.client.framesOf(this.channelId, point, most);
  }
}

function driverOf(drivers: DriverRegistry, { protocol_type, name }: StoredChannel, service: string): ProtocolDriver {
  const driver = drivers.find(protocol_type);
  if (!driver) throw new AppError('PROTOCOL_MISMATCH', say('check.elsewhere_protocol', { service, channel: name }));
  return driver;
}

function eventOf(entry: EventThere, channelId: number): EventRecord {
  const { seq, kind, point_id, frame_type, code, value, flags, device_time, received_at, text, cause, negative } = entry;
  return {
    seq,
    channelId,
    // what this version does not know is no change
    kind: kind === 'change' ? 'change' : 'system',
    pointId: point_id,
    frameType: frame_type,
    code,
    value,
    flags: flags as QualityFlag[],
    deviceTime: device_time === null ? null : Date.parse(device_time),
    receivedAt: Date.parse(received_at),
    text,
    said: null,
    detail: cause || negative !== undefined ? { cause, negative } : null,
    isNoValue: entry.no_value === true || negative === true || flags.includes('test'),
    isInvalid: entry.invalid === true || value === null || flags.includes('IV'),
  };
}
