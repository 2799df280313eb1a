/** Our controlling station: reads batches, sends commands and takes what a controlled station sends by itself. */

import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { type CancelTimer, cancelled } from '../../../platform/clock.ts';
import { closedHere } from '../../kit/line-end.ts';
import type {
  ClientIo,
  Command,
  DriverCommandResult,
  DriverConnection,
  ExchangeContext,
  PlanOptions,
  PointConfig,
  PointsEdit,
  PointValue,
  ReadAnswer,
  ReadBatch,
  ReadPlan,
} from '../../spi/index.ts';
import type { OperationResult } from '../../spi/operations.ts';
import { type AsduView, openAsdu } from '../codec/asdu.ts';
import { Cause } from '../codec/causes.ts';
import { uintLe } from '../codec/octets.ts';
import { broadcastAddress } from '../codec/sizes.ts';
import { TypeId, typeSpec, typeText } from '../codec/types.ts';
import { APCI_LENGTH, receiveNumberOf } from '../link/apci.ts';
import { type AnsweredRequest, ApduPort } from '../link/apdu-port.ts';
import type { LinkEnd } from '../link/link-types.ts';
import { asduSizes, type Iec104Settings, linkLimits, timeRules } from '../settings.ts';
import { Commander } from './client-commands.ts';
import { eventMemoryOf, keepUnreadable, unknownObjectsOf } from './client-memory.ts';
import { runOperation } from './client-operations.ts';
import { ClientReads } from './client-reads.ts';
import { ClientReplies } from './client-replies.ts';
import { Setup } from './client-setup.ts';
import { Intake } from './intake.ts';
import { Interrogations } from './interrogations.ts';
import { PointIndex } from './point-index.ts';
import { Requester } from './requester.ts';
import { SystemCommands } from './system-commands.ts';
import type { UnknownObjects } from './unknown-objects.ts';

/** Time an ordered stop of data transfer gets at the end. */
const STOP_MS = 1000;
/** Messages of the station that are told as wrong one by one. */
const MOST_NOTICES = 20;

export class Iec104Client implements DriverConnection {
  readonly link = { kind: 'exchange', commandsBeside: true } as const;
  readonly dataSets = null;
  /** Plans depend on the points alone. */
  readonly planRevision = 0;
  readonly #io: ClientIo;
  readonly #settings: Iec104Settings;
  readonly #sizes: ReturnType<typeof asduSizes>;
  readonly #port: ApduPort;
  readonly #index: PointIndex;
  readonly #unknown: UnknownObjects;
  readonly #requester: Requester;
  readonly #intake: Intake;
  readonly #interrogations: Interrogations;
  readonly #commander: Commander;
  readonly #reads: ClientReads;
  readonly #system: SystemCommands;
  readonly #replies: ClientReplies;
  readonly #setup: Setup;
  #isUp = false;
  #notices = 0;
  #onStarted: (() => void) | null = null;
  #onStopped: (() => void) | null = null;
  #end: AppError | null = null;

