/** A request to a meter, and which frames answer it. */
import { concatBytes } from '../../protocol-kit/bytes.ts';
import { addressOfNumber, encodeAddress, isAnswerAddress } from './codec/address.ts';
import { type Edition, FROM_METER, functionOf, REFUSED, readFunctions } from './codec/control.ts';
import type { Dlt645Frame } from './codec/frame.ts';
import { encodeDi } from './dictionary/dictionary.ts';

export interface MeterRequest extends Dlt645Frame {
  /** The meter in statistics and suspension. */
  readonly slaveId: number;
  /** Octets at the beginning of the data that an answer repeats. */
  readonly repeated: number;
  /** Number of the follow-up frame, which the answer ends with; null where there is none. */
  readonly sequence: number | null;
  /** Which part of an answer it asks for, where its octets do not say (1997). */
  readonly part?: number;
  /** Time to the first octet of the answer in milliseconds; left out: that of the channel. */
  readonly timeoutMs?: number;
  /** False for what no meter answers. */
  readonly isAnswered?: false;
  /** Addresses beside the asked one that an answer may come from. */
  readonly answersAs?: readonly Uint8Array[];
}

/** Who is asked. */
export interface MeterTarget {
  readonly slaveId: number;
  /** Twelve characters. */
  readonly address: string;
  readonly edition: Edition;
}

/** A read of one identifier (11H; 1997: 01H). `selection` goes behind the identifier: which load records are meant. */
export function readRequest({ slaveId, address, edition }: MeterTarget, di: number, selection?: Uint8Array): MeterRequest {
  const identifier = encodeDi(di, edition);
  const data = selection ? concatBytes(identifier, selection) : identifier;
  const control = readFunctions(edition).read;
  return { slaveId, address: encodeAddress(address), control, data, repeated: identifier.length, sequence: null };
}

/** The next part of an answer that did not fit one frame (12H with its number, from 1; 1997: 02H without). */
export function readNextRequest(target: MeterTarget, di: number, sequence: number): MeterRequest {
  const read = readRequest(target, di);
  const control = readFunctions(target.edition).readNext;
  return target.edition === 2007
    ? { ...read, control, data: Uint8Array.of(...read.data, sequence), sequence }
    : { ...read, control, part: sequence };
}

/** The address text of a point: its `meter_address`, or its number with twelve digits. */
export function addressOf(slaveId: number, written: unknown): string {
  return typeof written === 'string' && written !== '' ? written.trim().toUpperCase() : addressOfNumber(slaveId);
}

/**
 * True when a frame answers a request: from the meter that was asked, with the function that was asked, the same identifier and the same
 * number. A refusal carries an error word alone.
 */
export function answerFits(request: MeterRequest, frame: Dlt645Frame): boolean {
  if ((frame.control & FROM_METER) === 0 || functionOf(frame.control) !== functionOf(request.control)) return false;
  const isFromMeter = [request.address, ...(request.answersAs ?? [])].some((address) => isAnswerAddress(address, frame.address));
  if (!isFromMeter) return false;
  if ((frame.control & REFUSED) !== 0) return true;
  for (let at = 0; at < request.repeated; at++) if (frame.data[at] !== request.data[at]) return false;
  if (frame.data.length < request.repeated) return false;
  return request.sequence === null || (frame.data.length > request.repeated && frame.data.at(-1) === request.sequence);
}
