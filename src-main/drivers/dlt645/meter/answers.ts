/** What simulated meters say to a frame on their line. */
import { concatBytes } from '../../../protocol-kit/bytes.ts';
import { BROADCAST, decodeAddress, encodeAddress, isMeant } from '../codec/address.ts';
import { bcdDigits } from '../codec/bcd.ts';
import {
  type Edition,
  editionOf,
  FROM_METER,
  Function2007,
  functionOf,
  MORE,
  NO_SUCH_DATA,
  REFUSED,
  readFunctions,
} from '../codec/control.ts';
import type { Dlt645Frame } from '../codec/frame.ts';
import { decodeDi, encodeDi } from '../dictionary/dictionary.ts';
import { answerCommand } from './commands.ts';
import type { SimulatedMeter } from './meter.ts';

export interface AnswerOptions {
  /** UTC milliseconds. */
  readonly wallMs: number;
  /** Most octets of a value in one frame. */
  readonly partOctets: number;
  /** A request changed something in a meter. */
  changed?(meter: SimulatedMeter): void;
}

/**
 * The answers to a frame, one of each meter that is meant: none to frames of other meters, to broadcasts, and to functions of an edition the
 * meter does not speak.
 */
export function answersOf(frame: Dlt645Frame, meters: Iterable<SimulatedMeter>, options: AnswerOptions): Dlt645Frame[] {
  if ((frame.control & FROM_METER) !== 0) return [];
  const isBroadcast = decodeAddress(frame.address) === BROADCAST;
  const answers: Dlt645Frame[] = [];
  for (const meter of meters) {
    const address = encodeAddress(meter.address);
    if (!isBroadcast && !isMeant(frame.address, address)) continue;
    if (functionOf(frame.control) === Function2007.setTime) {
      if (setClock(frame, meter, options.wallMs)) options.changed?.(meter);
      continue;
    }
    const answer = answerOf(frame, meter, options);
    // a meter answers as what it is called now
    if (answer) answers.push({ ...answer, address: encodeAddress(meter.address) });
  }
  return answers;
}

type Reply = Pick<Dlt645Frame, 'control' | 'data'>;

function answerOf(frame: Dlt645Frame, meter: SimulatedMeter, options: AnswerOptions): Reply | null {
  const functionCode = functionOf(frame.control);
  const edition = editionOf(functionCode);
  if (edition === null || !meter.editions.has(edition)) return null;
  const { read, readNext } = readFunctions(edition);
  const isBroadcast = decodeAddress(frame.address) === BROADCAST;
  if (isBroadcast && (functionCode === read || functionCode === readNext || functionCode === Function2007.readAddress)) return null;
  if (functionCode === read) return answerRead(frame, meter, edition, options);
  if (functionCode === readNext) return answerNext(frame, meter, edition);
  if (functionCode === Function2007.readAddress) return { control: frame.control | FROM_METER, data: encodeAddress(meter.address) };
  const answer = answerCommand(frame, meter, edition, options.wallMs);
  if (answer && 'word' in answer) return refusal(frame, answer.word);
  options.changed?.(meter);
  return answer && { control: functionCode | FROM_METER, data: answer.data };
}

function refusal(frame: Dlt645Frame, word: number): Reply {
  return { control: functionOf(frame.control) | FROM_METER | REFUSED, data: Uint8Array.of(word) };
}

function answerRead(frame: Dlt645Frame, meter: SimulatedMeter, edition: Edition, { wallMs, partOctets }: AnswerOptions): Reply | null {
  meter.rest = null;
  const di = decodeDi(frame.data, edition);
  if (di === null) return null;
  const data = meter.data(edition, di, wallMs);
  if (!data) return refusal(frame, NO_SUCH_DATA);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < data.length; at += partOctets) parts.push(data.subarray(at, at + partOctets));
  const [first = data, ...others] = parts;
  if (others.length > 0) meter.rest = { di, parts: others };
  const control = functionOf(frame.control) | FROM_METER | (others.length > 0 ? MORE : 0);
  return { control, data: concatBytes(encodeDi(di, edition), first) };
}

/** The next part of the latest answer. A part may be asked for again with the same number. */
function answerNext(frame: Dlt645Frame, meter: SimulatedMeter, edition: Edition): Reply | null {
  const di = decodeDi(frame.data, edition);
  if (di === null) return null;
  const { rest } = meter;
  const sequence = edition === 2007 ? (frame.data[4] ?? 0) : 1;
  const part = rest?.di === di ? rest.parts[sequence - 1] : undefined;
  if (!rest || !part) return refusal(frame, NO_SUCH_DATA);
  // the 1997 edition has no numbers: what was sent is gone
  if (edition === 1997) meter.rest = { di, parts: rest.parts.slice(1) };
  const isMore = sequence < rest.parts.length;
  const control = functionOf(frame.control) | FROM_METER | (isMore ? MORE : 0);
  const number = edition === 2007 ? [sequence] : [];
  return { control, data: concatBytes(encodeDi(di, edition), part, Uint8Array.from(number)) };
}

/** Clock by broadcast, or of one meter: ss mm hh DD MM YY, never answered. False for octets that are no time. */
function setClock({ data }: Dlt645Frame, meter: SimulatedMeter, wallMs: number): boolean {
  if (data.length !== 6) return false;
  try {
    const digits = bcdDigits(data);
    const two = (at: number) => Number(digits.slice(at, at + 2));
    const local = Date.UTC(2000 + two(0), two(2) - 1, two(4), two(6), two(8), two(10));
    meter.setClock(local, wallMs);
    return true;
  } catch {
    // octets that are no digits set no clock
    return false;
  }
}

/**
 * Octets of several answers at once on one pair of wires: a 0 of any of them wins. Nobody who listens finds a frame in it, unless the
 * answers are the same.
 */
export function collision(answers: readonly Uint8Array[]): Uint8Array {
  const length = Math.max(0, ...answers.map((answer) => answer.length));
  return Uint8Array.from({ length }, (_, at) => answers.reduce((octet, answer) => octet & (answer[at] ?? 0xff), 0xff));
}
