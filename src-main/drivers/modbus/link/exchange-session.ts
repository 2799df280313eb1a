import type { AppError } from '#shared/domain/errors.ts';
import type { CloseCause } from '../../../transport/types.ts';
import type { ClientIo, ExchangeContext, HealthSink } from '../../spi/index.ts';

import type { SessionRequest } from './session-check.ts';

/** The client's side of one connection, whatever the framing: one exchange at a time. */
export interface ExchangeSession {
  /** Never throws what the line or the device did: that is in the result. Throws INTERNAL when an exchange is under way. */
  exchange(request: SessionRequest, context: ExchangeContext): Promise<ExchangeEnd>;
  /**
   * Sends a write to all slaves, which nobody answers, and keeps the line free behind it. Null when it was sent. Left out where there is no
   * such thing.
   */
  tellAll?(pdu: Uint8Array, context: ExchangeContext): Promise<ExchangeFailure | null>;
  /** Octets from the line. */
  receive(chunk: Uint8Array): void;
  /** The line stands, and the system told why datagrams do not arrive. Left out where there are none. */
  troubled?(error: AppError): void;
  /** The line ended: the exchange under way fails at once. */
  closed(cause: CloseCause): void;
  /** Ends the session; an exchange under way fails. Idempotent. */
  close(): void;
}

/** What a session is made of. */
export interface SessionParts {
  readonly io: ClientIo;
  /** Counters that also learn how fast the slaves answer. */
  readonly health: HealthSink;
  /** Longest turn-round that was measured lately, in milliseconds; null where nothing was. */
  slowestMs(unitId: number): number | null;
}

export type SessionMaker = (parts: SessionParts) => ExchangeSession;

/**
 * How an exchange ended. `answer`: the PDU that came, an exception answer included. `failed`: with whether the request may
 * have reached the device.
 */
export type ExchangeEnd = { readonly kind: 'answer'; readonly pdu: Uint8Array } | ExchangeFailure;

export interface ExchangeFailure {
  readonly kind: 'failed';
  readonly error: AppError;
  readonly isSent: boolean;
}
