/** How the controls of the simulated device go beside what its values say: times, and what is done wrong on purpose. */
import type { Message } from '#shared/messages/message.ts';
import type { Clock } from '../../../../platform/clock.ts';
import type { ServedImage } from '../image.ts';
import type { Cause } from './control-reports.ts';
import type { ControlRequest } from './control-request.ts';
import type { ControlledObject } from './controlled-object.ts';

/** What a control object does wrong on purpose; what is left out is done right. */
export interface ControlFault {
  /** Select or operate is refused. */
  readonly refuses?: Refusal & { readonly service: 'select' | 'operate' };
  /** A command is taken, nothing moves, and it ends with this cause. */
  readonly fails?: Cause;
  /** The end of a command is never told. */
  readonly isNotTerminated?: boolean;
  /** The end of a command is told so much later than it came, in milliseconds. */
  readonly terminationMs?: number;
}

/** Why a service is refused: what LastApplError says, and the DataAccessError of the Write. */
export interface Refusal {
  readonly cause: Cause;
  /** Left out: object-access-denied. */
  readonly accessError?: number;
}

/** Rules of all controls of a device, as they are now. */
export interface ControlRules {
  /** From Oper to the new position, in milliseconds; 0: at once. */
  readonly executionMs: number;
  /** End of a selection where the object has no sboTimeout, in milliseconds. */
  readonly selectMs: number;
  /** A switch that is there already refuses the command. */
  readonly refusesReached: boolean;
  /** What the object of this key (`LD/LN$CO$DO`) does wrong. */
  faultOf(key: string): ControlFault | undefined;
}

/** What the controls work on. */
export interface ServedControlsOptions {
  readonly image: ServedImage;
  readonly clock: Pick<Clock, 'after' | 'wallMs'>;
  readonly rules: ControlRules;
  /** Keys of leaves that have a new value. */
  onWritten(keys: readonly string[]): void;
  /** A command has been carried out. */
  onCommand(object: ControlledObject, request: ControlRequest): void;
  notice(said: Message): void;
}

/** Everything is done right, at once. */
export const PLAIN_RULES: ControlRules = { executionMs: 0, selectMs: 30_000, refusesReached: true, faultOf: () => undefined };
