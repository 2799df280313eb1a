/** What overheard octets look like to Modbus, in either framing. Pure. */
import { u8 } from '../../../protocol-kit/bytes.ts';
import type { Recognition } from '../../spi/diagnostics.ts';
import { EXCEPTION_BIT } from '../codec/functions.ts';
import { findAsciiFrames } from './ascii-frames.ts';
import { beginsMbapAnswer, brokenAnswers } from './broken.ts';
import { findMbapFrames, type MbapFrame, recogniseForeign } from './foreign.ts';
import { GATEWAY_EXCEPTIONS } from './questions.ts';
import { findRtuFrames, type OverheardFrame } from './rtu-frames.ts';

/** Octets of an exception, and of its whole frame over TCP. */
const EXCEPTION_PDU = 2;
const MBAP_EXCEPTION = 9;

/** True when the PDU at `at` is the exception of a gateway that did not reach the device behind it. */
function saysUnreached(octets: Uint8Array, at: number): boolean {
  return (u8(octets, at) & EXCEPTION_BIT) !== 0 && GATEWAY_EXCEPTIONS.includes(u8(octets, at + 1));
}

/** Over TCP: frames by their header. Nobody else can ask on such a connection, and nothing comes back as an echo. */
export function recogniseMbap(octets: Uint8Array, sent: readonly Uint8Array[]): Recognition {
  const frames = findMbapFrames(octets);
  const isUnreached = ({ end }: MbapFrame, at: number) =>
    end - (frames[at - 1]?.end ?? 0) === MBAP_EXCEPTION && saysUnreached(octets, end - EXCEPTION_PDU);
  const noise = octets.length - (frames.at(-1)?.end ?? 0);
  return {
    frames: frames.length,
    answering: distinct(frames.filter((frame, at) => !isUnreached(frame, at)).map((frame) => frame.unitId)),
    unreached: distinct(frames.filter(isUnreached).map((frame) => frame.unitId)),
    asked: [],
    answersToOne: sent.length === 1 ? frames.length : Math.min(1, frames.length),
    hasEcho: false,
    noise,
    ...(noise > 0 && beginsMbapAnswer(octets.subarray(frames.at(-1)?.end ?? 0), sent) ? { broken: 1 } : {}),
    foreign: frames.length === 0 && octets.length > 0 ? recogniseForeign(octets, 'modbus-tcp') : null,
  };
}

/** On a serial line, or RTU frames over TCP: frames by length and CRC, echoes of what was sent left out. */
export function recogniseRtu(octets: Uint8Array, sent: readonly Uint8Array[]): Recognition {
  const all = findRtuFrames(octets);
  const broken = brokenAnswers(regionsBetween(octets, all), sent);
  return { ...recogniseFrames(all, octets, sent, 'modbus-rtu'), broken };
}

/** The same of ASCII frames, by their colon, end and LRC. */
export function recogniseAscii(octets: Uint8Array, sent: readonly Uint8Array[]): Recognition {
  return recogniseFrames(findAsciiFrames(octets), octets, sent, 'modbus-ascii');
}

function recogniseFrames(
  all: readonly OverheardFrame[],
  octets: Uint8Array,
  sent: readonly Uint8Array[],
  own: 'modbus-rtu' | 'modbus-ascii',
): Recognition {
  const isEcho = (frame: OverheardFrame) => sent.some((own) => isSame(own, octets.subarray(frame.start, frame.end)));
  const echoes = all.filter(isEcho);
  const frames = all.filter((frame) => !isEcho(frame));
  const answers = frames.filter((frame) => frame.direction === 'answer');
  const requests = frames.filter((frame) => frame.direction === 'request');
  const framed = all.reduce((sum, frame) => sum + frame.end - frame.start, 0);
  const isUnreached = ({ pdu }: OverheardFrame) => pdu.length === EXCEPTION_PDU && saysUnreached(pdu, 0);
  const answering = distinct(answers.filter((frame) => !isUnreached(frame)).map((frame) => frame.unitId));
  return {
    frames: frames.length,
    answering,
    unreached: distinct(answers.filter(isUnreached).map((frame) => frame.unitId)),
    asked: distinct(requests.map((frame) => frame.unitId)),
    answersToOne: sent.length === 1 ? Math.max(0, ...answering.map((unit) => countOf(answers, unit))) : Math.min(1, answers.length),
    hasEcho: echoes.length > 0,
    noise: octets.length - framed,
    foreign: frames.length === 0 && echoes.length === 0 && octets.length > 0 ? recogniseForeign(octets, own) : null,
  };
}

/** Octets between frames, before the first and behind the last one. */
function regionsBetween(octets: Uint8Array, frames: readonly OverheardFrame[]): Uint8Array[] {
  const starts = [0, ...frames.map(({ end }) => end)];
  const ends = [...frames.map(({ start }) => start), octets.length];
  return starts.map((start, index) => octets.subarray(start, ends[index])).filter(({ length }) => length > 0);
}

function countOf(frames: readonly OverheardFrame[], unitId: number): number {
  return frames.filter((frame) => frame.unitId === unitId).length;
}

function distinct(values: readonly number[]): number[] {
  return [...new Set(values)];
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((octet, index) => octet === b[index]);
}
