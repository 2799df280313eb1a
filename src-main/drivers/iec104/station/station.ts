/** Our controlled station as a device: it serves the point table, and tasks and writes on its channel work on what it serves. */

import { FrameType, QUALITY_FLAGS, type QualityFlag } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { CancelTimer } from '../../../platform/clock.ts';
import { runInTurns, type Steps } from '../../../platform/steps.ts';
import { scaled } from '../../../protocol-kit/scaling.ts';
import type { AcceptedPeer } from '../../../transport/types.ts';
import { ServedConnection, type ServedValue } from '../../kit/served-connection.ts';
import type {
  FrameSink,
  PointConfig,
  PointReading,
  PointsEdit,
  ServedSetting,
  ServeFault,
  ServerIo,
  StagedTable,
} from '../../spi/index.ts';
import { Cause } from '../codec/causes.ts';
import { typeSpec } from '../codec/types.ts';
import type { LinkLimits } from '../link/link-types.ts';
import { isControl } from '../point-rules.ts';
import { timedType } from '../point-types.ts';
import { asduSizes, type Iec104Settings, linkLimits, timeRules } from '../settings.ts';
import type { StationEvent } from './event-buffer.ts';
import { type AcceptedCommand, StationCommands } from './station-commands.ts';
import { StationGroups } from './station-groups.ts';
import { StationImage } from './station-image.ts';
import { StationPeer } from './station-peer.ts';
import type { StationContext } from './station-requests.ts';
import { StationScan } from './station-scan.ts';
import type { ServedObject } from './station-values.ts';

const POWER_ON = 0;

/** How a monitored point changes. */
interface Change {
  readonly flags: readonly QualityFlag[];
  readonly cause: number;
  readonly source: 'set' | 'command';
  readonly agoMs?: number | undefined;
}

export class Iec104Station extends ServedConnection<StationPeer> {
  readonly #io: ServerIo;
  readonly #settings: Iec104Settings;
  readonly #limits: LinkLimits;
  readonly #image = new StationImage();
  readonly #groups: StationGroups;
  readonly #context: StationContext;
  readonly #commands: StationCommands;
  readonly #timers = new Set<CancelTimer>();
  /** What the clock of the station is ahead of ours since a client has set it. */
  #clockOffsetMs = 0;
  #lastEvent = 0;
  #toldDropped = 0;
  /** True while more bits of the object that is set are to be set before it is sent. */
  #isHeld = false;

  /** Ready to be started. */
  constructor(io: ServerIo, settings: Iec104Settings) {
    super(io);
    this.#io = io;
    this.#settings = settings;
    this.#limits = linkLimits(settings);
    this.#groups = new StationGroups(settings.clients, settings.event_buffer, settings.buffer_from_start);
    this.#commands = this.#makeCommands();
    this.#context = this.#makeContext();
  }

