/** An answer that comes so soon is that of its request: no master gives its slave less time and asks something else. */
const SOON_MS = 50;
/** Answers in a row from which it is known how long a request takes. */
const KNOWN_FROM = 2;
const MOST_KEPT = 5;
/** So many times its usual latency an answer may take. */
const MOST_TIMES = 3;
/** Requests of which latencies are kept; of more, those that were heard last. */
const MOST_REQUESTS = 512;

/**
 * How long the answers to the requests of a foreign master usually take. A request of which no octet was heard leaves nothing behind but its answer, which
 * then looks like a late one to the request before it: the answer to a request that usually comes much sooner is not taken for one. Bounded.
 */
export class UsualLatency {
  readonly #known = new Map<string, readonly number[]>();

  /** True where an answer that begins so many milliseconds behind its request comes soon, or when it usually comes. `request` names its octets. */
  isUsual(request: string, latencyMs: number): boolean {
    if (latencyMs < SOON_MS) return true;
    const known = this.#known.get(request) ?? [];
    if (known.length < KNOWN_FROM) return false;
    const sorted = [...known].sort((a, b) => a - b);
    return latencyMs <= MOST_TIMES * (sorted[sorted.length >> 1] as number);
  }

  answered(request: string, latencyMs: number): void {
    const known = this.#known.get(request) ?? [];
    this.#known.delete(request);
    this.#known.set(request, [...known, latencyMs].slice(-MOST_KEPT));
    if (this.#known.size <= MOST_REQUESTS) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }

  /** Only answers in a row count: a request that is answered now and then may owe its answers to others. */
  unanswered(request: string): void {
    this.#known.delete(request);
  }
}
