/**
 * The session of one connection (IEC 60870-5-104, 5): sequence numbers, window, acknowledgements, start and stop of
 * data transfer, test frames. Both roles, without a socket: it is told what came and says what goes out. It knows no ASDU.
 */

import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { DueTimer } from '../../kit/due-timer.ts';
import { type Apdu, encodeI, encodeS, encodeU, SEQUENCE_MODULO, type UFunction } from './apci.ts';
import type { LinkEnd, LinkOptions, LinkState, OutgoingAsdu } from './link-types.ts';

interface OpenFrame {
  readonly sentAt: number;
  readonly outgoing: OutgoingAsdu;
}

/** `from` counted up to `to`, modulo 32768. */
function distance(from: number, to: number): number {
  return (to - from + SEQUENCE_MODULO) % SEQUENCE_MODULO;
}

/** Construct it when the connection stands; it is used once. */
export class Link {
  readonly #options: LinkOptions;
  /** I frames sent and not acknowledged, oldest first. */
  #open: OpenFrame[] = [];
  #state: LinkState = 'stopped';
  /** V(S): number of the next I frame. */
  #sendNumber = 0;
  /** V(R): number expected next. */
  #receiveNumber = 0;
  /** I frames received and not acknowledged. */
  #unacknowledged = 0;
  #isPumping = false;
  readonly #t1Frames: DueTimer;
  readonly #t1Start: DueTimer;
  readonly #t1Test: DueTimer;
  readonly #t2: DueTimer;
  readonly #t3: DueTimer;

