/** What comes in on a master's line: echo left out, cut into frames and noise, with the time at which each frame began. */
import { u8 } from '../../../protocol-kit/bytes.ts';
import type { AnswerStream, Leftovers, StreamHold, StreamItem } from '../../kit/asking.ts';
import type { SessionRequest } from '../link/session-check.ts';
import { ArrivalTimes } from './arrival-times.ts';
import type { LineFrame, LineFramer, LineFraming, LineItem } from './line-framing.ts';
import { answersLikeEcho, type EchoState, LocalEcho } from './local-echo.ts';
import { frameLengthOf } from './protocol.ts';
import type { RtuTiming } from './timing.ts';

const NO_BYTES = new Uint8Array(0);
const ECHO: StreamItem<LineFrame> = { kind: 'echo' };

export class LineAnswerStream implements AnswerStream<SessionRequest, LineFrame> {
  readonly #framing: LineFraming;
  readonly #framer: LineFramer;
  readonly #arrivals = new ArrivalTimes();
  readonly #timing: RtuTiming;
  readonly #echo: LocalEcho;
  #lastOctetAt = Number.NEGATIVE_INFINITY;
  /** True when anything but the echo came since the request. */
  #hasOctets = false;

  /** `echo`: whether the adapter echoes what is sent; `unknown` finds it out. */
  constructor(framing: LineFraming, timing: RtuTiming, echo: EchoState) {
    this.#framing = framing;
    this.#framer = framing.framer('answer');
    this.#timing = timing;
    // nothing echoes on a socket until it is seen to
    this.#echo = new LocalEcho(echo === 'unknown' && timing.octetMs === 0 ? 'no' : echo, echo !== 'unknown');
  }

  get isEchoUnknown(): boolean {
    return this.#echo.state === 'unknown';
  }

  get hold(): StreamHold {
    const octets = this.#framer.buffered;
    const startedAt = this.#framer.isWaiting ? this.#arrivals.of(this.#framer.received - octets) : null;
    return { octets, startedAt, lastOctetAt: this.#lastOctetAt };
  }

  sent({ unitId, pdu }: SessionRequest, bytes: Uint8Array): void {
    // nobody answers a broadcast
    this.#framer.await(unitId === 0 ? null : { unitId, functionCode: u8(pdu, 0), frameLength: frameLengthOf(this.#framing, pdu) });
    this.#echo.sent(bytes, unitId !== 0 && answersLikeEcho(pdu));
    this.#hasOctets = false;
  }

  ended(how: 'answer' | 'failed'): void {
    this.#framer.await(null);
    this.#echo.ended(how === 'answer' ? 'answer' : this.#hasOctets ? 'disturbed' : 'nothing');
  }

  push(chunk: Uint8Array, now: number): readonly StreamItem<LineFrame>[] {
    // the rest of a frame that broke off some time ago holds nothing back any more
    if (now - this.#lastOctetAt > this.#timing.brokenMs) this.#framer.markStale();
    this.#lastOctetAt = now;
    const { rest, isWhole } = this.#echo.take(chunk);
    const items: StreamItem<LineFrame>[] = isWhole ? [ECHO] : [];
    if (rest.length > 0) {
      this.#hasOctets = true;
      this.#arrivals.mark(this.#framer.received, now);
      for (const item of this.#framer.push(rest)) items.push(this.#streamItem(item));
    }
    this.#arrivals.forgetBefore(this.#framer.received - this.#framer.buffered);
    return items;
  }

  giveUp(): Leftovers<LineFrame> {
    const began = this.#echo.release();
    if (began.length > 0) this.#hasOctets = true;
    const isBroken = this.#framer.isWaiting;
    const rest = this.#framer.giveUp();
    this.#arrivals.forgetBefore(this.#framer.received);
    const loose = isBroken ? [began] : [began, rest];
    return {
      items: loose.filter(({ length }) => length > 0).map((bytes) => ({ kind: 'noise', bytes, fault: 'noise' })),
      broken: isBroken ? rest : NO_BYTES,
    };
  }

  #streamItem(item: LineItem): StreamItem<LineFrame> {
    if (item.kind === 'fault') return { kind: 'noise', bytes: item.bytes, fault: item.fault };
    if (this.#echo.claims(item.bytes)) return ECHO;
    if (item.side === 'request') return { kind: 'request', frame: item };
    const startedAt = this.#arrivals.of(item.at);
    return { kind: 'answer', frame: item, startedAt, beganAt: startedAt };
  }
}
