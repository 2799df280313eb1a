/**
 * The master's side of a line with RTU frames (MODBUS over Serial Line V1.02, 2.4.1 and 2.5.1), over a serial port or TCP. Frames carry
 * no number: an exchange that could not be told from an earlier one without an answer is led up to by one that can
 * (docs/adr/0017-late-answers-without-numbers.md).
 */
import { AppError } from '#shared/domain/errors.ts';
import { cancelled } from '../../../platform/clock.ts';
import { u8, u16 } from '../../../protocol-kit/bytes.ts';
import type { CloseCause } from '../../../transport/types.ts';
import type { ExchangeContext } from '../../spi.ts';
import { encodeRead, type ReadRequest } from '../codec/request.ts';
import { readAnswerData } from '../codec/response.ts';
import type { ExchangeSession } from '../exchange-session.ts';
import type { ExchangeEnd, ExchangeFailure } from '../session.ts';
import type { SessionRequest } from '../session-check.ts';
import { ExchangeLine, type ExchangeLineOptions } from './exchange-line.ts';
import { answersLikeEcho } from './local-echo.ts';

export interface RtuSessionOptions extends ExchangeLineOptions {
  /** Pause behind a broadcast, in which the slaves work (V1.02, 2.4.1: 100 to 200 ms). */
  readonly turnAroundMs: number;
}

const SINGLE_COIL = 5;

export class RtuSession implements ExchangeSession {
  readonly #options: RtuSessionOptions;
  readonly #line: ExchangeLine;
  #isBusy = false;

  constructor(options: RtuSessionOptions) {
    this.#options = options;
    this.#line = new ExchangeLine(options);
  }

  /**
   * Runs one exchange; repeats the request after a timeout or a destroyed answer as often as `context.retries` says, unless a stop is
   * requested.
   */
  async exchange(request: SessionRequest, context: ExchangeContext): Promise<ExchangeEnd> {
    if (this.#isBusy) throw busy();
    this.#isBusy = true;
    try {
      let end = await this.#attempt(request, context);
      for (let left = context.retries; left > 0 && isLost(end) && !context.isStopping(); left--) {
        const again = await this.#attempt(request, context);
        // a stop in the pause before the repeat: what was stays the result
        if (again.kind === 'failed' && !again.isSent) break;
        end = again;
      }
      return end;
    } finally {
      this.#isBusy = false;
    }
  }

  async tellAll(pdu: Uint8Array, context: ExchangeContext): Promise<ExchangeFailure | null> {
    if (this.#isBusy) throw busy();
    this.#isBusy = true;
    try {
      return await this.#line.tellAll(pdu, this.#options.turnAroundMs, context.signal);
    } finally {
      this.#isBusy = false;
    }
  }

  receive(chunk: Uint8Array): void {
    this.#line.receive(chunk);
  }

  closed(cause: CloseCause): void {
    this.#end(cause.kind === 'failed' ? cause.error : new AppError('TRANSPORT_LOST', 'The other side closed the line.'));
  }

  close(): void {
    this.#end(new AppError('TRANSPORT_LOST', 'The connection was closed.'));
  }

  #end(error: AppError): void {
    this.#line.end(error);
  }

  async #attempt(request: SessionRequest, context: ExchangeContext): Promise<ExchangeEnd> {
    if (request.unitId === 0) {
      return notSent(
        new AppError('CONFIG_INVALID', 'Unit 0 is the broadcast address, which nobody answers; the address of one slave is needed.'),
      );
    }
    const hindrance = (await this.#learnEcho(request, context)) ?? (await this.#resynchronise(request, context));
    return hindrance ?? this.#ask(request, context);
  }

  /** One exchange, and a second one when the answer to the first is doubtful. Commands are sent once. */
  async #ask(request: SessionRequest, context: ExchangeContext, remark?: string): Promise<ExchangeEnd> {
    const end = await this.#line.exchange(request, context.signal, remark === undefined ? {} : { remark });
    if (end.kind !== 'doubtful') return end;
    if (isRead(request) && !context.isStopping() && !context.signal.aborted) {
      const again = await this.#line.exchange(request, context.signal, { remark: AGAIN, isRepeat: true });
      if (again.kind !== 'doubtful') return again.kind === 'failed' ? { ...again, isSent: true } : again;
    }
    const what = `An answer came from unit ${request.unitId} that fits this request as well as an earlier one without an answer; it was not used.`;
    // A slave that is heard is not silent, although nothing was learnt from it; a write without a sure answer is one without an answer.
    return { kind: 'failed', error: new AppError(isRead(request) ? 'PROTOCOL_MISMATCH' : 'TIMEOUT_RESPONSE', what), isSent: true };
  }

