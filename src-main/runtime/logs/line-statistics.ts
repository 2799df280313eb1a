import type { LineExchange, LineFault } from '../../drivers/spi/line.ts';
import type { Clock } from '../../platform/clock.ts';
import { LatencyHistogram } from './latency-histogram.ts';
import { SlidingSums, windowMs } from './sliding-sums.ts';

/** Pairs of slave and function that are told apart; further ones count in the whole only. */
const MOST_ROWS = 1024;
/** Chunks of octets that may wait for the end of their exchange. */
const MOST_UNBOOKED = 4;
/** Above every function code. */
const FUNCTIONS = 256;

/** What was asked, and how it ended. */
interface Counts {
  readonly requests: number;
  readonly responses: number;
  readonly timeouts: number;
  readonly exceptions: number;
}

/** Counts and times of one function of one slave. `octets` and `busyMs` are of the sliding window. */
export interface FunctionUse extends Counts {
  readonly slaveId: number;
  readonly functionCode: number;
  readonly octets: number;
  readonly busyMs: number;
  readonly latency: LatencyHistogram;
}

/** What came of comparing values that came by themselves with a read. */
export interface Comparisons {
  readonly count: number;
  /** UTC milliseconds of the last one, and the points it was about. */
  readonly lastAt: number;
  readonly points: number;
  /** Points that had another value, over all. */
  readonly differing: number;
}

export interface LineUse extends Counts {
  /** UTC milliseconds since when is counted. */
  readonly since: number;
  /** Span of the sliding window in milliseconds. */
  readonly windowMs: number;
  /** Octets on the line in the window, both directions, noise included. */
  readonly octets: number;
  /** Time in the window in which somebody was asked and an answer was awaited, in milliseconds. */
  readonly busyMs: number;
  readonly noise: number;
  readonly checksumErrors: number;
  readonly protocolErrors: number;
  readonly late: number;
  /** Comparisons of values that came by themselves with a read; null before the first. */
  readonly compared: Comparisons | null;
  readonly latency: LatencyHistogram;
  /** By slave, then function. */
  readonly functions: readonly FunctionUse[];
  readonly turnRounds: ReadonlyMap<number, LatencyHistogram>;
  /** False when there were more slaves and functions than are told apart. */
  readonly isComplete: boolean;
}

class Row implements Counts {
  requests = 0;
  responses = 0;
  timeouts = 0;
  exceptions = 0;
  readonly recent = new SlidingSums();
  readonly latency = new LatencyHistogram();
}

/**
 * How a line is used: by slave and function, over the time since the channel started or somebody began anew. Memory is bounded; counting an
 * exchange allocates nothing once its slave and function are known.
 */
