/**
 * The master's side of a line with RTU or ASCII frames (MODBUS over Serial Line V1.02, 2.4.1 and 2.5), over a serial port or TCP: the exchange engine
 * with the frames of Modbus.
 */

import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { u8, u16 } from '../../../protocol-kit/bytes.ts';
import type { CloseCause } from '../../../transport/types.ts';
import { ExchangeEngine } from '../../kit/exchange-engine.ts';
import type { DriverLine, DriverMemory, DriverSink, ExchangeContext, FrameSink, HealthSink } from '../../spi/index.ts';
import type { ExchangeEnd, ExchangeFailure, ExchangeSession } from '../link/exchange-session.ts';
import type { SessionRequest } from '../link/session-check.ts';
import { LineAnswerStream } from './answer-stream.ts';
import type { LineFrame, LineFraming } from './line-framing.ts';
import { answersLikeEcho, type EchoState } from './local-echo.ts';
import { foreignRequest, lineProtocol, readInstead, TOKENS } from './protocol.ts';
import type { RtuTiming } from './timing.ts';

export interface LineSessionOptions {
  readonly framing: LineFraming;
  readonly clock: Clock;
  readonly line: Pick<DriverLine, 'write'>;
  readonly frames: FrameSink;
  readonly health: HealthSink;
  readonly timing: RtuTiming;
  /** Time from the last octet of a request to the first of its answer. */
  readonly timeoutMs: number;
  /** Least pause between two requests, where the channel asks for more than the silent gap. */
  readonly requestGapMs: number;
  /** Pause behind a broadcast, in which the slaves work (V1.02, 2.4.1: 100 to 200 ms). */
  readonly turnAroundMs: number;
  /** Whether the adapter echoes what is sent; `unknown` finds it out. */
  readonly echo: EchoState;
  /** Whether requests may be sent that only tell whose a doubtful answer is. */
  readonly tellingRequests: boolean;
  readonly notice: DriverSink['notice'];
  /** As in `ExchangeLineOptions`. */
  readonly memory?: DriverMemory | undefined;
  /** Longest turn-round that was measured lately; null where nothing was. */
  slowestMs(unitId: number): number | null;
}

const SINGLE_COIL = 5;

export class LineSession implements ExchangeSession {
  readonly #engine: ExchangeEngine<SessionRequest, LineFrame>;
  readonly #turnAroundMs: number;

  constructor(options: LineSessionOptions) {
    const { framing, timing, clock, echo, tellingRequests, turnAroundMs } = options;
    this.#turnAroundMs = turnAroundMs;
    // answers to another connection of the same gateway carry other tokens
    let told = Math.floor(clock.wallMs());
    const nextToken = () => {
      told += 1;
      return told % TOKENS;
    };
    this.#engine = new ExchangeEngine({
      ...options,
      protocol: lineProtocol(framing, timing, nextToken),
      stream: new LineAnswerStream(framing, timing, echo),
      times: timing,
      isBusyAtFirst: timing.gapMs > 0,
      isTelling: tellingRequests,
      foreignRequest,
      echoTest: ({ unitId, pdu, ...rest }) =>
        answersLikeEcho(pdu) ? readInstead({ unitId, pdu, ...rest }, u8(pdu, 0) === SINGLE_COIL ? 1 : 3, u16(pdu, 1), 1) : null,
    });
  }

  async exchange(request: SessionRequest, context: ExchangeContext): Promise<ExchangeEnd> {
    if (request.unitId === 0) {
      const message = say('modbus.broadcast_silent');
      return { kind: 'failed', error: new AppError('CONFIG_INVALID', message), isSent: false };
    }
    const end = await this.#engine.exchange(request, context);
    return end.kind === 'answer' ? { kind: 'answer', pdu: end.frame.pdu } : end;
  }

  tellAll(pdu: Uint8Array, context: ExchangeContext): Promise<ExchangeFailure | null> {
    return this.#engine.tellAll({ unitId: 0, pdu, check: () => undefined }, this.#turnAroundMs, context);
  }

  receive(chunk: Uint8Array): void {
    this.#engine.receive(chunk);
  }

  closed(cause: CloseCause): void {
    this.#engine.closed(cause);
  }

  close(): void {
    this.#engine.close();
  }
}
