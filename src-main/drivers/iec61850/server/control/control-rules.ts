/** How the controls of the simulated device go beside what its values say: times, and what is done wrong on purpose. */
import type { Cause } from './control-reports.ts';

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

/** Everything is done right, at once. */
export const PLAIN_RULES: ControlRules = { executionMs: 0, selectMs: 30_000, refusesReached: true, faultOf: () => undefined };
