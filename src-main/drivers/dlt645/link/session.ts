/**
 * The master's side of a line of meters: the exchange engine with the frames of DL/T 645. Only a frame of the meter that was asked, with the
 * function and identifier that were asked for, is an answer.
 */

import { say } from '#shared/messages/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { CloseCause } from '../../../transport/types.ts';
import type { AskEnd, AskFailure } from '../../kit/asking.ts';
import { ExchangeEngine } from '../../kit/exchange-engine.ts';
import type { ForeignRequest } from '../../kit/stray-frames.ts';
import type { DriverLine, DriverMemory, DriverSink, ExchangeContext, FrameSink, HealthSink } from '../../spi/index.ts';
import type { MeterRequest } from '../meter-request.ts';
import { MeterAnswerStream } from './answer-stream.ts';
import type { ReceivedFrame } from './framer.ts';
import type { LineTiming } from './line-time.ts';
import { meterProtocol } from './protocol.ts';

export interface MeterSessionOptions {
  readonly clock: Clock;
  readonly line: Pick<DriverLine, 'write'>;
  readonly frames: FrameSink;
  readonly health: HealthSink;
  readonly notice: DriverSink['notice'];
  /** As in `ExchangeLineOptions`. */
  readonly memory?: DriverMemory | undefined;
  readonly timing: LineTiming;
  /** Time from the last octet of a request to the first of its answer, in milliseconds. */
  readonly timeoutMs: number;
  /** FE octets in front of a request. */
  readonly preambles: number;
  /** Whether requests may be sent that only tell whose a doubtful answer is. */
  readonly tellingRequests: boolean;
  /** Reads that may tell: of the meter that is asked, of the point table or of what is written. */
  readsOf(request: MeterRequest): readonly MeterRequest[];
  /** Longest turn-round of a meter that was measured; null where nothing was. */
  slowestMs(slaveId: number): number | null;
}

/** How an exchange ended. An answer may be a refusal. */
export type ExchangeEnd = AskEnd<ReceivedFrame>;

const REQUEST: ForeignRequest = { text: say('dlt645.foreign_request'), notice: null };

export class MeterSession {
  readonly #engine: ExchangeEngine<MeterRequest, ReceivedFrame>;

  constructor(options: MeterSessionOptions) {
    const { octetMs, silenceMs, octetGapMs } = options.timing;
    this.#engine = new ExchangeEngine({
      ...options,
      protocol: meterProtocol(options),
      stream: new MeterAnswerStream(options.timing),
      times: { octetMs, gapMs: silenceMs, settleMs: silenceMs, brokenMs: octetGapMs },
      isBusyAtFirst: false,
      requestGapMs: 0,
      isTelling: options.tellingRequests,
      foreignRequest: () => REQUEST,
      echoTest: () => null,
    });
  }

  /**
   * Runs one exchange; repeats the request after silence or a broken answer as often as `context.retries` says, unless a stop is requested.
   * What the line or the meter did is in the result. Throws INTERNAL when an exchange is under way.
   */
  exchange(request: MeterRequest, context: ExchangeContext): Promise<ExchangeEnd> {
    return this.#engine.exchange(request, context);
  }

  /** Sends what no meter answers; null when it was handed over, otherwise what prevented that. Throws INTERNAL when an exchange is under way. */
  broadcast(request: MeterRequest, signal: AbortSignal): Promise<AskFailure | null> {
    return this.#engine.tellAll(request, 0, { signal });
  }

  /** Octets from the line. */
  receive(chunk: Uint8Array): void {
    this.#engine.receive(chunk);
  }

  /** The line ended: the exchange under way fails at once. */
  closed(cause: CloseCause): void {
    this.#engine.closed(cause);
  }

  /** Ends the session; an exchange under way fails. Idempotent. */
  close(): void {
    this.#engine.close();
  }
}
