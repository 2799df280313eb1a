/** How an operation on meters becomes a request. */

import type { z } from 'zod';
import type { Effect } from '#shared/contract/effect.ts';
import { ConnType } from '#shared/domain/enums.ts';
import type { Message } from '#shared/messages/message.ts';
import type { DriverSecrets } from '../../spi/index.ts';
import type { DriverOperation } from '../../spi/operations.ts';
import type { Dlt645Frame } from '../codec/frame.ts';
import type { MeterRequest, MeterTarget } from '../meter-request.ts';

/** What an operation is made with. */
export interface OperationContext {
  readonly secrets: DriverSecrets | undefined;
  /** UTC milliseconds. */
  readonly wallMs: number;
  /** Local time of the meters, in milliseconds from UTC. */
  readonly utcOffsetMs: number;
}

/** A request of an operation, ready to be sent. */
export interface PreparedOperation {
  readonly request: MeterRequest;
  /** What it asks for, and of whom: `trip of meter 000012345678`. */
  readonly what: Message;
  /** Twelve digits of the meter whose block of writes counts; null where no single meter is meant, or nothing is changed. */
  readonly blockedBy: string | null;
  /** Set for a command with an end: what the meter's clock is read for when it refuses. YYMMDDhhmmss in local time of the meter. */
  readonly validity?: { readonly target: MeterTarget; readonly until: string };
  /** What a person should do next, once the meter took it. */
  readonly next?: Message;
  /** What the answer says beside yes. */
  readonly result?: (answer: Dlt645Frame) => Readonly<Record<string, unknown>>;
}

/** An operation with what makes its request. */
export interface MeterOperation extends DriverOperation {
  /** Throws `CONFIG_INVALID` and `CONFIG_RANGE`; nothing was sent then. */
  prepare(params: Readonly<Record<string, unknown>>, context: OperationContext): PreparedOperation;
}

/** Connection types that have operations: those of a master. */
export const connTypes = [ConnType.rtuMaster, ConnType.tcpClient];
/** Puts an operation together; a command unless `effect` says otherwise. */
export function define<Params extends z.ZodObject>(
  name: string,
  summary: string,
  params: Params,
  prepare: (params: z.output<Params>, context: OperationContext) => PreparedOperation,
  effect: Effect = 'command',
): MeterOperation {
  return { name, summary, params, effect, connTypes, prepare: (given, context) => prepare(params.parse(given), context) };
}
