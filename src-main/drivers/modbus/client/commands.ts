/**
 * Commands to a device: each is sent once, and its outcome is what the device said.
 *
 * - Coil: function 5, or 15 where the point asks for it. One register: 6, or 16 where the point asks for it. More registers: 16.
 * - One bit of a register: function 22; only after exception 1 to it read-modify-write, which is not atomic (V1.1b3, 6.16).
 * - A value whose scale is another register: that one is read first, and the value refused before anything is written where it does not fit.
 * - Exception 5: accepted, not finished. Exception 11: a gateway sent it on and heard nothing, so the outcome is unknown.
 *   Every other exception is a rejection (V1.1b3, 7).
 */

import { AppError } from '#shared/domain/errors.ts';
import { say, together } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Clock } from '../../../platform/clock.ts';
import { hexText, putU16, u16 } from '../../../protocol-kit/bytes.ts';
import type { Command, CommandStage, DriverChannelSettings, DriverCommandResult, ExchangeContext, PointConfig } from '../../spi/index.ts';
import { addressText, wireAddress } from '../address.ts';
import { Exception, exceptionMessage, functionMessage } from '../codec/functions.ts';
import { encodeRead, encodeRequest, type ModbusRequest } from '../codec/request.ts';
import { exceptionOf, expectEcho, readAnswerData } from '../codec/response.ts';
import type { ExchangeEnd, ExchangeSession } from '../link/exchange-session.ts';
import { exponentOf } from '../registers/kind-decoder.ts';
import type { RegisterSettings } from '../settings.ts';
import { encodeWrite, type WriteIntent } from '../values.ts';

export interface CommandEnvironment {
  readonly session: Pick<ExchangeSession, 'exchange' | 'tellAll'>;
  readonly clock: Clock;
  readonly settings: Pick<DriverChannelSettings, 'addressBase'>;
  readonly context: ExchangeContext;
  /** Whether unit 0 is all units, and commands to them are wanted. Left out: unit 0 is a unit like others. */
  readonly broadcast?: 'on' | 'off';
}

type BitIntent = Extract<WriteIntent, { kind: 'bits' }>;

/**
 * Sends one command. Throws CONFIG_INVALID or CONFIG_RANGE before anything is sent, TRANSPORT_* and CANCELLED when it could not be
 * sent; whatever happens afterwards is in the result.
 */
export async function executeCommand(command: Command, environment: CommandEnvironment): Promise<DriverCommandResult> {
  const { point, step, value } = command;
  if (step !== 'operate' || value === undefined) {
    throw new AppError('CONFIG_INVALID', say('modbus.step', { step }));
  }
  const address = wireAddress(point, environment.settings);
  const run = new CommandRun(point, environment);
  const scaled = await run.scale();
  if (typeof scaled !== 'number') return scaled;
  const intent = encodeWrite(point, value, scaled);
  if (point.slave_id === 0 && environment.broadcast !== undefined) return run.tellAll(broadcastRequest(point, address, intent));
  return intent.kind === 'bits' ? run.writeBits(address + intent.registerOffset, intent) : run.write(writeRequest(point, address, intent));
}

/** A bit goes to all as a mask write: nobody can be asked what the other bits are. */
function broadcastRequest(point: PointConfig, address: number, intent: WriteIntent): ModbusRequest {
  return intent.kind === 'bits' ? maskWrite(address + intent.registerOffset, intent) : writeRequest(point, address, intent);
}

function maskWrite(address: number, { mask, bits }: BitIntent): ModbusRequest {
  return { functionCode: 22, address, andMask: ~mask & 0xffff, orMask: bits };
}

function writeRequest(point: PointConfig, address: number, intent: Exclude<WriteIntent, BitIntent>): ModbusRequest {
  switch (intent.kind) {
    case 'coil':
      return point.func_code === 15
        ? { functionCode: 15, start: address, quantity: 1, octets: Uint8Array.of(intent.on ? 1 : 0) }
        : { functionCode: 5, address, on: intent.on };
    case 'register':
      return { functionCode: 6, address, value: u16(intent.octets, 0) };
    case 'registers':
      return { functionCode: 16, start: address, quantity: intent.octets.length >> 1, octets: intent.octets };
  }
}

/** One command on its way, with the stages it went through. */
class CommandRun {
  readonly #point: PointConfig;
  readonly #environment: CommandEnvironment;
  readonly #stages: CommandStage[] = [];

  constructor(point: PointConfig, environment: CommandEnvironment) {
    this.#point = point;
    this.#environment = environment;
  }

  /**
   * The power of ten of the value: what the scale register of the point holds now. A refusal ends the command before anything is written. Throws where
   * it could not be read, or holds no power of ten.
   */
  async scale(): Promise<number | DriverCommandResult> {
    const { scale_address } = this.#point.protocol as RegisterSettings;
    if (scale_address === undefined) return 0;
    if (this.#isBroadcast) throw new AppError('CONFIG_INVALID', say('modbus.scale_of_all'));
    const address = scale_address - this.#environment.settings.addressBase;
    const read = await this.#send(encodeRead(3, address, 1), (answer) => {
      readAnswerData(answer, 3, 1);
    });
    if (read.kind === 'failed') throw read.error;
    const exception = exceptionOf(read.pdu);
    if (exception !== 0) return this.#reject(say('modbus.read_refused', { exception: exceptionMessage(exception) }));
    if (this.#environment.context.isStopping()) return this.#reject(say('modbus.stopped'));
    const exponent = exponentOf(read.pdu, 2);
    const octets = hexText(read.pdu.subarray(2));
    if (exponent === null) throw new AppError('CONFIG_RANGE', say('modbus.no_scale', { address: scale_address, octets }));
    this.#stage('scale', say('modbus.scale_holds', { address: scale_address, exponent }));
    return exponent;
  }

