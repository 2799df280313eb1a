import { say } from '#shared/messages/index.ts';
import type { WildcardAnswer, WildcardPattern } from '../../../drivers/spi/diagnostics.ts';
import { addressText } from '../doctor/addresses.ts';
import { LEAST_TRAFFIC } from '../doctor/listening.ts';
import { detailRow } from '../job-record.ts';
import type { WildcardFindOptions } from './find-deps.ts';
import { listenFirst, openSearchLine, type SearchedLine, searchedLine } from './search-line.ts';
import { lateMs } from './settings.ts';
import { WildcardLine } from './wildcard-line.ts';

/** Patterns in a row that only noise answers, from which on the line is taken to be disturbed. */
const MAX_NOISY = 12;
/** Questions of one search; a line of twenty meters takes a few hundred. */
const MAX_QUESTIONS = 3000;

/** `noise`: octets came that form no frame, so there may be meters that answer at once. The others are as in `SearchOutcome`. */
export type WildcardOutcome = 'found' | 'heard' | 'busy' | 'noise' | 'nothing';

/** Ends the search of a line whose noise says nothing, or after too many questions. */
class GivenUp extends Error {}

/**
 * The search by wildcards with one setting of the line. A pattern that several devices answer at once is split until one answers; a clean answer
 * counts once another question has been answered alike.
 */
export class WildcardFind {
  readonly #options: WildcardFindOptions;
  readonly #at: SearchedLine;
  /** Devices by number, with what they speak. */
  readonly #known = new Map<number, WildcardPattern>();
  readonly #latency = new Map<number, number | null>();
  /** Numbers that stood in answers among others: they may be there, and they may be what a collision looked like. */
  readonly #rumoured = new Map<number, WildcardPattern>();
  /** What is waited beyond the time of the setting, once an answer has come late. */
  #extraMs = 0;

  constructor(options: WildcardFindOptions) {
    this.#options = options;
    this.#at = searchedLine(options);
  }

