import { isServing } from '#shared/domain/enums.ts';
import { AppError, toAppError } from '#shared/domain/errors.ts';
import { isListening } from '#shared/domain/listening.ts';
import { say } from '#shared/messages/index.ts';
import type { DriverMemory, DriverSecrets, PointConfig, ProtocolDriver } from '../../drivers/spi/index.ts';
import type { DocumentDevice, DriverDocument } from '../../drivers/spi/model.ts';
import type { StoredChannel } from '../../persistence/repositories.ts';
import { cancelled } from '../../platform/clock.ts';
import { runInTurns, runSteps } from '../../platform/steps.ts';
import { Turns } from '../../platform/turns.ts';
import type { ChannelJournal } from '../logs/channel-journal.ts';
import type { FrameLog } from '../logs/frame-log.ts';
import type { HealthCounters } from '../logs/health.ts';
import { isOtherDevice, isOtherLine, needsRebuild, portOf, portsCollide, toDriverSettings, toLineSettings } from '../settings.ts';
import type { FaultyLines } from '../simulation/line-faults.ts';
import type { RuntimePorts, SessionFacts } from '../types.ts';
import { configsInTurns } from '../values/configs-in-turns.ts';
import type { PointStore } from '../values/point-table.ts';
import type { ValueIntake } from '../values/value-intake.ts';
import { openClientSession } from './client-session.ts';
import { liveSecrets } from './live-secrets.ts';
import { openServerSession } from './server-session.ts';
import type { Session, SessionContext } from './session.ts';

/** Points that are taken for a connection in some milliseconds. */
const POINTS_AT_ONCE = 2_000;

export interface ConnectorOptions {
  readonly ports: RuntimePorts;
  readonly points: PointStore;
  readonly frames: FrameLog;
  readonly health: HealthCounters;
  readonly journal: ChannelJournal;
  readonly intake: ValueIntake;
  readonly faults: FaultyLines;
  /** False while service or channel is read-only. */
  mayWrite(): boolean;
  /** Throws `TRANSPORT_PORT_TAKEN` when another channel holds this port. */
  claimPort(port: string): void;
}

/** Opens the connections of one channel with the settings that were current when it was started or rebuilt. */
export class ChannelConnector {
  readonly #options: ConnectorOptions;
  #settings: StoredChannel;
  #driver: ProtocolDriver;
  #heldPort: string | null = null;
  #connections = 0;
  #memory: DriverMemory = new Map();
  /** Settings of the device that the memory is of; null when it is of a document before the present one. */
  #memoryOf: StoredChannel | null;
  /** The document that is being taken over. */
  #taking: { readonly memory: DriverMemory; readonly done: Promise<void> } | null = null;
  /** True from a change of the document to the next start or rebuild. */
  #isDocumentNew = false;

  constructor(options: ConnectorOptions, settings: StoredChannel, driver: ProtocolDriver) {
    this.#options = options;
    this.#settings = settings;
    this.#memoryOf = settings;
    this.#driver = driver;
  }

  /** Line resource held now, as `portOf` writes it. */
  get heldPort(): string | null {
    return this.#heldPort;
  }

