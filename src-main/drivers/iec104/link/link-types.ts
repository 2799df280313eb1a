/** What a link is made with, and what it tells. */
import type { AppError } from '#shared/domain/errors.ts';
import type { Clock } from '../../../platform/clock.ts';

/** Window and timers of a connection. */
export interface LinkLimits {
  /** Most I frames sent and not acknowledged, 1 to 32767. At k the link stops sending. */
  readonly k: number;
  /** I frames received after which an acknowledgement is sent at the latest, 1 to 32767. */
  readonly w: number;
  /** Time to the acknowledgement of an I frame, and to the confirmation of STARTDT, STOPDT and TESTFR. */
  readonly t1Ms: number;
  /** Time after which received I frames are acknowledged when nothing else does it. */
  readonly t2Ms: number;
  /** Silence after which a test frame is sent. */
  readonly t3Ms: number;
}

/** `starting` and `stopping`: asked for, and not confirmed yet. `closed`: nothing goes in or out any more. */
export type LinkState = 'stopped' | 'starting' | 'started' | 'stopping' | 'closed';

/** An ASDU on its way out. */
export interface OutgoingAsdu {
  readonly asdu: Uint8Array;
  /** Called when it was handed to the line, with its number in the frame log and its N(S). */
  onSent?(seq: number, sendNumber: number): void;
  /** The other side has it. */
  onAcknowledged?(): void;
}

/** Where the link takes ASDUs from: it asks only while data transfer is started and the window is open. */
export interface LinkSource {
  next(): OutgoingAsdu | null;
}

/** Why a link ended. `protocol`: this side closes because a rule was broken or a time ran out. `lost`: the line is gone. */
export type LinkEnd =
  | { readonly kind: 'protocol'; readonly error: AppError }
  | { readonly kind: 'lost'; readonly error: AppError }
  | { readonly kind: 'closed' };

export interface LinkEvents {
  /** Hands an APDU to the line; answers its number in the frame log. */
  send(apdu: Uint8Array): number;
  /** An I frame in its order, whole: its ASDU lies behind the control field. `seq` is its number in the frame log. */
  onData(apdu: Uint8Array, seq: number): void;
  /** Data transfer has been started: confirmed to us, or asked for by the controlling station and confirmed by us. */
  onStarted(): void;
  /** Data transfer has been stopped, and nothing sent by us is open. */
  onStopped(): void;
  /** Called once. After `protocol` the line has to be closed. */
  onEnd(end: LinkEnd): void;
}

export interface LinkOptions {
  /** `controlling` connects and starts data transfer, `controlled` is connected to. */
  readonly role: 'controlling' | 'controlled';
  readonly clock: Clock;
  readonly limits: LinkLimits;
  readonly source: LinkSource;
  readonly events: LinkEvents;
}