  /**
   * The answers to functions 5, 6, 8 and 22 look like their echo, so a device that is off would seem to confirm. Before the first of them on a
   * line that nothing is known of, a read shows whether the adapter echoes; its answer does not matter. Not null: go no further.
   */
  async #learnEcho(request: SessionRequest, context: ExchangeContext): Promise<ExchangeFailure | null> {
    if (this.#line.echoState !== 'unknown' || !answersLikeEcho(request.pdu)) return null;
    const functionCode = u8(request.pdu, 0) === SINGLE_COIL ? 1 : 3;
    const read = readInstead(request, { functionCode, start: u16(request.pdu, 1), quantity: 1 });
    const end = await this.#ask(read, context, ECHO_TEST);
    return end.kind === 'failed' && !end.isSent ? end : stopped(context);
  }

  /**
   * An earlier request has had no answer yet, and its answer could be taken for the one to this request. A read of addresses that the
   * request names, of another length, cannot be mistaken, and its answer shows that the earlier one does not come any more. Where there is no
   * such read, the answer will be held for a second one. Not null: go no further.
   */
  async #resynchronise(request: SessionRequest, context: ExchangeContext): Promise<ExchangeFailure | null> {
    const { owed } = this.#line;
    owed.prune(this.#options.clock.monotonicMs());
    // a write cannot be asked again, so not even a refusal may be in doubt
    const isDoubtful = isRead(request) ? owed.hasLike(request) : owed.hasFunction(request.unitId, u8(request.pdu, 0));
    const telling = isDoubtful ? owed.tellingRead(request) : null;
    if (!telling) return null;
    const end = await this.#ask(readInstead(request, telling), context, TELLING);
    if (end.kind !== 'failed') return stopped(context);
    return isRead(request) ? end : { ...end, isSent: false };
  }
}

const AGAIN = 'Asked again: the answer to the first could have been that to an earlier request.';
const ECHO_TEST = 'Read to see whether the adapter echoes, before a write that looks like its echo.';
const TELLING = 'Read first: an answer that may still come to an earlier request could not be told from the one to the next.';

function isRead(request: SessionRequest): boolean {
  const functionCode = u8(request.pdu, 0);
  return (functionCode >= 1 && functionCode <= 4) || functionCode === 43;
}

/** The same exchange with a read in its place. */
function readInstead(request: SessionRequest, { functionCode, start, quantity }: ReadRequest): SessionRequest {
  return {
    ...request,
    pdu: encodeRead(functionCode, start, quantity),
    check: (answer) => {
      readAnswerData(answer, functionCode, quantity);
    },
  };
}

/** True when the answer was lost on the line, so that asking again makes sense. */
function isLost(end: ExchangeEnd): boolean {
  return end.kind === 'failed' && end.isSent && (end.error.code === 'TIMEOUT_RESPONSE' || end.error.code.startsWith('FRAME_'));
}

function busy(): AppError {
  return new AppError('INTERNAL', 'A Modbus connection carries one exchange at a time.');
}

function notSent(error: AppError): ExchangeFailure {
  return { kind: 'failed', error, isSent: false };
}

/** After a stop no follow-up frame is sent. */
function stopped(context: ExchangeContext): ExchangeFailure | null {
  return context.isStopping() || context.signal.aborted ? notSent(cancelled()) : null;
}
