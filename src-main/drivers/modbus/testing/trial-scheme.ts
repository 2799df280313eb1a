/** Modbus as the trial of the asking protocols runs it. */

import { u8, u16 } from '../../../protocol-kit/bytes.ts';
import type { Question, TrialMaster, TrialScheme } from '../../kit/testing/asking-trial.ts';
import { TurnRounds } from '../../kit/turn-rounds.ts';
import type { HealthSink } from '../../spi/index.ts';
import { clientSettings } from '../../testing/settings.ts';
import { bitOctets } from '../codec/checks.ts';
import { encodeRead, type ReadFunction } from '../codec/request.ts';
import { exceptionOf, readAnswerData } from '../codec/response.ts';
import type { ExchangeSession } from '../link/exchange-session.ts';
import { encodeMbap, mbapFraming } from '../link/mbap.ts';
import { ModbusSession } from '../link/session.ts';
import { rtuFraming } from '../rtu/framing.ts';
import type { LineFraming } from '../rtu/line-framing.ts';
import { LineSession } from '../rtu/session.ts';
import { serialTiming, socketTiming } from '../rtu/timing.ts';
import { SLAVE_TURN_ROUNDS } from '../turn-round.ts';

/** How a slave answers function 8. */
export type Loopback = 'echo' | 'exception' | 'silent';

export interface ModbusTrialOptions {
  readonly framing: 'serial' | 'socket' | 'mbap';
  readonly loopback?: Loopback;
  readonly hasEcho?: boolean;
  readonly tellingRequests?: boolean;
  /** How frames are written, but for those of TCP. Left out: RTU. */
  readonly characters?: LineFraming;
  /** As in `TrialScheme`. */
  readonly reopens?: boolean;
}

const UNITS = [1, 2];

/** A register holds a number of its own, but for every fourth, which is 0 as many are. */
function register(unit: number, functionCode: number, address: number): number {
  if (address % 4 === 3) return 0;
  return (Math.imul(address + 1, 40_503) + unit * 9973 + functionCode * 331) & 0xffff;
}

const bit = (unit: number, functionCode: number, address: number) => (register(unit, functionCode, address) >> 3) & 1;

function answerPdu(unit: number, pdu: Uint8Array, loopback: Loopback): Uint8Array | null {
  const functionCode = u8(pdu, 0);
  if (functionCode === 8) return loopback === 'echo' ? pdu.slice() : loopback === 'exception' ? Uint8Array.of(0x88, 1) : null;
  const start = u16(pdu, 1);
  const quantity = u16(pdu, 3);
  if (start >= 1000) return Uint8Array.of(functionCode | 0x80, 2);
  if (functionCode <= 2) {
    const answer = new Uint8Array(2 + bitOctets(quantity));
    answer.set([functionCode, bitOctets(quantity)]);
    for (let at = 0; at < quantity; at++)
      answer[2 + (at >> 3)] = u8(answer, 2 + (at >> 3)) | (bit(unit, functionCode, start + at) << (at & 7));
    return answer;
  }
  const octets = Array.from({ length: quantity }, (_, at) => register(unit, functionCode, start + at)).flatMap((value) => [
    value >> 8,
    value & 0xff,
  ]);
  return Uint8Array.from([functionCode, 2 * quantity, ...octets]);
}

interface Read {
  readonly functionCode: ReadFunction;
  readonly start: number;
  readonly quantity: number;
}

/** Requests by shape: single registers, up to eight bits, some of each, blocks. */
const SHAPES: Readonly<Record<string, (random: () => number) => Read>> = {
  singles: (random) => ({ functionCode: 3, start: below(12, random), quantity: 1 }),
  bits: (random) => ({ functionCode: 1, start: below(40, random), quantity: 1 + below(8, random) }),
  scattered: (random) => ({
    functionCode: random() < 0.8 ? 3 : 4,
    start: below(random() < 0.05 ? 2000 : 30, random),
    quantity: 1 + below(3, random),
  }),
  blocks: (random) => ({ functionCode: 3, start: 20 * below(5, random), quantity: 10 }),
};

function below(count: number, random: () => number): number {
  return Math.floor(random() * count);
}