  /**
   * Listens, asks every device at once, and where one answered finds them all. `narrowsNoise` takes noise for an answer as well, and does not listen
   * again. Rejects when the line does not open or breaks at every question.
   */
  async run(narrowsNoise: boolean): Promise<WildcardOutcome> {
    const { job, wildcards } = this.#options;
    const opened = await openSearchLine({ ...this.#options, line: this.#at.line });
    // a baud rate the adapter has not
    if (!opened) {
      job.current += wildcards.roots.length;
      return 'nothing';
    }
    const line = new WildcardLine({ ...this.#options, ...this.#at }, opened);
    try {
      const use = narrowsNoise ? null : await this.#listen(line);
      if (use) {
        job.current += wildcards.roots.length;
        return use;
      }
      return await this.#search(line, narrowsNoise);
    } finally {
      await line.close();
    }
  }

  async #listen(line: WildcardLine): Promise<'heard' | 'busy' | null> {
    const { job, request, diagnostics } = this.#options;
    if (request.com_port === null) return null;
    job.activity = say('jobs.listening_on', { line: this.#at.name });
    const use = await listenFirst(line.probe, request.listen_ms, { job, diagnostics, settings: this.#at.settings });
    if (use.kind === 'free') return null;
    if (use.kind === 'busy') return 'busy';
    for (const slaveId of use.answering) {
      this.#options.onFound({ slave_id: slaveId, how: 'heard', detail: '', latency_ms: null, identity: '' }, null);
    }
    return 'heard';
  }

  async #search(line: WildcardLine, narrowsNoise: boolean): Promise<WildcardOutcome> {
    const { wildcards, onNote } = this.#options;
    let noise = 0;
    try {
      let firsts = await this.#askRoots(line);
      if (
        !firsts.some(([, answer]) => hasFrame(answer)) &&
        (await this.#isLate(
          line,
          firsts.some(([, answer]) => isNoisy(answer)),
        ))
      ) {
        this.#options.job.total += wildcards.roots.length;
        firsts = await this.#askRoots(line);
      }
      noise = firsts.reduce((sum, [, answer]) => sum + answer.noise, 0);
      if (!narrowsNoise && !firsts.some(([, answer]) => hasFrame(answer))) return noise >= LEAST_TRAFFIC ? 'noise' : 'nothing';
      for (const [root, answer] of firsts) await this.#explore(line, root, answer);
      await this.#askRumoured(line);
    } catch (thrown) {
      if (!(thrown instanceof GivenUp)) throw thrown;
    }
    if (this.#known.size > 0) await this.#identify(line);
    else if (noise >= LEAST_TRAFFIC) onNote('FIND_OCTETS', { line: this.#at.name, count: noise });
    return this.#known.size > 0 ? 'found' : 'nothing';
  }

  async #askRoots(line: WildcardLine): Promise<(readonly [WildcardPattern, WildcardAnswer])[]> {
    const firsts: (readonly [WildcardPattern, WildcardAnswer])[] = [];
    for (const root of this.#options.wildcards.roots) firsts.push([root, await this.#ask(line, root, false)]);
    return firsts;
  }

  /** Whether somebody answered too late; listens for the answer to the last question as well. Noise may be several who were late together. */
  async #isLate(line: WildcardLine, isNoise: boolean): Promise<boolean> {
    const { wildcards, setting } = this.#options;
    const last = wildcards.roots.at(-1);
    if (last && this.#extraMs === 0) {
      const answer = await line.listenOn(last, lateMs(setting));
      if (hasFrame(answer) || isNoisy(answer) || isNoise) this.#extraMs = lateMs(setting);
      this.#noteLate(answer);
    }
    return this.#extraMs > 0;
  }

  /** Slow devices are waited for from now on, and asked by their numbers at the end. */
  #noteLate({ late }: WildcardAnswer): void {
    const { wildcards, setting } = this.#options;
    if (late.length > 0) this.#extraMs = lateMs(setting);
    for (const { slaveId, protocol } of late) this.#rumoured.set(slaveId, wildcards.exact({ text: '', protocol }, slaveId));
  }

  /** Finds the devices behind a pattern that was asked; answers how many answered. */
  async #explore(line: WildcardLine, pattern: WildcardPattern, answer: WildcardAnswer): Promise<number> {
    const { wildcards, onNote } = this.#options;
    let seen = answer;
    if (!hasFrame(seen) && isNoisy(seen)) {
      // noise that does not come again was no answer
      this.#options.job.total += 1;
      seen = await this.#ask(line, pattern, false);
    }
    if (!hasFrame(seen) && !isNoisy(seen)) return 0;
    const isClean = hasFrame(seen) && !seen.isHidden && !isNoisy(seen);
    if (isClean && (await this.#isConfirmed(line, pattern, seen))) return this.#report(pattern, seen);
    const parts = wildcards.split(pattern);
    if (parts.length === 0) {
      onNote('FIND_TWO', { pattern: pattern.text });
      return this.#report(pattern, seen);
    }
    for (const { slaveId } of seen.devices) this.#rumoured.set(slaveId, wildcards.exact(pattern, slaveId));
    const isAlone = seen.isHidden && seen.devices.length === 0 && !isNoisy(seen);
    if (isAlone) onNote('FIND_HIDDEN', { pattern: pattern.text });
    else onNote('FIND_COLLISION', { pattern: pattern.text, line: this.#at.name });
    const found = await this.#narrow(line, parts, isAlone);
    if (!isAlone && found < 2) onNote('FIND_UNRESOLVED', { pattern: pattern.text, found });
    return found;
  }

  /** Asks the parts of a pattern; once more when nobody answered any of them. Of a device that is alone the first answer is the last. */
  async #narrow(line: WildcardLine, parts: readonly WildcardPattern[], isAlone: boolean): Promise<number> {
    const { job, onNote } = this.#options;
    let found = 0;
    let isAnybody = false;
    for (let pass = 1; pass <= 2 && !isAnybody; pass++) {
      job.total += parts.length;
      let noisy = 0;
      for (const [index, part] of parts.entries()) {
        const answer = await this.#ask(line, part, false);
        isAnybody ||= isNoisy(answer) || hasFrame(answer);
        noisy = isNoisy(answer) && !hasFrame(answer) ? noisy + 1 : 0;
        if (noisy >= MAX_NOISY) {
          onNote('FIND_NOISY', { pattern: part.text, line: this.#at.name });
          throw new GivenUp();
        }
        found += await this.#explore(line, part, answer);
        if (!isAlone || found === 0) continue;
        job.total -= parts.length - index - 1;
        return found;
      }
    }
    return found;
  }

  /** A clean answer may be two that happen to look like one: another question must bring the same devices, or nothing. */
  async #isConfirmed(line: WildcardLine, pattern: WildcardPattern, answer: WildcardAnswer): Promise<boolean> {
    this.#options.job.total += 1;
    const again = await this.#ask(line, pattern, true);
    return !isNoisy(again) && again.devices.every(({ slaveId }) => answer.devices.some((device) => device.slaveId === slaveId));
  }

  async #ask(line: WildcardLine, pattern: WildcardPattern, again: boolean): Promise<WildcardAnswer> {
    const { job, budget, onNote, wildcards } = this.#options;
    if (budget.asked >= MAX_QUESTIONS) {
      onNote('FIND_BOUND', { questions: budget.asked });
      throw new GivenUp();
    }
    job.checkpoint();
    budget.asked += 1;
    job.activity = say('jobs.asking_wildcard_on', { pattern: pattern.text, count: wildcards.describe(pattern), line: this.#at.name });
    const { answer, latencyMs } = await line.ask(pattern, again, this.#extraMs);
    this.#noteLate(answer);
    job.current += 1;
    for (const { slaveId } of answer.devices) if (!this.#latency.has(slaveId)) this.#latency.set(slaveId, latencyMs);
    return answer;
  }

  /** Enters the devices of an answer; answers how many there are. */
  #report(pattern: WildcardPattern, { devices }: WildcardAnswer): number {
    for (const { slaveId, detail } of devices) {
      if (this.#known.has(slaveId)) continue;
      this.#known.set(slaveId, pattern);
      const how = detail === null ? 'answered' : 'refused';
      const device = { slave_id: slaveId, how, ...detailRow(detail), latency_ms: this.#latency.get(slaveId) ?? null } as const;
      this.#options.onFound({ ...device, identity: this.#options.wildcards.describe(pattern) }, pattern.protocol);
    }
    return devices.length;
  }

  /** Asks by their numbers for devices that were named among other answers and that no pattern has found: some take no open pairs. */
  async #askRumoured(line: WildcardLine): Promise<void> {
    for (const [slaveId, exact] of this.#rumoured) {
      if (this.#known.has(slaveId)) continue;
      this.#options.job.total += 1;
      await this.#explore(line, exact, await this.#ask(line, exact, false));
    }
  }

  /** The model of each device, where it says so. */
  async #identify(line: WildcardLine): Promise<void> {
    const { request, job, wildcards, diagnostics, onIdentity } = this.#options;
    if (!request.identify) return;
    const root = wildcards.roots[0];
    // without points a connection asks in the first edition
    const asked = [...this.#known].filter(([, pattern]) => pattern.protocol === root?.protocol);
    job.total += asked.length;
    for (const [slaveId, pattern] of asked) {
      job.checkpoint();
      job.activity = say('jobs.identifying_on', { address: addressText(slaveId, diagnostics), line: this.#at.name });
      const model = await line.model(slaveId);
      job.current += 1;
      if (model !== '') onIdentity(slaveId, `${wildcards.describe(pattern)} · ${model}`);
    }
  }
}

function hasFrame({ devices, isHidden }: WildcardAnswer): boolean {
  return devices.length > 0 || isHidden;
}

function isNoisy({ noise }: WildcardAnswer): boolean {
  return noise >= LEAST_TRAFFIC;
}
