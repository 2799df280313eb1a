/**
 * What a client knows of its controls on one association: what is selected, what is under way, and what the device says of them by itself. That
 * belongs to a command only when it names the same object, and the same number where it repeats one (IEC 61850-8-1, 20.8 and 20.9).
 */

import type { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { StandingSelection } from '../../spi/index.ts';
import type { InformationReport } from '../mms/pdu.ts';
import { isSameValue } from '../mms/same-value.ts';
import type { MmsType, MmsValue } from '../mms/types.ts';
import { componentIndex } from '../model/types.ts';
import { addCauseName } from './add-causes.ts';
import { type ControlReport, type LastApplError, readControlReport } from './control-reports.ts';
import type { ControlFields } from './structure.ts';

export interface ControlBookOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** Told of what a device says of controls that nobody waits for. */
  readonly notice: (text: Message) => void;
  /** Commands that the device carries out at a time of their own, and that can be cancelled until then; they outlast the association. */
  readonly timed: Map<string, ControlFields>;
}

/** A selection of this association that stands. */
export interface Selection {
  readonly fields: ControlFields;
  /** Monotonic time at which the device ends it by itself; null: it does not, or it is not known. */
  readonly endsAt: number | null;
  /** True where the device says that it does not end by itself (sboTimeout 0). */
  readonly isEndless: boolean;
  /** True where the device may hold it longer than is known here: its time begins anew with the end of each command (sboClass operate-many). */
  readonly isRenewed: boolean;
}

/** How the device ended a control. */
export type Ending =
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly reason: LastApplError | null }
  | { readonly kind: 'lost'; readonly error: AppError };

/** A command whose answers are awaited. */
export class AwaitedControl {
  readonly fields: ControlFields;
  /** Type of the Oper that a device repeats when it ends the command. */
  readonly operType: MmsType;
  /** Why the device refuses a service, by its name; the answer to the service itself comes behind. */
  readonly refusals = new Map<string, LastApplError>();
  readonly ending: Promise<Ending>;
  readonly end: (ending: Ending) => void;
  /** How the device ended it; null before that. */
  ended: Ending | null = null;
  /** A cancel of it was sent, and not refused: that it was confirmed before says nothing any more. */
  mayBeCancelled = false;

  constructor(fields: ControlFields, operType: MmsType) {
    this.fields = fields;
    this.operType = operType;
    const { promise, resolve } = Promise.withResolvers<Ending>();
    this.ending = promise;
    this.end = (ending) => {
      this.ended ??= ending;
      resolve(ending);
    };
  }
}

/** A command on its way, from before its first question on. */
export interface Attempt {
  /** Somebody cancelled it: nothing more of it is sent. */
  isCancelled: boolean;
}

const NUMBERS = 256;

export class ControlBook {
  readonly #options: ControlBookOptions;
  readonly #selections = new Map<string, Selection>();
  /** Selections and commands of which it is not known whether the device still holds them. */
  readonly #doubtful = new Map<string, ControlFields>();
  readonly #awaited = new Map<string, AwaitedControl>();
  readonly #attempts = new Map<string, Attempt>();
  #number = 0;

  constructor(options: ControlBookOptions) {
    this.#options = options;
  }

