/** So many answers that began behind their requests show that octets take their time on a line. */
const PACED_ANSWERS = 3;

/**
 * Whether a line keeps its baud rate, so that an answer cannot begin before its request has left. Ports that are no serial lines (USB
 * devices, pseudo terminals) do not: there the first exchange shows it.
 */
export class Pacing {
  #state: 'unknown' | 'kept' | 'free';
  #requests = 0;
  #paced = 0;

  constructor(octetMs: number) {
    this.#state = octetMs > 0 ? 'unknown' : 'free';
  }

  get isFree(): boolean {
    return this.#state === 'free';
  }

  /** True after some answers, all of which began behind their requests. */
  get isKept(): boolean {
    return this.#state === 'kept';
  }

  /** What was known of the line may be wrong. */
  doubt(): void {
    if (!this.isKept) return;
    this.#state = 'unknown';
    this.#paced = 0;
  }

  asked(): void {
    this.#requests += 1;
  }

  /** True for what began too early to answer the request; before the first one nothing of ours can be on its way. */
  isTooEarly(startedAt: number, sentEnd: number): boolean {
    return !this.isFree && startedAt < sentEnd && this.#requests > 1;
  }

  /** An answer was taken. True when it shows that the line takes no time. */
  answered(startedAt: number, sentEnd: number): boolean {
    if (startedAt < sentEnd) {
      this.#state = 'free';
      return true;
    }
    this.#paced += 1;
    if (this.#state === 'unknown' && this.#paced >= PACED_ANSWERS) this.#state = 'kept';
    return false;
  }
}