function question(session: () => ExchangeSession, unit: number, { functionCode, start, quantity }: Read): Question {
  return {
    unit,
    async run(context, timeoutMs) {
      const check = (pdu: Uint8Array) => void readAnswerData(pdu, functionCode, quantity);
      const pdu = encodeRead(functionCode, start, quantity);
      const end = await session().exchange({ unitId: unit, pdu, check, ...(timeoutMs === undefined ? {} : { timeoutMs }) }, context);
      if (end.kind === 'failed') return 'none';
      if (exceptionOf(end.pdu) !== 0) return start >= 1000 ? 'right' : 'wrong';
      for (let at = 0; at < quantity; at++) {
        const value = functionCode <= 2 ? (u8(end.pdu, 2 + (at >> 3)) >> (at & 7)) & 1 : u16(end.pdu, 2 + 2 * at);
        const right = functionCode <= 2 ? bit(unit, functionCode, start + at) : register(unit, functionCode, start + at);
        if (value !== right) return 'wrong';
      }
      return 'right';
    },
  };
}

export function modbusScheme({
  framing,
  loopback = 'echo',
  hasEcho = false,
  tellingRequests = true,
  characters = rtuFraming,
  reopens = false,
}: ModbusTrialOptions): TrialScheme {
  const serial = serialTiming(clientSettings(), characters);
  const isSerial = framing === 'serial';
  return {
    units: UNITS,
    reopens,
    isTold: framing === 'mbap' || (tellingRequests && loopback === 'echo'),
    shapes: Object.keys(SHAPES),
    octetMs: isSerial ? serial.octetMs : 0,
    gapMs: isSerial ? serial.gapMs : 0,
    hasEcho,
    open({ clock, timeoutMs, write, frames, reopened }): TrialMaster {
      const turnRounds = new TurnRounds(clock, SLAVE_TURN_ROUNDS);
      const memory = new Map();
      const line = { write: async (bytes: Uint8Array) => write(bytes), close: async () => undefined };
      const common = { clock, line, frames, health: healthOf(turnRounds), timeoutMs, requestGapMs: 0 };
      const open = (): ExchangeSession => {
        if (framing === 'mbap') {
          const onLost = () => {
            session = open();
            reopened();
          };
          return new ModbusSession({ ...common, framing: mbapFraming, onLost });
        }
        return new LineSession({
          framing: characters,
          ...common,
          timing: isSerial ? serial : socketTiming(timeoutMs),
          turnAroundMs: 100,
          echo: 'unknown',
          tellingRequests,
          notice: () => undefined,
          memory,
          slowestMs: (unitId) => turnRounds.slowest(unitId),
        });
      };
      let session = open();
      return {
        receive: (chunk) => session.receive(chunk),
        reopen: () => {
          session.close();
          session = open();
        },
        question: (shape, random, unit = UNITS[below(UNITS.length, random)] ?? raise()) =>
          question(() => session, unit, (SHAPES[shape] ?? raise)(random)),
      };
    },
    unitOf: (request) => (framing === 'mbap' ? u8(request, 6) : u8(characters.bodyOf(request) ?? raise(), 0)),
    answer(request) {
      if (framing === 'mbap') {
        const unit = u8(request, 6);
        const pdu = answerPdu(unit, request.subarray(7), loopback);
        return pdu && { unit, bytes: encodeMbap(u16(request, 0), unit, pdu) };
      }
      const [heard] = characters.framer('request').push(request);
      if (heard?.kind !== 'frame') return null;
      const pdu = answerPdu(heard.unitId, heard.pdu, loopback);
      return pdu && { unit: heard.unitId, bytes: characters.encode(heard.unitId, pdu) };
    },
  };
}

function raise(): never {
  throw new Error('There is no such shape or unit.');
}

/** Health that only learns how fast slaves answer. */
function healthOf(turnRounds: TurnRounds): HealthSink {
  const nothing = () => undefined;
  return {
    request: nothing,
    response: (_latencyMs, exchange) => {
      if (exchange?.turnRoundMs != null) turnRounds.measured(exchange.slaveId, exchange.turnRoundMs);
    },
    timeout: nothing,
    refusal: nothing,
    fault: nothing,
    late: nothing,
  };
}
