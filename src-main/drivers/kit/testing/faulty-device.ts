/** Devices on a line that answer legally and unhelpfully: late, never, half, twice. Each answers in the order in which it was asked. */
import type { Clock } from '../../../platform/clock.ts';

export type Fault = 'prompt' | 'late' | 'silent' | 'half' | 'double' | 'mixed';
export const FAULTS: readonly Fault[] = ['late', 'silent', 'half', 'double', 'mixed'];

/** A copy comes no later behind its original. */
const MOST_COPY_MS = 1900;

export interface FaultyDeviceOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly timeoutMs: number;
  readonly octetMs: number;
  readonly gapMs: number;
  /** Latest answer in timeouts. */
  readonly latest: number;
  /** What the device answers; null for nothing. `unit` is whose order it keeps. */
  readonly answer: (request: Uint8Array) => { readonly unit: number; readonly bytes: Uint8Array } | null;
  readonly deliver: (chunk: Uint8Array) => void;
  /** Told of each request that is heard and whose answer does not come whole. */
  readonly onUnanswered?: (request: Uint8Array) => void;
  /** True: everything that is sent comes back first. */
  readonly hasEcho: boolean;
}

export class FaultyDevice {
  fault: Fault = 'prompt';
  /** The master has seen that answers come twice. */
  isKnownToDouble = false;
  /** When the last answer that is on its way has come. */
  drainedAt = 0;
  readonly #options: FaultyDeviceOptions;
  /** How often answers of a unit were lost together. */
  readonly #lost = new Map<number, number>();
  #lastCopyAt = Number.NEGATIVE_INFINITY;
  /** When each device is through with what it was asked. */
  readonly #busyUntil = new Map<number, number>();

  constructor(options: FaultyDeviceOptions) {
    this.#options = options;
  }

  /** A request of the master. */
  hear(request: Uint8Array): void {
    const { clock, octetMs, gapMs, hasEcho, deliver } = this.#options;
    const travelMs = request.length * octetMs;
    const bytes = Uint8Array.from(request);
    if (hasEcho) clock.after(travelMs, () => deliver(bytes));
    const isAnswered = this.#isUnseenCopyComing;
    clock.after(travelMs + gapMs, () => this.#serve(bytes, isAnswered));
  }

  /** The master has taken what a unit owes for lost; one that is later still it cannot tell, so none comes. */
  lose(unit: number): void {
    this.#lost.set(unit, (this.#lost.get(unit) ?? 0) + 1);
    this.#busyUntil.delete(unit);
  }

  #serve(request: Uint8Array, isAnswered: boolean): void {
    const { clock, random, timeoutMs, answer, octetMs, latest } = this.#options;
    const fault = isAnswered ? 'prompt' : this.fault === 'mixed' ? pickOf(random) : this.fault;
    const given = answer(request);
    if (!given) return;
    const { unit, bytes } = given;
    if (fault === 'silent') {
      this.#options.onUnanswered?.(request);
      return;
    }
    const factor = fault === 'late' ? 0.2 + random() * (latest - 0.2) : 0.02 + 0.08 * random();
    const begin = Math.max(clock.monotonicMs() + factor * timeoutMs, this.#busyUntil.get(unit) ?? 0);
    const end = begin + bytes.length * octetMs;
    this.#busyUntil.set(unit, end);
    // the copy may be taken for it, and then it comes in place of the next
    if (isAnswered) this.#lastCopyAt = Math.max(this.#lastCopyAt, end);
    const isHalf = fault === 'half' && random() < 0.5;
    if (isHalf) this.#options.onUnanswered?.(request);
    this.#send(unit, isHalf ? bytes.subarray(0, Math.floor(random() * bytes.length)) : bytes, end);
    if (fault !== 'double') return;
    const copyAt = end + bytes.length * octetMs + random() ** 2 * Math.min(1.5 * timeoutMs, MOST_COPY_MS);
    this.#lastCopyAt = Math.max(this.#lastCopyAt, copyAt);
    this.#send(unit, bytes, copyAt);
  }

  /**
   * A copy in place of an answer that is lost cannot be told from that answer, as long as the line was not seen to double. So what is asked
   * while it is on its way is answered.
   */
  get #isUnseenCopyComing(): boolean {
    return !this.isKnownToDouble && this.#options.clock.monotonicMs() < this.#lastCopyAt;
  }

  #send(unit: number, bytes: Uint8Array, at: number): void {
    const { clock, deliver, random } = this.#options;
    if (bytes.length === 0) return;
    this.drainedAt = Math.max(this.drainedAt, at);
    const cut = random() < 0.1 ? Math.floor(random() * bytes.length) : 0;
    const lost = this.#lost.get(unit);
    clock.after(at - clock.monotonicMs(), () => {
      if (this.#lost.get(unit) !== lost) return;
      // in two lumps, as adapters deliver
      if (cut > 0) deliver(Uint8Array.from(bytes.subarray(0, cut)));
      deliver(Uint8Array.from(bytes.subarray(cut)));
    });
  }
}

function pickOf(random: () => number): Fault {
  return FAULTS[Math.floor(random() * (FAULTS.length + 1))] ?? 'prompt';
}
