/** Control services of a client (IEC 61850-7-2, 20; IEC 61850-8-1, 20): select, operate, cancel, each sent once. */
import type { CommandStep } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { inARow, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Command, DriverCommandResult, ExchangeContext } from '../../spi/index.ts';
import { variableOf } from '../binding.ts';
import type { MmsType, MmsValue } from '../mms/types.ts';
import { accessErrorText } from '../mms/words.ts';
import { acsiReference, type Reference } from '../model/references.ts';
import { componentType } from '../model/types.ts';
import { selectByRead } from '../reads.ts';
import { requireGoing } from '../writing.ts';
import { ADD_CAUSE } from './add-causes.ts';
import { type Attempt, AwaitedControl, type ControlBook, type Ending, type Selection } from './control-book.ts';
import { hasSelection, isEnhanced, modelOf, ownModel, SBO_NORMAL } from './control-model.ts';
import {
  CONTROL_MODELS,
  type ControlDevice,
  type ControlState,
  controlledObject,
  controlTypes,
  objectKey,
  readControlState,
} from './control-object.ts';
import { confirmation, isSame, refusalWords } from './control-outcome.ts';
import { ControlRecord, type Sent } from './control-record.ts';
import { stateOf } from './control-state.ts';
import { asksAsSelected, controlValue, fieldsOf } from './control-values.ts';
import { stateWord } from './control-words.ts';
import { type ControlFields, controlStructure, controlValueType } from './structure.ts';

/** What becomes of a selection behind its command. */
interface Held {
  /** It stands: sboClass operate-many. */
  readonly isHeld: boolean;
  /** As `ControlState.selectMs`. */
  readonly selectMs: number | null;
}

/** Additional causes that say that the device holds no selection of ours. */
const DESELECTING: ReadonlySet<number> = new Set([ADD_CAUSE.notSelected, ADD_CAUSE.inconsistent, ADD_CAUSE.lockedByOther]);

export interface ControlOptions extends ControlDevice {
  readonly clock: Clock;
  readonly book: ControlBook;
  /** How long the end of a command is waited for, in milliseconds. */
  readonly terminationMs: number;
}

/**
 * Runs one step of a control. Throws before anything is operated: `CONFIG_INVALID` and `CONFIG_RANGE` for what cannot be sent, `STATE_CONFLICT` for
 * an object whose command has not ended, for `execute` without the selection of this value and for `cancel` without anything to cancel, and what
 * the questions before the command end with. Whatever happens afterwards is in the result.
 */
export async function runControl(options: ControlOptions, command: Command, context: ExchangeContext): Promise<DriverCommandResult> {
  return new ControlRun(options, command, context).run();
}

/** One step on its way, with the stages it goes through. */
class ControlRun {
  readonly #options: ControlOptions;
  readonly #book: ControlBook;
  readonly #command: Command;
  readonly #object: Reference;
  readonly #context: ExchangeContext;
  readonly #key: string;
  readonly #record: ControlRecord;
  #attempt: Attempt = { isCancelled: false };

  constructor(options: ControlOptions, command: Command, context: ExchangeContext) {
    this.#options = options;
    this.#book = options.book;
    this.#record = new ControlRecord(options.clock);
    this.#command = command;
    this.#context = context;
    this.#object = controlledObject(command.point);
    this.#key = objectKey(this.#object);
  }

