import type { AppError } from '#shared/domain/errors.ts';
import type { Message } from '#shared/messages/message.ts';
import type {
  DriverChannelSettings,
  DriverConnection,
  DriverIo,
  DriverLasting,
  DriverMemory,
  DriverSecrets,
  DriverSink,
  PointConfig,
  ProtocolDriver,
  Readings,
} from '../../drivers/spi/index.ts';
import type { DriverDocument } from '../../drivers/spi/model.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { LineSettings, TransportFactory } from '../../transport/types.ts';
import { settlesWithin } from '../bounded.ts';
import { channelFault, containedClock, containedSink } from '../contained.ts';
import type { FrameLog } from '../logs/frame-log.ts';
import type { HealthCounters } from '../logs/health.ts';
import type { FaultyLines } from '../simulation/line-faults.ts';
import type { PointStore } from '../values/point-table.ts';
import { frameSink } from './channel-line.ts';

/** Time a protocol gets to end in order, and a line to close. */
const CLOSE_PROTOCOL_MS = 2_000;
const CLOSE_LINE_MS = 3_000;

/** Everything a session needs of its channel. */
export interface SessionContext {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly transports: TransportFactory;
  readonly driver: ProtocolDriver;
  readonly line: LineSettings;
  readonly settings: DriverChannelSettings;
  readonly memory: DriverMemory;
  readonly document: DriverDocument | null;
  readonly secrets: DriverSecrets;
  readonly lasting: DriverLasting | undefined;
  readonly audit: DriverIo['audit'];
  mayWrite(): boolean;
  readonly table: PointStore;
  /** Those of the table; none for a client that needs none. */
  readonly points: readonly PointConfig[];
  readonly frames: FrameLog;
  readonly health: HealthCounters;
  /** What a served line does wrong on purpose. */
  readonly faults: FaultyLines;
  /** Number of the next connection of this channel; rises by one. */
  nextConnection(): number;
  onValues(readings: Readings, event: boolean | 'only'): void;
  onNotice(said: Message): void;
  /** The session ended by itself; called at most once, and never after `close`. */
  onLost(error: AppError): void;
}

/** A standing connection with its line, or a listener with its peers. */
export interface Session {
  readonly connection: DriverConnection;
  /** Port a server listens on; null otherwise. */
  readonly boundPort: number | null;
  /** Serial port in use, which may be another than the channel's once an adapter was plugged in anew; null without one. */
  readonly serialPath: string | null;
  /** Ends the protocol, then the line; idempotent, never rejects, bounded in time. */
  close(): Promise<void>;
}

/** Lets a session speak to its channel until it is over. */
export class SessionVoice {
  readonly #context: SessionContext;
  #isOver = false;

  constructor(context: SessionContext) {
    this.#context = context;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The session is closed on request: whatever comes now is of no interest. */
  silence(): void {
    this.#isOver = true;
  }

  /** The session ended by itself. */
  lost(error: AppError): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#context.onLost(error);
  }

  /** The driver failed in a callback, or what it called did: logged, and the end of the channel. */
  fault(thrown: unknown, lost: (error: AppError) => void = (error) => this.lost(error)): void {
    this.#fault(channelFault(thrown), lost);
  }

  #fault(error: AppError, lost: (error: AppError) => void): void {
    this.#context.logger.error({ err: error.cause ?? error }, 'a channel was ended by an internal fault');
    lost(error);
  }

  /** What a driver gets beside its line. */
  io(connection: number, peer: string, lost: (error: AppError) => void): DriverIo {
    const { settings, memory, document, secrets, lasting, audit, points, frames, health } = this.#context;
    const onFault = (error: AppError) => this.#fault(error, lost);
    const clock = containedClock(this.#context.clock, onFault);
    const sink: DriverSink = {
      values: (readings, event) => {
        if (!this.#isOver) this.#context.onValues(readings, event);
      },
      notice: (said) => {
        if (!this.#isOver) this.#context.onNotice(said);
      },
      lost,
    };
    const io = {
      clock,
      settings,
      memory,
      document,
      secrets,
      points,
      sink: containedSink(sink, onFault),
      frames: frameSink(frames, connection, peer),
      health,
      mayWrite: () => this.#context.mayWrite(),
    };
    return { ...io, ...(lasting && { lasting }), ...(audit && { audit }) };
  }
}

/** Ends a connection and then its line or listener, each bounded in time, whatever they throw. */
export async function closeInOrder(
  context: SessionContext,
  connection: DriverConnection | null,
  line: { close(): Promise<void> } | null,
): Promise<void> {
  if (connection) await closeWithin(context, CLOSE_PROTOCOL_MS, 'protocol', () => connection.close());
  if (line) await closeWithin(context, CLOSE_LINE_MS, 'line', () => line.close());
}

async function closeWithin(context: SessionContext, ms: number, what: string, close: () => Promise<void>): Promise<void> {
  const closing = (async () => close())();
  closing.catch((error: unknown) => context.logger.warn({ err: error }, `the ${what} of a channel did not close in order`));
  const isClosed = await settlesWithin(context.clock, ms, closing);
  if (!isClosed) context.logger.warn({ timeoutMs: ms }, `the ${what} of a channel did not close in time and was left behind`);
}
