/**
 * Commands to a station (IEC 60870-5-5, 6.8): each message is sent once. Confirmation and termination belong to a command only when they
 * mirror it: type, addresses, value, S/E, qualifier and time tag. Nothing is sent while data transfer is not started, and nothing is kept for later.
 */

import { AppError } from '#shared/domain/errors.ts';
import { say, together } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Command, CommandStage, DriverCommandResult, HealthSink, PointConfig } from '../../spi/index.ts';
import { encodeAsdu } from '../codec/asdu.ts';
import { Cause, isUnknownCause } from '../codec/causes.ts';
import { command as commandAsdu } from '../codec/make.ts';
import { type AsduSizes, headerLength } from '../codec/sizes.ts';
import { TypeId, typeSpec, typeText } from '../codec/types.ts';
import { commandValue } from '../command-values.ts';
import { type PointFacts, pointFacts } from '../point-rules.ts';
import { plainType } from '../point-types.ts';
import { type TimeRules, utcToCp56 } from '../time.ts';
import { refusalMessage } from './interrogations.ts';
import type { Requester } from './requester.ts';
import { Selections } from './selections.ts';
import type { Reply, Transaction } from './transactions.ts';

export interface CommanderOptions {
  readonly clock: Clock;
  readonly requester: Requester;
  readonly health: HealthSink;
  readonly sizes: AsduSizes;
  readonly rules: TimeRules;
  readonly originator: number;
  readonly confirmationMs: number;
  readonly terminationMs: number;
}

type Refused = Extract<Reply, { kind: 'mirrored' }>;

/** Kinds of refusal by cause of the reply, for `refusal.kind`. */
const UNKNOWN_KINDS: Readonly<Record<number, string>> = {
  [Cause.unknownType]: 'unknown_type',
  [Cause.unknownCause]: 'unknown_cause',
  [Cause.unknownCommonAddress]: 'unknown_common_address',
  [Cause.unknownObjectAddress]: 'unknown_object_address',
};

/** What counts of a mirrored CP56Time2a: not the reserved bits, and not the day of week, which a station may leave out. */
const TIME_MASK: readonly number[] = [0xff, 0xff, 0xbf, 0x9f, 0x1f, 0x0f, 0x7f];

/** Sends commands of one connection, and knows what is selected and what still executes. */
export class Commander {
  readonly #options: CommanderOptions;
  readonly #selections: Selections;
  /** Commands that were confirmed and not terminated. */
  readonly #executing = new Set<string>();

  constructor(options: CommanderOptions) {
    this.#options = options;
    this.#selections = new Selections(options.sizes);
  }

  /**
   * Runs one step. Throws before anything is sent: `CONFIG_INVALID` or `CONFIG_RANGE`, `STATE_CONFLICT` for the step `execute` without a
   * selection of this value that stands on this connection, and `TRANSPORT_NOT_CONNECTED` when it could not be sent; whatever happens afterwards is
   * in the result.
   */
  execute(command: Command): Promise<DriverCommandResult> {
    const run = new CommandRun(command, this.#options, this.#selections, this.#executing);
    return run.run();
  }

  /** A termination that nobody waits for any more. */
  terminated(typeId: number, commonAddress: number, address: number): void {
    this.#executing.delete(objectName(typeId, commonAddress, address));
  }
}

function objectName(typeId: number, commonAddress: number, address: number): string {
  return `${typeId} ${commonAddress} ${address}`;
}

/** One step on its way, with the stages it went through. */
class CommandRun {
  readonly #command: Command;
  readonly #options: CommanderOptions;
  readonly #selections: Selections;
  readonly #executing: Set<string>;
  readonly #facts: PointFacts;
  readonly #stages: CommandStage[] = [];
  readonly #name: string;

  constructor(command: Command, options: CommanderOptions, selections: Selections, executing: Set<string>) {
    this.#command = command;
    this.#options = options;
    this.#selections = selections;
    this.#executing = executing;
    this.#facts = pointFacts(command.point);
    this.#name = objectName(this.#facts.typeId, command.point.slave_id, command.point.address);
  }