  async run(): Promise<DriverCommandResult> {
    const { signal } = this.#context;
    const { step } = this.#command;
    requireGoing(this.#context);
    if (step === 'cancel') return this.#cancel(await controlTypes(this.#options, this.#object, signal));
    this.#requireEnded();
    this.#attempt = this.#book.begin(this.#key);
    try {
      return await this.#onward(step);
    } finally {
      this.#book.ended(this.#key, this.#attempt);
    }
  }

  async #onward(step: CommandStep): Promise<DriverCommandResult> {
    const { signal } = this.#context;
    const types = await controlTypes(this.#options, this.#object, signal);
    const state = await readControlState(this.#options, this.#object, signal);
    const model = this.#modelOf(state, types);
    const isSelected = hasSelection(model);
    const held: Held = { selectMs: state.selectMs, isHeld: state.isOperatedMany === true && isSelected };
    if (step === 'execute') return this.#execute(types, model, held);
    const operType = this.#part(types, 'Oper');
    const fields = fieldsOf(this.#command, this.#valueOf(operType), this.#book.nextNumber(this.#key), this.#options.clock.wallMs());
    // a time or check that the structure has no place for is told before anything is sent
    controlStructure(operType, fields);
    if (step === 'select' && !isSelected) {
      const point = this.#command.point.code;
      throw new AppError('CONFIG_INVALID', say('control.no_selection', { point, model: CONTROL_MODELS[model] ?? '' }));
    }
    if (isSelected) {
      const unsure = held.isHeld ? await this.#giveUp(types) : null;
      if (unsure) return unsure;
      const selected = await this.#select(types, model, fields, state.selectMs);
      if (step === 'select' || selected.outcome !== 'accepted') return selected;
      if (this.#context.isStopping()) return this.#record.stopped(state.selectMs);
    }
    return this.#operate(operType, model, fields, held);
  }

  /** Another command may have begun while the device was asked. */
  #claim(awaited: AwaitedControl): void {
    this.#requireEnded();
    this.#book.await(this.#key, awaited);
  }

  #requireEnded(): void {
    if (!this.#book.awaitedOf(this.#key)) return;
    throw new AppError('STATE_CONFLICT', say('control.not_ended', { point: this.#command.point.code }));
  }

  /** The control model, with what the device says of itself. Throws `CONFIG_INVALID`. */
  #modelOf(state: ControlState, types: MmsType): number {
    const { point } = this.#command;
    const model = modelOf(point, state, types);
    const own = ownModel(point);
    if (own !== null && state.model !== null && state.model !== own) {
      this.#record.stage('read', say('control.models_differ', { told: state.model, own }));
    }
    const said = state.states.map((reading) => say('control.item', { name: reading.name, value: stateWord(reading) }));
    this.#record.stage('read', inARow([say('control.state', { model, name: CONTROL_MODELS[model] ?? '' }), ...said]));
    this.#record.state(stateOf(state, this.#command, this.#book.heldOf(this.#key) !== null));
    return model;
  }

  #part(types: MmsType, name: string): MmsType {
    const type = componentType(types, name);
    if (type) return type;
    throw this.#missing(name);
  }

  #missing(part: string): AppError {
    return new AppError('CONFIG_INVALID', say('control.part_missing', { object: acsiReference(this.#object), part }));
  }

  #valueOf(operType: MmsType): MmsValue {
    const type = controlValueType(operType);
    if (!type) throw this.#missing('Oper.ctlVal');
    return controlValue(this.#command.point, this.#command.value, type);
  }

  async #select(types: MmsType, model: number, fields: ControlFields, selectMs: number | null): Promise<DriverCommandResult> {
    const { clock } = this.#options;
    const awaited = new AwaitedControl(fields, this.#part(types, 'Oper'));
    if (this.#attempt.isCancelled) return this.#record.cancelledBefore();
    this.#claim(awaited);
    const before = this.#book.selectionOf(this.#key);
    this.#book.select(this.#key, null);
    try {
      const at = clock.monotonicMs();
      const sent =
        model === SBO_NORMAL
          ? await this.#readSbo(awaited)
          : await this.#write('SBOw', 'select_sent', controlStructure(this.#part(types, 'SBOw'), fields), awaited);
      if (sent.kind === 'ended') {
        if (sent.result.outcome === 'unknown') this.#book.doubt(this.#key, fields);
        // an earlier selection of ours is what the device refused it for
        else if (before && !isDeselecting(awaited, model === SBO_NORMAL ? 'SBO' : 'SBOw')) this.#book.select(this.#key, before);
        return sent.result;
      }
      const selection = selectionOf(fields, at, selectMs);
      // a cancel that came meanwhile has ended it, or is going to
      if (this.#attempt.isCancelled) return this.#record.cancelledBefore();
      this.#book.select(this.#key, selection);
      this.#record.stage('selected', selectedWords(selectMs));
      return { ...this.#record.result('accepted'), selection: this.#book.standingOf(selection) };
    } finally {
      this.#book.forget(this.#key, awaited);
    }
  }

  /** Selects by reading SBO: its own reference when it is selected, an empty text when it is refused (IEC 61850-8-1, 20.3). */
  async #readSbo(awaited: AwaitedControl): Promise<Sent> {
    const { client } = this.#options;
    const { domain, node, path } = this.#object;
    const sbo = variableOf(domain, node, 'CO', [...path, 'SBO']);
    const what = say('control.read', { object: acsiReference(this.#object), part: 'SBO' });
    return this.#record.send('select_sent', what, async (onSent) => {
      const result = await selectByRead(client, sbo, { signal: this.#context.signal, onSent });
      if (result?.kind === 'failure') return refusalWords(accessErrorText(result.code), awaited.refusals.get('SBO'));
      const isSelected = (result?.kind === 'visible-string' || result?.kind === 'mms-string') && result.text !== '';
      return isSelected ? null : refusalWords(say('control.unselected'), awaited.refusals.get('SBO'));
    });
  }

  async #execute(types: MmsType, model: number, held: Held): Promise<DriverCommandResult> {
    const point = this.#command.point.code;
    const selection = this.#book.selectionOf(this.#key);
    if (!selection) throw new AppError('STATE_CONFLICT', say('control.not_selected', { point }));
    const operType = this.#part(types, 'Oper');
    const { value } = this.#command;
    if (value !== undefined && !isSame(this.#valueOf(operType), selection.fields.value)) {
      throw new AppError('STATE_CONFLICT', say('control.selected_otherwise', { point }));
    }
    if (!asksAsSelected(this.#command, selection.fields)) throw new AppError('STATE_CONFLICT', say('control.selected_options', { point }));
    return this.#operate(operType, model, selection.fields, held);
  }

  async #operate(operType: MmsType, model: number, fields: ControlFields, held: Held): Promise<DriverCommandResult> {
    const awaited = new AwaitedControl(fields, operType);
    if (this.#attempt.isCancelled) return this.#record.cancelledBefore();
    this.#claim(awaited);
    const before = this.#book.selectionOf(this.#key);
    this.#book.select(this.#key, null);
    try {
      const at = this.#options.clock.monotonicMs();
      const sent = await this.#write('Oper', 'sent', controlStructure(operType, fields), awaited);
      if (sent.kind === 'ended') {
        const cause = awaited.refusals.get('Oper')?.addCause;
        const isUnknown = sent.result.outcome === 'unknown';
        const told = isUnknown && isEnhanced(model) ? this.#told(awaited) : null;
        if (told) return told;
        if (isUnknown || (held.isHeld && cause === undefined)) this.#book.doubt(this.#key, fields);
        else if (held.isHeld && !isDeselecting(awaited, 'Oper')) this.#book.select(this.#key, before);
        return this.#withSelection(sent.result);
      }
      const isTerminated = isEnhanced(model) && fields.operateAt === null;
      const selection = { ...selectionOf(fields, this.#endKnownAt(fields, at), held.selectMs), isRenewed: true };
      if (held.isHeld && !this.#attempt.isCancelled)
        this.#book.select(this.#key, isTerminated ? { ...selection, endsAt: null } : selection);
      if (!held.isHeld) this.#book.undoubt(this.#key);
      this.#record.stage('confirmed', confirmation(fields, isEnhanced(model)));
      if (fields.operateAt !== null) this.#book.schedule(this.#key, fields);
      if (!isTerminated) return this.#withSelection(this.#record.result('accepted'));
      const result = await this.#termination(awaited);
      this.#book.renew(this.#key, { ...selectionOf(fields, this.#options.clock.monotonicMs(), held.selectMs), isRenewed: true });
      return this.#withSelection(result);
    } finally {
      this.#book.forget(this.#key, awaited);
    }
  }

  /** When a command that was sent at `at` ends at the earliest, where its end is not told: monotonic time. */
  #endKnownAt({ operateAt }: ControlFields, at: number): number {
    const { clock } = this.#options;
    return operateAt === null ? at : Math.max(at, clock.monotonicMs() + operateAt - clock.wallMs());
  }

  /** A selection that stands behind the command is told with it. */
  #withSelection(result: DriverCommandResult): DriverCommandResult {
    const selection = this.#book.selectionOf(this.#key);
    return selection ? { ...result, selection: this.#book.standingOf(selection) } : result;
  }

  /** Ends a selection that an earlier command left, or may have left, because the device takes no second one; the result where it is not known what came of that. */
  async #giveUp(types: MmsType): Promise<DriverCommandResult | null> {
    const fields = this.#book.heldOf(this.#key);
    const type = componentType(types, 'Cancel');
    if (!fields || !type) return null;
    const awaited = new AwaitedControl(fields, this.#part(types, 'Oper'));
    this.#claim(awaited);
    try {
      const sent = await this.#write('Cancel', 'cancel_sent', controlStructure(type, fields, true), awaited);
      if (sent.kind === 'ended') {
        if (sent.result.outcome === 'unknown') return sent.result;
        // refused: it had ended already, or the select that follows tells what stands against it
        if (isDeselecting(awaited, 'Cancel')) this.#book.undoubt(this.#key);
        else this.#book.doubt(this.#key, fields);
        return null;
      }
      this.#book.cancelled(this.#key, fields);
      this.#record.stage('cancelled', say('control.cancelled'));
      return null;
    } finally {
      this.#book.forget(this.#key, awaited);
    }
  }

  async #termination(awaited: AwaitedControl): Promise<DriverCommandResult> {
    const { clock, terminationMs } = this.#options;
    const ending = await new Promise<Ending | null>((resolve) => {
      const cancel = clock.after(terminationMs, () => resolve(null));
      void awaited.ending.then((found) => {
        cancel();
        resolve(found);
      });
    });
    const told = this.#told(awaited);
    if (told) return told;
    const reason =
      ending?.kind === 'lost'
        ? say('control.lost', { reason: ending.error.said })
        : say('control.not_terminated', { seconds: terminationMs / 1000 });
    this.#record.stage(ending?.kind === 'lost' ? 'lost' : 'not_terminated', reason);
    if (!awaited.mayBeCancelled) {
      this.#book.doubt(this.#key, awaited.fields);
      return this.#record.result('accepted');
    }
    // it was confirmed, and cancelled behind that
    return {
      ...this.#record.result('unknown'),
      failure: ending?.kind === 'lost' ? ending.error : new AppError('TIMEOUT_RESPONSE', reason),
    };
  }

  /** The end that the device told of a command; null where it told none. */
  #told({ ended }: AwaitedControl): DriverCommandResult | null {
    if (ended?.kind === 'refused') return this.#record.reject(refusalWords(say('control.ended'), ended.reason));
    if (ended?.kind !== 'done') return null;
    this.#record.stage('terminated', say('control.carried_out'));
    return this.#record.result('accepted');
  }

  async #cancel(types: MmsType): Promise<DriverCommandResult> {
    const running = this.#book.awaitedOf(this.#key);
    const fields = this.#book.cancellable(this.#key);
    const isOnItsWay = this.#book.cancelAttempt(this.#key);
    if (!fields && isOnItsWay) {
      this.#record.stage('cancelled', say('control.cancelled_unsent'));
      return this.#record.result('accepted');
    }
    if (!fields) throw new AppError('STATE_CONFLICT', say('control.nothing_to_cancel', { point: this.#command.point.code }));
    const type = this.#part(types, 'Cancel');
    const awaited = running ?? new AwaitedControl(fields, this.#part(types, 'Oper'));
    if (!running) this.#book.await(this.#key, awaited);
    try {
      const sent = await this.#write('Cancel', 'cancel_sent', controlStructure(type, fields, true), awaited);
      const isUnknown = sent.kind === 'ended' && sent.result.outcome === 'unknown';
      awaited.mayBeCancelled ||= isUnknown || sent.kind === 'taken';
      if (sent.kind === 'ended') {
        if (isUnknown) this.#book.unsure(this.#key, fields);
        else if (isDeselecting(awaited, 'Cancel')) {
          this.#book.cancelled(this.#key, fields);
          this.#book.undoubt(this.#key);
        }
        return sent.result;
      }
      this.#book.cancelled(this.#key, fields);
      this.#record.stage('cancelled', say('control.cancelled'));
      return this.#record.result('accepted');
    } finally {
      if (!running) this.#book.forget(this.#key, awaited);
    }
  }

  #write(name: string, stage: string, value: MmsValue, awaited: AwaitedControl): Promise<Sent> {
    const { client } = this.#options;
    const { domain, node, path } = this.#object;
    const items = [variableOf(domain, node, 'CO', [...path, name])];
    awaited.refusals.delete(name);
    const what = say('control.write', { object: acsiReference(this.#object), part: name, number: awaited.fields.number });
    return this.#record.send(stage, what, async (onSent) => {
      const request = { service: 'write', spec: { kind: 'variables', items }, values: [value] } as const;
      const { results } = await client.request(request, { signal: this.#context.signal, onSent });
      const [result] = results;
      if (result === undefined) throw new AppError('PROTOCOL_MISMATCH', say('iec61850.no_result'));
      return result === null ? null : refusalWords(accessErrorText(result.code), awaited.refusals.get(name));
    });
  }
}

/** How long a selection stands, as far as the device says it. */
function selectedWords(selectMs: number | null): Message {
  if (selectMs === null) return say('control.selected_unknown');
  return selectMs === 0 ? say('control.selected') : say('control.selected_for', { seconds: selectMs / 1000 });
}

/** A selection whose time begins at `at`, monotonic milliseconds. */
function selectionOf(fields: ControlFields, at: number, selectMs: number | null): Selection {
  return { fields, endsAt: selectMs ? at + selectMs : null, isEndless: selectMs === 0, isRenewed: false };
}

/** True where a service was refused because the device holds no selection of ours. */
function isDeselecting({ refusals }: AwaitedControl, service: string): boolean {
  const cause = refusals.get(service)?.addCause;
  return cause !== undefined && DESELECTING.has(cause);
}
