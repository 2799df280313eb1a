/** What a connection gets from its channel: a line, sinks, memory, secrets. */

import type { CommandOutcome } from '#shared/domain/enums.ts';
import type { AppError } from '#shared/domain/errors.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AcceptedPeer, TransportEvents } from '../../transport/types.ts';
import type { LineExchange, LineFault } from './line.ts';
import type { DriverLasting, DriverMemory, DriverSecrets } from './memory.ts';
import type { DriverDocument } from './model.ts';
import type { DriverChannelSettings, PointConfig } from './points.ts';
import type { Readings } from './reading-block.ts';

/** What a connection reports by itself. */
export interface DriverSink {
  /**
   * Values that came without a task asking: spontaneous data, writes of a client to our server. With `event` true they also enter the event log;
   * with `only` they enter the event log and the table keeps what it has: what the device told of a point and is no value of it.
   */
  values(readings: Readings, event: boolean | 'only'): void;
  /** A line for the event log of the channel: a peer connected, an unknown object arrived. */
  notice(said: Message): void;
  /** The protocol lost its connection although the line may stand; the channel closes it and reconnects. */
  lost(error: AppError): void;
}

export type FrameKind = 'tx' | 'rx' | 'noise' | 'late' | 'note';

/** The frame log as a driver sees it. */
export interface FrameSink {
  /** Records true octets; returns the entry's sequence number, to be passed as `link` of the answer. */
  record(entry: { kind: FrameKind; bytes: Uint8Array; link?: number; text?: Message }): number;
}

/**
 * Counters of the channel's health that only the driver can know. `exchange` goes into the line statistics as well; a driver without
 * slaves leaves it out.
 */
export interface HealthSink {
  request(): void;
  /** An answer came `latencyMs` after its request. */
  response(latencyMs: number, exchange?: LineExchange): void;
  timeout(exchange?: LineExchange): void;
  /** The answer just counted by `response` was a refusal. */
  refusal(exchange?: LineExchange): void;
  /** Octets that were no valid frame or no fitting answer; `protocol` where nothing is said. */
  fault(kind?: LineFault): void;
  late(): void;
  /** Values of points that came by themselves were compared with a read: so many points, of which so many had another value. Left out: it is not counted. */
  compared?(points: number, differing: number): void;
}

/** An entry of the audit that is open. */
export interface DriverAudit {
  /** `failed`: nothing was sent. Never throws. */
  close(outcome: CommandOutcome | 'failed', detail: Message): void;
}

/** An open line to one peer, wrapped by the channel: octets are counted, the end is seen. */
export interface DriverLine {
  readonly label: string;
  write(bytes: Uint8Array): Promise<void>;
  /** Sets who receives; called once by the driver, in `connect`. Octets that arrived before are delivered then. */
  start(events: TransportEvents): void;
  /** Ends the line, e.g. after a stream that cannot be trusted any more; the channel then reconnects. */
  close(): Promise<void>;
}

/** Everything a connection gets from its channel. */
export interface DriverIo {
  readonly clock: Clock;
  readonly settings: DriverChannelSettings;
  readonly points: readonly PointConfig[];
  readonly sink: DriverSink;
  readonly frames: FrameSink;
  readonly health: HealthSink;
  /** What the driver keeps from one connection of the channel to the next; emptied when the channel is started or rebuilt, but for what `keepAtStart` and `keepOfLine` say. Left out: nothing is kept. */
  readonly memory?: DriverMemory;
  /** The document of the channel, where the protocol knows such and one was given. */
  readonly document?: DriverDocument | null;
  /** Secrets of the channel as they are now, at each access; undefined where one is not set. Left out: none is set. */
  readonly secrets?: DriverSecrets;
  /** What the driver keeps beyond the channel and the service, in the project. Left out: nothing lasts. */
  readonly lasting?: DriverLasting;
  /** False while service or channel is read-only: asked before a driver sends by itself what changes the device. Left out: it may write. */
  mayWrite?(): boolean;
  /**
   * Enters into the audit of the project what a driver is about to do to the device because a setting of its channel says so, as an operation of the descriptor. Throws
   * `STATE_STORE` when it cannot be entered: nothing may be sent then. Left out: there is no audit.
   */
  audit?(operation: string, params: Readonly<Record<string, unknown>>): DriverAudit;
}

export interface ClientIo extends DriverIo {
  readonly line: DriverLine;
}

/** A serving connection gets each peer with a frame log of its own connection number. */
export interface ServerIo extends DriverIo {
  onPeer(accept: (peer: AcceptedPeer, frames: FrameSink) => void): void;
  readonly serialLine: DriverLine | null;
  /**
   * Octets of a point when it was last served or read on this channel, as they travel; null where there are none. A server that is
   * started anew goes on with them.
   */
  servedBefore?(pointId: number): Uint8Array | null;
  /** Code of the exception that a request to these addresses is refused with on purpose; null for none. Left out: none. */
  exceptionAt?(address: number, count: number): number | null;
}
