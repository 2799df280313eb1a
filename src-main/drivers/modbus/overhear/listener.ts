/** A line of a foreign master of Modbus RTU or ASCII, overheard: frames into the log, values into the table, commands into the events; nothing is ever sent. */
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { u8 } from '../../../protocol-kit/bytes.ts';
import { HeardPoints, type Hearing, ListeningConnection } from '../../kit/listening-connection.ts';
import type { ClientIo, DriverConnection, PointConfig, PointFailure } from '../../spi/index.ts';
import type { ReadRange } from '../client/answers.ts';
import { readRefused } from '../client/refusal.ts';
import { Exception, functionMessage } from '../codec/functions.ts';
import { decodeRequest, type ModbusRequest, type ReadFunction } from '../codec/request.ts';
import { exceptionOf } from '../codec/response.ts';
import { AsciiFramer, asciiFraming } from '../rtu/ascii.ts';
import { framingOf, type RtuChannelSettings, timingOf } from '../rtu/settings.ts';
import { type AskedObjects, askedObjectsOf } from '../server/asked-objects.ts';
import { OverheardAscii } from './ascii-frames.ts';
import { OverheardRtu } from './frames.ts';
import { type HeardOnLine, OverheardLine } from './line.ts';
import type { Doubt, Overheard, TimedFrame } from './pairing.ts';
import { CoveredPoints } from './points.ts';

/** Octets in front of the data of a read answer: function code and byte count. */
const DATA_AT = 2;
/** Doubts are told by an event once in so many milliseconds. */
const DOUBTS_TOLD_MS = 60_000;
/** Registers of a command that are told. */
const MOST_TOLD = 8;

/** Brings up a connection that only listens. */
export function listenToModbus(io: ClientIo, protocol: RtuChannelSettings): DriverConnection {
  const heard = new HeardPoints();
  return new ListeningConnection(io, new ModbusHearing(io, protocol, heard), heard, protocol.heard_limit_s);
}

class ModbusHearing implements Hearing {
  readonly #io: ClientIo;
  readonly #line: OverheardLine;
  readonly #covered: CoveredPoints;
  readonly #unknown: AskedObjects;
  readonly #heard: HeardPoints;
  readonly #doubts: Record<Doubt, number> = { unasked: 0, two_ways: 0, late: 0, noise: 0 };
  #doubtsTold = Number.NEGATIVE_INFINITY;
  /** Units of which it was told that two devices have their address. */
  readonly #doubled = new Set<number>();
  /** The request of which the answer is awaited, and its place in the frame log. */
  #asked: { readonly frame: TimedFrame; readonly seq: number } | null = null;

  constructor(io: ClientIo, protocol: RtuChannelSettings, heard: HeardPoints) {
    const { settings } = io;
    const framing = framingOf(protocol);
    const cutter = framing === asciiFraming ? new OverheardAscii(new AsciiFramer('request')) : new OverheardRtu();
    this.#io = io;
    this.#heard = heard;
    this.#line = new OverheardLine({ cutter, brokenMs: timingOf(settings, framing).brokenMs, answerMs: settings.timeoutMs });
    this.#covered = new CoveredPoints(settings.addressBase);
    this.#unknown = askedObjectsOf(io.memory ?? new Map());
    this.#unknown.serve((unitId, area, address) => this.#covered.has(unitId, area, address), settings.addressBase);
  }

  get deadline(): number | null {
    return this.#line.deadline;
  }

  push(chunk: Uint8Array, now: number): void {
    for (const item of this.#line.push(chunk, now)) this.#take(item, now);
  }

  passed(now: number): void {
    for (const item of this.#line.passed(now)) this.#take(item, now);
  }

  pointsChanged(points: readonly PointConfig[]): void {
    this.#covered.set(points);
  }

  #take(item: HeardOnLine, now: number): void {
    const { frames, health } = this.#io;
    switch (item.kind) {
      case 'noise':
        health.fault('noise');
        frames.record({ kind: 'noise', bytes: item.bytes });
        return;
      case 'request':
        this.#request(item);
        return;
      case 'answer':
        this.#answer(item);
        return;
      case 'value':
        this.#value(item, now);
        return;
      case 'unanswered':
        health.timeout(exchangeOf(item.request, null));
        return;
      case 'doubt':
        this.#doubt(item.why, now);
        return;
      case 'stray':
        this.#stray(item);
        return;
      case 'unclear':
        // neither a request nor an answer: nothing may be read into it
        frames.record({ kind: 'noise', bytes: item.frame.bytes, text: say('listen.unclear') });
    }
  }

  #request({ frame, isRepeated }: Extract<Overheard, { kind: 'request' }>): void {
    const { frames, health, sink, settings } = this.#io;
    const functionName = functionMessage(u8(frame.pdu, 0));
    const request = requestOf(frame);
    const command = request && commandOf(request, frame.unitId, settings.addressBase);
    const text = command ?? say(isRepeated ? 'listen.repeat' : 'listen.request', { unit: frame.unitId, function: functionName });
    health.request();
    this.#asked = { frame, seq: frames.record({ kind: 'rx', bytes: frame.bytes, text }) };
    if (!command) return;
    sink.notice(command);
    if (request) this.#unknown.note(frame.unitId, request, this.#io.clock.wallMs());
  }

