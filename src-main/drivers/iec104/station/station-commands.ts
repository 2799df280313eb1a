/** Commands at our controlled station: selection, execution, and what they set (IEC 60870-5-5, 6.8). */

import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { CancelTimer, Clock } from '../../../platform/clock.ts';
import type { PointConfig } from '../../spi/index.ts';
import type { Asdu } from '../codec/asdu.ts';
import { Cause } from '../codec/causes.ts';
import type { CommandObject } from '../codec/objects.ts';
import { TypeId } from '../codec/types.ts';
import { arrivedValue } from '../command-values.ts';
import { pointFacts } from '../point-rules.ts';
import { plainType } from '../point-types.ts';
import { cp56ToUtc, type TimeRules } from '../time.ts';
import type { ControlObject } from './station-values.ts';

/** Who sent a command: a selection binds this client and originator only. */
export interface CommandSource {
  readonly client: object;
  readonly originator: number;
}

interface Selection extends CommandSource {
  readonly value: number;
  readonly qualifier: number;
  /** Selected by a test, which lets nothing but a test through. */
  readonly isTest: boolean;
  readonly until: number;
}

export interface StationCommandsOptions {
  readonly clock: Clock;
  readonly rules: TimeRules;
  readonly selectTimeoutMs: number;
  readonly executionMs: number;
  /** Oldest time tag that is taken, in milliseconds; 0: any. */
  readonly commandAgeMs: number;
  readonly hasSetPointTermination: boolean;
  /** Time of the station, UTC milliseconds. */
  now(): number;
  /** The point that follows a command to this one, as the table has both now. */
  relatedOf(point: PointConfig): PointConfig | undefined;
  /** True while the table has this point, and it is still what a command was accepted for. */
  isServed(point: PointConfig): boolean;
  /** A command is carried out: its point and, later, the related one get the value. */
  apply(command: AcceptedCommand): void;
  /** A command was refused for a reason that is not seen on the wire. */
  notice(said: Message): void;
}

/** A command as it was accepted; the table may say something else once it is carried out. */
export interface AcceptedCommand {
  readonly point: PointConfig;
  /** Engineering value. */
  readonly value: number;
  readonly related: PointConfig | undefined;
}

/** Told when the termination may be sent: a negative one where the command was not carried out. */
export type CommandDone = (isCarriedOut: boolean) => void;

/** What a command is answered with. */
export type CommandVerdict =
  | { readonly kind: 'refused' }
  | { readonly kind: 'accepted'; readonly run: ((done: CommandDone) => void) | null };

const REFUSED: CommandVerdict = { kind: 'refused' };

export class StationCommands {
  readonly #options: StationCommandsOptions;
  readonly #selections = new Map<ControlObject, Selection>();
  readonly #executing = new Map<ControlObject, CancelTimer>();

  constructor(options: StationCommandsOptions) {
    this.#options = options;
  }