  get #isBroadcast(): boolean {
    return this.#point.slave_id === 0 && this.#environment.broadcast !== undefined;
  }

  async write(request: ModbusRequest): Promise<DriverCommandResult> {
    const pdu = encodeRequest(request);
    const end = await this.#send(pdu, (answer) => expectEcho(pdu, answer));
    return this.#conclude(end);
  }

  /** To all slaves, none of which answers (MODBUS over Serial Line V1.02, 2.1). Throws CONFIG_INVALID where broadcasts are not wanted. */
  async tellAll(request: ModbusRequest): Promise<DriverCommandResult> {
    const { session, context, broadcast } = this.#environment;
    if (broadcast !== 'on' || !session.tellAll) {
      throw new AppError('CONFIG_INVALID', say('modbus.broadcast_off'));
    }
    const pdu = encodeRequest(request);
    this.#stageSent(pdu, say('modbus.all_units'));
    const failure = await session.tellAll(pdu, context);
    if (failure && !failure.isSent) throw failure.error;
    if (failure) return this.#unknown(failure.error);
    this.#stage('broadcast', say('modbus.broadcast_sent'));
    return this.#result('unknown');
  }

  async writeBits(address: number, intent: BitIntent): Promise<DriverCommandResult> {
    const pdu = encodeRequest(maskWrite(address, intent));
    const end = await this.#send(pdu, (answer) => expectEcho(pdu, answer));
    const isUnknown = end.kind === 'answer' && exceptionOf(end.pdu) === Exception.illegalFunction;
    if (!isUnknown || this.#environment.context.isStopping()) return this.#conclude(end);
    return this.#readModifyWrite(address, intent);
  }

  async #readModifyWrite(address: number, { mask, bits }: BitIntent): Promise<DriverCommandResult> {
    this.#stage('fallback', say('modbus.fallback_22'));
    const read = await this.#send(encodeRead(3, address, 1), (answer) => {
      readAnswerData(answer, 3, 1);
    });
    if (read.kind === 'failed') return this.#reject(say('modbus.not_read', { reason: read.error.said }));
    const exception = exceptionOf(read.pdu);
    if (exception !== 0) return this.#reject(say('modbus.read_refused', { exception: exceptionMessage(exception) }));
    if (this.#environment.context.isStopping()) return this.#reject(say('modbus.stopped'));
    const old = u16(read.pdu, 2);
    const value = (old & ~mask & 0xffff) | bits;
    const octets = new Uint8Array(2);
    putU16(octets, 0, value);
    this.#stage('read', say('modbus.holds', { old: hexText(read.pdu.subarray(2)), new: hexText(octets) }));
    return this.write(
      this.#point.func_code === 16 ? { functionCode: 16, start: address, quantity: 1, octets } : { functionCode: 6, address, value },
    );
  }

  async #send(pdu: Uint8Array, check: (answer: Uint8Array) => void): Promise<ExchangeEnd> {
    const { session, context } = this.#environment;
    const unitId = this.#point.slave_id;
    this.#stageSent(pdu, say('modbus.unit', { unit: unitId }));
    const end = await session.exchange({ unitId, pdu, check }, { ...context, isStopping: () => context.isStopping(), retries: 0 });
    if (end.kind === 'failed' && !end.isSent) this.#stages.pop();
    return end;
  }

  #conclude(end: ExchangeEnd): DriverCommandResult {
    if (end.kind === 'failed') {
      if (end.isSent) return this.#unknown(end.error);
      // a request of this command that was sent before has changed nothing, or this place would not be reached
      throw end.error;
    }
    const exception = exceptionOf(end.pdu);
    if (exception === 0) {
      this.#stage('confirmed', say('modbus.confirmed'));
      return this.#result('accepted');
    }
    const said = say('modbus.answered', { exception: exceptionMessage(exception) });
    if (exception === Exception.acknowledge) {
      this.#stage('acknowledged', together(said, say('modbus.acknowledged')));
      return this.#result('accepted');
    }
    if (exception === Exception.gatewayTargetFailed) {
      return this.#unknown(new AppError('DEVICE_EXCEPTION', together(said, say('modbus.gateway_silent'))));
    }
    return this.#reject(said);
  }

  #reject(detail: Message): DriverCommandResult {
    return { ...this.#result('rejected'), refusal: { kind: 'exception', detail } };
  }

  #unknown(error: AppError): DriverCommandResult {
    this.#stage(error.code === 'TIMEOUT_RESPONSE' ? 'unanswered' : 'failed', error.said);
    return { ...this.#result('unknown'), failure: error };
  }

  #result(outcome: DriverCommandResult['outcome']): DriverCommandResult {
    return { outcome, stages: this.#stages, refusal: null, failure: null };
  }

  #stageSent(pdu: Uint8Array, whom: Message): void {
    const target = { whom, function: functionMessage(pdu[0] ?? 0), address: addressText(u16(pdu, 1)) };
    this.#stage('sent', say('modbus.sent', { ...target, octets: hexText(pdu.subarray(3)) }));
  }

  #stage(name: string, detail: Message): void {
    this.#stages.push({ name, at: this.#environment.clock.wallMs(), detail });
  }
}
