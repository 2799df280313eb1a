/** Controls of the simulated device (IEC 61850-7-2, 20; IEC 61850-8-1, 20): selections and commands of all its clients. */
import { say } from '#shared/messages/index.ts';
import { ADD_CAUSE } from '../../control/add-causes.ts';
import { hasSelection, SBO_NORMAL } from '../../control/control-model.ts';
import type { MmsValue } from '../../mms/types.ts';
import { ACCESS_ERROR } from '../../mms/words.ts';
import type { Variable } from '../image.ts';
import { CommandRun } from './command-run.ts';
import { causeOf, isThere, setMember, unfitValue } from './control-effect.ts';
import { obstacleTo } from './control-obstacles.ts';
import { type ControlClient, causeText, lastApplError } from './control-reports.ts';
import { type ControlRequest, isAsSelected, readControlRequest } from './control-request.ts';
import type { Refusal, ServedControlsOptions } from './control-rules.ts';
import { type ControlledObject, type ControlService, controlAt, isOperatedMany, servedModel, servedSelectMs } from './controlled-object.ts';
import { Timer } from './timer.ts';

/** An object that one association has selected, and with what: null for SBO, which says nothing of the command to come. */
interface Selection {
  readonly object: ControlledObject;
  readonly client: ControlClient;
  readonly request: ControlRequest | null;
  readonly timer: Timer;
}

const STATUS_ONLY = 0;
const SBO_ENHANCED = 4;

/** Selections and commands of a device, by object. A selection belongs to an association; a command that is under way outlives it. */
export class ServedControls {
  readonly #options: ServedControlsOptions;
  readonly #selections = new Map<string, Selection>();
  readonly #runs = new Map<string, CommandRun>();
  /** Associations that have ended; their commands may be cancelled by anybody. */
  readonly #gone = new WeakSet<ControlClient>();

  constructor(options: ServedControlsOptions) {
    this.#options = options;
  }

  /** Reading SBO selects: the reference of the object, or an empty text where it is refused. */
  readSbo(object: ControlledObject, client: ControlClient): MmsValue {
    const refusal = this.#select(object, 'SBO', null, client);
    if (refusal) this.#tell(client, object, 'SBO', refusal);
    return { kind: 'visible-string', text: refusal ? '' : object.key };
  }

  /**
   * A Write under CO: null where it is taken, else the DataAccessError, behind a LastApplError. What is no service of a control as a whole is
   * denied, what does not suit its type is refused without LastApplError.
   */
  write(variable: Variable, value: MmsValue, client: ControlClient): number | null {
    const control = controlAt(variable);
    if (!control || control.service === 'SBO') return ACCESS_ERROR.accessDenied;
    const request = readControlRequest(variable.type, value);
    if (!request) return ACCESS_ERROR.typeInconsistent;
    const { object, service } = control;
    const refusal = this.#answer(object, service, request, client);
    if (!refusal) return null;
    client.report(lastApplError(object, service, request, refusal.cause));
    this.#tell(client, object, service, refusal);
    return refusal.accessError ?? ACCESS_ERROR.accessDenied;
  }