  /** The number of the next command of an object, 0 to 255; select, operate and cancel of one command have the same. One whose end may come yet keeps its own. */
  nextNumber(key: string): number {
    const { timed } = this.#options;
    const taken = [timed.get(key)?.number, this.#doubtful.get(key)?.number];
    let number = this.#number;
    while (taken.includes(number)) number = (number + 1) % NUMBERS;
    this.#number = (number + 1) % NUMBERS;
    return number;
  }

  /** The selection of an object, if it stands still. */
  selectionOf(key: string): Selection | null {
    const selection = this.#selections.get(key);
    if (!selection) return null;
    if (selection.endsAt === null || this.#options.clock.monotonicMs() < selection.endsAt) return selection;
    this.#selections.delete(key);
    if (selection.isRenewed) this.doubt(key, selection.fields);
    return null;
  }

  /** What stands selected at an object; null: nothing that is known. */
  select(key: string, selection: Selection | null): void {
    this.#selections.delete(key);
    if (!selection) return;
    this.#selections.set(key, selection);
    this.#doubtful.delete(key);
  }

  /** The time of a selection begins anew; one that stands no more stays ended. */
  renew(key: string, selection: Selection): void {
    if (this.#selections.get(key)?.fields === selection.fields) this.#selections.set(key, selection);
  }

  /** The device may hold this selection, or carry out this command, or may not. */
  doubt(key: string, fields: ControlFields): void {
    this.#doubtful.set(key, fields);
  }

  /** A selection stands no more as far as is known; the device may hold it all the same. */
  unsure(key: string, fields: ControlFields): void {
    if (this.#selections.get(key)?.fields === fields) this.#selections.delete(key);
    this.doubt(key, fields);
  }

  /** The device holds nothing of ours that is not known here. */
  undoubt(key: string): void {
    this.#doubtful.delete(key);
  }

  /** What the device holds selected, or may hold; null where there is nothing. */
  heldOf(key: string): ControlFields | null {
    return this.selectionOf(key)?.fields ?? this.#doubtful.get(key) ?? null;
  }

  /** What the device carries out later at an object. */
  schedule(key: string, fields: ControlFields): void {
    this.#options.timed.set(key, fields);
  }

  /** A command of an object is on its way until `ended`. */
  begin(key: string): Attempt {
    const attempt = { isCancelled: false };
    this.#attempts.set(key, attempt);
    return attempt;
  }

  ended(key: string, attempt: Attempt): void {
    if (this.#attempts.get(key) === attempt) this.#attempts.delete(key);
  }

  /** Nothing more is sent of the command that is on its way; false where there is none. */
  cancelAttempt(key: string): boolean {
    const attempt = this.#attempts.get(key);
    if (attempt) attempt.isCancelled = true;
    return attempt !== undefined;
  }

  /** A cancel has ended what these fields stood for; what was selected or set to a time since then stands. */
  cancelled(key: string, fields: ControlFields): void {
    if (this.#selections.get(key)?.fields === fields) this.#selections.delete(key);
    if (this.#doubtful.get(key) === fields) this.#doubtful.delete(key);
    const { timed } = this.#options;
    if (timed.get(key) === fields) timed.delete(key);
  }

  /** How long a selection stands yet. */
  standingOf({ endsAt, isEndless }: Selection): StandingSelection {
    return { remainingMs: endsAt === null ? null : Math.max(0, endsAt - this.#options.clock.monotonicMs()), isEndless };
  }

  /** What a cancel of an object ends: its selection, the command under way, the one for later, a selection that may stand; null where there is nothing. */
  cancellable(key: string): ControlFields | null {
    return (
      this.selectionOf(key)?.fields ?? this.#awaited.get(key)?.fields ?? this.#options.timed.get(key) ?? this.#doubtful.get(key) ?? null
    );
  }

  /** What the device says of this object belongs to this command, until `forget`. */
  await(key: string, control: AwaitedControl): void {
    this.#awaited.set(key, control);
  }

  forget(key: string, control: AwaitedControl): void {
    if (this.#awaited.get(key) === control) this.#awaited.delete(key);
  }

  awaitedOf(key: string): AwaitedControl | null {
    return this.#awaited.get(key) ?? null;
  }

  /** A report of the device; true when it is about a control. */
  onReport(report: InformationReport): boolean {
    const control = readControlReport(report);
    if (!control) return false;
    if (control.kind === 'refusal') this.#onRefusal(control.reason);
    else this.#onTermination(control);
    return true;
  }

  /** The association has ended: nothing is selected any more, and no end of a command comes. */
  lost(error: AppError): void {
    this.#selections.clear();
    this.#doubtful.clear();
    for (const control of this.#awaited.values()) control.end({ kind: 'lost', error });
  }

  #onRefusal(reason: LastApplError): void {
    const awaited = this.#awaited.get(reason.object);
    // a select without value carries no number
    if (awaited && (reason.number === awaited.fields.number || reason.service === 'SBO')) awaited.refusals.set(reason.service, reason);
    else
      this.#options.notice(
        say('control.foreign_refusal', { object: reason.object, cause: addCauseName(reason.addCause), number: reason.number }),
      );
  }

  #onTermination({ object, oper, reason }: Extract<ControlReport, { kind: 'termination' }>): void {
    const awaited = this.#awaited.get(object);
    if (awaited && isEndOf(awaited.fields, awaited.operType, oper, reason)) {
      awaited.end(reason ? { kind: 'refused', reason } : { kind: 'done' });
      return;
    }
    this.#endedLate(object, oper, reason);
    const said = reason
      ? say('control.foreign_refused', { object, cause: addCauseName(reason.addCause) })
      : say('control.foreign_done', { object });
    this.#options.notice(said);
  }

  /** A command that nobody waits for has ended, so there is nothing of it to cancel any more. */
  #endedLate(object: string, oper: MmsValue | null, reason: LastApplError | null): void {
    const { timed } = this.#options;
    const number = memberNumber(oper) ?? reason?.number;
    if (timed.get(object)?.number === number) timed.delete(object);
    if (this.#doubtful.get(object)?.number === number) this.#doubtful.delete(object);
  }
}

/** Whether this ends a command: the number that the device repeats is that of the command, and so is the value; a device that repeats neither ends the one that is awaited. */
function isEndOf({ number, value }: ControlFields, type: MmsType, oper: MmsValue | null, reason: LastApplError | null): boolean {
  const repeated = numberOf(type, oper) ?? reason?.number ?? null;
  if (repeated !== null && repeated !== number) return false;
  const ctlVal = oper?.kind === 'structure' ? oper.items[componentIndex(type, 'ctlVal')] : undefined;
  return ctlVal === undefined || isSameValue(ctlVal, value);
}

/** ctlNum of an Oper that a device repeats; null where it cannot be told. */
function numberOf(type: MmsType, oper: MmsValue | null): number | null {
  if (oper?.kind !== 'structure') return null;
  const value = oper.items[componentIndex(type, 'ctlNum')];
  return (value?.kind === 'integer' || value?.kind === 'unsigned') && typeof value.value === 'number' ? value.value : null;
}

/** ctlNum by the order of the members, ctlVal being the first of them (IEC 61850-8-1, 20.2); undefined where there is none. */
function memberNumber(oper: MmsValue | null): number | undefined {
  const [, ...members] = oper?.kind === 'structure' ? oper.items : [];
  const number = members.find(({ kind }) => kind === 'integer' || kind === 'unsigned');
  return number && 'value' in number && typeof number.value === 'number' ? number.value : undefined;
}
