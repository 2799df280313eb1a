/**
 * The trial of every asking protocol: a master on a line of devices with faults, in turns of a fault and of health. It counts values that are not
 * the asked register's, and how long a device is unheard that answers promptly again.
 */
import { english } from '#shared/messages/index.ts';
import { createRandom } from '../../../platform/seeded-random.ts';
import type { ExchangeContext, FrameSink } from '../../spi/index.ts';
import { FAULTS, FaultyDevice } from './faulty-device.ts';
import { TrialClock } from './trial-clock.ts';

/** A question and what became of it: the value of what was asked, that of something else, or none. */
export interface Question {
  readonly unit: number;
  /** `onValue` is called for each good value, where several are read. */
  run(context: ExchangeContext, timeoutMs: number | undefined, onValue: () => void): Promise<'right' | 'wrong' | 'none'>;
}

export interface TrialMaster {
  receive(chunk: Uint8Array): void;
  /** Another connection on the same line, in place of the present one. */
  reopen?(): void;
  /** A question of a shape, by numbers from 0 to 1; to one unit where it is named. */
  question(shape: string, random: () => number, unit?: number): Question;
}

export interface TrialParts {
  readonly clock: TrialClock;
  readonly timeoutMs: number;
  readonly write: (bytes: Uint8Array) => void;
  /** What the frame log says. */
  readonly frames: FrameSink;
  /** The connection was given up and another one opened: what is on its way does not come. */
  readonly reopened: () => void;
}

export interface TrialScheme {
  readonly units: readonly number[];
  readonly shapes: readonly string[];
  /** True where a request tells whose an answer is. */
  readonly isTold: boolean;
  readonly octetMs: number;
  readonly gapMs: number;
  readonly hasEcho: boolean;
  /** The master opens the line anew now and then, between two questions; devices take no notice. Left out: it does not. */
  readonly reopens?: boolean;
  /** What a question may take on the line with prompt answers, in milliseconds, where that is no small part of what is promised. */
  readonly questionMs?: number;
  open(parts: TrialParts): TrialMaster;
  /** Whom these octets ask. */
  unitOf(request: Uint8Array): number;
  /** What the device answers to these octets. */
  answer(request: Uint8Array): { readonly unit: number; readonly bytes: Uint8Array } | null;
}

export interface TrialPlan {
  readonly seed: number;
  readonly exchanges: number;
  readonly timeoutMs: number;
}

export interface TrialTally {
  exchanges: number;
  right: number;
  wrong: number;
  /** How often what a unit owed was taken for lost behind a quiet time. */
  quietTimes: number;
  /** How often a connection was given up. */
  reopenings: number;
  /** Times at which a device was heard again, as shares of what is promised. */
  slowestReturn: number;
  returns: number;
  /** Those that took longer than promised. */
  slowReturns: number;
  readonly complaints: string[];
  /** What was on the line, for the first complaints. */
  readonly traces: string[];
}

/** Latest answer in timeouts. */
const LATEST = 6;
/** What is asked while a device comes back. */
const MANNERS = ['one unit', 'both units', 'the same questions', 'all shapes'] as const;
/** Requests of a counted question, what a prompt device takes in timeouts, and the pause behind its answer with its octets. */
const COUNTED = 4;
const PROMPT = 0.1;
const GUARD_MS = 100;
/**
 * So long on a line without a fault, and nothing is left of those before: 10 s behind the last copy, and as long behind each loopback that stays
 * unanswered, of which there are two. Then so many questions, at the end of some connections.
 */
const FORGOTTEN_MS = 30_000;
const CALM_SHARE = 0.1;
/** Of the questions to a device with a fault: the line is opened anew in front of them. */
const REOPEN_SHARE = 0.15;
const CALM = 10;
const MOST_COMPLAINTS = 20;
const MOST_TRACE = 120;

export async function runTrial(scheme: TrialScheme, plan: TrialPlan): Promise<TrialTally> {
  const trial = new Trial(scheme, plan);
  while (trial.tally.exchanges < plan.exchanges) await trial.connection();
  return trial.tally;
}