  /** An association has ended: its selections end with it. */
  leave(client: ControlClient): void {
    this.#gone.add(client);
    for (const [key, selection] of [...this.#selections]) if (selection.client === client) this.#release(key);
  }

  /** The device ends: nothing is carried out any more. */
  close(): void {
    for (const { timer } of this.#selections.values()) timer.stop();
    for (const run of this.#runs.values()) run.stop();
    this.#selections.clear();
    this.#runs.clear();
  }

  #answer(object: ControlledObject, service: ControlService, request: ControlRequest, client: ControlClient): Refusal | null {
    if (service === 'Cancel') return this.#cancel(object, client);
    return service === 'Oper' ? this.#operate(object, request, client) : this.#select(object, service, request, client);
  }

  #select(object: ControlledObject, service: 'SBO' | 'SBOw', request: ControlRequest | null, client: ControlClient): Refusal | null {
    const { image } = this.#options;
    if (servedModel(image, object) !== (service === 'SBO' ? SBO_NORMAL : SBO_ENHANCED)) return refused(ADD_CAUSE.notSupported);
    const held = this.#selections.get(object.key);
    // SBO again by its owner begins the time of the selection anew
    if (held && (held.client !== client || request)) return unavailable(ADD_CAUSE.alreadySelected);
    if (this.#runs.has(object.key)) return unavailable(ADD_CAUSE.inExecution);
    const refusal = this.#obstacle(object, 'select', request);
    if (refusal) return refusal;
    this.#hold(object, client, request);
    return null;
  }

  #operate(object: ControlledObject, request: ControlRequest, client: ControlClient): Refusal | null {
    const { image, clock } = this.#options;
    const model = servedModel(image, object);
    if (model === STATUS_ONLY) return refused(ADD_CAUSE.notSupported);
    if (this.#runs.has(object.key)) return unavailable(ADD_CAUSE.inExecution);
    if (hasSelection(model)) {
      const held = this.#selections.get(object.key);
      if (!held) return refused(ADD_CAUSE.notSelected);
      if (held.client !== client) return unavailable(ADD_CAUSE.lockedByOther);
      const isAsHeld = held.request === null || isAsSelected(held.request, request);
      // operate-once: whatever comes of it, the next command has to select again
      if (!isAsHeld || !isOperatedMany(image, object)) this.#release(object.key);
      if (!isAsHeld) return refused(ADD_CAUSE.inconsistent);
    }
    const refusal = this.#obstacle(object, 'operate', request);
    if (refusal) return refusal;
    if (request.operateAt !== null && request.operateAt <= clock.wallMs()) return refused(ADD_CAUSE.timeLimit);
    this.#run(object, model, request, client);
    return null;
  }

  #cancel(object: ControlledObject, client: ControlClient): Refusal | null {
    const run = this.#runs.get(object.key);
    const owner = run?.client ?? this.#selections.get(object.key)?.client;
    if (!owner) return refused(ADD_CAUSE.notSelected);
    if (owner !== client && !this.#gone.has(owner)) return unavailable(ADD_CAUSE.lockedByOther);
    if (run && !run.cancel()) return unavailable(ADD_CAUSE.inExecution);
    this.#release(object.key);
    return null;
  }

  /** Why a select or operate is refused now: by a fault, by what the device serves, by its value, or because there is nothing to do. */
  #obstacle(object: ControlledObject, service: 'select' | 'operate', request: ControlRequest | null): Refusal | null {
    const { image, rules } = this.#options;
    const fault = rules.faultOf(object.key)?.refuses;
    if (fault?.service === service) return fault;
    const obstacle = obstacleTo(image, object, request);
    if (obstacle !== null) return refused(obstacle);
    const unfit = request && unfitValue(image, object, request);
    if (unfit === 'value') return { cause: { addCause: causeOf(unfit) }, accessError: ACCESS_ERROR.valueInvalid };
    if (unfit) return refused(causeOf(unfit));
    return request && rules.refusesReached && isThere(image, object, request) ? refused(ADD_CAUSE.positionReached) : null;
  }

  #hold(object: ControlledObject, client: ControlClient, request: ControlRequest | null): void {
    const { image, clock, onWritten } = this.#options;
    this.#selections.get(object.key)?.timer.stop();
    this.#selections.set(object.key, { object, client, request, timer: new Timer(clock) });
    this.#countDown(object);
    onWritten(setMember(image, object, 'stSeld', { kind: 'boolean', value: true }));
  }

  /** The time of a selection begins anew. */
  #countDown(object: ControlledObject): void {
    const { image, rules } = this.#options;
    const ms = servedSelectMs(image, object) ?? rules.selectMs;
    if (ms > 0) this.#selections.get(object.key)?.timer.start(ms, () => this.#release(object.key));
  }

  #release(key: string): void {
    const { image, onWritten } = this.#options;
    const selection = this.#selections.get(key);
    if (!selection) return;
    selection.timer.stop();
    this.#selections.delete(key);
    onWritten(setMember(image, selection.object, 'stSeld', { kind: 'boolean', value: false }));
  }

  #run(object: ControlledObject, model: number, request: ControlRequest, client: ControlClient): void {
    const run = new CommandRun({
      ...this.#options,
      object,
      model,
      request,
      client,
      obstacle: () => this.#obstacle(object, 'operate', request)?.cause ?? null,
      onEnd: () => {
        this.#runs.delete(object.key);
        this.#countDown(object);
      },
    });
    this.#runs.set(object.key, run);
    // a selection that stands for more commands waits for the end of this one
    this.#selections.get(object.key)?.timer.stop();
    run.start();
  }

  #tell({ label }: ControlClient, { key }: ControlledObject, service: ControlService, { cause }: Refusal): void {
    this.#options.notice(say('iec61850.command_refused', { peer: label, service, object: key, cause: causeText(cause) }));
  }
}

function refused(addCause: number): Refusal {
  return { cause: { addCause } };
}

/** Refused for what another command or selection holds: it may be asked again. */
function unavailable(addCause: number): Refusal {
  return { cause: { addCause }, accessError: ACCESS_ERROR.temporarilyUnavailable };
}
