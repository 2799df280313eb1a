import { type AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { DriverDiagnostics, ProbeAnswer, Recognition } from '../../../drivers/spi/diagnostics.ts';
import type { DriverChannelSettings } from '../../../drivers/spi/index.ts';
import { type Clock, delay } from '../../../platform/clock.ts';
import type { JobRecord } from '../job-record.ts';
import type { Asker } from './asker.ts';
import { concatOctets } from './octets.ts';

/** One question to an address, and what came until the next one. */
export interface Attempt {
  readonly heard: Uint8Array;
  readonly sent: readonly Uint8Array[];
  readonly recognition: Recognition;
}

/** One address that was asked. */
export interface AddressProbe {
  readonly slaveId: number;
  /** Null when none came in time. */
  readonly answer: ProbeAnswer | null;
  readonly error: AppError | null;
  /** Every question to it; the last one is the one that was answered, where one was. */
  readonly attempts: readonly Attempt[];
  /** How long after its question an answer came that was too late, in milliseconds; null: none did. */
  readonly lateMs: number | null;
  /** Two answers came to one question, and to another one as well: the first time alone may be a late one. */
  readonly isDoubled: boolean;
}

/** All addresses that were asked, and the traffic of it. */
export interface AddressRound {
  readonly probes: readonly AddressProbe[];
  readonly heard: Uint8Array;
  readonly sent: readonly Uint8Array[];
}

export interface AddressOptions {
  readonly asker: Asker;
  readonly diagnostics: DriverDiagnostics;
  readonly settings: DriverChannelSettings;
  readonly job: JobRecord;
  readonly clock: Clock;
  /** Waits after an answer, for a second one of another device with the same address. */
  readonly settle: () => Promise<void>;
  /** True asks each address once and waits for nobody: for trials that prove nothing when they fail. */
  readonly isHasty?: boolean;
}

/** Asks each address, and the silent ones again. Throws `CANCELLED` between two questions, and what says that the channel is gone. */
export function probeAddresses(slaveIds: readonly number[], options: AddressOptions): Promise<AddressRound> {
  return new AddressProbes(options).run(slaveIds);
}

/** How long a late answer is waited for: six times the timeout, 3 s at least and 10 s at most. */
function patienceMs({ timeoutMs }: Pick<DriverChannelSettings, 'timeoutMs'>): number {
  return Math.min(10_000, Math.max(3000, 6 * timeoutMs));
}

/** Pause between two looks for a late answer. */
const LOOK_MS = 50;
/** Questions to an address that is silent, and addresses that are asked so often. */
const MAX_ASKED = 3;
const MAX_ASKED_AGAIN = 4;

/** An address while it is asked. */
interface OpenProbe {
  readonly slaveId: number;
  answer: ProbeAnswer | null;
  error: AppError | null;
  readonly attempts: Attempt[];
  askedAt: number;
  lateMs: number | null;
  isDoubled: boolean;
}

/** One round of questions. A line without numbers in its frames keeps late answers and new ones apart only by time, so every wait is waited out. */
class AddressProbes {
  readonly #options: AddressOptions;
  readonly #probes: OpenProbe[] = [];
  readonly #heard: Uint8Array[] = [];
  readonly #sent: Uint8Array[] = [];
  /** What came and was no answer to the question before it. */
  readonly #unasked: Uint8Array[] = [];

  constructor(options: AddressOptions) {
    this.#options = options;
  }

  async run(slaveIds: readonly number[]): Promise<AddressRound> {
    const { asker } = this.#options;
    asker.take();
    for (const slaveId of slaveIds) {
      if (asker.hasEnded) break;
      const probe: OpenProbe = { slaveId, answer: null, error: null, attempts: [], askedAt: 0, lateMs: null, isDoubled: false };
      this.#probes.push(probe);
      const first = await this.#ask(probe);
      if (!this.#options.isHasty && isDoubled(first)) await this.#askDoubled(probe);
    }
    if (!this.#options.isHasty) await this.#askSilent();
    return { probes: this.#probes, heard: concatOctets(this.#heard), sent: this.#sent };
  }

  async #ask(probe: OpenProbe): Promise<Attempt> {
    const { asker, diagnostics, settings, job, clock, settle } = this.#options;
    job.checkpoint();
    job.activity = say('jobs.asking', { address: addressText(probe.slaveId, diagnostics) });
    probe.askedAt = clock.monotonicMs();
    const { answer, error } = await ask(probe.slaveId, asker);
    probe.answer = answer ?? probe.answer;
    probe.error = error;
    await settle();
    const { heard, sent, unasked, unaskedAt } = this.#take();
    const attempt = { heard, sent, recognition: diagnostics.recognise(heard, sent, settings) };
    probe.attempts.push(attempt);
    if (!this.#options.isHasty) this.#noteLate(unasked, probe.answer === null ? unaskedAt : null);
    return attempt;
  }

  /** Late answers count from their own question, whoever was asked meanwhile. `cameAt`: when these octets came; null: some time until now. */
  #noteLate(octets: Uint8Array, cameAt: number | null): void {
    const { diagnostics, settings, clock } = this.#options;
    const silent = this.#probes.filter(({ answer, lateMs }) => answer === null && lateMs === null);
    const { answering } = diagnostics.recognise(octets, this.#sent, settings);
    for (const probe of silent) {
      if (!answering.includes(probe.slaveId)) continue;
      const came = cameAt === null ? 0 : cameAt - probe.askedAt;
      probe.lateMs = Math.round(came >= settings.timeoutMs ? came : clock.monotonicMs() - probe.askedAt);
    }
  }

  /** A second answer once may be a late one to somebody else's question; two devices answer twice again. */
  async #askDoubled(probe: OpenProbe): Promise<void> {
    await this.#listen(() => false);
    for (let again = 1; again < MAX_ASKED && !probe.isDoubled && !this.#options.asker.hasEnded; again++) {
      probe.isDoubled = isDoubled(await this.#ask(probe));
    }
  }

  /** Waits for late answers, and asks again who has not answered at all: one question may have been disturbed. */
  async #askSilent(): Promise<void> {
    const { asker, diagnostics, settings, clock } = this.#options;
    const silent = this.#probes.filter((probe) => probe.answer === null);
    if (silent.length === 0 || asker.hasEnded) return;
    const late = (octets: Uint8Array) => {
      const { answering, unreached } = diagnostics.recognise(octets, this.#sent, settings);
      for (const probe of silent) {
        // gateways wait longer for a device than they are waited for
        if (unreached?.includes(probe.slaveId)) probe.answer ??= { kind: 'gateway', detail: say('jobs.gateway_late') };
        if (answering.includes(probe.slaveId)) probe.lateMs ??= Math.round(clock.monotonicMs() - probe.askedAt);
      }
      return silent.every(({ lateMs, answer }) => lateMs !== null || answer !== null);
    };
    await this.#listen(() => late(concatOctets(this.#unasked)));
    const unheard = silent.filter(({ lateMs, answer }) => lateMs === null && answer === null).slice(0, MAX_ASKED_AGAIN);
    for (let again = 1; again < MAX_ASKED; again++) {
      for (const probe of unheard) if (probe.answer === null && !asker.hasEnded) await this.#askSilentOnce(probe);
    }
  }

  /** A session may doubt an answer behind one that never came; on a line that was quiet before the question it is an answer. */
  async #askSilentOnce(probe: OpenProbe): Promise<void> {
    const { recognition } = await this.#ask(probe);
    if (recognition.answering.includes(probe.slaveId)) probe.answer ??= { kind: 'value', detail: null };
  }

  /** Takes what comes until `isEnough` says so, or nobody can be waited for any longer. */
  async #listen(isEnough: () => boolean): Promise<void> {
    const { settings, job, clock, asker } = this.#options;
    job.activity = say('jobs.late');
    const deadline = clock.monotonicMs() + patienceMs(settings);
    while (!isEnough() && clock.monotonicMs() < deadline && !asker.hasEnded) {
      await delay(clock, LOOK_MS, job.signal);
      this.#take();
    }
  }

  #take() {
    const traffic = this.#options.asker.take();
    this.#heard.push(traffic.heard);
    this.#sent.push(...traffic.sent);
    this.#unasked.push(traffic.unasked);
    return traffic;
  }
}

function isDoubled({ recognition }: Attempt): boolean {
  return (recognition.answersToOne ?? 0) > 1;
}

async function ask(slaveId: number, asker: Asker): Promise<{ answer: ProbeAnswer | null; error: AppError | null }> {
  try {
    const answer = await asker.ask(({ diagnostics }, context) => {
      if (!diagnostics) throw new TypeError('the driver names diagnostics and its connection has none');
      return diagnostics.probe(slaveId, context);
    });
    return { answer, error: null };
  } catch (thrown) {
    const error = toAppError(thrown);
    // nobody asks for the device any more, or there is none to ask
    if (error.code === 'CANCELLED' || error.code === 'INTERNAL' || error.code === 'STATE_NOT_STARTED') throw error;
    return { answer: null, error };
  }
}

/** An address as people of the protocol write it. */
export function addressText(slaveId: number, { addressText: own }: Pick<DriverDiagnostics, 'addressText'>): string {
  return own ? own(slaveId) : String(slaveId);
}
