/** What a driver offers beside reads and commands: operations by name, and the objects it met that no table has. */

import type { z } from 'zod';
import type { Effect } from '#shared/contract/effect.ts';
import type { CommandOutcome, ConnType, FrameType, QualityFlag } from '#shared/domain/enums.ts';
import type { CommandStage, ExchangeContext } from './exchange.ts';

/** One operation that a person or script asks for by name: an interrogation, a clock synchronization. */
export interface DriverOperation {
  readonly name: string;
  /** One line: what it asks the device for. */
  readonly summary: string;
  readonly params: z.ZodObject;
  /**
   * What it does: a `query` answers from memory and sends nothing, a `repeatable` asks the device, a `command` changes something in it, or lifts
   * what keeps commands back. Audit, arming, read-only and retries follow from it.
   */
  readonly effect: Effect;
  /** Connection types that have it. */
  readonly connTypes: readonly ConnType[];
}

/** How an operation ended; a refusal by the device is a result. */
export interface OperationResult {
  readonly outcome: CommandOutcome;
  readonly stages: readonly CommandStage[];
  /** What came of it, by names of the operation; JSON values. */
  readonly result: Readonly<Record<string, unknown>>;
  /** Goes on in another exchange: the line is given back in between, and what came so far is no result yet. Left out: it has ended. */
  readonly next?: (context: ExchangeContext) => Promise<OperationResult>;
}

/** An object that the device sent, or a master asked of ours, and the table does not have, with what is needed to add it. */
export interface UnknownObject {
  readonly slaveId: number;
  readonly address: number;
  /** Type as the protocol names it. */
  readonly typeText: string;
  /** Point type that suits it; null for objects that cannot be a point. */
  readonly frameType: FrameType | null;
  /** Function and decode code of the point, where its protocol has such. Left out: none. */
  readonly funcCode?: number;
  readonly decode?: string;
  /** Settings of the point's `protocol` object. */
  readonly protocol: Readonly<Record<string, unknown>>;
  /** Messages so far. */
  readonly count: number;
  /** The last value, finite, and its text where a number cannot say it. */
  readonly value: number;
  readonly valueText: string;
  readonly flags: readonly QualityFlag[];
  /** UTC milliseconds; null where the device gave none. */
  readonly sourceTime: number | null;
  readonly firstSeen: number;
  readonly lastSeen: number;
}

export interface UnknownObjectList {
  readonly items: readonly UnknownObject[];
  /** Messages about objects that found no place in the list. */
  readonly dropped: number;
}