  /** Activation of a command whose type, addresses and cause are right. */
  activate(control: ControlObject, asdu: Asdu, object: CommandObject, source: CommandSource): CommandVerdict {
    const value = arrivedValue(control.point, object.value);
    if (value === null) {
      this.#options.notice(say('iec104.command_impossible', { point: control.point.code, value: object.value }));
      return REFUSED;
    }
    if (this.#executing.has(control) || this.#isLocked(control) || this.#isTooOld(asdu, object)) return REFUSED;
    return object.isSelect ? this.#select(control, asdu, object, source) : this.#execute(control, asdu, object, source, value);
  }

  /** Deactivation: ends the selection of this client; a test (T) that of a test, and no real one. */
  cancel(control: ControlObject, { isTest }: Asdu, source: CommandSource): CommandVerdict {
    const selection = this.#selection(control);
    if (!selection || !isSame(selection, source) || selection.isTest !== isTest) return REFUSED;
    this.#selections.delete(control);
    return { kind: 'accepted', run: null };
  }

  /** The connection of a client has ended: its selections end, what executes goes on. */
  leave(client: object): void {
    for (const [control, selection] of this.#selections) if (selection.client === client) this.#selections.delete(control);
  }

  /** The station ends: nothing is carried out any more. */
  close(): void {
    for (const cancel of this.#executing.values()) cancel();
    this.#executing.clear();
    this.#selections.clear();
  }

  #select(control: ControlObject, { isTest }: Asdu, object: CommandObject, source: CommandSource): CommandVerdict {
    const selection = this.#selection(control);
    if (selection && !isSame(selection, source)) return REFUSED;
    const until = this.#options.clock.monotonicMs() + this.#options.selectTimeoutMs;
    const { client, originator } = source;
    this.#selections.set(control, { client, originator, value: object.value, qualifier: object.qualifier, isTest, until });
    return { kind: 'accepted', run: null };
  }

  #execute(control: ControlObject, asdu: Asdu, object: CommandObject, source: CommandSource, value: number): CommandVerdict {
    const selection = this.#selection(control);
    const isSelected = selection !== undefined && isSame(selection, source);
    if (selection && !isSelected) return REFUSED;
    if (!selection && pointFacts(control.point).selectBeforeOperate) return REFUSED;
    this.#selections.delete(control);
    const isAsSelected = selection?.value === object.value && selection.qualifier === object.qualifier && selection.isTest === asdu.isTest;
    if (selection && !isAsSelected) return REFUSED;
    return { kind: 'accepted', run: (done) => this.#run(control, asdu, value, done) };
  }

  #run(control: ControlObject, asdu: Asdu, value: number, done: CommandDone): void {
    const { executionMs, clock, relatedOf, isServed, apply, notice, hasSetPointTermination } = this.#options;
    const { point } = control;
    const command: AcceptedCommand = { point, value, related: relatedOf(point) };
    const finish = () => {
      this.#executing.delete(control);
      if (!isServed(point)) {
        notice(say('iec104.command_vanished', { point: point.code }));
        // also where set points are not terminated: without it the confirmation would stand
        done(false);
        return;
      }
      // a test command must not move the process
      if (!asdu.isTest) apply(command);
      if (control.typeId < TypeId.C_SE_NA_1 || hasSetPointTermination) done(true);
    };
    if (executionMs === 0) finish();
    else this.#executing.set(control, clock.after(executionMs, finish));
  }

  #selection(control: ControlObject): Selection | undefined {
    const selection = this.#selections.get(control);
    if (!selection || this.#options.clock.monotonicMs() < selection.until) return selection;
    this.#selections.delete(control);
    return undefined;
  }

  #isLocked({ point }: ControlObject): boolean {
    if (!pointFacts(point).isLocked) return false;
    this.#options.notice(say('iec104.command_locked', { point: point.code }));
    return true;
  }

  #isTooOld(asdu: Asdu, object: CommandObject): boolean {
    const { commandAgeMs, rules, notice, now } = this.#options;
    if (commandAgeMs === 0 || object.time?.kind !== 'cp56') return false;
    const sentAt = object.time.isInvalid ? null : cp56ToUtc(object.time, rules);
    if (sentAt !== null && now() - sentAt <= commandAgeMs) return false;
    const target = { object: object.address, address: asdu.commonAddress };
    notice(sentAt === null ? say('iec104.command_no_time', target) : say('iec104.command_old', { ...target, ms: now() - sentAt }));
    return true;
  }
}

function isSame(selection: CommandSource, source: CommandSource): boolean {
  return selection.client === source.client && selection.originator === source.originator;
}

/** True for a command that may be cancelled, i.e. one that has a selection. */
export function hasSelection(typeId: number): boolean {
  return plainType(typeId) !== TypeId.C_BO_NA_1;
}

/** Causes a command is sent with. */
export function isCommandCause(cause: number, typeId: number): boolean {
  return cause === Cause.activation || (cause === Cause.deactivation && hasSelection(typeId));
}