  /** True when the connections serve our own points. */
  get isServing(): boolean {
    return isServing(this.#settings.conn_type);
  }

  /** True when the connections know the table, and have to be told of its changes. */
  get needsPoints(): boolean {
    return this.isServing || isListening(this.#settings) || this.#driver.clientNeedsPoints !== false;
  }

  /** What the driver keeps from one connection to the next. */
  get memory(): DriverMemory {
    return this.#memory;
  }

  /** Sets what the next connections are opened with; of what the driver kept, only what it says itself outlasts this, and that of the same device or line. */
  use(settings: StoredChannel, driver: ProtocolDriver): void {
    const isSame = driver === this.#driver && this.#isMemoryOf(settings);
    this.#memory = (isSame ? driver.keepAtStart?.(this.#memory) : undefined) ?? this.#keptOfLine(settings);
    this.#memoryOf = settings;
    this.#isDocumentNew = false;
    this.#settings = settings;
    this.#driver = driver;
  }

  /** True when these settings, or another document, need other connections than the present ones. */
  isOutdatedBy(settings: StoredChannel): boolean {
    return this.#isDocumentNew || needsRebuild(this.#settings, settings);
  }

  /** The document of the channel as it is now; null without one. */
  document(): DriverDocument | null {
    return this.#options.ports.documentOf?.(this.#settings.id) ?? null;
  }

  /**
   * Waits until what the channel needs of its document is taken over: of the one it has then, should it be another meanwhile. `of` says for which driver and
   * settings. Rejects with `CANCELLED` alone, as soon as `signal` is aborted; the document is taken over all the same.
   */
  async documentTaken(
    of: () => { readonly driver: ProtocolDriver; readonly settings: StoredChannel },
    signal?: AbortSignal,
  ): Promise<void> {
    const take = () => this.#takeDocument(of());
    for (let taking = take(); taking; taking = take()) await (signal ? unlessAborted(taking, signal) : taking);
  }

  /** Takes over what the channel needs of its document; null where there is nothing to wait for. Never rejects. */
  #takeDocument({ driver, settings }: { readonly driver: ProtocolDriver; readonly settings: StoredChannel }): Promise<void> | null {
    const memory = this.#memory;
    const device = driver.documents?.device;
    if (!device || device.isTaken(memory)) return null;
    if (this.#taking?.memory === memory) return this.#taking.done;
    const making = this.#options.ports.deviceOf?.(settings, device);
    if (!making) return null;
    const done = this.#take(making, device, memory);
    this.#taking = { memory, done };
    return done;
  }

  /** A document that is the present one no more is left where it stands. */
  async #take(making: Promise<readonly unknown[]>, device: DocumentDevice, memory: DriverMemory): Promise<void> {
    const made = await making.catch(toAppError);
    const turns = new Turns();
    try {
      await runInTurns(device.take(memory, made), async () => {
        await turns.breathe();
        if (this.#memory !== memory) throw cancelled();
      });
    } catch (thrown) {
      if (this.#memory === memory) runSteps(device.take(memory, toAppError(thrown)));
    } finally {
      if (this.#taking?.memory === memory) this.#taking = null;
    }
  }

  /** What a session outside the channel needs to be like one of its own. */
  facts(driver: ProtocolDriver): SessionFacts {
    return { secrets: this.#secrets(driver), document: driver.documents ? this.document() : null, memory: this.#memory };
  }

  documentChanged(): void {
    this.#isDocumentNew = true;
    this.#memoryOf = null;
  }

  /** Without a connection: what the driver kept of another device, or made of another document, is forgotten, but for what is of the line. */
  forgetOther(settings: StoredChannel): void {
    if (this.#isMemoryOf(settings)) return;
    this.#memory = this.#keptOfLine(settings);
    this.#memoryOf = settings;
  }

  /** What the driver keeps as long as the channel leads to the same line. */
  #keptOfLine(settings: StoredChannel): DriverMemory {
    const isOther = isOtherLine(this.#memoryOf ?? this.#settings, settings);
    return (isOther ? undefined : this.#driver.keepOfLine?.(this.#memory)) ?? new Map();
  }

  #isMemoryOf(settings: StoredChannel): boolean {
    return this.#memoryOf !== null && !isOtherDevice(this.#memoryOf, settings);
  }

  /** Takes the port for this channel. Throws `STATE_CONFLICT` without a serial port, `TRANSPORT_PORT_TAKEN` when another channel has it. */
  claimPort(): void {
    const port = portOf(this.#settings, this.#driver);
    if (port === 'serial ') {
      throw new AppError('STATE_CONFLICT', say('transport.no_com_port'));
    }
    if (port !== null) this.#options.claimPort(port);
    this.#heldPort = port;
  }

  releasePort(): void {
    this.#heldPort = null;
  }

  /** Opens a line with its protocol, or a listener. Rejects with what they say; `onLost` is called once when the session ends by itself. */
  async open(onLost: (error: AppError) => void, signal: AbortSignal): Promise<Session> {
    await this.documentTaken(() => ({ driver: this.#driver, settings: this.#settings }), signal);
    const { points } = this.#options;
    const needsPoints = this.needsPoints;
    // taking very many at once would hold every other line
    const isMany = needsPoints && points.size > POINTS_AT_ONCE;
    const configs = isMany ? await configsInTurns(points, new Turns().breathe) : needsPoints ? points.configs() : [];
    const revision = points.configRevision;
    const context = this.#context(onLost, configs);
    const session = await (this.isServing ? openServerSession(context, signal) : openClientSession(context, signal));
    if (session.serialPath !== null) this.#onSerialPort(session.serialPath);
    if (needsPoints && points.configRevision !== revision) session.connection.pointsChanged(points.configs());
    return session;
  }

  /** An adapter that was plugged in anew may have another name; that is the port which is held then. */
  #onSerialPort(path: string): void {
    const port = `serial ${path}`;
    const wanted = this.#settings.com_port ?? '';
    if (this.#heldPort !== port && !portsCollide(port, `serial ${wanted}`)) {
      this.#options.journal.notice(say('runtime.adapter_again', { wanted, path }));
    }
    this.#heldPort = port;
  }

  /** A serving driver needs the text itself; another one only while its memory has not what it needs of it. */
  get #isDocumentNeeded(): boolean {
    const { documents } = this.#driver;
    return documents !== undefined && (this.isServing || documents.device?.isTaken(this.#memory) !== true);
  }

  #secrets(driver: ProtocolDriver): DriverSecrets {
    return liveSecrets(driver.descriptor.secrets, () => this.#options.ports.secrets?.(this.#settings.id) ?? {});
  }

  #context(onLost: (error: AppError) => void, points: readonly PointConfig[]): SessionContext {
    const { ports, frames, health, journal, intake, faults } = this.#options;
    const { clock, logger, transports } = ports;
    const { id, name } = this.#settings;
    const audit = ports.audit?.bind(ports);
    return {
      clock,
      logger,
      transports,
      driver: this.#driver,
      line: toLineSettings(this.#settings, this.#driver),
      settings: toDriverSettings(this.#settings, this.#driver),
      memory: this.#memory,
      document: this.#isDocumentNeeded ? this.document() : null,
      lasting: ports.lasting?.(id),
      audit: audit && ((operation, params) => audit({ id, name }, operation, params)),
      mayWrite: () => this.#options.mayWrite(),
      secrets: this.#secrets(this.#driver),
      table: this.#options.points,
      points,
      frames,
      health,
      faults,
      nextConnection: () => {
        this.#connections += 1;
        return this.#connections;
      },
      onValues: (readings, event) => intake.take(readings, event),
      onNotice: (said) => journal.notice(said),
      onLost,
    };
  }
}

/** Waits for something that goes on by itself. Rejects with `CANCELLED` as soon as `signal` is aborted. */
async function unlessAborted(going: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) throw cancelled();
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(cancelled());
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([going, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
