/** What a driver is given by its channel, kept for a test to look at. */

import { english, type Said } from '#shared/messages/index.ts';
import type { DriverSink, ExchangeContext, FrameKind, FrameSink, HealthSink, PointReading } from '../spi/index.ts';
import type { LineExchange, LineFault } from '../spi/line.ts';

export interface LoggedFrame {
  readonly seq: number;
  readonly kind: FrameKind;
  readonly bytes: Uint8Array;
  readonly link: number | undefined;
  readonly text: string;
}

/** Frame log that keeps everything. */
export class TestFrames implements FrameSink {
  readonly all: LoggedFrame[] = [];

  record(entry: { kind: FrameKind; bytes: Uint8Array; link?: number; text?: Said }): number {
    const seq = this.all.length + 1;
    this.all.push({ seq, kind: entry.kind, bytes: Uint8Array.from(entry.bytes), link: entry.link, text: english(entry.text ?? '') });
    return seq;
  }

  of(kind: FrameKind): LoggedFrame[] {
    return this.all.filter((frame) => frame.kind === kind);
  }
}

/** Health counters as numbers. */
export class TestHealth implements HealthSink {
  requests = 0;
  responses = 0;
  timeouts = 0;
  refusals = 0;
  lates = 0;
  readonly faultKinds: LineFault[] = [];
  readonly latencies: number[] = [];
  readonly exchanges: LineExchange[] = [];

  get faults(): number {
    return this.faultKinds.length;
  }

  request(): void {
    this.requests += 1;
  }
  response(latencyMs: number, exchange?: LineExchange): void {
    this.responses += 1;
    this.latencies.push(latencyMs);
    if (exchange) this.exchanges.push(exchange);
  }
  timeout(): void {
    this.timeouts += 1;
  }
  refusal(): void {
    this.refusals += 1;
  }
  fault(kind: LineFault = 'protocol'): void {
    this.faultKinds.push(kind);
  }
  late(): void {
    this.lates += 1;
  }
}

/** What a connection reported by itself. */
export class TestSink implements DriverSink {
  readonly applied: { readonly readings: readonly PointReading[]; readonly event: boolean | 'only' }[] = [];
  readonly notices: string[] = [];
  readonly losses: Error[] = [];

  values(readings: readonly PointReading[], event: boolean | 'only'): void {
    this.applied.push({ readings, event });
  }
  notice(said: Said): void {
    this.notices.push(english(said));
  }
  lost(error: Error): void {
    this.losses.push(error);
  }
}

/** Context of an exchange that nobody stops. */
export function exchangeContext(fields: Partial<ExchangeContext> = {}): ExchangeContext {
  return { signal: new AbortController().signal, isStopping: () => false, retries: 0, ...fields };
}
