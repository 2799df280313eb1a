/**
 * What a protocol brings that asks one question at a time on a line whose frames carry no number: pure functions about its requests and
 * frames, and a stream that cuts octets into frames. The exchange engine brings the rest: silence, time, repeats, late answers.
 */

import type { AppError } from '#shared/domain/errors.ts';
import type { Message } from '#shared/messages/message.ts';

/** A request as far as the engine knows it. */
export interface Asked {
  /** Time to the first octet of the answer in milliseconds, where it is not that of the channel. */
  readonly timeoutMs?: number;
}

/** A frame as far as the engine knows it. */
export interface Answer {
  /** All of its octets. */
  readonly bytes: Uint8Array;
}

/** A request whose answer shows that nothing older is to come. */
export interface Telling<Request> {
  readonly request: Request;
  /** `read`: of what the request names, or the table; `loopback`: touches no data, and not every device has it. */
  readonly kind: 'read' | 'loopback';
}

export interface AskingProtocol<Request extends Asked, Frame extends Answer> {
  /** Octets of a request on the line. */
  encode(request: Request): Uint8Array;
  /** Who is asked. A device answers in the order in which it was asked, each request once at most. */
  addressee(request: Request): string | number;
  /** For texts: `unit 3`. */
  describe(frame: Frame): Message;
  /** Slave and function as the statistics count them. */
  facts(request: Request): { readonly slaveId: number; readonly functionCode: number };
  /** What is wrong with a frame as the answer to a request; null when it may be taken. */
  problemOf(request: Request, frame: Frame): AppError | null;
  /** True when a frame could be the answer to a request, or its refusal. True for everything that `problemOf` lets pass. */
  mayAnswer(request: Request, frame: Frame): boolean;
  /** True when a frame that is no answer ends the wait for one soon: it comes from the device that was asked. */
  failsAtOnce(request: Request, frame: Frame): boolean;
  isRefusal(frame: Frame): boolean;
  /** True for questions, which may be asked twice; false for commands. */
  isRepeatable(request: Request): boolean;
  /** True for a question that goes on from the one before: nothing may be asked in between, and it cannot be asked again. */
  isChained(request: Request): boolean;
  /** True when the answer to either is an answer to both. Asked of repeatable requests only. */
  isSameQuestion(a: Request, b: Request): boolean;
  /** True when an answer to `a` that is no refusal may be taken for the one to `b`. */
  mayBeMistaken(a: Request, b: Request): boolean;
  /** True when a refusal of `a` may be taken for one of `b`. */
  mayRefuseAlike(a: Request, b: Request): boolean;
  /** What tells before or behind this request, other than the answers to `avoided`; null where there is nothing. `withRead` false: no read. */
  telling(request: Request, avoided: readonly Request[], withRead: boolean): Telling<Request> | null;
  /** True for a telling request that touches no data. */
  isLoopback(request: Request): boolean;
  /** When an exchange without an answer is looked at, unless more octets come, in monotonic milliseconds. */
  lookAt(exchange: ExchangeView<Request>, hold: StreamHold, guardMs: number): number;
  /** Why an exchange without an answer failed, by what came. */
  failureOf(exchange: ExchangeView<Request>, wasted: WastedOctets): AppError;
  /** Octets of the longest answer that is no refusal. */
  answerOctets(request: Request): number;
}

/** The exchange under way as a protocol sees it. */
export interface ExchangeView<Request> {
  readonly request: Request;
  readonly timeoutMs: number;
  readonly sentAt: number;
  /** The earliest moment at which all of the request can have left the line. */
  readonly sentEnd: number;
  /** Octets since that belong to no frame, and whether a frame with a wrong checksum was among them. */
  readonly noise: number;
  readonly hasChecksumFault: boolean;
  /** What was wrong with a frame of the right device that did not fit. */
  readonly problem: AppError | null;
  /** What else came. */
  readonly hint: Message | null;
}

/** Octets that came instead of an answer: the beginning of one, and others. */
export interface WastedOctets {
  readonly broken: number;
  readonly loose: number;
}

/** What a stream holds: octets that may become a frame, and since when they are the beginning of the awaited answer. */
export interface StreamHold {
  readonly octets: number;
  /** Null when what is held is not the beginning of the awaited answer. */
  readonly startedAt: number | null;
  readonly lastOctetAt: number;
}

/** What a stream finds. `request`: a frame of the asking side that is not the echo of ours. */
export type StreamItem<Frame> =
  | {
      readonly kind: 'answer';
      readonly frame: Frame;
      /** When its first octets were delivered. */
      readonly startedAt: number;
      /** When its first octet began to travel, as far as that is known. */
      readonly beganAt: number;
    }
  | { readonly kind: 'request'; readonly frame: Frame }
  | { readonly kind: 'echo' }
  | StreamNoise;

export interface StreamNoise {
  readonly kind: 'noise';
  readonly bytes: Uint8Array;
  readonly fault: 'noise' | 'checksum';
  /** Set: the octets must not be logged, this text stands for them. */
  readonly secretText?: Message;
}

/** What is left when an exchange is given up. */
export interface Leftovers<Frame> {
  /** Frames hidden behind a false start, and octets of none. */
  readonly items: readonly StreamItem<Frame>[];
  /** The beginning of the awaited answer; empty where there is none. */
  readonly broken: Uint8Array;
}

/** The incoming octets of one line. */
export interface AnswerStream<Request, Frame> {
  /** This request goes out now. */
  sent(request: Request, bytes: Uint8Array): void;
  /** The exchange has ended. */
  ended(how: 'answer' | 'failed'): void;
  /** Octets that came now. */
  push(chunk: Uint8Array, now: number): readonly StreamItem<Frame>[];
  /** Empties the buffers. */
  giveUp(): Leftovers<Frame>;
  readonly hold: StreamHold;
  /** True while nobody knows whether the adapter echoes what is sent. */
  readonly isEchoUnknown: boolean;
}

/** Times of a line, in milliseconds. */
export interface LineTimes {
  /** What an octet takes; 0 over TCP, where nothing is reckoned from the baud rate. */
  readonly octetMs: number;
  /** Silence in front of every request; 0 over TCP. */
  readonly gapMs: number;
  /** Silence after which a line that was disturbed counts as quiet. */
  readonly settleMs: number;
  /** Silence in the middle of a frame after which its rest is not waited for any more. */
  readonly brokenMs: number;
}

/** How an exchange ended. An answer may be a refusal. */
export type AskEnd<Frame> = { readonly kind: 'answer'; readonly frame: Frame } | AskFailure;

export interface AskFailure {
  readonly kind: 'failed';
  readonly error: AppError;
  /** False when the request cannot have reached the device. */
  readonly isSent: boolean;
}
