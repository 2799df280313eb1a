import { lookup } from 'node:dns';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { type Clock, cancelled } from '../platform/clock.ts';
import { connectError } from './socket-errors.ts';

export interface LookUpOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly limitMs: number;
  /** End point as messages name it. */
  readonly target: string;
}

/** An address to send to. */
export interface Address {
  readonly address: string;
  /** 4 or 6. */
  readonly family: number;
}

/**
 * The address of a name, or of an address itself. Of several the first of IPv4 is taken: datagrams do not show which one the device hears, and field devices seldom hear IPv6. Rejects
 * with `TRANSPORT_UNREACHABLE`, `TIMEOUT_CONNECT`, or `CANCELLED` when the signal ends it.
 */
export function lookUp(name: string, { clock, signal, limitMs, target }: LookUpOptions): Promise<Address> {
  return new Promise((resolve, reject) => {
    const settle = (error: AppError | null, found?: Address) => {
      cancelTimer();
      signal.removeEventListener('abort', onAbort);
      if (found) resolve(found);
      else reject(error);
    };
    const onAbort = () => settle(cancelled());
    const cancelTimer = clock.after(limitMs, () =>
      settle(new AppError('TIMEOUT_CONNECT', say('transport.silent_for', { target, ms: limitMs }))),
    );
    signal.addEventListener('abort', onAbort, { once: true });
    lookup(name, { all: true }, (error, found) => {
      settle(connectError(error, target), preferred(found ?? []));
    });
  });
}

/** The address that datagrams go to. */
export function preferred(found: readonly Address[]): Address | undefined {
  return found.find(({ family }) => family === 4) ?? found[0];
}
