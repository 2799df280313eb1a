/** Frames and octets on an RTU line that answer nothing which is waited for: logged and counted, never used. */
import type { AppError } from '#shared/domain/errors.ts';
import type { Clock } from '../../../platform/clock.ts';
import { concatBytes, u8 } from '../../../protocol-kit/bytes.ts';
import type { DriverSink, FrameSink, HealthSink } from '../../spi.ts';
import { describeFunction, EXCEPTION_BIT } from '../codec/functions.ts';
import type { RtuFrame } from './framing.ts';
import type { OwedAnswer, OwedAnswers } from './owed-answers.ts';
import type { HeldAnswer } from './pending.ts';

/** A second answer is one to the last request when it comes within this time. */
const SECOND_ANSWER_MS = 2000;
/** Noise that is not yet logged; more than a frame is not kept. */
const MOST_NOISE = 256;

interface Answered {
  readonly unitId: number;
  readonly functionCode: number;
  readonly seq: number;
  readonly at: number;
}

export interface StrayOptions {
  readonly clock: Clock;
  readonly frames: FrameSink;
  readonly health: HealthSink;
  readonly owed: OwedAnswers;
  readonly notice: DriverSink['notice'];
}

export class StrayFrames {
  readonly #options: StrayOptions;
  /** What was told once: two slaves at one address, another master, an echo. */
  readonly #told = new Set<string>();
  #answered: Answered | null = null;
  #noise: Uint8Array[] = [];
  #noiseLength = 0;

  constructor(options: StrayOptions) {
    this.#options = options;
  }

  /** An exchange was answered; a further answer to it is one too many. */
  answered(unitId: number, functionCode: number, seq: number): void {
    this.#answered = { unitId, functionCode, seq, at: this.#options.clock.monotonicMs() };
  }

  /** An answer that came after its request had ended. */
  late(frame: RtuFrame, owed: OwedAnswer): void {
    const { frames, health } = this.#options;
    this.#options.owed.settle(owed);
    health.late();
    frames.record({ kind: 'late', bytes: frame.bytes, link: owed.seq, text: 'Answer to a request that had ended without it; not used.' });
  }

  /** An answer that an earlier request could have as well, and no other came; the earlier one is settled by it. */
  doubtful(frame: RtuFrame, owed: OwedAnswer): void {
    const { frames, health } = this.#options;
    this.#options.owed.settle(owed);
    health.late();
    frames.record({
      kind: 'late',
      bytes: frame.bytes,
      link: owed.seq,
      text: 'Answer to this request or to an earlier one that had ended without it; the octets do not tell. Not used.',
    });
  }

  /** A held answer, when a second one came that fits as well. */
  passedOver(held: HeldAnswer): void {
    if (held.owed) this.late(held.frame, held.owed);
    else this.second(held.frame);
  }

  /** The same octets once more. */
  repeated(frame: RtuFrame): void {
    this.#record(frame, 'The same answer once more; not used.');
  }

  /** A frame that came while nothing was waited for. */
  unasked(frame: RtuFrame): void {
    const owed = frame.side === 'answer' ? this.#options.owed.match(frame) : undefined;
    if (owed) this.late(frame, owed);
    else if (frame.side === 'request') this.foreignRequest(frame);
    else if (this.#isSecond(frame)) this.second(frame);
    else this.#record(frame, 'Answer to a request that was not sent here; not used.');
  }

  /** One answer more than requests: two slaves have the address, or the line repeats what it carries. */
  second(frame: RtuFrame): void {
    const link = this.#answered?.seq;
    const { frames, health } = this.#options;
    health.late();
    frames.record({
      kind: 'late',
      bytes: frame.bytes,
      text: 'A second answer to one request; not used. Two slaves may have this address.',
      ...(link === undefined ? {} : { link }),
    });
    this.once(
      `second ${frame.unitId}`,
      `Two answers came to one request to unit ${frame.unitId}: two slaves may have this address, or an adapter repeats what it receives.`,
    );
  }

  /** A frame that does not answer what is waited for; `problem` says why. */
  misfit(frame: RtuFrame, problem: AppError): void {
    this.#record(frame, `${problem.message} Not used.`);
  }

  foreignRequest(frame: RtuFrame): void {
    const what = `A request to unit ${frame.unitId}, ${describeFunction(u8(frame.pdu, 0))}, that was not sent here.`;
    this.#record(frame, what);
    this.once('master', `${what} Another master is on this line; two masters disturb each other.`);
  }

  /** Octets of no frame; they are logged together with what follows. */
  noise(bytes: Uint8Array): void {
    this.#noise.push(Uint8Array.from(bytes));
    this.#noiseLength += bytes.length;
    if (this.#noiseLength > MOST_NOISE) this.flushNoise(undefined);
  }

  /** Logs the noise so far; true when there was any. */
  flushNoise(link: number | undefined, text = 'Octets that are no frame: no length and checksum fits.'): boolean {
    if (this.#noiseLength === 0) return false;
    const bytes = concatBytes(...this.#noise);
    this.#noise = [];
    this.#noiseLength = 0;
    this.#options.frames.record({ kind: 'noise', bytes, text, ...(link === undefined ? {} : { link }) });
    return true;
  }

  /** Tells something about the line once a connection. */
  once(key: string, text: string): void {
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.#options.notice(text);
  }

  #isSecond(frame: RtuFrame): boolean {
    const last = this.#answered;
    if (!last || last.unitId !== frame.unitId || (u8(frame.pdu, 0) & ~EXCEPTION_BIT) !== last.functionCode) return false;
    return this.#options.clock.monotonicMs() - last.at <= SECOND_ANSWER_MS;
  }

  #record(frame: RtuFrame, text: string): void {
    this.#options.health.fault('protocol');
    this.#options.frames.record({ kind: 'late', bytes: frame.bytes, text });
  }
}