  async run(): Promise<DriverCommandResult> {
    const { step, point } = this.#command;
    const hasSelect = plainType(this.#facts.typeId) !== TypeId.C_BO_NA_1;
    if (!hasSelect && (step === 'select' || step === 'cancel')) {
      throw new AppError('CONFIG_INVALID', say('iec104.no_selection', { type: typeText(this.#facts.typeId) }));
    }
    switch (step) {
      case 'select':
        return this.#select();
      case 'execute':
        this.#selections.require(this.#name, point.code, this.#message(Cause.activation, false));
        return this.#act();
      case 'cancel':
        return this.#cancel();
      case 'operate':
        return pointFacts(point).selectBeforeOperate && hasSelect ? this.#selectAndAct() : this.#act();
    }
  }

  async #selectAndAct(): Promise<DriverCommandResult> {
    const selected = await this.#select();
    return selected.outcome === 'accepted' ? this.#act() : selected;
  }

  async #select(): Promise<DriverCommandResult> {
    const octets = this.#message(Cause.activation, true);
    const transaction = this.#send('select_sent', octets, [Cause.activationCon]);
    const selection = this.#selections.remember(this.#name, octets);
    try {
      const failed = this.#failure(await transaction.next(this.#options.confirmationMs), transaction);
      if (failed) return failed;
      selection.stands = true;
      this.#stage('selected', say('iec104.selected'));
      return this.#result('accepted');
    } finally {
      this.#options.requester.transactions.close(transaction);
    }
  }

  async #cancel(): Promise<DriverCommandResult> {
    const selected = this.#selections.lastOf(this.#name) ?? this.#message(Cause.activation, true);
    const octets = Uint8Array.from(selected);
    octets[2] = Cause.deactivation;
    const transaction = this.#send('cancel_sent', octets, [Cause.deactivationCon]);
    this.#selections.end(this.#name);
    try {
      const failed = this.#failure(await transaction.next(this.#options.confirmationMs), transaction);
      if (failed) return failed;
      this.#stage('cancelled', say('iec104.cancelled'));
      return this.#result('accepted');
    } finally {
      this.#options.requester.transactions.close(transaction);
    }
  }

  async #act(): Promise<DriverCommandResult> {
    const octets = this.#message(Cause.activation, false);
    const transaction = this.#send('sent', octets, [Cause.activationCon, Cause.activationTermination]);
    this.#selections.end(this.#name);
    try {
      const reply = await transaction.next(this.#options.confirmationMs);
      const failed = this.#failure(reply, transaction);
      if (failed) return failed;
      // some stations leave the confirmation out
      if (reply.kind === 'mirrored' && reply.cause === Cause.activationTermination) return this.#finished();
      this.#stage('confirmed', say('iec104.confirmed'));
      this.#executing.add(this.#name);
      return await this.#termination(transaction);
    } finally {
      this.#options.requester.transactions.close(transaction);
    }
  }

  /** A termination is usual for commands; for set points it is optional, so that one is waited for only as long as for a confirmation. */
  async #termination(transaction: Transaction): Promise<DriverCommandResult> {
    const { confirmationMs, terminationMs } = this.#options;
    const isSetPoint = plainType(this.#facts.typeId) >= TypeId.C_SE_NA_1;
    const reply = await transaction.next(isSetPoint ? Math.min(confirmationMs, terminationMs) : terminationMs);
    if (reply.kind === 'mirrored') {
      this.#executing.delete(this.#name);
      if (reply.isNegative || isUnknownCause(reply.cause)) return this.#reject('negative_termination', refusalMessage(reply));
      return this.#finished();
    }
    if (reply.kind === 'ended') {
      this.#stage('lost', say('iec104.lost_before_end', { reason: reply.error.said }));
      return this.#result('accepted');
    }
    if (isSetPoint) this.#executing.delete(this.#name);
    this.#stage('not_terminated', isSetPoint ? say('iec104.not_terminated_set_point') : say('iec104.not_terminated'));
    return this.#result('accepted');
  }

  #finished(): DriverCommandResult {
    this.#executing.delete(this.#name);
    this.#stage('terminated', say('iec104.terminated'));
    return this.#result('accepted');
  }

  /** The result of a reply that is no positive confirmation; null for one that is. */
  #failure(reply: Reply, transaction: Transaction): DriverCommandResult | null {
    const { health, clock, confirmationMs } = this.#options;
    if (reply.kind === 'ended') return this.#unknown('lost', reply.error);
    if (reply.kind === 'timeout') {
      health.timeout();
      const doubt = transaction.isDoubtful ? say('iec104.doubt') : null;
      const message = together(say('iec104.not_confirmed', { ms: confirmationMs }), doubt);
      return this.#unknown('unanswered', new AppError('TIMEOUT_RESPONSE', message));
    }
    if (reply.kind !== 'mirrored') return null;
    health.response(clock.monotonicMs() - transaction.sentAt);
    if (!reply.isNegative && !isUnknownCause(reply.cause)) return null;
    health.refusal();
    return this.#reject(this.#refusalKind(reply), refusalMessage(reply));
  }

