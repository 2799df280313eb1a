/** Our simulated device as a channel: it serves the point table, and tasks and writes on its channel work on what it serves. */

import { QUALITY_FLAGS, type QualityFlag } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { runInTurns, runSteps, type Steps } from '../../../platform/steps.ts';
import type { AcceptedPeer } from '../../../transport/types.ts';
import { PointList } from '../../kit/point-list.ts';
import { ServedConnection, type ServedValue } from '../../kit/served-connection.ts';
import type {
  ChangedPoint,
  DriverConnection,
  FrameSink,
  PointConfig,
  PointFailure,
  PointReading,
  PointsEdit,
  ServerIo,
  StagedTable,
} from '../../spi/index.ts';
import type { DriverDocument } from '../../spi/model.ts';
import { memoryOf } from '../channel-memory.ts';
import { isControlBlock, isWritable } from '../model/constraints.ts';
import type { Identity, IedModel } from '../model/ied-model.ts';
import { ModelIndex } from '../model/places.ts';
import { isControlPoint } from '../point-rules.ts';
import { channelSettings, type Iec61850Settings } from '../settings.ts';
import { ServedClient } from './client.ts';
import type { ControlRequest } from './control/control-request.ts';
import type { ControlRules } from './control/control-rules.ts';
import type { ControlledObject } from './control/controlled-object.ts';
import type { ServerFaults } from './faults.ts';
import type { ServedFile } from './file-store.ts';
import { SimulatedIed } from './ied.ts';
import type { ServerLimits } from './initiate.ts';
import type { ReportClient } from './reports/report-client.ts';
import { commandPoints, ServedCommands } from './served-commands.ts';
import { ServedDataSets } from './served-data-sets.ts';
import { ServedMemory } from './served-memory.ts';
import { placedPoints, ServedPoints } from './served-points.ts';
import { tableModelSteps } from './table-model.ts';

/** What tests and the driver add to a serving channel. */
export interface ServeOptions {
  /** What to do wrong on purpose. */
  readonly faults?: ServerFaults;
  /** Shows the model that is served, at the start and when the table changes it. */
  onModel?(model: IedModel, source: 'file' | 'table'): Steps<void>;
}

/** Connections without an association that are kept; no fewer than there may be clients. */
const MOST_WAITING = 16;
/** Points that are looked at before other work may get its turn. */
const POINTS_A_STEP = 32;
const DEFAULT_IDENTITY: Identity = { vendor: 'Loopcheck', model: 'Simulated IED', revision: '1' };

/** Serves the point table, with the model of the channel's SCL file where it has one. Throws `CONFIG_INVALID` for a file that is none. */
export function serve(io: ServerIo, options: ServeOptions = {}): DriverConnection {
  return runSteps(serveSteps(io, options));
}

/** The same in steps; as `ProtocolDriver.serveSteps`. */
export function* serveSteps(io: ServerIo, options: ServeOptions = {}): Steps<DriverConnection> {
  const settings = channelSettings.parse(io.settings.protocol);
  const file = fileModel(io, settings);
  const model = file ?? (yield* tableModelSteps(io.points));
  const index = yield* ModelIndex.of(model);
  return yield* new Iec61850Server({ io, settings, options, index, document: file && (io.document ?? null) }).started();
}

interface ServerParts {
  readonly io: ServerIo;
  readonly settings: Iec61850Settings;
  readonly options: ServeOptions;
  readonly index: ModelIndex;
  /** What the model was made of; null where it is that of the table. */
  readonly document: DriverDocument | null;
}

class Iec61850Server extends ServedConnection<ServedClient> {
  override readonly dataSets: ServedDataSets;
  readonly #io: ServerIo;
  readonly #settings: Iec61850Settings;
  readonly #options: ServeOptions;
  readonly #document: DriverDocument | null;
  readonly #ied: SimulatedIed;
  readonly #memory: ServedMemory;
  readonly #points: ServedPoints;
  readonly #commands = new ServedCommands();
  /** Places that the table was told, by point. */
  #announced = new Map<number, string>();
  readonly #table: PointList;
  #planRevision = 0;