  constructor(io: ClientIo, settings: Iec104Settings) {
    this.#io = io;
    this.#settings = settings;
    const { clock, health, sink } = io;
    const sizes = asduSizes(settings);
    const limits = linkLimits(settings);
    const rules = timeRules(settings);
    const memory = io.memory ?? new Map<string, unknown>();
    const confirmationMs = io.settings.timeoutMs;
    const terminationMs = settings.termination_timeout_s * 1000;
    const originator = settings.originator_address;
    this.#sizes = sizes;
    this.#index = new PointIndex(io.points);
    this.#unknown = unknownObjectsOf(memory);
    this.#unknown.drop(this.#index);
    const events = eventMemoryOf(memory);
    events.begin();
    this.#requester = new Requester({ clock, sizes, health, limits, owedMs: terminationMs });
    this.#intake = new Intake({
      clock,
      sink,
      index: this.#index,
      unknown: this.#unknown,
      memory: events,
      rules,
      isDoubled: settings.double_transmission,
    });
    const requester = this.#requester;
    this.#replies = new ClientReplies({ clock, transactions: requester.transactions, health, sink });
    const common = { clock, requester, health, sizes, originator, confirmationMs, terminationMs };
    this.#interrogations = new Interrogations({ ...common, intake: this.#intake });
    this.#commander = new Commander({ ...common, rules });
    this.#reads = new ClientReads({ ...common, interrogations: this.#interrogations, sink });
    this.#system = new SystemCommands({ ...common, rules });
    this.#setup = new Setup({
      clock,
      settings,
      interrogations: this.#interrogations,
      sink,
      confirmationMs,
      stations: () => this.#stations(),
      setClock: async (commonAddress) => void (await this.#system.synchronize(commonAddress)),
    });
    this.#port = this.#makePort(limits);
    this.#requester.use(this.#port.link);
  }

  /** Starts data transfer. Rejects with `PROTOCOL_REFUSED`, `PROTOCOL_MISMATCH` or `TIMEOUT_RESPONSE` when the station will not. */
  start(signal: AbortSignal): Promise<void> {
    const { line } = this.#io;
    return new Promise((resolve, reject) => {
      this.#onStarted = () => {
        this.#onStarted = null;
        if (this.#end) reject(this.#end);
        else resolve();
      };
      signal.addEventListener('abort', () => reject(cancelled()), { once: true });
      line.start({
        onData: (chunk) => this.#port.receive(chunk),
        onClosed: (cause) => this.#port.lineEnded(cause),
      });
      this.#port.link.start();
    });
  }

  differingTypes(): ReadonlyMap<number, Message> {
    return this.#intake.differing;
  }

  plan(points: readonly PointConfig[], options: PlanOptions): ReadPlan {
    return this.#reads.plan(points, options);
  }

  read(batch: ReadBatch, context: ExchangeContext): Promise<ReadAnswer> {
    return this.#reads.read(batch, context);
  }

  async execute(command: Command): Promise<DriverCommandResult> {
    const result = await this.#commander.execute(command);
    const acts = command.step === 'operate' || command.step === 'execute';
    // no message tells the state of a command point; it shows what the station took last
    if (acts && result.outcome === 'accepted') this.#io.sink.values([takenValue(command)], false);
    return result;
  }

  operate(name: string, params: Readonly<Record<string, unknown>>, context: ExchangeContext): Promise<OperationResult> {
    return runOperation(name, params, {
      clock: this.#io.clock,
      interrogations: this.#interrogations,
      system: this.#system,
      signal: context.signal,
      stations: () => this.#stations(),
      confirmationMs: this.#io.settings.timeoutMs,
    });
  }

  pointsChanged(points: readonly PointConfig[]): void {
    this.#index.update(points);
    this.#unknown.drop(this.#index);
    this.#reads.pointsChanged();
  }

  pointsEdited(edit: PointsEdit): void {
    this.#index.edit(edit);
    this.#unknown.drop(this.#index);
    this.#reads.pointsChanged();
  }

  async close(): Promise<void> {
    this.#setup.close();
    const { link } = this.#port;
    if (link.state === 'started') {
      let cancelTimer: CancelTimer = () => {};
      await new Promise<void>((resolve) => {
        this.#onStopped = resolve;
        cancelTimer = this.#io.clock.after(STOP_MS, resolve);
        link.stop();
      });
      cancelTimer();
    }
    link.lineEnded(null);
  }

  #stations(): readonly number[] {
    const { stations } = this.#index;
    return stations.length > 0 ? stations : [broadcastAddress(this.#sizes)];
  }

  #makePort(limits: ReturnType<typeof linkLimits>): ApduPort {
    const { clock, line, frames, health } = this.#io;
    return new ApduPort({
      role: 'controlling',
      clock,
      limits,
      source: this.#requester,
      line,
      frames,
      health,
      writesApart: this.#settings.tls,
      events: {
        onData: (apdu) => this.#onData(apdu),
        onChunk: () => this.#intake.flush(),
        onStarted: () => {
          this.#isUp = true;
          this.#setup.begin();
          this.#onStarted?.();
        },
        onStopped: () => this.#onStopped?.(),
        onEnd: (end) => this.#onEnd(end),
        answerTo: ({ bytes, nr }) => this.#answeredBy(bytes, nr),
      },
    });
  }

  #onData(apdu: Uint8Array): void {
    let view: AsduView;
    try {
      view = openAsdu(apdu, this.#sizes, APCI_LENGTH);
    } catch (thrown) {
      // framing and numbers are right, so the connection is kept: what cannot be read is told and left out
      if (this.#io.memory) keepUnreadable(this.#io.memory, apdu.subarray(APCI_LENGTH));
      this.#complain(say('iec104.unreadable', { reason: toAppError(thrown).said }));
      return;
    }
    if (view.type?.element.read) this.#takeObjects(view);
    else if (view.typeId === TypeId.M_EI_NA_1) this.#onInitialized(view);
    else if (view.type || view.cause >= Cause.unknownType) this.#takeReply(view, receiveNumberOf(apdu));
    else this.#complain(say('iec104.unsupported', { type: typeText(view.typeId), address: view.commonAddress }));
  }

  #takeObjects(view: AsduView): void {
    this.#intake.take(view, this.#interrogations.collectorFor(view) ?? this.#reads.collectorFor(view));
    if (view.cause === Cause.request) this.#reads.objectsCame(view);
  }

  #takeReply(view: AsduView, nr: number): void {
    const { typeId, commonAddress, cause, octets, bodyAt } = view;
    if (cause === Cause.activationTermination) {
      this.#commander.terminated(typeId, commonAddress, uintLe(octets, bodyAt, this.#sizes.objectAddress));
    }
    this.#replies.take(view, nr);
  }

  #onInitialized({ commonAddress, octets, bodyAt }: AsduView): void {
    const why = say(RESETS[(octets[bodyAt + this.#sizes.objectAddress] ?? 0) & 0x7f] ?? 'iec104.other_reset');
    this.#io.sink.notice(say('iec104.started', { address: commonAddress, why }));
    this.#setup.restarted(commonAddress);
  }

  #answeredBy(apdu: Uint8Array, nr: number): AnsweredRequest | undefined {
    const { transactions } = this.#requester;
    if (transactions.size === 0) return undefined;
    if (typeSpec(apdu[APCI_LENGTH] ?? 0)?.isList) {
      const cause = (apdu[APCI_LENGTH + 2] ?? 0) & 0x3f;
      const commonAddress = uintLe(apdu, APCI_LENGTH + 2 + this.#sizes.cause, this.#sizes.commonAddress);
      const seq = this.#interrogations.requestOf(cause, commonAddress);
      return seq === undefined ? undefined : { seq, isLate: false };
    }
    try {
      const match = transactions.match(openAsdu(apdu, this.#sizes, APCI_LENGTH), nr);
      if (match.kind === 'foreign') return undefined;
      return { seq: match.transaction.seq, isLate: match.kind !== 'open' };
    } catch {
      return undefined;
    }
  }

  #complain(said: Message): void {
    this.#io.health.fault();
    this.#notices += 1;
    if (this.#notices <= MOST_NOTICES) this.#io.sink.notice(said);
  }

  #onEnd(end: LinkEnd): void {
    const error = this.#endError(end);
    this.#end = error;
    this.#setup.close();
    this.#intake.flush();
    this.#requester.transactions.endAll(error);
    this.#onStarted?.();
    this.#onStopped?.();
    if (end.kind === 'protocol') this.#io.sink.lost(error);
  }

  #endError(end: LinkEnd): AppError {
    if (end.kind === 'closed') return closedHere();
    if (end.kind === 'lost' && !this.#isUp) {
      return new AppError('PROTOCOL_REFUSED', say('iec104.startdt_closed', { reason: end.error.said }), { cause: end.error });
    }
    return end.error;
  }
}

function takenValue({ point, value = 0 }: Command): PointValue {
  const raw = new Uint8Array(0);
  return { kind: 'value', pointId: point.id, value, form: 'written', valueText: '', raw, quality: 'good', flags: [], sourceTime: null };
}

/** Causes of initialization by their number (IEC 60870-5-101, 7.2.6.21). */
const RESETS = ['iec104.power_on', 'iec104.manual_reset', 'iec104.remote_reset'] as const;
