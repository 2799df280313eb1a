import type { ChannelHealth } from '#shared/contract/channels.ts';
import type { HealthSink } from '../drivers/spi.ts';

/** Exchanges the median latency is taken over. */
const LATENCY_WINDOW = 256;

type Counters = Omit<ChannelHealth, 'latency_ms' | 'suspended'>;

function zeros(): { -readonly [Key in keyof Counters]: number } {
  return {
    requests: 0,
    responses: 0,
    timeouts: 0,
    refusals: 0,
    faults: 0,
    late: 0,
    reconnects: 0,
    tx_bytes: 0,
    rx_bytes: 0,
    clients: 0,
  };
}

/** Counters of one channel since it was last started. */
export class HealthCounters implements HealthSink {
  #counters = zeros();
  readonly #latencies = new Float64Array(LATENCY_WINDOW);
  #measured = 0;

  request(): void {
    this.#counters.requests += 1;
  }

  response(latencyMs: number): void {
    this.#counters.responses += 1;
    this.#latencies[this.#measured % LATENCY_WINDOW] = latencyMs;
    this.#measured += 1;
  }

  timeout(): void {
    this.#counters.timeouts += 1;
  }

  refusal(): void {
    this.#counters.refusals += 1;
  }

  fault(): void {
    this.#counters.faults += 1;
  }

  late(): void {
    this.#counters.late += 1;
  }

  reconnected(): void {
    this.#counters.reconnects += 1;
  }

  sent(bytes: number): void {
    this.#counters.tx_bytes += bytes;
  }

  received(bytes: number): void {
    this.#counters.rx_bytes += bytes;
  }

  /** Sets how many peers are connected now. */
  setClients(count: number): void {
    this.#counters.clients = count;
  }

  /** Starts counting anew. */
  reset(): void {
    this.#counters = zeros();
    this.#measured = 0;
  }

  /** All counters, and the median time from request to answer over the last 256 exchanges; null before the first. */
  read(): Counters & { readonly latency_ms: number | null } {
    return { ...this.#counters, latency_ms: this.#medianLatency() };
  }

  #medianLatency(): number | null {
    const sorted = this.#latencies.slice(0, Math.min(this.#measured, LATENCY_WINDOW)).sort();
    const upper = sorted[sorted.length >>> 1];
    if (upper === undefined) return null;
    const lower = sorted[(sorted.length - 1) >>> 1] ?? upper;
    return (lower + upper) / 2;
  }
}