  #answer({ frame, request, latencyMs }: Extract<Overheard, { kind: 'answer' }>): void {
    const { frames, health } = this.#io;
    const link = this.#asked?.frame === request ? this.#asked.seq : undefined;
    const isCommand = !isReading(u8(request.pdu, 0));
    const text = say(isCommand ? 'listen.write_answer' : 'listen.answer');
    frames.record({ kind: 'rx', bytes: frame.bytes, text, ...(link === undefined ? {} : { link }) });
    const exchange = exchangeOf(request, frame);
    health.response(latencyMs, exchange);
    if (exceptionOf(frame.pdu) !== 0) health.refusal(exchange);
  }

  #value({ frame, request }: Extract<Overheard, { kind: 'value' }>, now: number): void {
    const asked = requestOf(request);
    const range = asked && rangeOf(asked);
    if (!range || !this.#covered.isReady(request.unitId)) return;
    const read = { ...range, slaveId: request.unitId };
    const exception = exceptionOf(frame.pdu);
    if (exception !== 0) {
      this.#refused(read, exception);
      return;
    }
    const data = frame.pdu.subarray(DATA_AT);
    const readings = this.#covered.readings(read, data);
    for (const pointId of readings.pointId) this.#heard.heard(pointId, now);
    if (readings.length > 0) this.#io.sink.values(readings, false);
    this.#unknown.note(request.unitId, range, this.#io.clock.wallMs(), data);
  }

  /** An address or quantity that is refused is that of one point alone, if it is the only one that was asked for; a device that cannot answer refuses all. */
  #refused(read: ReadRange, exception: number): void {
    const ids = this.#covered.pointIds(read);
    const isOfOne = exception === Exception.illegalDataAddress || exception === Exception.illegalDataValue;
    if (ids.length === 0 || (isOfOne && ids.length > 1)) return;
    const error = readRefused(read, exception);
    this.#io.sink.values(
      ids.map((pointId): PointFailure => ({ kind: 'failure', pointId, error })),
      false,
    );
  }

  #stray({ frame, isSecond }: Extract<Overheard, { kind: 'stray' }>): void {
    const { frames, health, sink } = this.#io;
    const { unitId: unit } = frame;
    health.fault('protocol');
    frames.record({ kind: 'late', bytes: frame.bytes, text: say(isSecond ? 'listen.second' : 'listen.stray', { unit }) });
    if (!isSecond || this.#doubled.has(unit)) return;
    this.#doubled.add(unit);
    sink.notice(say('listen.two_devices', { unit }));
  }

  #doubt(why: Doubt, now: number): void {
    this.#doubts[why] += 1;
    if (now - this.#doubtsTold < DOUBTS_TOLD_MS) return;
    this.#doubtsTold = now;
    const { unasked, two_ways: twoWays, late, noise } = this.#doubts;
    this.#io.sink.notice(say('listen.doubt', { unasked, twoWays, late, noise }));
  }
}

function isReading(code: number): code is ReadFunction {
  return code >= 1 && code <= 4;
}

function requestOf({ pdu }: TimedFrame): ModbusRequest | null {
  try {
    return decodeRequest(pdu);
  } catch {
    return null;
  }
}

/** What a request reads of the four tables; null for one that reads nothing of them. */
function rangeOf(request: ModbusRequest) {
  if (request.functionCode === 23) return { functionCode: 3, start: request.readStart, quantity: request.readQuantity } as const;
  return isReading(request.functionCode) && 'quantity' in request
    ? ({ functionCode: request.functionCode, start: request.start, quantity: request.quantity } as const)
    : null;
}

/** A command in words; null for what changes nothing. */
function commandOf(request: ModbusRequest, unit: number, addressBase: number): Message | null {
  const written = writtenBy(request);
  if (!written) return null;
  const params = { unit, function: functionMessage(request.functionCode), address: written.address + addressBase, value: written.value };
  return say('listen.write', params);
}

function writtenBy(request: ModbusRequest): { readonly address: number; readonly value: string } | null {
  switch (request.functionCode) {
    case 5:
      return { address: request.address, value: request.on ? 'ON' : 'OFF' };
    case 6:
      return { address: request.address, value: String(request.value) };
    case 15:
      return { address: request.start, value: listed(request.quantity, (at) => ((request.octets[at >> 3] ?? 0) >> (at & 7)) & 1) };
    case 16:
      return { address: request.start, value: listed(request.quantity, (at) => registerAt(request.octets, at)) };
    case 22:
      return { address: request.address, value: `AND 0x${request.andMask.toString(16)} OR 0x${request.orMask.toString(16)}` };
    case 23:
      return { address: request.writeStart, value: listed(request.writeQuantity, (at) => registerAt(request.octets, at)) };
    default:
      return null;
  }
}

function registerAt(octets: Uint8Array, at: number): number {
  return (u8(octets, 2 * at) << 8) | u8(octets, 2 * at + 1);
}

function listed(count: number, valueAt: (at: number) => number): string {
  const shown = Array.from({ length: Math.min(count, MOST_TOLD) }, (_, at) => String(valueAt(at))).join(' ');
  return count > MOST_TOLD ? `${shown} …` : shown;
}

function exchangeOf(request: TimedFrame, answer: TimedFrame | null) {
  return {
    slaveId: request.unitId,
    functionCode: u8(request.pdu, 0),
    txOctets: request.bytes.length,
    rxOctets: answer?.bytes.length ?? 0,
    durationMs: Math.max(0, (answer?.endedAt ?? request.endedAt) - request.startedAt),
    turnRoundMs: null,
  };
}