  /** Ready to be started. */
  constructor({ io, settings, options, index, document }: ServerParts) {
    super(io);
    const { model } = index;
    this.#io = io;
    this.#table = new PointList(io.points);
    this.#settings = settings;
    this.#options = options;
    this.#document = document;
    this.#ied = new SimulatedIed({
      model,
      index,
      identity: identityOf(settings, model),
      files: [],
      accessErrors: options.faults?.accessErrors ?? new Map(),
      clock: io.clock,
      writable: new Set(settings.writable_constraints),
      controlRules: this.#controlRules(),
      onWritten: (keys) => this.#onWritten(keys),
      onConfigured: (places) => this.#memory.set(places),
      onEntries: () => this.#memory.entriesChanged(),
      onRenewed: (client) => this.#letGo(client),
      onCommand: (object, request) => this.#onCommand(object, request),
      notice: (said) => io.sink.notice(said),
    });
    this.#memory = new ServedMemory(io, this.#ied);
    this.#points = new ServedPoints(this.#ied.image, (keys) => this.#ied.follow(keys));
    this.dataSets = new ServedDataSets({ device: this.#ied, points: () => this.#points.bound() });
  }

  /** Takes up what was served before, and serves it with the last step. */
  protected override *begin(): Steps<void> {
    const { points } = this.#io;
    const { image, dataSets } = this.#ied;
    yield;
    this.#memory.restore();
    dataSets.onChanged = () => this.#memory.changed();
    this.#points.update(yield* placedPoints(points, image.index));
    this.#commands.update(yield* commandPoints(points));
    this.#ied.files.update(yield* this.#filesOf(points));
    yield* this.#restore();
    yield* this.#ied.startSteps();
    this.#memory.restoreEntries();
    yield* this.#announce();
    const showing = this.#options.onModel?.(image.model, this.#document ? 'file' : 'table');
    if (showing) yield* showing;
    yield* this.listenSteps();
  }

  override get planRevision(): number {
    return this.#planRevision;
  }

  pointsChanged(points: readonly PointConfig[]): void {
    const { takeOver, fresh } = runSteps(this.#made(points));
    takeOver();
    runSteps(this.#ied.settleSteps());
    this.#tell(fresh);
  }

  async stageTable(points: readonly PointConfig[], breathe: () => Promise<void>): Promise<StagedTable> {
    const { takeOver, fresh } = await runInTurns(this.#made(points), breathe);
    return {
      takeOver,
      tell: async (turn) => {
        await runInTurns(this.#ied.settleSteps(), turn);
        for (let from = 0; from < fresh.length && !this.isClosed; from += POINTS_A_STEP) {
          this.#tell(fresh.slice(from, from + POINTS_A_STEP));
          await turn();
        }
      },
    };
  }

  isMadeAnew(changed: readonly ChangedPoint[], comingOrGoing: number): boolean {
    return comingOrGoing > 0 || !changed.every(({ before, after }) => isModelledAlike(before, after));
  }

  /** Everything of a table that is made aside; with it the step that serves it, and the points whose places are to be told then. */
  *#made(points: readonly PointConfig[]): Steps<{ takeOver(): void; readonly fresh: readonly PointConfig[] }> {
    const index = this.#document ? null : yield* ModelIndex.of(yield* tableModelSteps(points));
    const placed = yield* placedPoints(points, index ?? this.#ied.image.index);
    const commands = yield* commandPoints(points);
    const { places, fresh } = yield* this.#freshPlaces(points);
    const next = index && (yield* this.#ied.nextModel(index));
    const files = index && (yield* this.#filesOf(points));
    yield;
    const takeOver = () => {
      this.#table.replace(points);
      if (next && files) {
        this.#ied.update(next);
        this.#ied.files.update(files);
        const showing = this.#options.onModel?.(next.index.model, 'table');
        if (showing) runSteps(showing);
      }
      this.#points.update(placed);
      this.#commands.update(commands);
      this.dataSets.changed();
      this.#announced = places;
      this.#planRevision += 1;
    };
    return { takeOver, fresh };
  }

  /** What the model is made of changes with all of it; the rest of a point is its own affair. */
  pointsEdited(edit: PointsEdit): void {
    this.#table.edit(edit);
    const old = new Map(edit.before.map((point) => [point.id, point]));
    const isInPlace = edit.before.length === edit.after.length && edit.after.every((point) => isModelledAlike(old.get(point.id), point));
    if (!isInPlace) {
      this.pointsChanged(this.#table.all);
      return;
    }
    this.#points.edit(edit.after);
    this.dataSets.changed();
    this.#tell(edit.after.filter((point) => !isControlPoint(point) && this.#announced.get(point.id) !== placeOf(point)));
    this.#planRevision += 1;
  }

  protected override goesOn(pointId: number): boolean {
    return this.#io.servedBefore?.(pointId) != null;
  }

  protected override readPoint(pointId: number): PointReading | undefined {
    return this.#points.read(pointId);
  }

  protected override exclusion(pointId: number): PointFailure | undefined {
    return this.#points.exclusion(pointId);
  }

  protected override slaveOf(): null {
    return null;
  }

  /** Options: `flags`, a list of the quality flags the value goes out with. */
  protected override setPoint({ point, value, options, agoMs = 0 }: ServedValue): readonly PointReading[] {
    return this.#points.set(point, value, flagsOf(options), Math.max(0, this.#io.clock.wallMs() - agoMs));
  }

  protected override makePeer(peer: AcceptedPeer, frames: FrameSink): ServedClient {
    this.#makeRoom();
    return new ServedClient(peer, {
      io: this.#io,
      frames,
      limits: limitsOf(this.#settings),
      device: this.#ied,
      faults: this.#options.faults ?? {},
      mayAssociate: () => this.#mayAssociate(peer.label),
    });
  }

  /** Only clients that are associated count; a connection that asks for nothing takes no place from them. */
  #mayAssociate(label: string): boolean {
    const { max_clients: most } = this.#settings;
    const associated = [...this.peers].filter(({ isAssociated }) => isAssociated);
    if (associated.length < most) return true;
    this.#io.sink.notice(say('iec61850.served_full', { peer: label, most }));
    return false;
  }

  /** Connections that have not asked for an association yet: the oldest goes when there are too many. */
  #makeRoom(): void {
    const waiting = [...this.peers].filter(({ isAssociated }) => !isAssociated);
    const [oldest] = waiting;
    if (oldest && waiting.length >= Math.max(MOST_WAITING, this.#settings.max_clients)) oldest.leave();
  }

  protected override ending(): void {
    this.#memory.end();
    this.#ied.close();
  }

  /** A client that takes reports of a data set with other members would put values under wrong names. */
  #letGo(client: ReportClient): void {
    this.#io.sink.notice(say('iec61850.served_other_members', { peer: client.address }));
    client.end();
  }

  #onWritten(keys: readonly string[]): void {
    this.#memory.set(keys.filter(isLasting));
    const readings = this.#points.readingsOf(keys);
    if (readings.length > 0) this.#io.sink.values(readings, true);
  }

  /** A command shows in the points of its object. */
  #onCommand(object: ControlledObject, request: ControlRequest): void {
    const readings = this.#commands.readings(object.key, request, this.#io.clock.wallMs());
    if (readings.length > 0) this.#io.sink.values(readings, true);
  }

  #controlRules(): ControlRules {
    const { execution_ms, select_timeout_s, refuse_reached_position } = this.#settings;
    const faults = this.#options.faults?.controls;
    return {
      executionMs: execution_ms,
      selectMs: select_timeout_s * 1000,
      refusesReached: refuse_reached_position,
      faultOf: (key) => faults?.get(key) ?? this.#commands.faultOf(key),
    };
  }

  /** Values live as long as the program does, also when the channel is started anew. */
  *#restore(): Steps<void> {
    for (const [at, { id }] of this.#io.points.entries()) {
      if (at % POINTS_A_STEP === 0) yield;
      const octets = this.#io.servedBefore?.(id);
      if (octets) this.#points.restore(id, octets);
    }
  }

  /** Places of the points, and those whose place was not told. */
  *#freshPlaces(points: readonly PointConfig[]): Steps<{ readonly places: Map<number, string>; readonly fresh: readonly PointConfig[] }> {
    const places = new Map<number, string>();
    const fresh: PointConfig[] = [];
    for (const [at, point] of points.entries()) {
      if (at % POINTS_A_STEP === 0) yield;
      if (isControlPoint(point)) continue;
      const place = placeOf(point);
      places.set(point.id, place);
      if (this.#announced.get(point.id) !== place) fresh.push(point);
    }
    return { places, fresh };
  }

  /**
   * The table shows from the start what clients read, and which points the model has no place for. Values that nobody set are told without octets: they come from the model, and another
   * file brings its own.
   */
  *#announce(): Steps<void> {
    const { places, fresh } = yield* this.#freshPlaces(this.#io.points);
    this.#announced = places;
    for (let from = 0; from < fresh.length; from += POINTS_A_STEP) {
      yield;
      this.#tell(fresh.slice(from, from + POINTS_A_STEP));
    }
  }

  #tell(points: readonly PointConfig[]): void {
    for (const point of points) this.#announced.set(point.id, placeOf(point));
    const readings = points.flatMap(({ id }) => {
      const reading = this.#points.read(id) ?? this.#points.exclusion(id);
      return reading ? [this.#io.servedBefore?.(id) ? reading : withoutOctets(reading)] : [];
    });
    if (readings.length > 0) this.#io.sink.values(readings, false);
  }

  /** The file of the channel where there is one, else a list of the points. */
  *#filesOf(points: readonly PointConfig[]): Steps<readonly ServedFile[]> {
    const document = this.#document;
    const octets = document ? new TextEncoder().encode(document.text) : yield* listOf(points);
    return [{ name: document?.name ?? 'points.csv', octets, modifiedMs: this.#io.clock.wallMs() }];
  }
}

/** The device of the channel's file, as it was made already: of a large one in a thread. Null without a file. */
function fileModel(io: ServerIo, settings: Iec61850Settings): IedModel | null {
  const kept = memoryOf(io.memory ?? new Map());
  kept.takeDocument(() => io.document ?? null, settings.ied_name, null);
  return kept.model.file;
}

/** True for settings, configuration and descriptions; setting groups tell themselves what of them is to be kept. */
function isLasting(key: string): boolean {
  const [, constraint = '', object = ''] = key.split('$');
  return isWritable(constraint) && !['CO', 'SE', 'SG'].includes(constraint) && !isControlBlock(constraint, object);
}

/** The points by code and reference, as a file. */
function* listOf(points: readonly PointConfig[]): Steps<Uint8Array> {
  const parts = [Buffer.from('code,reference\r\n')];
  for (let from = 0; from < points.length; from += POINTS_A_STEP) {
    yield;
    const lines = points.slice(from, from + POINTS_A_STEP).map(({ code, reference }) => `${code},${reference}\r\n`);
    parts.push(Buffer.from(lines.join('')));
  }
  yield;
  return Buffer.concat(parts);
}

/** What the reading of a point depends on beside the value that is served. */
function placeOf({ reference, frame_type: frameType, mul_coe: mulCoe, add_coe: addCoe, reverse }: PointConfig): string {
  return [reference, frameType, mulCoe, addCoe, reverse].join(' ');
}

/** Settings the model and the list of points are made of. */
const MODELLED = ['code', 'name', 'address', 'frame_type', 'reference'] as const satisfies readonly (keyof PointConfig)[];

function isModelledAlike(before: PointConfig | undefined, after: PointConfig): boolean {
  return (
    before !== undefined &&
    MODELLED.every((key) => before[key] === after[key]) &&
    JSON.stringify(before.protocol) === JSON.stringify(after.protocol)
  );
}

function withoutOctets(reading: PointReading): PointReading {
  return reading.kind === 'value' ? { ...reading, raw: new Uint8Array(0) } : reading;
}

function identityOf(settings: Iec61850Settings, { identity }: IedModel): Identity {
  return {
    vendor: settings.vendor || identity?.vendor || DEFAULT_IDENTITY.vendor,
    model: settings.model || identity?.model || DEFAULT_IDENTITY.model,
    revision: settings.revision || identity?.revision || DEFAULT_IDENTITY.revision,
  };
}

function limitsOf({ max_pdu_size, max_outstanding, tpdu_size }: Iec61850Settings): ServerLimits {
  return { maxPduOctets: max_pdu_size, maxOutstanding: max_outstanding, tpduSize: tpdu_size === 0 ? null : tpdu_size };
}

function flagsOf(options: Readonly<Record<string, unknown>>): readonly QualityFlag[] {
  const { flags } = options;
  if (flags === undefined) return [];
  const known = QUALITY_FLAGS.filter((flag) => Array.isArray(flags) && flags.includes(flag));
  if (Array.isArray(flags) && known.length === flags.length) return known;
  throw new AppError('CONFIG_INVALID', say('iec61850.served_flags', { flags: QUALITY_FLAGS }));
}