  #refusalKind(reply: Refused): string {
    const unknown = UNKNOWN_KINDS[reply.cause];
    if (unknown !== undefined) return unknown;
    return this.#executing.has(this.#name) ? 'busy' : 'negative';
  }

  #message(cause: number, isSelect: boolean): Uint8Array {
    const { point, value, options } = this.#command;
    const { clock, sizes, rules, originator } = this.#options;
    const { typeId } = this.#facts;
    const raw = value === undefined ? neutralValue(point) : commandValue(point, value);
    const time = typeSpec(typeId)?.time === 'cp56' ? utcToCp56(clock.wallMs(), rules) : null;
    const object = { address: point.address, value: raw, qualifier: this.#qualifier(options), isSelect };
    return encodeAsdu(commandAsdu({ commonAddress: point.slave_id, originator, cause }, typeId, object, time), sizes);
  }

  #qualifier(options: Readonly<Record<string, unknown>>): number {
    const { qualifier } = options;
    if (qualifier === undefined) return this.#facts.qualifier;
    const plain = plainType(this.#facts.typeId);
    const most = plain === TypeId.C_BO_NA_1 ? 0 : plain >= TypeId.C_SE_NA_1 ? 127 : 31;
    if (typeof qualifier === 'number' && Number.isInteger(qualifier) && qualifier >= 0 && qualifier <= most) return qualifier;
    throw new AppError('CONFIG_INVALID', say('iec104.qualifier', { most, type: typeText(this.#facts.typeId), value: String(qualifier) }));
  }

  #send(stage: string, octets: Uint8Array, causes: readonly number[]): Transaction {
    const { point } = this.#command;
    const { typeId } = this.#facts;
    const { requester, sizes, originator } = this.#options;
    const element = octets.subarray(headerLength(sizes) + sizes.objectAddress);
    const target = { type: typeText(typeId), object: point.address, address: point.slave_id };
    const transaction = requester.sendOctets(octets, {
      typeId,
      commonAddress: point.slave_id,
      originator: sizes.cause === 2 ? originator : 0,
      address: point.address,
      element,
      mask: maskOf(typeId, element.length),
      isCommand: true,
      causes,
      what: say(STAGE_MESSAGES[stage] ?? 'iec104.a_command', { ...target, point: point.code }),
    });
    this.#stage(stage, say('iec104.sent', target));
    return transaction;
  }

  #reject(kind: string, detail: Message): DriverCommandResult {
    if (kind === 'busy') this.#stage('busy', detail);
    return { ...this.#result('rejected'), refusal: { kind, detail } };
  }

  #unknown(stage: string, error: AppError): DriverCommandResult {
    this.#stage(stage, error.said);
    return { ...this.#result('unknown'), failure: error };
  }

  #result(outcome: DriverCommandResult['outcome']): DriverCommandResult {
    return { outcome, stages: this.#stages, refusal: null, failure: null };
  }

  #stage(name: string, detail: Message): void {
    this.#stages.push({ name, at: this.#options.clock.wallMs(), detail });
  }
}

/** What a late answer is told of, by the stage of the sending. */
const STAGE_MESSAGES: Readonly<Record<string, 'iec104.a_selection' | 'iec104.a_cancel'>> = {
  select_sent: 'iec104.a_selection',
  cancel_sent: 'iec104.a_cancel',
};

/** Bits of an element with its time tag that have to come back. */
function maskOf(typeId: number, length: number): Uint8Array {
  const mask = new Uint8Array(length).fill(0xff);
  if (typeSpec(typeId)?.time === 'cp56') mask.set(TIME_MASK, length - TIME_MASK.length);
  return mask;
}

/** A value that the type permits, for a cancel that names none. */
function neutralValue(point: PointConfig): number {
  const plain = plainType(pointFacts(point).typeId);
  return plain === TypeId.C_DC_NA_1 || plain === TypeId.C_RC_NA_1 ? 1 : 0;
}
