/** What a line of exchanges is made of, and how one of them is run. */
import type { Message } from '#shared/messages/message.ts';
import type { Clock } from '../../platform/clock.ts';
import type { DriverLine, DriverMemory, DriverSink, FrameSink, HealthSink } from '../spi/index.ts';
import type { Answer, AnswerStream, Asked, AskingProtocol, LineTimes } from './asking.ts';
import type { ForeignRequest } from './stray-frames.ts';

export interface ExchangeLineOptions<Request extends Asked, Frame extends Answer> {
  readonly protocol: AskingProtocol<Request, Frame>;
  readonly stream: AnswerStream<Request, Frame>;
  readonly clock: Clock;
  readonly line: Pick<DriverLine, 'write'>;
  readonly frames: FrameSink;
  readonly health: HealthSink;
  readonly times: LineTimes;
  /** True: what was on the line before it was opened is not known, so the first request waits for silence as well. */
  readonly isBusyAtFirst: boolean;
  /** Time from the last octet of a request to the first of its answer. */
  readonly timeoutMs: number;
  /** Least pause between two requests, where the channel asks for more than the silent gap. */
  readonly requestGapMs: number;
  readonly notice: DriverSink['notice'];
  /** Of the channel: what is owed outlasts the connection. Left out: it does not. */
  readonly memory?: DriverMemory | undefined;
  readonly foreignRequest: (frame: Frame) => ForeignRequest;
  /** Longest turn-round that was measured lately; null where nothing was. */
  slowestMs(slaveId: number): number | null;
}

/** How an exchange is run, where not as usual. */
export interface ExchangeManner {
  /** Goes into the frame log beside the request. */
  readonly remark?: Message;
  readonly isTelling?: boolean;
  /** The same was asked just before, so an answer that comes behind a doubtful one will do: little is waited for it. */
  readonly isRepeat?: boolean;
}
