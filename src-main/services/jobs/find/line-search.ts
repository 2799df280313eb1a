import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { ProbeAnswer } from '../../../drivers/spi/diagnostics.ts';
import { delay } from '../../../platform/clock.ts';
import type { ProbeLine } from '../../../runtime/connection/probe-line.ts';
import { type Asker, askerOver } from '../doctor/asker.ts';
import { LEAST_TRAFFIC } from '../doctor/listening.ts';
import { identityLine, readIdentity } from '../identity.ts';
import { detailRow } from '../job-record.ts';
import type { LineSearchOptions } from './find-deps.ts';
import { listenFirst, openSearchLine, type SearchedLine, searchedLine } from './search-line.ts';
import { lateMs } from './settings.ts';

/** Connections that may break one after the other before the search gives up. */
const MAX_BREAKS = 3;
/** Questions to an address whose answer was disturbed. */
const MAX_ASKED = 3;
/** Searches are not entered into a frame log: there is no channel yet that it could belong to. */
const NO_FRAMES = { record: () => 0 };

/** `heard`: another master asks with this setting; `busy`: somebody talks, but not with this setting. Nothing was sent in both cases. */
export type SearchOutcome = 'found' | 'heard' | 'busy' | 'nothing';

/** The search with one setting of the line. */
export class LineSearch {
  readonly #options: LineSearchOptions;
  readonly #at: SearchedLine;
  /** When each address was asked last, monotonic. */
  readonly #askedAt = new Map<number, number>();
  readonly #found = new Set<number>();
  #breaks = 0;

  constructor(options: LineSearchOptions) {
    this.#options = options;
    this.#at = searchedLine(options);
  }

