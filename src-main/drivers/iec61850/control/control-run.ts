/** Control services of a client (IEC 61850-7-2, 20; IEC 61850-8-1, 20): select, operate, cancel, each sent once. */
import { AppError, toAppError } from '#shared/domain/errors.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Command, CommandStage, DriverCommandResult, ExchangeContext } from '../../spi/index.ts';
import { refusalOf } from '../association/refusals.ts';
import { variableOf } from '../binding.ts';
import type { MmsType, MmsValue } from '../mms/types.ts';
import { accessErrorWords } from '../mms/words.ts';
import { acsiReference, type Reference } from '../model/references.ts';
import { componentType } from '../model/types.ts';
import { selectByRead } from '../reads.ts';
import { requireGoing } from '../writing.ts';
import { addCauseName, addCauseWords, controlErrorName } from './add-causes.ts';
import { AwaitedControl, type ControlBook, type Ending } from './control-book.ts';
import {
  CONTROL_MODELS,
  type ControlDevice,
  type ControlState,
  controlledObject,
  controlTypes,
  objectKey,
  readControlState,
} from './control-object.ts';
import type { LastApplError } from './control-reports.ts';
import { controlValue, fieldsOf } from './control-values.ts';
import { type ControlFields, controlStructure, controlValueType } from './structure.ts';

const DIRECT_ENHANCED = 3;
const SBO_ENHANCED = 4;
const SBO_NORMAL = 2;

