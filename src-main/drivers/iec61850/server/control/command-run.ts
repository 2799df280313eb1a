/** One command of a control object, from its Oper to its end (IEC 61850-7-2, 20.3 and 20.4). */
import { say } from '#shared/messages/index.ts';
import { ADD_CAUSE } from '../../control/add-causes.ts';
import { isEnhanced } from '../../control/control-model.ts';
import type { MmsValue } from '../../mms/types.ts';
import { intermediateOf, movedBy, movedValue, type Status, setMember, setStatus } from './control-effect.ts';
import { reachesProcess } from './control-obstacles.ts';
import { type Cause, type ControlClient, causeText, commandTermination } from './control-reports.ts';
import type { ControlRequest } from './control-request.ts';
import type { ServedControlsOptions } from './control-rules.ts';
import { type ControlledObject, servedPulses, truth } from './controlled-object.ts';
import { Timer } from './timer.ts';

export interface CommandRunOptions extends ServedControlsOptions {
  readonly object: ControlledObject;
  /** Control model when it was taken, 1 to 4. */
  readonly model: number;
  readonly request: ControlRequest;
  readonly client: ControlClient;
  /** What stands against the command now; asked again when a time to operate has come. */
  obstacle(): Cause | null;
  onEnd(): void;
}

const ON: MmsValue = { kind: 'boolean', value: true };
const OFF: MmsValue = { kind: 'boolean', value: false };

/** A command under way: waits for its time, moves the object, and tells how it ended. */
export class CommandRun {
  readonly #options: CommandRunOptions;
  readonly #timer: Timer;
  /** Positions that were left for the intermediate state. */
  #before: readonly (readonly [Status, MmsValue])[] = [];
  #hasMoved = false;
  /** Outputs that are pulsed. */
  #pulsed: readonly Status[] = [];
  #pulsesDone = 0;

  constructor(options: CommandRunOptions) {
    this.#options = options;
    this.#timer = new Timer(options.clock);
  }

  get client(): ControlClient {
    return this.#options.client;
  }

  start(): void {
    const { request, clock } = this.#options;
    if (request.operateAt === null) this.#begin();
    else this.#timer.startAt(request.operateAt, clock, () => this.#due());
  }

  /** Ends the command where it has not been carried out; false for one that only waits to tell its end. */
  cancel(): boolean {
    if (this.#hasMoved) return false;
    this.stop();
    this.#restore();
    this.#end({ addCause: ADD_CAUSE.cancelled });
    return true;
  }

  /** Nothing happens any more. */
  stop(): void {
    this.#timer.stop();
  }

  #due(): void {
    const obstacle = this.#options.obstacle();
    if (obstacle) this.#end(obstacle);
    else this.#begin();
  }

  #begin(): void {
    const { image, object, request, rules } = this.#options;
    if (rules.executionMs === 0) {
      this.#finish();
      return;
    }
    if (reachesProcess(image, object, request)) this.#leavePosition();
    this.#timer.start(rules.executionMs, () => this.#finish());
  }

  #leavePosition(): void {
    const { image, object } = this.#options;
    const moving = movedBy(image, object).flatMap((status) => {
      const between = intermediateOf(status);
      return between ? [[status, image.value(status.variable), between] as const] : [];
    });
    this.#before = moving.map(([status, value]) => [status, value]);
    this.#set(moving.map(([status, , between]) => [status, between]));
  }

  #finish(): void {
    const { object, rules } = this.#options;
    const fault = rules.faultOf(object.key);
    if (fault?.fails) {
      this.#restore();
      this.#end(fault.fails);
      return;
    }
    this.#move();
    if (this.#pulsed.length > 0) this.#pulse();
    else this.#moved();
  }

  /** The object stands where it was to be; only its end is still told. */
  #moved(): void {
    const { object, rules } = this.#options;
    const { terminationMs } = rules.faultOf(object.key) ?? {};
    this.#hasMoved = true;
    if (terminationMs) this.#timer.start(terminationMs, () => this.#end(null));
    else this.#end(null);
  }

  /** The output is on: off behind its time, and on again as often as it is configured. */
  #pulse(): void {
    const { image, object } = this.#options;
    const pulses = servedPulses(image, object);
    this.#pulsesDone += 1;
    this.#timer.start(pulses?.onMs ?? 0, () => {
      this.#set(this.#pulsed.map((status) => [status, OFF]));
      if (!pulses || this.#pulsesDone >= pulses.count) {
        this.#moved();
        return;
      }
      this.#timer.start(pulses.offMs, () => {
        this.#set(this.#pulsed.map((status) => [status, ON]));
        this.#pulse();
      });
    });
  }

  #move(): void {
    const { image, object, request, client, notice, onWritten, onCommand } = this.#options;
    if (!reachesProcess(image, object, request)) {
      this.#restore();
      notice(say('iec61850.command_unmoved', { peer: client.label, object: object.key }));
      return;
    }
    const moved = movedBy(image, object).flatMap((status) => {
      const value = movedValue(status.variable.type, image.value(status.variable), request.value);
      return value ? [[status, value] as const] : [];
    });
    if (request.origin) onWritten(setMember(image, object, 'origin', request.origin));
    onWritten(setMember(image, object, 'ctlNum', { kind: 'unsigned', value: request.number }));
    this.#set(moved);
    const isPulsed = truth(request.value) === true && servedPulses(image, object) !== null;
    // a double point is what the output drives, and stays
    if (isPulsed) this.#pulsed = moved.map(([status]) => status).filter(({ variable }) => variable.type.kind === 'boolean');
    onCommand(object, request);
  }

  #restore(): void {
    this.#set(this.#before);
    this.#set(this.#pulsed.map((status) => [status, OFF]));
    this.#before = [];
    this.#pulsed = [];
  }

  #set(values: readonly (readonly [Status, MmsValue])[]): void {
    const { image, clock, request, onWritten } = this.#options;
    const at = { wallMs: clock.wallMs(), isTest: request.isTest };
    onWritten(values.flatMap(([status, value]) => setStatus(image, status, value, at)));
  }

  #end(cause: Cause | null): void {
    const { object, model, request, client, rules, notice, onEnd } = this.#options;
    this.stop();
    onEnd();
    if (cause) notice(say('iec61850.command_ended', { peer: client.label, object: object.key, cause: causeText(cause) }));
    const isTold = isEnhanced(model) && rules.faultOf(object.key)?.isNotTerminated !== true;
    if (isTold) client.reportBehind(commandTermination(object, request, cause));
  }
}