  protected override *begin(): Steps<void> {
    const settings = this.#settings;
    const takeOver = yield* this.#image.made(this.#io.points);
    takeOver();
    if (settings.end_of_initialization) for (const station of this.#image.stations) this.#groups.initialized(station, POWER_ON);
    yield* this.listenSteps();
    this.#repeat(settings.cyclic_s, 'cyclic', Cause.periodic, (object) => !object.isStatus || object.state.isCyclic);
    this.#repeat(settings.background_s, 'background', Cause.background, () => true);
  }

  pointsChanged(points: readonly PointConfig[]): void {
    this.#image.update(points);
  }

  /** A transmission that is under way goes on with the objects of the table that it began with. */
  async stageTable(points: readonly PointConfig[], breathe: () => Promise<void>): Promise<StagedTable> {
    return { takeOver: await runInTurns(this.#image.made(points), breathe) };
  }

  pointsEdited(edit: PointsEdit): void {
    this.#image.edit(edit);
  }

  protected override readPoint(pointId: number): PointReading | undefined {
    return this.#image.read(pointId);
  }

  /** Bits of one object that came to be at one moment go out as one change. */
  override serve(settings: readonly ServedSetting[]): readonly ServeFault[] {
    return settings.flatMap((setting, at) => {
      const { point, agoMs } = setting;
      const next = settings[at + 1];
      const object = next && next.agoMs === agoMs && next.point.id !== point.id ? this.#image.objectOf(next.point) : undefined;
      this.#isHeld = object !== undefined && object === this.#image.objectOf(point);
      return super.serve([setting]);
    });
  }

  /** Options: `flags`, a list of the quality letters the value goes out with. */
  protected override setPoint({ point, value, options, agoMs }: ServedValue): readonly PointReading[] {
    if (isControl(point)) return [this.#image.setControl(point, value)];
    this.#set(point, value, { flags: flagsOf(options), cause: Cause.spontaneous, source: 'set', agoMs });
    return [];
  }

  protected override ending(): void {
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
    this.#commands.close();
  }

  protected override makePeer(accepted: AcceptedPeer, frames: FrameSink): StationPeer {
    const { group, release } = this.#groups.join(accepted.label);
    return new StationPeer(accepted, {
      io: this.#io,
      frames,
      limits: this.#limits,
      writesApart: this.#settings.tls,
      group,
      context: this.#context,
      release,
    });
  }

  /** Sets a monitored point, passes it on, and sends it: what was set only where it changed, what a command did always. */
  #set(point: PointConfig, value: number, { flags, cause, source, agoMs = 0 }: Change): void {
    const at = this.#now() - agoMs;
    const object = this.#image.set(point, value, flags, at);
    const readings = object.points.flatMap((item) => this.#image.read(item.id) ?? []);
    this.#io.sink.values(readings, source === 'command');
    const isFirst = source === 'set' && !object.state.isAcquired && !this.#settings.buffer_from_start;
    if (source === 'set' && this.#isHeld) return;
    object.state.isAcquired = true;
    if (!object.isCounter && (source === 'command' || isChanged(object))) this.#send(object, cause, at, isFirst);
  }

  /** `isFirst`: the first value of an object is news to who is there, and to the next one the state that it interrogates. */
  #send(object: ServedObject, cause: number, timeMs: number, isFirst: boolean): void {
    const { state } = object;
    state.sentRaw = state.raw;
    state.sentQuality = state.quality;
    for (const typeId of this.#typesOf(object)) this.#push(object, typeId, cause, timeMs, isFirst);
    this.#groups.wake();
    this.#tellDropped();
  }

  /** A change goes out without time tag, with it, or both, the one without first. */
  #typesOf(object: ServedObject): number[] {
    const timed = timedType(object.typeId);
    if (typeSpec(object.typeId)?.time !== null || timed === object.typeId) return [timed];
    if (this.#settings.change_time === 'both_times') return [object.typeId, timed];
    return [this.#settings.change_time === 'with_time' ? timed : object.typeId];
  }

  #push(object: ServedObject, typeId: number, cause: number, timeMs: number, isFirst: boolean): void {
    this.#lastEvent += 1;
    const { commonAddress, address, isStatus } = object;
    const { raw, quality } = object.state;
    const event: StationEvent = { typeId, cause, commonAddress, address, raw, quality, timeMs, isStatus, order: this.#lastEvent };
    this.#groups.push(event, isFirst ? 'started' : 'all');
  }

  #tellDropped(): void {
    const { dropped } = this.#groups;
    if (dropped === 0 || dropped < this.#toldDropped * 2) return;
    this.#toldDropped = dropped;
    this.#io.sink.notice(say('iec104.buffer_full', { count: dropped }));
  }

  #repeat(everySeconds: number, name: string, cause: number, isWanted: (object: ServedObject) => boolean): void {
    if (everySeconds === 0) return;
    this.#after(everySeconds * 1000, () => {
      const objects = this.#image.objects.filter(
        (object) => !object.isCounter && typeSpec(object.typeId)?.time === null && isWanted(object),
      );
      for (const peer of this.peers) {
        const scan = new StationScan(objects, { cause, originator: 0 }, this.#context);
        peer.addJob({ name, next: () => scan.next(), onDone: () => undefined });
      }
      this.#repeat(everySeconds, name, cause, isWanted);
    });
  }

  #makeCommands(): StationCommands {
    const { clock, sink } = this.#io;
    const settings = this.#settings;
    return new StationCommands({
      clock,
      rules: timeRules(settings),
      selectTimeoutMs: settings.select_timeout_s * 1000,
      executionMs: settings.execution_ms,
      commandAgeMs: settings.command_age_s * 1000,
      hasSetPointTermination: settings.setpoint_termination,
      now: () => this.#now(),
      relatedOf: ({ related_code: relatedCode }) => (relatedCode === '' ? undefined : this.#image.pointByCode(relatedCode)),
      isServed: (point) => this.#image.serves(point),
      apply: (command) => this.#apply(command),
      notice: (text) => sink.notice(text),
    });
  }

  /** A command has been carried out: its point has the value at once, the related one a little later. */
  #apply(command: AcceptedCommand): void {
    const { point, value, related } = command;
    this.#io.sink.values([this.#image.setControl(point, value)], true);
    if (!related || isControl(related)) return;
    const react = () => this.#react(point, related, value);
    if (this.#settings.reaction_ms === 0) react();
    else this.#after(this.#settings.reaction_ms, react);
  }

  #react(control: PointConfig, related: PointConfig, value: number): void {
    const object = this.#image.objectOf(related);
    // what became another point since the command was accepted does not follow it
    if (!object || !this.#image.serves(related)) return;
    const isStep = typeSpec(object.typeId)?.element.kind === 'step';
    const isDirection = control.frame_type === FrameType.yk && isStep;
    const next = isDirection ? scaled(related, object.state.raw + (value === 1 ? 1 : -1)) : value;
    // return information of measured values usually comes as a spontaneous change
    const cause = object.isStatus ? Cause.returnRemote : Cause.spontaneous;
    try {
      this.#set(related, next, { flags: [], cause, source: 'command' });
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      this.#io.sink.notice(say('iec104.related_failed', { point: related.code, reason: thrown.said }));
    }
  }

  #makeContext(): StationContext {
    const station = this;
    const settings = this.#settings;
    return {
      sizes: asduSizes(settings),
      rules: timeRules(settings),
      image: this.#image,
      commands: this.#commands,
      now: () => this.#now(),
      setClock: (utcMs) => {
        this.#clockOffsetMs = utcMs - this.#io.clock.wallMs();
      },
      initialized: (commonAddress, cause) => this.#groups.initialized(commonAddress, cause),
      discardTimedEvents: (client) => {
        if (client instanceof StationPeer) client.group.events.keep((event) => typeSpec(event.typeId)?.time === null);
      },
      get lastEvent() {
        return station.#lastEvent;
      },
    };
  }

  #now(): number {
    return this.#io.clock.wallMs() + this.#clockOffsetMs;
  }

  #after(ms: number, work: () => void): void {
    const cancel = this.#io.clock.after(ms, () => {
      this.#timers.delete(cancel);
      work();
    });
    this.#timers.add(cancel);
  }
}

/** True when quality or value are others than were sent last; within the dead band a value is the same. */
function isChanged({ state, deadBand }: ServedObject): boolean {
  if (state.quality !== state.sentQuality) return true;
  const change = Math.abs(state.raw - state.sentRaw);
  // values come back from the element with rounding; a step of just the dead band counts
  return change > 0 && change >= (state.threshold ?? deadBand) * (1 - 1e-9);
}

function flagsOf(options: Readonly<Record<string, unknown>>): readonly QualityFlag[] {
  const { flags } = options;
  if (flags === undefined) return [];
  const letters = QUALITY_FLAGS.filter((flag) => Array.isArray(flags) && flags.includes(flag));
  if (Array.isArray(flags) && letters.length === flags.length) return letters;
  throw new AppError('CONFIG_INVALID', say('iec104.option_flags'));
}
