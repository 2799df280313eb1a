/**
 * The trial of every asking protocol: a master on a line of devices with faults, in turns of a fault and of health. It counts values that are not
 * the asked register's, and how long a device is unheard that answers promptly again.
 */
import { createRandom } from '../../../platform/seeded-random.ts';
import type { ExchangeContext } from '../../spi.ts';
import { FAULTS, type Fault, FaultyDevice } from './faulty-device.ts';
import { TrialClock } from './trial-clock.ts';

/** A question and what became of it: the value of what was asked, that of something else, or none. */
export interface Question {
  readonly unit: number;
  run(context: ExchangeContext, timeoutMs: number | undefined): Promise<'right' | 'wrong' | 'none'>;
}

export interface TrialMaster {
  receive(chunk: Uint8Array): void;
  /** A question of a shape, by a number from 0 to 1. */
  question(shape: string, random: () => number): Question;
}

export interface TrialScheme {
  readonly shapes: readonly string[];
  readonly octetMs: number;
  readonly gapMs: number;
  readonly hasEcho: boolean;
  /** Faults that such a line can have; all where left out. */
  readonly faults?: readonly Fault[];
  open(parts: { readonly clock: TrialClock; readonly timeoutMs: number; readonly write: (bytes: Uint8Array) => void }): TrialMaster;
  /** What the device answers to these octets. */
  answer(request: Uint8Array): { readonly unit: number; readonly bytes: Uint8Array } | null;
}

export interface TrialPlan {
  readonly seed: number;
  readonly exchanges: number;
  readonly timeoutMs: number;
  /** Latest answer in timeouts. */
  readonly latest?: number;
}

export interface TrialTally {
  exchanges: number;
  right: number;
  wrong: number;
  /** Times at which a device was heard again, as shares of what is promised. */
  slowestReturn: number;
  returns: number;
  /** Those that took longer than promised. */
  slowReturns: number;
  readonly complaints: string[];
}

const LATEST = 6;

export async function runTrial(scheme: TrialScheme, plan: TrialPlan): Promise<TrialTally> {
  const trial = new Trial(scheme, plan);
  while (trial.tally.exchanges < plan.exchanges) await trial.connection();
  return trial.tally;
}

class Trial {
  readonly tally: TrialTally = { exchanges: 0, right: 0, wrong: 0, slowestReturn: 0, returns: 0, slowReturns: 0, complaints: [] };
  readonly #scheme: TrialScheme;
  readonly #plan: TrialPlan;
  readonly #random: () => number;
  #clock = new TrialClock();
  #story = '';

  constructor(scheme: TrialScheme, plan: TrialPlan) {
    this.#scheme = scheme;
    this.#plan = plan;
    this.#random = createRandom(plan.seed);
  }

  /** One connection with a few turns of fault and health. */
  async connection(): Promise<void> {
    const { timeoutMs, latest = LATEST } = this.#plan;
    const { octetMs, gapMs, hasEcho } = this.#scheme;
    const clock = new TrialClock();
    this.#clock = clock;
    const device = new FaultyDevice({
      clock,
      random: this.#random,
      timeoutMs,
      octetMs,
      gapMs,
      latest,
      hasEcho,
      answer: (request) => this.#scheme.answer(request),
      deliver: (chunk) => master.receive(chunk),
    });
    const master = this.#scheme.open({ clock, timeoutMs, write: (bytes) => device.hear(bytes) });
    for (let turn = 0; turn < 8; turn++) {
      const shape = pick(this.#scheme.shapes, this.#random);
      const faults = this.#scheme.faults ?? FAULTS;
      // the first copy of all, together with a lost answer, cannot be told: every connection begins with one fault at a time
      const fault = pick(turn === 0 ? faults.filter((each) => each !== 'mixed') : faults, this.#random);
      this.#story = `${shape}, ${fault}`;
      device.fault = fault;
      for (let count = 3 + 12 * this.#random(); count > 0; count--) await this.#ask(master.question(shape, this.#random));
      device.fault = 'prompt';
      await this.#comeBack(master, shape, device);
      for (let count = 12 * this.#random(); count > 0; count--) await this.#ask(master.question(shape, this.#random));
    }
  }

  /** The device is prompt again, and what it sent before has come: how long until its first value. */
  async #comeBack(master: TrialMaster, shape: string, device: FaultyDevice): Promise<void> {
    const { timeoutMs } = this.#plan;
    const promised = Math.max(3 * timeoutMs, 3000);
    const since = Math.max(this.#clock.monotonicMs(), device.drainedAt);
    const { unit } = master.question(shape, this.#random);
    for (;;) {
      const question = master.question(shape, this.#random);
      if (question.unit !== unit) continue;
      const end = await this.#ask(question, false);
      // a device that is left alone fails its questions in no time
      if (end !== 'right') await this.#clock.advance(50);
      const took = (this.#clock.monotonicMs() - since) / promised;
      if (end === 'right') {
        this.tally.returns += 1;
        if (took > 1) this.tally.slowReturns += 1;
        this.tally.slowestReturn = Math.max(this.tally.slowestReturn, took);
        return;
      }
      if (took > 2) {
        this.tally.slowReturns += 1;
        this.tally.slowestReturn = Math.max(this.tally.slowestReturn, took);
        this.tally.complaints.push(`silent for ever: ${this.#story}`);
        return;
      }
    }
  }

  async #ask(question: Question, isLeisurely = true): Promise<'right' | 'wrong' | 'none'> {
    const { timeoutMs } = this.#plan;
    const retries = this.#random() < 0.3 ? 1 : 0;
    const isProbe = this.#random() < 0.1;
    const context = { signal: NEVER, isStopping: () => false, retries: isProbe ? 0 : retries };
    const end = await this.#clock.finish(question.run(context, isProbe ? 0.5 * timeoutMs : undefined));
    this.tally.exchanges += 1;
    if (end === 'right') this.tally.right += 1;
    if (end === 'wrong') {
      this.tally.wrong += 1;
      if (this.tally.complaints.length < 20) this.tally.complaints.push(`wrong value: ${this.#story}`);
    }
    if (isLeisurely && this.#random() < 0.3) await this.#clock.advance(this.#random() * 0.5 * timeoutMs);
    return end;
  }
}

const NEVER = new AbortController().signal;

function pick<T>(list: readonly T[], random: () => number): T {
  const item = list[Math.floor(random() * list.length)];
  if (item === undefined) throw new Error('The list is empty.');
  return item;
}
