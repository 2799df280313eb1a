/** Frames and octets that answer nothing which is waited for: logged and counted, never used. */

import type { AppError } from '#shared/domain/errors.ts';
import { english, say, together } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Clock } from '../../platform/clock.ts';
import { concatBytes } from '../../protocol-kit/bytes.ts';
import type { DriverSink, FrameSink, HealthSink } from '../spi/index.ts';
import type { Answer, Asked, AskingProtocol, StreamNoise } from './asking.ts';
import type { Owed } from './line-memory.ts';

/** A second answer is one to the last request when it comes within this time. */
const SECOND_ANSWER_MS = 2000;
/** Noise that is not yet logged; more than a frame is not kept. */
const MOST_NOISE = 256;
const NO_BYTES = new Uint8Array(0);

export interface StrayOptions<Request extends Asked, Frame extends Answer> {
  readonly clock: Clock;
  readonly frames: FrameSink;
  readonly health: HealthSink;
  readonly notice: DriverSink['notice'];
  readonly protocol: Pick<AskingProtocol<Request, Frame>, 'describe' | 'mayAnswer'>;
  /** What a frame of the asking side says about the line; its `notice` is told once. */
  readonly foreignRequest: (frame: Frame) => ForeignRequest;
}

/** A frame of the asking side that was not sent here. */
export interface ForeignRequest {
  readonly text: Message;
  /** Null where it says nothing that a person should know. */
  readonly notice: Message | null;
}

interface Answered<Request> {
  readonly request: Request;
  readonly seq: number;
  readonly at: number;
}

export class StrayFrames<Request extends Asked, Frame extends Answer> {
  readonly #options: StrayOptions<Request, Frame>;
  /** What was told once: two devices at one address, another master, an echo. */
  readonly #told = new Set<string>();
  #answered: Answered<Request> | null = null;
  #noise: Uint8Array[] = [];
  #noiseLength = 0;
  readonly #memory: { isToldOfDoubling: boolean };

  constructor(options: StrayOptions<Request, Frame>, memory: { isToldOfDoubling: boolean }) {
    this.#options = options;
    this.#memory = memory;
  }

  /** An exchange was answered; a further answer to it is one too many. */
  answered(request: Request, seq: number): void {
    this.#answered = { request, seq, at: this.#options.clock.monotonicMs() };
  }

  /** An answer that came after its request had ended. */
  late(frame: Frame, owed: Owed<Request>): void {
    this.#recordLate(frame, owed.seq, say('exchange.late_unused'));
  }

  /** An answer to the request under way or to an earlier one, which asked something else. */
  doubtful(frame: Frame, owed: Owed<Request> | null): void {
    if (owed === null) {
      this.#recordLate(frame, undefined, say('exchange.doubt_before'));
      return;
    }
    const text = say('exchange.doubt_earlier');
    this.#recordLate(frame, owed.seq, text);
  }

  /** The octets of an answer that is in doubt already: a copy of it, or the answer of another request that says the same. */
  repeated(frame: Frame): void {
    this.#record(frame, say('exchange.same_again'));
  }

  /** The octets of an answer that was had. */
  copy(frame: Frame): void {
    this.#recordLate(frame, undefined, say('exchange.same_again'));
  }

  /** The line was seen to carry this answer twice. */
  doubled(frame: Frame): void {
    const who = this.#options.protocol.describe(frame);
    this.doubling(true);
    this.once(`copy ${english(who)}`, say('exchange.came_twice', { who }));
  }

  /** Logs when answers begin to come twice, and when they have ceased to. */
  doubling(isDoubling: boolean): void {
    if (isDoubling === this.#memory.isToldOfDoubling) return;
    this.#memory.isToldOfDoubling = isDoubling;
    const text = isDoubling ? say('exchange.doubling') : say('exchange.doubling_over');
    this.#options.frames.record({ kind: 'note', bytes: NO_BYTES, text });
  }

  /** A frame that nobody asked for here. */
  unasked(frame: Frame): void {
    const last = this.#answered;
    const isSecond =
      last !== null &&
      this.#options.clock.monotonicMs() - last.at <= SECOND_ANSWER_MS &&
      this.#options.protocol.mayAnswer(last.request, frame);
    if (isSecond) this.second(frame);
    else this.#record(frame, say('exchange.unasked'));
  }

  /** One answer more than requests. */
  second(frame: Frame): void {
    const who = this.#options.protocol.describe(frame);
    this.#recordLate(frame, this.#answered?.seq, say('exchange.second'));
    this.once(`second ${english(who)}`, say('exchange.second_of', { who }));
  }

  /** A frame that does not answer what is waited for; `problem` says why. */
  misfit(frame: Frame, problem: AppError): void {
    this.#record(frame, together(problem.said, say('exchange.not_used')));
  }

  foreignRequest(frame: Frame): void {
    const { text, notice } = this.#options.foreignRequest(frame);
    if (notice === null) {
      this.#options.frames.record({ kind: 'note', bytes: frame.bytes, text });
      return;
    }
    this.#record(frame, text);
    this.once('master', notice);
  }

  /** Octets of no frame; those of a noisy line are logged together with what follows. */
  noise({ bytes, fault, secretText }: StreamNoise, link: number | undefined): void {
    if (secretText === undefined && fault === 'noise') {
      this.#noise.push(Uint8Array.from(bytes));
      this.#noiseLength += bytes.length;
      if (this.#noiseLength > MOST_NOISE) this.flushNoise(undefined);
      return;
    }
    this.flushNoise(link);
    const linked = link === undefined ? {} : { link };
    const { frames } = this.#options;
    if (secretText !== undefined) frames.record({ kind: 'note', bytes: NO_BYTES, text: secretText, ...linked });
    else frames.record({ kind: 'noise', bytes, text: say('exchange.bad_check'), ...linked });
  }

  /** Logs the noise so far. */
  flushNoise(link: number | undefined): void {
    if (this.#noiseLength === 0) return;
    const bytes = concatBytes(...this.#noise);
    this.#noise = [];
    this.#noiseLength = 0;
    const text = say('exchange.no_frame');
    this.#options.frames.record({ kind: 'noise', bytes, text, ...(link === undefined ? {} : { link }) });
  }

  /** Tells something about the line once a connection. */
  once(key: string, said: Message): void {
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.#options.notice(said);
  }

  #recordLate(frame: Frame, link: number | undefined, text: Message): void {
    this.#options.health.late();
    this.#options.frames.record({ kind: 'late', bytes: frame.bytes, text, ...(link === undefined ? {} : { link }) });
  }

  #record(frame: Frame, text: Message): void {
    this.#options.health.fault('protocol');
    this.#options.frames.record({ kind: 'late', bytes: frame.bytes, text });
  }
}