  constructor(options: LinkOptions) {
    this.#options = options;
    const { clock, limits } = options;
    const seconds = limits.t1Ms / 1000;
    this.#t1Frames = new DueTimer(clock, () =>
      this.#timedOut(say('iec104.t1_frame', { number: distance(this.#open.length, this.#sendNumber), seconds })),
    );
    this.#t1Start = new DueTimer(clock, () => {
      const act = this.#state === 'stopping' ? 'STOPDT' : 'STARTDT';
      this.#timedOut(say('iec104.t1_u', { function: act, seconds }));
    });
    this.#t1Test = new DueTimer(clock, () => this.#timedOut(say('iec104.t1_test', { seconds })));
    this.#t2 = new DueTimer(clock, () => this.#acknowledge());
    this.#t3 = new DueTimer(clock, () => this.#test());
    this.#t3.set(clock.monotonicMs() + limits.t3Ms);
  }

  get state(): LinkState {
    return this.#state;
  }

  /** How many I frames may be sent now; 0 unless data transfer is started. */
  get room(): number {
    return this.#state === 'started' ? this.#options.limits.k - this.#open.length : 0;
  }

  /** Sent and not acknowledged, oldest first; also after the end, for a buffer that sends them again on another connection. */
  get unacknowledged(): readonly OutgoingAsdu[] {
    return this.#open.map((frame) => frame.outgoing);
  }

  /** Asks the other side to start data transfer; `onStarted` or the end follows. Controlling side only. */
  start(): void {
    this.#ask('starting', 'startdt-act');
  }

  /** Acknowledges what came and asks the other side to stop data transfer; `onStopped` or the end follows. Controlling side only. */
  stop(): void {
    if (this.#state !== 'started') return;
    if (this.#unacknowledged > 0) this.#acknowledge();
    this.#ask('stopping', 'stopdt-act');
  }

  /** There may be something to send. */
  wake(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    try {
      while (this.room > 0) {
        const outgoing = this.#options.source.next();
        if (!outgoing) return;
        this.#sendI(outgoing);
      }
    } finally {
      this.#isPumping = false;
    }
  }

  /** A frame came; `seq` is its number in the frame log. */
  receive(apdu: Apdu, seq: number): void {
    if (this.#state === 'closed') return;
    const { clock, limits } = this.#options;
    this.#t3.set(clock.monotonicMs() + limits.t3Ms);
    if (apdu.format === 'I') this.#receiveI(apdu.ns, apdu.nr, apdu.bytes, seq);
    else if (apdu.format === 'S') this.#receiveS(apdu.nr);
    else this.#receiveU(apdu.function);
  }

  /** The line ended, or was ended by the owner of the link. */
  lineEnded(error: AppError | null): void {
    this.#end(error ? { kind: 'lost', error } : { kind: 'closed' });
  }

  /** What came broke a rule outside the link (framing, an ASDU that cannot be parsed). */
  fail(error: AppError): void {
    this.#end({ kind: 'protocol', error });
  }

  #ask(state: 'starting' | 'stopping', act: UFunction): void {
    const from = state === 'starting' ? 'stopped' : 'started';
    if (this.#options.role !== 'controlling' || this.#state !== from) return;
    this.#state = state;
    this.#sendU(act);
    this.#t1Start.set(this.#options.clock.monotonicMs() + this.#options.limits.t1Ms);
  }

  #receiveI(ns: number, nr: number, bytes: Uint8Array, seq: number): void {
    if (!this.#mayReceiveData()) {
      this.#broken(this.#state === 'starting' ? say('iec104.data_unconfirmed') : say('iec104.data_stopped'));
      return;
    }
    if (ns !== this.#receiveNumber) {
      this.#broken(say('iec104.sequence', { came: ns, expected: this.#receiveNumber }));
      return;
    }
    if (!this.#takeAcknowledgement(nr)) return;
    const { clock, limits, events } = this.#options;
    this.#receiveNumber = (ns + 1) % SEQUENCE_MODULO;
    this.#unacknowledged += 1;
    if (!this.#t2.isSet) this.#t2.set(clock.monotonicMs() + limits.t2Ms);
    events.onData(bytes, seq);
    // what is sent in answer acknowledges as well
    this.wake();
    if (this.#unacknowledged >= limits.w || (this.#unacknowledged > 0 && this.#state === 'stopping')) this.#acknowledge();
  }

  /** The controlling side takes late I frames until its STOPDT is confirmed. */
  #mayReceiveData(): boolean {
    return this.#state === 'started' || (this.#state === 'stopping' && this.#options.role === 'controlling');
  }

  #receiveS(nr: number): void {
    if (this.#state === 'stopped' || this.#state === 'starting') {
      this.#broken(say('iec104.supervisory_stopped'));
      return;
    }
    if (this.#takeAcknowledgement(nr)) this.wake();
  }

  /** N(R) says that everything below it arrived. False when it cannot be right, and the link has ended. */
  #takeAcknowledgement(nr: number): boolean {
    const open = this.#open.length;
    const oldest = distance(open, this.#sendNumber);
    const count = distance(oldest, nr);
    if (count > open) {
      const newest = this.#sendNumber;
      this.#broken(
        open === 0
          ? say('iec104.acknowledged_none', { came: nr, expected: newest })
          : say('iec104.acknowledged_wrong', { came: nr, oldest, newest }),
      );
      return false;
    }
    if (count === 0) return true;
    const acknowledged = this.#open.splice(0, count);
    const next = this.#open[0];
    if (next) this.#t1Frames.set(next.sentAt + this.#options.limits.t1Ms);
    else this.#t1Frames.clear();
    for (const { outgoing } of acknowledged) outgoing.onAcknowledged?.();
    if (!next && this.#state === 'stopping') this.#confirmStop();
    return true;
  }

  #receiveU(name: UFunction): void {
    switch (name) {
      case 'testfr-act':
        this.#sendU('testfr-con');
        return;
      case 'testfr-con':
        this.#t1Test.clear();
        return;
      case 'startdt-act':
        if (this.#options.role === 'controlled') this.#confirmStart();
        return;
      case 'stopdt-act':
        if (this.#options.role === 'controlled') this.#prepareStop();
        return;
      case 'startdt-con':
        if (this.#state === 'starting') this.#becomeStarted();
        return;
      case 'stopdt-con':
        if (this.#state === 'stopping' && this.#options.role === 'controlling') this.#becomeStopped();
        return;
    }
  }

  #confirmStart(): void {
    this.#sendU('startdt-con');
    if (this.#state !== 'started') this.#becomeStarted();
  }

  #becomeStarted(): void {
    this.#t1Start.clear();
    this.#state = 'started';
    this.#options.events.onStarted();
    this.wake();
  }

  /** STOPDT is confirmed when everything sent is acknowledged; until then nothing new is sent. */
  #prepareStop(): void {
    if (this.#unacknowledged > 0) this.#acknowledge();
    if (this.#state === 'started') this.#state = 'stopping';
    if (this.#open.length === 0) this.#confirmStop();
  }

  #confirmStop(): void {
    if (this.#options.role === 'controlling') return;
    this.#sendU('stopdt-con');
    if (this.#state === 'stopping') this.#becomeStopped();
  }

  #becomeStopped(): void {
    this.#t1Start.clear();
    this.#t2.clear();
    this.#state = 'stopped';
    this.#options.events.onStopped();
  }

  /** One test frame at a time; the next silence counts from its confirmation. */
  #test(): void {
    if (this.#t1Test.isSet) return;
    this.#sendU('testfr-act');
    this.#t1Test.set(this.#options.clock.monotonicMs() + this.#options.limits.t1Ms);
  }

  #sendI(outgoing: OutgoingAsdu): void {
    const { clock, limits, events } = this.#options;
    const sentAt = clock.monotonicMs();
    const ns = this.#sendNumber;
    const apdu = encodeI(ns, this.#receiveNumber, outgoing.asdu);
    this.#sendNumber = (ns + 1) % SEQUENCE_MODULO;
    this.#acknowledged();
    this.#open.push({ sentAt, outgoing });
    if (this.#open.length === 1) this.#t1Frames.set(sentAt + limits.t1Ms);
    const seq = events.send(apdu);
    outgoing.onSent?.(seq, ns);
  }

  #acknowledge(): void {
    if (this.#state === 'closed') return;
    this.#acknowledged();
    this.#options.events.send(encodeS(this.#receiveNumber));
  }

  #acknowledged(): void {
    this.#unacknowledged = 0;
    this.#t2.clear();
  }

  #sendU(name: UFunction): void {
    this.#options.events.send(encodeU(name));
  }

  #broken(message: Message): void {
    this.fail(new AppError('PROTOCOL_MISMATCH', message));
  }

  #timedOut(message: Message): void {
    this.fail(new AppError('TIMEOUT_RESPONSE', message));
  }

  #end(end: LinkEnd): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    for (const timer of [this.#t1Frames, this.#t1Start, this.#t1Test, this.#t2, this.#t3]) timer.dispose();
    this.#options.events.onEnd(end);
  }
}
