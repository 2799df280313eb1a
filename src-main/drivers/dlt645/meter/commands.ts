/** What a simulated meter does with requests that change something. */

import { CONTROL_LEVEL, PARAMETER_LEVEL } from '../client/credentials.ts';
import { ALL_EVENTS, OUTPUTS, RATE_BITS } from '../client/write-requests.ts';
import { ANY_METER, BROADCAST, decodeAddress } from '../codec/address.ts';
import { bcdDigits } from '../codec/bcd.ts';
import {
  type Edition,
  Function1997,
  Function2007,
  functionOf,
  NO_SUCH_DATA,
  OTHER_ERROR,
  PASSWORD_ERROR,
  RATE_ERROR,
} from '../codec/control.ts';
import type { Dlt645Frame } from '../codec/frame.ts';
import { decodeDi } from '../dictionary/dictionary.ts';
import type { SimulatedMeter } from './meter.ts';
import { localText } from './simulated-values.ts';

/** Data of an answer, or the error word of a refusal; null for no answer. */
export type CommandAnswer = { readonly data: Uint8Array } | { readonly word: number } | null;

const DONE: CommandAnswer = { data: new Uint8Array(0) };
const refuse = (word: number): CommandAnswer => ({ word });

/** A request as its meter sees it. */
interface Request {
  readonly data: Uint8Array;
  readonly meter: SimulatedMeter;
  readonly edition: Edition;
  readonly wallMs: number;
}

/** Functions that a wildcard or broadcast may ask for; for all others a meter has to be named. */
const FOR_ANYBODY: readonly number[] = [Function2007.writeAddress, Function2007.freeze, Function1997.writeAddress];

/** Carries out a request, or says why not. */
export function answerCommand(frame: Dlt645Frame, meter: SimulatedMeter, edition: Edition, wallMs: number): CommandAnswer {
  const functionCode = functionOf(frame.control);
  const asked = decodeAddress(frame.address);
  if (asked.includes('A') || asked === BROADCAST) {
    if (!FOR_ANYBODY.includes(functionCode)) return asked === BROADCAST ? null : refuse(PASSWORD_ERROR);
    // the wildcard that names nobody at all means the only meter
    if (functionCode !== Function2007.freeze && asked !== (edition === 2007 ? ANY_METER : BROADCAST)) return null;
  }
  const request: Request = { data: frame.data, meter, edition, wallMs };
  const answer = edition === 2007 ? answer2007(functionCode, request) : answer1997(functionCode, request);
  return functionCode === Function2007.freeze && asked === BROADCAST ? null : answer;
}

function answer2007(functionCode: number, request: Request): CommandAnswer {
  switch (functionCode) {
    case Function2007.write:
      return write(request);
    case Function2007.writeAddress:
      return writeAddress(request);
    case Function2007.freeze:
      return freeze(request);
    case Function2007.changeRate:
      return changeRate(request);
    case Function2007.changePassword:
      return changePassword({ ...request, data: request.data.subarray(4) });
    case Function2007.clearDemand:
      return protectedBy(PARAMETER_LEVEL, request, ({ meter, wallMs }) => meter.clearDemand(wallMs));
    case Function2007.clearMeter:
      return protectedBy(CONTROL_LEVEL, request, ({ meter, wallMs }) => meter.clear(wallMs));
    case Function2007.clearEvents:
      return clearEvents(request);
    case Function2007.control:
      return control(request);
    case Function2007.outputPort:
      return request.data.length === 1 && Object.values<number>(OUTPUTS).includes(request.data[0] ?? -1)
        ? { data: request.data }
        : refuse(OTHER_ERROR);
    default:
      return null;
  }
}

function answer1997(functionCode: number, request: Request): CommandAnswer {
  switch (functionCode) {
    case Function1997.write:
      return write(request);
    case Function1997.writeAddress:
      return writeAddress(request);
    case Function1997.changeRate:
      return changeRate(request);
    case Function1997.changePassword:
      return changePassword(request);
    case Function1997.clearDemand:
      return protectedBy(PARAMETER_LEVEL, request, ({ meter, wallMs }) => meter.clearDemand(wallMs));
    default:
      return null;
  }
}