/** How a service that was sent ended. */
type Sent = { readonly kind: 'taken' } | { readonly kind: 'ended'; readonly result: DriverCommandResult };

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
  readonly #stages: CommandStage[] = [];

  constructor(options: ControlOptions, command: Command, context: ExchangeContext) {
    this.#options = options;
    this.#book = options.book;
    this.#command = command;
    this.#context = context;
    this.#object = controlledObject(command.point);
    this.#key = objectKey(this.#object);
  }

  async run(): Promise<DriverCommandResult> {
    const { signal } = this.#context;
    const { step } = this.#command;
    requireGoing(this.#context);
    if (step !== 'cancel') this.#requireEnded();
    const types = await controlTypes(this.#options, this.#object, signal);
    if (step === 'cancel') return this.#cancel(types);
    const state = await readControlState(this.#options, this.#object, signal);
    const model = this.#modelOf(state, types);
    this.#stage('read', [`control model ${model}, ${CONTROL_MODELS[model]}`, ...state.states].join('; '));
    const isSelected = model === SBO_NORMAL || model === SBO_ENHANCED;
    if (step === 'execute') return this.#execute(types, model);
    const operType = this.#part(types, 'Oper');
    const fields = fieldsOf(this.#command, this.#valueOf(operType), this.#book.nextNumber(), this.#options.clock.wallMs());
    // a time or check that the structure has no place for is told before anything is sent
    controlStructure(operType, fields);
    if (step === 'select' && !isSelected) {
      throw new AppError(
        'CONFIG_INVALID',
        `${this.#command.point.code} has no selection: its control model is ${CONTROL_MODELS[model]}. Use step "operate".`,
      );
    }
    if (isSelected) {
      const selected = await this.#select(types, model, fields, state.selectMs);
      if (step === 'select' || selected.outcome !== 'accepted') return selected;
      if (this.#context.isStopping()) return this.#stopped(state.selectMs);
    }
    return this.#operate(operType, model, fields);
  }

  #requireEnded(): void {
    if (!this.#book.awaitedOf(this.#key)) return;
    const { code } = this.#command.point;
    throw new AppError('STATE_CONFLICT', `The command of ${code} before has not ended; nothing was sent. Wait for its end, or cancel it.`);
  }

  /** The control model, and that the device has what it needs. Throws `CONFIG_INVALID`. */
  #modelOf({ model: told, modelProblem }: ControlState, types: MmsType): number {
    const { control_model: own } = this.#command.point.protocol;
    const model = typeof own === 'number' ? own : told;
    const { code } = this.#command.point;
    if (model === null)
      throw new AppError('CONFIG_INVALID', `${code} cannot be commanded: ${modelProblem}. Its control model can be set at the point.`);
    if (typeof own === 'number' && told !== null && told !== own) {
      this.#stage('read', `the device says control model ${told}, the point is set to ${own}`);
    }
    if (model === 0) throw new AppError('CONFIG_INVALID', `${code} cannot be commanded: its control model is status-only (0).`);
    const needed = ['Oper', ...(model === SBO_NORMAL ? ['SBO'] : model === SBO_ENHANCED ? ['SBOw'] : [])];
    const missing = needed.filter((name) => componentType(types, name) === null);
    if (missing.length === 0) return model;
    const has = types.kind === 'structure' ? types.components.map(({ name }) => name).join(', ') : 'nothing';
    throw new AppError(
      'CONFIG_INVALID',
      `${code} cannot be commanded by control model ${model}: the device has no ${missing.join(', ')} for it, only ${has}.`,
    );
  }

  #part(types: MmsType, name: string): MmsType {
    const type = componentType(types, name);
    if (type) return type;
    throw new AppError('CONFIG_INVALID', `${acsiReference(this.#object)} has no ${name}; nothing was sent.`);
  }

  #valueOf(operType: MmsType): MmsValue {
    const type = controlValueType(operType);
    if (!type) throw new AppError('CONFIG_INVALID', `Oper of ${acsiReference(this.#object)} has no ctlVal; nothing was sent.`);
    return controlValue(this.#command.point, this.#command.value, type);
  }

  async #select(types: MmsType, model: number, fields: ControlFields, selectMs: number | null): Promise<DriverCommandResult> {
    const { clock } = this.#options;
    const awaited = new AwaitedControl(fields, this.#part(types, 'Oper'));
    this.#book.await(this.#key, awaited);
    this.#book.select(this.#key, null);
    try {
      const at = clock.monotonicMs();
      const sent =
        model === SBO_NORMAL
          ? await this.#readSbo(awaited)
          : await this.#write('SBOw', 'select_sent', controlStructure(this.#part(types, 'SBOw'), fields), awaited);
      if (sent.kind === 'ended') return sent.result;
      this.#book.select(this.#key, { fields, endsAt: selectMs === null ? null : at + selectMs });
      this.#stage('selected', selectMs === null ? 'selected until it is operated or cancelled' : `selected for ${selectMs / 1000} s`);
      return this.#result('accepted');
    } finally {
      this.#book.forget(this.#key, awaited);
    }
  }

  /** Selects by reading SBO: its own reference when it is selected, an empty text when it is refused (IEC 61850-8-1, 20.3). */
  async #readSbo(awaited: AwaitedControl): Promise<Sent> {
    const { client } = this.#options;
    const { domain, node, path } = this.#object;
    const sbo = variableOf(domain, node, 'CO', [...path, 'SBO']);
    return this.#send('select_sent', `Read ${acsiReference(this.#object)}.SBO`, async (onSent) => {
      const result = await selectByRead(client, sbo, { signal: this.#context.signal, onSent });
      if (result?.kind === 'failure') return this.#refusal(accessErrorWords(result.code), awaited.refusals.get('SBO'));
      const isSelected = (result?.kind === 'visible-string' || result?.kind === 'mms-string') && result.text !== '';
      return isSelected ? null : this.#refusal('the device did not select it', awaited.refusals.get('SBO'));
    });
  }

  async #execute(types: MmsType, model: number): Promise<DriverCommandResult> {
    const { code } = this.#command.point;
    const selection = this.#book.selectionOf(this.#key);
    if (!selection) {
      const right = 'Use step "select" first, or "operate" for the whole command.';
      throw new AppError(
        'STATE_CONFLICT',
        `${code} is not selected on this connection, or its selection has run out; nothing was sent. ${right}`,
      );
    }
    const operType = this.#part(types, 'Oper');
    const { value } = this.#command;
    if (value !== undefined && !isSame(this.#valueOf(operType), selection.fields.value)) {
      const right = 'Execute what was selected, or cancel the selection and select anew.';
      throw new AppError('STATE_CONFLICT', `${code} is selected with another value; nothing was sent. ${right}`);
    }
    return this.#operate(operType, model, selection.fields);
  }

  async #operate(operType: MmsType, model: number, fields: ControlFields): Promise<DriverCommandResult> {
    const awaited = new AwaitedControl(fields, operType);
    this.#book.await(this.#key, awaited);
    this.#book.select(this.#key, null);
    try {
      const sent = await this.#write('Oper', 'sent', controlStructure(operType, fields), awaited);
      if (sent.kind === 'ended') return sent.result;
      const isEnhanced = model === DIRECT_ENHANCED || model === SBO_ENHANCED;
      this.#stage('confirmed', confirmation(fields, isEnhanced));
      if (fields.operateAt !== null) this.#book.schedule(this.#key, fields);
      return isEnhanced && fields.operateAt === null ? await this.#termination(awaited) : this.#result('accepted');
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
    switch (ending?.kind) {
      case 'done':
        this.#stage('terminated', 'the device has carried out the command');
        return this.#result('accepted');
      case 'refused':
        return this.#reject(this.#refusal('the device ended the command without carrying it out', ending.reason));
      case 'lost':
        this.#stage('lost', `the connection ended before the termination: ${ending.error.message}`);
        return this.#result('accepted');
      default:
        this.#stage(
          'not_terminated',
          `the device has not told the end within ${terminationMs / 1000} s; whether it was carried out is not known`,
        );
        return this.#result('accepted');
    }
  }

  async #cancel(types: MmsType): Promise<DriverCommandResult> {
    const running = this.#book.awaitedOf(this.#key);
    const fields = this.#book.cancellable(this.#key);
    if (!fields) {
      throw new AppError(
        'STATE_CONFLICT',
        `There is nothing to cancel: ${this.#command.point.code} is neither selected nor operated by this connection; nothing was sent.`,
      );
    }
    const type = this.#part(types, 'Cancel');
    const awaited = running ?? new AwaitedControl(fields, this.#part(types, 'Oper'));
    if (!running) this.#book.await(this.#key, awaited);
    try {
      const sent = await this.#write('Cancel', 'cancel_sent', controlStructure(type, fields, true), awaited);
      if (sent.kind === 'ended') return sent.result;
      this.#book.select(this.#key, null);
      this.#book.schedule(this.#key, null);
      this.#stage('cancelled', 'the device has cancelled it');
      return this.#result('accepted');
    } finally {
      if (!running) this.#book.forget(this.#key, awaited);
    }
  }

  #write(name: string, stage: string, value: MmsValue, awaited: AwaitedControl): Promise<Sent> {
    const { client } = this.#options;
    const { domain, node, path } = this.#object;
    const items = [variableOf(domain, node, 'CO', [...path, name])];
    awaited.refusals.delete(name);
    return this.#send(stage, `Write ${acsiReference(this.#object)}.${name}, number ${awaited.fields.number}`, async (onSent) => {
      const request = { service: 'write', spec: { kind: 'variables', items }, values: [value] } as const;
      const { results } = await client.request(request, { signal: this.#context.signal, onSent });
      const [result] = results;
      if (result === undefined) throw new AppError('PROTOCOL_MISMATCH', 'The device answered the Write without a result.');
      return result === null ? null : this.#refusal(accessErrorWords(result.code), awaited.refusals.get(name));
    });
  }

  /** Sends one service, once. A refusal and a silence are results; what failed before the sending is thrown. */
  async #send(stage: string, what: string, ask: (onSent: () => void) => Promise<Refusal | null>): Promise<Sent> {
    let isSent = false;
    const onSent = () => {
      isSent = true;
    };
    this.#stage(stage, what);
    try {
      const refusal = await ask(onSent);
      return refusal ? { kind: 'ended', result: this.#reject(refusal) } : { kind: 'taken' };
    } catch (thrown) {
      const error = toAppError(thrown);
      const refused = refusalOf(error);
      if (refused) return { kind: 'ended', result: this.#reject(refused) };
      if (!isSent) throw error;
      this.#stage('unanswered', error.message);
      return { kind: 'ended', result: { outcome: 'unknown', stages: this.#stages, refusal: null, failure: error } };
    }
  }

  #refusal(words: string, reason: LastApplError | null | undefined): Refusal {
    if (!reason) return { kind: 'data-access-error', detail: `${words}; the device gives no additional cause` };
    const error = controlErrorName(reason.error);
    const meaning = addCauseWords(reason.addCause);
    const cause = `${addCauseName(reason.addCause)}${meaning ? `: ${meaning}` : ''}`;
    return { kind: 'add-cause', detail: [cause, ...(error ? [error] : []), words].join('; ') };
  }

  /** The channel stops between selection and operation: nothing more is sent. */
  #stopped(selectMs: number | null): DriverCommandResult {
    const ends =
      selectMs === null ? 'The selection stands until the connection ends.' : `The selection ends by itself after ${selectMs / 1000} s.`;
    const detail = `the channel is stopping: selected, and not operated. ${ends}`;
    return this.#reject({ kind: 'stopped', detail });
  }

  #reject({ kind, detail }: Refusal): DriverCommandResult {
    return { ...this.#result('rejected'), refusal: { kind, detail } };
  }

  #result(outcome: DriverCommandResult['outcome']): DriverCommandResult {
    return { outcome, stages: this.#stages, refusal: null, failure: null };
  }

  #stage(name: string, detail: string): void {
    this.#stages.push({ name, at: this.#options.clock.wallMs(), detail });
  }
}

interface Refusal {
  readonly kind: string;
  readonly detail: string;
}

function confirmation({ isTest, operateAt }: ControlFields, isEnhanced: boolean): string {
  const test = isTest ? '; with the test bit a device carries nothing out' : '';
  if (operateAt !== null) return `the device will operate at ${new Date(operateAt).toISOString()}${test}`;
  return `${isEnhanced ? 'the device has accepted the command; it is not carried out yet' : 'the device has taken the command'}${test}`;
}

/** Two values of one type with the same content. */
function isSame(one: MmsValue, other: MmsValue): boolean {
  return JSON.stringify(one, plain) === JSON.stringify(other, plain);
}

function plain(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