export class LineStatistics {
  readonly #clock: Clock;
  readonly #rows = new Map<number, Row>();
  readonly #turnRounds = new Map<number, LatencyHistogram>();
  /** Those beyond the most that are told apart. */
  #others = new Row();
  #line = new SlidingSums();
  /** Octets that are in no slot yet, and the chunks they came in. */
  #unbooked = 0;
  #chunks = 0;
  #faults: Record<LineFault, number> = { noise: 0, checksum: 0, protocol: 0 };
  #late = 0;
  #compared: Comparisons | null = null;
  #sinceMs: number;
  #sinceWall: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#sinceMs = clock.monotonicMs();
    this.#sinceWall = clock.wallMs();
  }

  /** Begins anew. */
  reset(): void {
    this.#rows.clear();
    this.#turnRounds.clear();
    this.#others = new Row();
    this.#line = new SlidingSums();
    this.#unbooked = 0;
    this.#faults = { noise: 0, checksum: 0, protocol: 0 };
    this.#late = 0;
    this.#compared = null;
    this.#sinceMs = this.#clock.monotonicMs();
    this.#sinceWall = this.#clock.wallMs();
  }

  /** Octets that went over the line, in either direction. */
  carried(octets: number): void {
    this.#unbooked += octets;
    this.#chunks += 1;
    // The end of an exchange books them, without looking at the clock for each; where none ends, every few do.
    if (this.#chunks > MOST_UNBOOKED) this.#book(this.#clock.monotonicMs());
  }

  answered(exchange: LineExchange): void {
    const { slaveId, durationMs, turnRoundMs } = exchange;
    const row = this.#ended(exchange);
    row.responses += 1;
    row.latency.add(durationMs);
    if (turnRoundMs !== null) this.#turnRoundOf(slaveId)?.add(turnRoundMs);
  }

  timedOut(exchange: LineExchange): void {
    this.#ended(exchange).timeouts += 1;
  }

  /** The answer just counted was a refusal. */
  refused(exchange: LineExchange): void {
    this.#rowOf(exchange).exceptions += 1;
  }

  faulty(kind: LineFault): void {
    this.#faults[kind] += 1;
  }

  late(): void {
    this.#late += 1;
  }

  /** So many points were compared with a read, and so many of them differed. */
  compared(points: number, differing: number): void {
    const { count = 0, differing: before = 0 } = this.#compared ?? {};
    this.#compared = { count: count + 1, lastAt: this.#clock.wallMs(), points, differing: before + differing };
  }

  /** Median of what a slave takes to begin its answer, in milliseconds; null where it was not measured. */
  turnRoundMs(slaveId: number): number | null {
    return this.#turnRounds.get(slaveId)?.figures()?.p50 ?? null;
  }

  read(): LineUse {
    const now = this.#clock.monotonicMs();
    this.#book(now);
    const whole = { requests: 0, responses: 0, timeouts: 0, exceptions: 0, busyMs: 0, latency: new LatencyHistogram() };
    for (const row of [...this.#rows.values(), this.#others]) {
      for (const key of ['requests', 'responses', 'timeouts', 'exceptions'] as const) whole[key] += row[key];
      whole.busyMs += row.recent.sums(now).busyMs;
      whole.latency.merge(row.latency);
    }
    return {
      since: this.#sinceWall,
      windowMs: windowMs(now, this.#sinceMs),
      octets: this.#line.sums(now).octets,
      ...whole,
      compared: this.#compared,
      noise: this.#faults.noise,
      checksumErrors: this.#faults.checksum,
      protocolErrors: this.#faults.protocol,
      late: this.#late,
      functions: this.#functions(now),
      turnRounds: this.#turnRounds,
      isComplete: this.#others.requests === 0,
    };
  }

  #functions(now: number): FunctionUse[] {
    return [...this.#rows]
      .sort(([a], [b]) => a - b)
      .map(([key, row]) => {
        const { requests, responses, timeouts, exceptions, latency } = row;
        const [slaveId, functionCode] = [Math.floor(key / FUNCTIONS), key % FUNCTIONS];
        return { slaveId, functionCode, requests, responses, timeouts, exceptions, latency, ...row.recent.sums(now) };
      });
  }

  #ended(exchange: LineExchange): Row {
    const row = this.#rowOf(exchange);
    const now = this.#clock.monotonicMs();
    row.requests += 1;
    row.recent.add(now, exchange.txOctets + exchange.rxOctets, exchange.durationMs);
    this.#book(now);
    return row;
  }

  #book(now: number): void {
    this.#line.add(now, this.#unbooked, 0);
    this.#unbooked = 0;
    this.#chunks = 0;
  }

  #rowOf({ slaveId, functionCode }: LineExchange): Row {
    const key = slaveId * FUNCTIONS + functionCode;
    const known = this.#rows.get(key);
    if (known) return known;
    if (this.#rows.size >= MOST_ROWS) return this.#others;
    const row = new Row();
    this.#rows.set(key, row);
    return row;
  }

  #turnRoundOf(slaveId: number): LatencyHistogram | undefined {
    let histogram = this.#turnRounds.get(slaveId);
    if (!histogram && this.#turnRounds.size < MOST_ROWS) {
      histogram = new LatencyHistogram();
      this.#turnRounds.set(slaveId, histogram);
    }
    return histogram;
  }
}
