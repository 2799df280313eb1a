/** The arithmetic of a serial Modbus line: how long octets, gaps and whole reads take. */
import { bitsPerOctet } from '#shared/domain/serial.ts';
import type { DriverChannelSettings } from '../../spi/index.ts';
import type { LineExchange } from '../../spi/line.ts';
import type { RequestCost } from './planner-requests.ts';

export type LineFormat = Pick<DriverChannelSettings, 'baudRate' | 'dataBits' | 'stopBits' | 'parity'>;

/** Octets of the PDU of a read (function, address, quantity), and of its answer beside the data (function, count). */
const REQUEST_PDU = 5;
const ANSWER_PDU = 2;
/** Above this rate the silent gaps are fixed (MODBUS over Serial Line V1.02, 2.5.1.1). */
const FIXED_GAP_ABOVE_BAUD = 19_200;
const FIXED_GAP_MS = 1.75;
const GAP_CHARACTERS = 3.5;
/** A line that did not answer is left alone for so long, in case something comes after all. */
const SETTLE_MS = 20;
const NANOSECONDS = 1_000_000;

/** Milliseconds one octet takes. */
export function characterMs(format: LineFormat): number {
  return (bitsPerOctet(format) * 1000) / format.baudRate;
}

/** The silent gap between frames in milliseconds: 3.5 characters, 1.75 ms above 19200 baud (MODBUS over Serial Line V1.02, 2.5.1.1). */
export function silentGapMs(format: LineFormat): number {
  return format.baudRate > FIXED_GAP_ABOVE_BAUD ? FIXED_GAP_MS : GAP_CHARACTERS * characterMs(format);
}

/** Octets of data in the answer to a read: two a register, one for eight coils (V1.1b3, 6.1 to 6.4). */
export function dataOctets(functionCode: number, quantity: number): number {
  return functionCode <= 2 ? Math.ceil(quantity / 8) : 2 * quantity;
}

/** A line as frames take it. */
export interface LineFrames {
  /** Octets of a frame with a PDU of so many. */
  octetsOf(pduLength: number): number;
  /** Least silence between two frames on a serial line, in milliseconds. */
  gapMs(format: LineFormat): number;
}

/** Octets of a read request and its answer on the line. */
export function exchangeOctets(functionCode: number, quantity: number, frames: LineFrames): number {
  return frames.octetsOf(REQUEST_PDU) + frames.octetsOf(ANSWER_PDU + dataOctets(functionCode, quantity));
}

/** What requests take on one serial line. `requestGapMs` is the channel's own pause between requests, where it has one. */
export class LineTime {
  readonly characterMs: number;
  readonly #frames: LineFrames;
  readonly #gapMs: number;
  readonly #gapsMs: number;

  constructor(settings: LineFormat & Pick<DriverChannelSettings, 'requestGapMs'>, frames: LineFrames) {
    this.#frames = frames;
    this.characterMs = characterMs(settings);
    this.#gapMs = frames.gapMs(settings);
    this.#gapsMs = this.#gapMs + Math.max(this.#gapMs, settings.requestGapMs ?? 0);
  }

  /** Line time of a request that nobody answers, in milliseconds, the wait for an answer not counted: octets, gap, and the silence after it. */
  get unansweredMs(): number {
    return this.#frames.octetsOf(REQUEST_PDU) * this.characterMs + this.#gapsMs + SETTLE_MS;
  }

  /** Line time of a read in milliseconds: request, answer, both gaps, and what the unit takes to begin its answer. */
  readMs(functionCode: number, quantity: number, turnRoundMs: number): number {
    return exchangeOctets(functionCode, quantity, this.#frames) * this.characterMs + this.#gapsMs + turnRoundMs;
  }

  /** What a slave took to begin its answer, in milliseconds: what the exchange lasted beyond its octets and the gap between them. */
  turnRoundMs({ durationMs, txOctets, rxOctets }: LineExchange): number {
    return Math.max(0, durationMs - (txOctets + rxOctets) * this.characterMs - this.#gapMs);
  }

  /** Line time of requests as a cost for the planner, in whole nanoseconds. */
  cost(turnRoundMs: (slaveId: number) => number): RequestCost {
    const fixedMs = (this.#frames.octetsOf(REQUEST_PDU) + this.#frames.octetsOf(ANSWER_PDU)) * this.characterMs + this.#gapsMs;
    return {
      perRequest: (slaveId) => Math.round((fixedMs + turnRoundMs(slaveId)) * NANOSECONDS),
      perOctet: Math.round((this.#frames.octetsOf(1) - this.#frames.octetsOf(0)) * this.characterMs * NANOSECONDS),
    };
  }
}