/** Octets of the password and, in the 2007 edition, the operator code. */
const PASSWORD_OCTETS = 4;
const credentialOctets = (edition: Edition) => (edition === 2007 ? 8 : PASSWORD_OCTETS);

function isAllowed({ data, meter, edition, wallMs }: Request, needed: number, at = 0): boolean {
  return meter.passwords.check(data.subarray(at, at + PASSWORD_OCTETS), needed, edition, wallMs);
}

function protectedBy(needed: number, request: Request, act: (request: Request) => void): CommandAnswer {
  if (request.data.length !== credentialOctets(request.edition)) return refuse(OTHER_ERROR);
  if (!isAllowed(request, needed)) return refuse(PASSWORD_ERROR);
  act(request);
  return DONE;
}

function write(request: Request): CommandAnswer {
  const { data, meter, edition, wallMs } = request;
  const diOctets = edition === 2007 ? 4 : 2;
  const di = decodeDi(data, edition);
  const valueAt = diOctets + credentialOctets(edition);
  if (di === null || data.length <= valueAt) return refuse(OTHER_ERROR);
  if (!isAllowed(request, PARAMETER_LEVEL, diOctets)) return refuse(PASSWORD_ERROR);
  const word = meter.take(edition, di, data.subarray(valueAt), wallMs);
  return word === 0 ? DONE : refuse(word);
}

function writeAddress({ data, meter }: Request): CommandAnswer {
  if (data.length !== 6 || !isDigits(data)) return null;
  meter.address = decodeAddress(data);
  return DONE;
}

function isDigits(data: Uint8Array): boolean {
  return data.every((octet) => octet >> 4 < 10 && (octet & 15) < 10);
}

function freeze({ data, meter, wallMs }: Request): CommandAnswer {
  if (data.length !== 4 || !isDigits(data)) return refuse(OTHER_ERROR);
  // a moment that comes back is acknowledged; only the frozen values of now can be read
  if (data.every((octet) => octet === 0x99)) meter.freeze(wallMs);
  return DONE;
}

function changeRate({ data }: Request): CommandAnswer {
  const isRate = data.length === 1 && [...RATE_BITS.values()].includes(data[0] ?? 0);
  return isRate ? { data } : refuse(RATE_ERROR);
}

/** The old password, then the new one. A level changes its own password and those that may less. */
function changePassword(request: Request): CommandAnswer {
  const { data, meter } = request;
  const next = data.subarray(PASSWORD_OCTETS);
  if (data.length !== 2 * PASSWORD_OCTETS || (next[0] ?? 0) > 9) return refuse(OTHER_ERROR);
  if (!isAllowed(request, next[0] ?? 0)) return refuse(PASSWORD_ERROR);
  meter.passwords.change(next);
  return { data: next };
}

function clearEvents(request: Request): CommandAnswer {
  const { data, meter } = request;
  const at = credentialOctets(2007);
  const di = decodeDi(data.subarray(at), 2007);
  if (di === null || data.length !== at + 4) return refuse(OTHER_ERROR);
  if (!isAllowed(request, CONTROL_LEVEL)) return refuse(PASSWORD_ERROR);
  if (di !== ALL_EVENTS && di >>> 24 !== 3) return refuse(NO_SUCH_DATA);
  meter.clearEvents(di === ALL_EVENTS ? null : di);
  return DONE;
}

/** Relay control: command, a reserved octet, and until when it is valid. */
function control(request: Request): CommandAnswer {
  const { data, meter, wallMs } = request;
  const at = credentialOctets(2007);
  const until = data.subarray(at + 2);
  if (until.length !== 6 || !isDigits(until)) return refuse(OTHER_ERROR);
  if (!isAllowed(request, CONTROL_LEVEL)) return refuse(PASSWORD_ERROR);
  if (bcdDigits(until) < localText(meter.localMs(wallMs))) return refuse(OTHER_ERROR);
  return meter.switchRelay(data[at] ?? 0, wallMs) ? DONE : refuse(OTHER_ERROR);
}
