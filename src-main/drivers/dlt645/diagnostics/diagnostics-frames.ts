/** Frames in octets that were overheard, and what the octets are when there are none. Pure. */
import type { ForeignProtocol } from '#shared/domain/doctor.ts';
import { recogniseModbus, recogniseStart } from '../../../protocol-kit/foreign.ts';
import type { Recognition } from '../../spi/diagnostics.ts';
import { decodeAddress } from '../codec/address.ts';
import { FROM_METER, Function2007, functionOf, REFUSED } from '../codec/control.ts';
import { type Dlt645Frame, PREAMBLE } from '../codec/frame.ts';
import { decodeDi } from '../dictionary/dictionary.ts';
import { Dlt645Framer, type ReceivedFrame } from '../link/framer.ts';

const FRAME_START = 0x68;
const WILDCARD = 0xaa;

/** Identifier whose value is the number of the meter (DL/T 645-2007). */
export const OWN_NUMBER_DI = 0x04000401;

/** Frames of overheard octets, in order, without those that were sent. */
export interface OverheardFrames {
  readonly answers: readonly ReceivedFrame[];
  readonly requests: readonly ReceivedFrame[];
  readonly hasEcho: boolean;
  /** Octets in none of them. */
  readonly noise: number;
  /** Places where an answer to one of `sent` begins and does not come to its end. */
  readonly broken: number;
}

/** Finds every whole frame. `sent` came back as an echo where it stands among them. */
export function overhear(octets: Uint8Array, sent: readonly Uint8Array[]): OverheardFrames {
  const framer = new Dlt645Framer();
  const items = [...framer.push(Uint8Array.from(octets)), ...framer.silence()];
  const frames = items.filter((item) => item.kind === 'frame');
  const noise = items.reduce((sum, item) => sum + (item.kind === 'noise' ? item.bytes.length : 0), 0);
  const regions = noiseRegions(items);
  const isEcho = ({ bytes }: ReceivedFrame) => sent.some((own) => isSame(withoutPreambles(own), withoutPreambles(bytes)));
  const others = frames.filter((frame) => !isEcho(frame));
  return {
    answers: others.filter(({ control }) => (control & FROM_METER) !== 0),
    requests: others.filter(({ control }) => (control & FROM_METER) === 0),
    hasEcho: others.length < frames.length,
    noise,
    broken: regions.filter((region) => sent.some((request) => beginsAnswer(region, request))).length,
  };
}

/** Octets between two frames, as one. */
function noiseRegions(items: readonly ReturnType<Dlt645Framer['push']>[number][]): Uint8Array[] {
  const regions: number[][] = [[]];
  for (const item of items) {
    if (item.kind === 'noise') regions.at(-1)?.push(...item.bytes);
    else regions.push([]);
  }
  return regions.filter(({ length }) => length > 0).map((region) => Uint8Array.from(region));
}

/** Start, address, start and the control octet of an answer. */
const HEADER = 9;

/** True when `octets` have the header of the answer to `request`, or end within it behind the address. A header with a wildcard is answered by anybody. */
function beginsAnswer(octets: Uint8Array, request: Uint8Array): boolean {
  const start = octets.indexOf(FRAME_START);
  const header = octets.subarray(start, start + HEADER);
  const asked = withoutPreambles(request).subarray(0, HEADER);
  if (start < 0 || header.length < HEADER - 2) return false;
  return header.every((octet, at) => at === HEADER - 1 || octet === asked[at] || (at > 0 && at < HEADER - 2 && asked[at] === WILDCARD));
}

/** The number of the meter that sent an answer; null where it copies the wildcard and its data do not say it either. */
export function numberOfAnswer(answer: Dlt645Frame): number | null {
  return numberOf(answer.address) ?? numberInData(answer);
}

/** What octets on a line look like to DL/T 645. */
export function recogniseMeters(octets: Uint8Array, sent: readonly Uint8Array[]): Recognition {
  const { answers, requests, hasEcho, noise, broken } = overhear(octets, sent);
  const answering = distinct(answers.map(numberOfAnswer));
  const frames = answers.length + requests.length;
  const answersOf = (meter: number) => answers.filter((answer) => numberOfAnswer(answer) === meter).length;
  return {
    frames,
    answering,
    asked: distinct(requests.map(({ address }) => numberOf(address))),
    answersToOne: sent.length === 1 ? Math.max(0, ...answering.map(answersOf)) : Math.min(1, answers.length),
    hasEcho,
    noise,
    broken,
    foreign: frames === 0 && !hasEcho && octets.length > 0 ? foreignOf(octets) : null,
  };
}

/** The start of a frame of ours that is cut off or has a wrong checksum is not foreign. */
function foreignOf(octets: Uint8Array): ForeignProtocol | null {
  const found = recogniseStart(octets);
  return found === 'dlt645' ? null : (found ?? recogniseModbus(octets));
}

function numberOf(address: Uint8Array): number | null {
  const text = decodeAddress(address);
  return /^\d{12}$/.test(text) ? Number(text) : null;
}

function numberInData({ control, data }: Dlt645Frame): number | null {
  if ((control & REFUSED) !== 0) return null;
  const functionCode = functionOf(control);
  if (functionCode === Function2007.readAddress && data.length === 6) return numberOf(data);
  const isOwnNumber = functionCode === Function2007.read && data.length === 10 && decodeDi(data, 2007) === OWN_NUMBER_DI;
  return isOwnNumber ? numberOf(data.subarray(4)) : null;
}

function distinct(values: readonly (number | null)[]): number[] {
  return [...new Set(values.filter((value) => value !== null))];
}

function withoutPreambles(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((octet) => octet !== PREAMBLE);
  return start < 0 ? bytes : bytes.subarray(start);
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((octet, index) => octet === b[index]);
}