class Trial {
  readonly tally: TrialTally = {
    exchanges: 0,
    right: 0,
    wrong: 0,
    quietTimes: 0,
    reopenings: 0,
    slowestReturn: 0,
    returns: 0,
    slowReturns: 0,
    complaints: [],
    traces: [],
  };
  readonly #scheme: TrialScheme;
  readonly #plan: TrialPlan;
  readonly #random: () => number;
  #clock = new TrialClock();
  #story = '';
  #trace: string[] = [];
  /** When the first value of the latest question was there; null where it was not told. */
  #valueAt: number | null = null;

  constructor(scheme: TrialScheme, plan: TrialPlan) {
    this.#scheme = scheme;
    this.#plan = plan;
    this.#random = createRandom(plan.seed);
  }

  /** One connection with a few turns of fault and health. */
  async connection(): Promise<void> {
    const { timeoutMs } = this.#plan;
    const { octetMs, gapMs, hasEcho } = this.#scheme;
    this.#trace = [];
    const clock = new TrialClock();
    this.#clock = clock;
    const device = new FaultyDevice({
      clock,
      random: this.#random,
      timeoutMs,
      octetMs,
      gapMs,
      latest: LATEST,
      hasEcho,
      answer: (request) => this.#scheme.answer(request),
      deliver: (chunk) => {
        this.#note('<', chunk);
        master.receive(chunk);
      },
    });
    let isTakenForLost = false;
    const master = this.#scheme.open({
      clock,
      timeoutMs,
      reopened: () => {
        this.tally.reopenings += 1;
        for (const unit of this.#scheme.units) device.lose(unit);
      },
      frames: {
        record: ({ text: said }) => {
          const text = english(said ?? '');
          if (text.startsWith('Answers come twice')) device.isKnownToDouble = true;
          if (text.startsWith('No answer came twice')) device.isKnownToDouble = false;
          if (text.includes('taken for lost')) isTakenForLost = true;
          return 1;
        },
      },
      write: (bytes) => {
        this.#note('>', bytes);
        if (isTakenForLost) {
          this.tally.quietTimes += 1;
          device.lose(this.#scheme.unitOf(bytes));
        }
        isTakenForLost = false;
        device.hear(bytes);
      },
    });
    for (let turn = 0; turn < 8; turn++) {
      const shape = pick(this.#scheme.shapes, this.#random);
      const fault = pick(FAULTS, this.#random);
      this.#story = `${shape}, ${fault}`;
      this.#mark(this.#story);
      device.fault = fault;
      for (let count = 3 + 12 * this.#random(); count > 0; count--) {
        if (this.#scheme.reopens && this.#random() < REOPEN_SHARE) this.#reopen(master);
        await this.#ask(master.question(shape, this.#random));
      }
      device.fault = 'prompt';
      this.#mark('prompt');
      await this.#comeBack(master, shape, device);
      for (let count = 12 * this.#random(); count > 0; count--) await this.#ask(master.question(shape, this.#random));
    }
    if (this.#random() < CALM_SHARE) await this.#stayGood(master);
  }

  #reopen(master: TrialMaster): void {
    this.tally.reopenings += 1;
    this.#mark('opened anew');
    master.reopen?.();
  }

  /** Nothing is wrong with the line for a while: then each question has its value, whatever was before. */
  async #stayGood(master: TrialMaster): Promise<void> {
    this.#story = 'well for long';
    this.#mark(this.#story);
    const since = this.#clock.monotonicMs();
    const ask = () => this.#ask(master.question(pick(this.#scheme.shapes, this.#random), this.#random), false);
    while (this.#clock.monotonicMs() < since + FORGOTTEN_MS) {
      if ((await ask()) === 'none') await this.#clock.advance(50);
      await this.#clock.advance(0.2 * this.#plan.timeoutMs);
    }
    for (let count = 0; count < CALM; count++) if ((await ask()) !== 'right') this.#complain('no value on a line that is well');
  }

  /** The device is prompt again, and what it sent before has come: how long until each unit's first value, whatever else is asked. */
  async #comeBack(master: TrialMaster, shape: string, device: FaultyDevice): Promise<void> {
    const { units, shapes } = this.#scheme;
    const since = Math.max(this.#clock.monotonicMs(), device.drainedAt);
    const manner = pick(MANNERS, this.#random);
    this.#story += `, then ${manner}`;
    const asked = manner === 'one unit' ? [pick(units, this.#random)] : units;
    const fixed = new Map(asked.map((unit) => [unit, master.question(shape, this.#random, unit)]));
    const awaited = new Set(asked);
    for (let at = 0; awaited.size > 0; at++) {
      const unit = asked[at % asked.length] ?? 0;
      const shapeNow = manner === 'all shapes' ? pick(shapes, this.#random) : shape;
      const question = manner === 'the same questions' ? fixed.get(unit) : undefined;
      const end = await this.#ask(question ?? master.question(shapeNow, this.#random, unit), false);
      const took = ((this.#valueAt ?? this.#clock.monotonicMs()) - since) / this.#promisedMs(device, asked.length);
      // a device that is left alone fails its questions in no time
      if (end !== 'right') await this.#clock.advance(50);
      if (awaited.has(unit) && end === 'right') {
        awaited.delete(unit);
        this.#returned(took);
      }
      if (took > 4 && awaited.size > 0) {
        this.tally.complaints.push(`silent for ever: ${this.#story}`);
        this.#returned(took);
        return;
      }
    }
  }

  #mark(text: string): void {
    this.#trace.push(`${this.#clock.monotonicMs().toFixed(0)} -- ${text}`);
  }

  #note(way: string, octets: Uint8Array): void {
    this.#trace.push(`${this.#clock.monotonicMs().toFixed(0)} ${way} ${Buffer.from(octets).toString('hex')}`);
    if (this.#trace.length > MOST_TRACE) this.#trace.shift();
  }

  /**
   * Three timeouts, or 3 s; on a slow line each other unit is asked in between. On a line that doubles, where no request tells, each other
   * unit may hold the line for a counted question: four requests with prompt answers.
   */
  #promisedMs(device: FaultyDevice, units: number): number {
    const { timeoutMs } = this.#plan;
    const promised = Math.max(3 * timeoutMs, 3000) + (units - 1) * (this.#scheme.questionMs ?? 0);
    if (this.#scheme.isTold || !device.isKnownToDouble) return promised;
    return promised + (units - 1) * COUNTED * (PROMPT * timeoutMs + GUARD_MS);
  }

  #returned(took: number): void {
    this.tally.returns += 1;
    this.tally.slowestReturn = Math.max(this.tally.slowestReturn, took);
    if (took <= 1) return;
    this.tally.slowReturns += 1;
    this.#complain(`${took.toFixed(2)} of what is promised: ${this.#story}`);
  }

  #complain(text: string): void {
    if (this.tally.complaints.length >= MOST_COMPLAINTS) return;
    this.tally.complaints.push(text);
    this.tally.traces.push(`${text}\n${this.#trace.join('\n')}`);
  }

  async #ask(question: Question, isLeisurely = true): Promise<'right' | 'wrong' | 'none'> {
    const { timeoutMs } = this.#plan;
    const retries = this.#random() < 0.3 ? 1 : 0;
    const isProbe = this.#random() < 0.1;
    const context = { signal: NEVER, isStopping: () => false, retries: isProbe ? 0 : retries };
    this.#valueAt = null;
    const onValue = () => {
      this.#valueAt ??= this.#clock.monotonicMs();
    };
    const end = await this.#clock.finish(question.run(context, isProbe ? 0.5 * timeoutMs : undefined, onValue));
    this.#mark(`${question.unit} ${end}`);
    this.tally.exchanges += 1;
    if (end === 'right') this.tally.right += 1;
    if (end === 'wrong') {
      this.tally.wrong += 1;
      this.#complain(`wrong value: ${this.#story}`);
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
