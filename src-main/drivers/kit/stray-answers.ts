/** Answers beside the one that is waited for: earlier ones that came late, copies, and what gives way to another answer. */

import type { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { hasSameOctets } from './answer-copies.ts';
import type { AnswerLedger } from './answer-ledger.ts';
import type { Pending } from './answer-waits.ts';
import type { Answer, Asked } from './asking.ts';
import type { ExchangeLineOptions } from './line-options.ts';
import type { StrayFrames } from './stray-frames.ts';

export class StrayAnswers<Request extends Asked, Frame extends Answer> {
  readonly #options: Pick<ExchangeLineOptions<Request, Frame>, 'clock' | 'protocol'>;
  readonly #ledger: AnswerLedger<Request, Frame>;
  readonly #strays: StrayFrames<Request, Frame>;
  readonly #onTellingAnswered: (request: Request) => void;

  constructor(
    options: Pick<ExchangeLineOptions<Request, Frame>, 'clock' | 'protocol'>,
    ledger: AnswerLedger<Request, Frame>,
    strays: StrayFrames<Request, Frame>,
    onTellingAnswered: (request: Request) => void,
  ) {
    this.#options = options;
    this.#ledger = ledger;
    this.#strays = strays;
    this.#onTellingAnswered = onTellingAnswered;
  }

  /** What is held gives way to another answer; false when the same octets came again, which decide nothing. */
  isPassedOver(pending: Pending<Request, Frame>, frame: Frame): boolean {
    const { held } = pending;
    if (!held) return true;
    if (held.kind === 'ahead') {
      // only an earlier request can have asked for it
      pending.held = null;
      pending.early += 1;
      this.judge(held.frame, pending, null);
      return true;
    }
    if (hasSameOctets(held.frame.bytes, frame.bytes)) {
      // nothing else was owed, so one of the two is a copy
      if (held.kind === 'alike') this.#sawCopy(frame);
      else this.#ledger.repeated(frame, pending.request, this.#options.clock.monotonicMs());
      this.#strays.repeated(frame);
      return false;
    }
    if (held.isLikeCopy) this.#sawCopy(held.frame);
    if (held.kind === 'doubt') return true;
    if (held.isLikeCopy) this.#strays.copy(held.frame);
    else this.#strays.second(held.frame);
    pending.held = null;
    return true;
  }

  #sawCopy(frame: Frame): void {
    this.#ledger.sawCopy(this.#options.clock.monotonicMs());
    this.#strays.doubled(frame);
  }

  /** A frame that the request under way did not ask for. */
  judge(frame: Frame, pending: Pending<Request, Frame> | null, problem: AppError | null): void {
    const verdict = this.#ledger.judge(frame, null, this.#options.clock.monotonicMs());
    if (verdict.kind === 'copy') {
      this.#strays.copy(frame);
      if (this.#ledger.isDoubling(this.#options.clock.monotonicMs())) this.#strays.doubled(frame);
    } else if (verdict.kind === 'late') {
      this.#ledger.fault(verdict.owed.request, this.#options.clock.monotonicMs());
      this.#strays.late(frame, verdict.owed);
      if (pending) pending.hint = say('exchange.late_hint');
      if (verdict.owed.isTelling) this.#onTellingAnswered(verdict.owed.request);
    } else if (!pending || !problem) this.#strays.unasked(frame);
    else {
      this.#strays.misfit(frame, problem);
      if (this.#options.protocol.failsAtOnce(pending.request, frame)) pending.problem ??= problem;
      else pending.hint = problem.said;
    }
  }
}
