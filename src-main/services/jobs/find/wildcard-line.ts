import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { WildcardAnswer, WildcardPattern } from '../../../drivers/spi/diagnostics.ts';
import type { ProbeLine } from '../../../runtime/connection/probe-line.ts';
import { type Asker, askerOver } from '../doctor/asker.ts';
import { concatOctets } from '../doctor/octets.ts';
import { identityText } from '../identity.ts';
import type { WildcardFindOptions } from './find-deps.ts';
import { openSearchLine, type SearchedLine } from './search-line.ts';
import { octetMs } from './settings.ts';

/** Silence after the last octet that ends an answer which is still under way, and how often it may begin anew. */
const QUIET_MS = 40;
const MAX_QUIET = 25;
/** Connections that may break one after the other before the search gives up. */
const MAX_BREAKS = 3;
const NOTHING: WildcardAnswer = { devices: [], late: [], isHidden: false, noise: 0 };
const NO_FRAMES = { record: () => 0 };

export type WildcardLineOptions = Omit<WildcardFindOptions, 'onFound' | 'onNote' | 'onIdentity' | 'budget'> & SearchedLine;

/** Asks patterns over one line, octets for octets: no session knows what to make of several answers at once. */
export class WildcardLine {
  readonly #options: WildcardLineOptions;
  #probe: ProbeLine;
  #asker: Asker | null = null;
  #breaks = 0;

  constructor(options: WildcardLineOptions, opened: ProbeLine) {
    this.#options = options;
    this.#probe = opened;
  }

  /** The line as it stands. */
  get probe(): ProbeLine {
    return this.#probe;
  }

  /**
   * Asks a pattern and hears everybody out: a slow device answers after a fast one. Throws when the line breaks at every question, and
   * `CANCELLED`.
   */
  async ask(
    pattern: WildcardPattern,
    again: boolean,
    extraMs: number,
  ): Promise<{ readonly answer: WildcardAnswer; readonly latencyMs: number | null }> {
    const { wildcards, setting, clock, job } = this.#options;
    await this.#standing();
    const question = wildcards.question(pattern, again);
    this.#probe.take();
    const startedAt = clock.monotonicMs();
    try {
      await this.#probe.write(question);
    } catch (thrown) {
      this.#countBreak(toAppError(thrown));
      return { answer: NOTHING, latencyMs: null };
    }
    const octets = question.length + wildcards.answerOctets;
    await this.#probe.listen(setting.timeoutMs + extraMs + octets * octetMs(setting), job.signal);
    const first = this.#probe.take();
    const heard = [first.heard];
    for (let wait = 0; wait < MAX_QUIET && heard.at(-1)?.length; wait++) {
      await this.#probe.listen(QUIET_MS, job.signal);
      heard.push(this.#probe.take().heard);
    }
    // a gateway that ends the connection behind an answer has done its work
    if (this.#probe.ended && first.heard.length === 0) this.#countBreak(new AppError('TRANSPORT_LOST', say('jobs.line_closed')));
    else this.#breaks = 0;
    const latencyMs = first.firstAt === null ? null : Math.round((first.firstAt - startedAt) * 10) / 10;
    return { answer: wildcards.judge(concatOctets(heard), question), latencyMs };
  }

  /** What comes behind the answers that were waited for. */
  async listenOn(sent: WildcardPattern, ms: number): Promise<WildcardAnswer> {
    const { wildcards, job } = this.#options;
    if (this.#probe.ended) return NOTHING;
    await this.#probe.listen(ms, job.signal);
    return wildcards.judge(this.#probe.take().heard, wildcards.question(sent, false));
  }

  /** What a device calls itself; empty where it does not say. */
  async model(slaveId: number): Promise<string> {
    const { driver, settings, job } = this.#options;
    await this.#standing();
    try {
      if (!this.#asker) {
        const connection = await this.#probe.connect({ driver, settings, points: [], frames: NO_FRAMES, signal: job.signal });
        this.#asker = askerOver(this.#probe, connection, job.signal);
      }
      const part = await this.#asker.ask(async ({ diagnostics }, context) => diagnostics?.identify(slaveId, null, context));
      const [object] = part?.objects ?? [];
      return object ? (object.text ?? identityText(object.octets)) : '';
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.code === 'CANCELLED' || error.code === 'INTERNAL') throw error;
      return '';
    }
  }

  close(): Promise<void> {
    return this.#probe.close();
  }

  /** Opens the line anew when it has ended. */
  async #standing(): Promise<void> {
    if (!this.#probe.ended) return;
    await this.#probe.close();
    const opened = await openSearchLine(this.#options);
    if (!opened) throw new AppError('TRANSPORT_LOST', say('jobs.line_gone', { line: this.#options.name }));
    this.#probe = opened;
    this.#asker = null;
  }

  #countBreak(error: AppError): void {
    if (error.code === 'CANCELLED' || error.code === 'INTERNAL') throw error;
    this.#breaks += 1;
    if (this.#breaks >= MAX_BREAKS) {
      throw new AppError(error.code, say('jobs.line_breaks', { line: this.#options.name, reason: error.said }));
    }
  }
}
