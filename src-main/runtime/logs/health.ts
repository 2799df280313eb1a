import type { ChannelHealth } from '#shared/contract/channels.ts';
import type { HealthSink } from '../../drivers/spi/index.ts';
import type { LineExchange, LineFault } from '../../drivers/spi/line.ts';
import type { Clock } from '../../platform/clock.ts';
import { LineStatistics } from './line-statistics.ts';

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
  /** How its line is used; can be begun anew by itself. */
  readonly line: LineStatistics;
  #counters = zeros();
  readonly #latencies = new Float64Array(LATENCY_WINDOW);
  #measured = 0;

  constructor(clock: Clock) {
    this.line = new LineStatistics(clock);
  }

  request(): void {
    this.#counters.requests += 1;
  }

  response(latencyMs: number, exchange?: LineExchange): void {
    if (exchange) this.line.answered(exchange);
    this.#counters.responses += 1;
    this.#latencies[this.#measured % LATENCY_WINDOW] = latencyMs;
    this.#measured += 1;
  }

  timeout(exchange?: LineExchange): void {
    if (exchange) this.line.timedOut(exchange);
    this.#counters.timeouts += 1;
  }

  refusal(exchange?: LineExchange): void {
    if (exchange) this.line.refused(exchange);
    this.#counters.refusals += 1;
  }

  fault(kind: LineFault = 'protocol'): void {
    this.line.faulty(kind);
    this.#counters.faults += 1;
  }

  late(): void {
    this.line.late();
    this.#counters.late += 1;
  }

  compared(points: number, differing: number): void {
    this.line.compared(points, differing);
  }

  reconnected(): void {
    this.#counters.reconnects += 1;
  }

  sent(bytes: number): void {
    this.line.carried(bytes);
    this.#counters.tx_bytes += bytes;
  }

  received(bytes: number): void {
    this.line.carried(bytes);
    this.#counters.rx_bytes += bytes;
  }

  /** Sets how many peers are connected now. */
  setClients(count: number): void {
    this.#counters.clients = count;
  }

  /** Starts counting anew. */
  reset(): void {
    this.line.reset();
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