  /** Asks `addresses`, and once one of them has answered `others` as well. Rejects when the line does not open or breaks at every question. */
  async run(addresses: readonly number[], others: readonly number[]): Promise<SearchOutcome> {
    const { job, request } = this.#options;
    const queue = [...addresses];
    let next = 0;
    let isFirst = true;
    while (isFirst || next < queue.length) {
      const listens = isFirst && request.com_port !== null;
      isFirst = false;
      const line = await openSearchLine({ ...this.#options, line: this.#at.line });
      if (!line) {
        job.current += queue.length;
        return 'nothing';
      }
      try {
        const traffic = listens ? await this.#listen(line) : null;
        if (traffic) {
          job.current += queue.length;
          return traffic;
        }
        next = await this.#askFrom(next, queue, others, line);
        if (next >= queue.length && this.#found.size === 0) await this.#awaitLate(queue, others, line);
      } finally {
        await line.close();
      }
    }
    return this.#found.size > 0 ? 'found' : 'nothing';
  }

  /** Listens before anything is sent; null when the line is free. */
  async #listen(line: ProbeLine): Promise<'heard' | 'busy' | null> {
    const { job, request, diagnostics } = this.#options;
    job.activity = say('jobs.listening_on', { line: this.#at.name });
    const use = await listenFirst(line, request.listen_ms, { job, diagnostics, settings: this.#at.settings });
    if (use.kind === 'free') return null;
    if (use.kind === 'busy') return 'busy';
    for (const slaveId of use.answering) {
      this.#options.onFound({ slave_id: slaveId, how: 'heard', detail: '', latency_ms: null, identity: '' });
    }
    return 'heard';
  }

  /** Asks from `next` on until the queue or the line ends; answers where to go on. Lengthens the queue at the first answer. */
  async #askFrom(next: number, queue: number[], others: readonly number[], line: ProbeLine): Promise<number> {
    const { driver, job } = this.#options;
    const connection = await line.connect({ driver, settings: this.#at.settings, points: [], frames: NO_FRAMES, signal: job.signal });
    const asker = askerOver(line, connection, job.signal);
    for (let at = next; at < queue.length; at++) {
      job.checkpoint();
      const slaveId = queue[at] ?? 0;
      job.activity = say('jobs.asking_on', { address: slaveId, line: this.#at.name });
      const had = this.#found.size;
      await this.#askUndisturbed(slaveId, asker);
      job.current += 1;
      if (this.#found.size > 0 && had === 0) this.#lengthen(queue, others, at + 1);
      if (line.ended) return at + 1;
    }
    return queue.length;
  }

  /** The first device was found: this setting is searched to its end. */
  #lengthen(queue: number[], others: readonly number[], next: number): void {
    const { job } = this.#options;
    queue.push(...others);
    job.total = job.current + queue.length - next;
  }

  /** Asks again where octets came that are no answer: one disturbed answer hides no device. */
  async #askUndisturbed(slaveId: number, asker: Asker): Promise<void> {
    asker.take();
    for (let asked = 0; asked < MAX_ASKED && !asker.hasEnded; asked++) {
      if (asked > 0) await delay(this.#options.clock, this.#options.setting.timeoutMs, this.#options.job.signal);
      const isAnswered = await this.#ask(slaveId, asker);
      const { heard, sent } = asker.take();
      if (isAnswered) return;
      this.#takeLate(heard, sent);
      if (this.#found.has(slaveId) || heard.length < LEAST_TRAFFIC) return;
    }
  }

  /** Answers that came too late say whose they are, and that somebody lives there. */
  #takeLate(heard: Uint8Array, sent: readonly Uint8Array[]): void {
    const { diagnostics, clock, onFound } = this.#options;
    for (const slaveId of diagnostics.recognise(heard, sent, this.#at.settings).answering) {
      const askedAt = this.#askedAt.get(slaveId);
      if (askedAt === undefined || this.#found.has(slaveId)) continue;
      this.#found.add(slaveId);
      const latency = Math.round((clock.monotonicMs() - askedAt) * 10) / 10;
      onFound({ slave_id: slaveId, how: 'answered', detail: '', latency_ms: latency, identity: '' });
    }
  }

  /** The answer to the last questions may be under way: it must neither be lost nor be taken for another master with the next setting. */
  async #awaitLate(queue: number[], others: readonly number[], line: ProbeLine): Promise<void> {
    const { job, setting } = this.#options;
    job.activity = say('jobs.late_on', { line: this.#at.name });
    await line.listen(lateMs(setting), job.signal);
    const { heard, sent } = line.take();
    this.#takeLate(heard, sent);
    if (this.#found.size > 0) this.#lengthen(queue, others, queue.length);
  }

  /** Asks once. False when no answer came, of a gateway neither. */
  async #ask(slaveId: number, asker: Asker): Promise<boolean> {
    const { clock, request } = this.#options;
    const startedAt = clock.monotonicMs();
    this.#askedAt.set(slaveId, startedAt);
    let answer: ProbeAnswer;
    try {
      answer = await asker.ask((connection, context) => probeOf(connection).probe(slaveId, context));
    } catch (thrown) {
      this.#countBreak(toAppError(thrown), asker);
      return false;
    }
    this.#breaks = 0;
    // a gateway that reaches nobody says so for every address
    if (answer.kind === 'gateway' || this.#found.has(slaveId)) return true;
    const latency = clock.monotonicMs() - startedAt;
    this.#found.add(slaveId);
    const identity = request.identify ? await this.#identity(slaveId, asker) : '';
    const how = answer.kind === 'value' ? 'answered' : 'refused';
    this.#options.onFound({ slave_id: slaveId, how, ...detailRow(answer.detail), latency_ms: Math.round(latency * 10) / 10, identity });
    return true;
  }

  #countBreak(error: AppError, asker: Asker): void {
    if (error.code === 'CANCELLED' || error.code === 'INTERNAL') throw error;
    this.#breaks = asker.hasEnded ? this.#breaks + 1 : 0;
    if (this.#breaks >= MAX_BREAKS) throw new AppError(error.code, say('jobs.line_breaks', { line: this.#at.name, reason: error.said }));
  }

  async #identity(slaveId: number, asker: Asker): Promise<string> {
    try {
      return identityLine(await readIdentity(slaveId, (exchange) => asker.ask(exchange)));
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.code === 'CANCELLED' || error.code === 'INTERNAL') throw error;
      return '';
    }
  }
}

function probeOf({ diagnostics }: Parameters<Parameters<Asker['ask']>[0]>[0]) {
  if (!diagnostics) throw new AppError('INTERNAL', say('jobs.diagnostics_missing'));
  return diagnostics;
}
