import type { FindBody, FoundDevice } from '#shared/contract/jobs.ts';
import { AppError, toAppError } from '#shared/domain/errors.ts';
import type { DriverChannelSettings } from '../../../drivers/spi.ts';
import type { ProbeAnswer } from '../../../drivers/spi-diagnostics.ts';
import { ProbeLine } from '../../../runtime/probe-line.ts';
import { toDriverSettings, toLineSettings } from '../../../runtime/settings.ts';
import type { LineSettings } from '../../../transport/types.ts';
import { type Asker, askerOver } from '../doctor/asker.ts';
import { identityLine, readIdentity } from '../identity.ts';
import type { JobRecord } from '../job-record.ts';
import type { FindDeps } from './find-work.ts';
import { channelBody, type FindSetting } from './settings.ts';

/** Octets heard from which on a line is taken to be in use, with other settings than these. */
const LEAST_TRAFFIC = 4;
/** Once another master was recognised: how many times longer its line is listened to, for the addresses on it. */
const LISTEN_ON = 10;
/** Connections that may break one after the other before the search gives up. */
const MAX_BREAKS = 3;
/** Searches are not entered into a frame log: there is no channel yet that it could belong to. */
const NO_FRAMES = { record: () => 0 };

/** `heard`: another master asks with this setting; `busy`: somebody talks, but not with this setting. Nothing was sent in both cases. */
export type SearchOutcome = 'found' | 'heard' | 'busy' | 'nothing';

export interface LineSearchOptions extends Omit<FindDeps, 'release'> {
  readonly request: FindBody;
  readonly setting: FindSetting;
  readonly job: JobRecord;
  readonly onFound: (device: Omit<FoundDevice, 'line' | 'baud_rate' | 'format'>) => void;
}

/** The search with one setting of the line. */
export class LineSearch {
  readonly #options: LineSearchOptions;
  readonly #line: LineSettings;
  readonly #settings: DriverChannelSettings;
  readonly #name: string;
  #hasFound = false;
  #breaks = 0;

  constructor(options: LineSearchOptions) {
    const { request, setting, driver } = options;
    const channel = { ...channelBody(request, setting), timeout_ms: setting.timeoutMs };
    this.#options = options;
    this.#line = toLineSettings({ ...channel, id: 0 });
    this.#settings = toDriverSettings(channel, driver);
    this.#name = channel.name;
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
      const line = await this.#open();
      // a baud rate the adapter has not
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
      } finally {
        await line.close();
      }
    }
    return this.#hasFound ? 'found' : 'nothing';
  }

  async #open(): Promise<ProbeLine | null> {
    const { clock, transports, job } = this.#options;
    const line = new ProbeLine(transports.connector(this.#line), clock);
    try {
      await line.open(job.signal);
      return line;
    } catch (thrown) {
      await line.close();
      const error = toAppError(thrown);
      if (this.#line.kind === 'serial' && error.code === 'TRANSPORT_UNREACHABLE') return null;
      throw error;
    }
  }

  /** Listens before anything is sent; null when the line is free. */
  async #listen(line: ProbeLine): Promise<'heard' | 'busy' | null> {
    const { job, request, diagnostics } = this.#options;
    job.activity = `Listening on ${this.#name}`;
    await line.listen(request.listen_ms, job.signal);
    const first = line.take().heard;
    const seen = diagnostics.recognise(first, [], this.#settings);
    if (seen.frames === 0) return first.length < LEAST_TRAFFIC ? null : 'busy';
    await line.listen(LISTEN_ON * request.listen_ms, job.signal);
    const later = diagnostics.recognise(line.take().heard, [], this.#settings);
    for (const slaveId of new Set([...seen.answering, ...later.answering])) {
      this.#options.onFound({ slave_id: slaveId, how: 'heard', detail: '', latency_ms: null, identity: '' });
    }
    return 'heard';
  }

  /** Asks from `next` on until the queue or the line ends; answers where to go on. Lengthens the queue at the first answer. */
  async #askFrom(next: number, queue: number[], others: readonly number[], line: ProbeLine): Promise<number> {
    const { driver, job } = this.#options;
    const connection = await line.connect({ driver, settings: this.#settings, points: [], frames: NO_FRAMES, signal: job.signal });
    const asker = askerOver(line, connection, job.signal);
    for (let at = next; at < queue.length; at++) {
      job.checkpoint();
      const slaveId = queue[at] ?? 0;
      job.activity = `Asking address ${slaveId} on ${this.#name}`;
      const hadFound = this.#hasFound;
      await this.#ask(slaveId, asker);
      job.current += 1;
      if (this.#hasFound && !hadFound) {
        queue.push(...others);
        job.total = job.current + queue.length - at - 1;
      }
      if (line.ended) return at + 1;
    }
    return queue.length;
  }

  async #ask(slaveId: number, asker: Asker): Promise<void> {
    const { clock, request } = this.#options;
    const startedAt = clock.monotonicMs();
    let answer: ProbeAnswer;
    try {
      answer = await asker.ask((connection, context) => probeOf(connection).probe(slaveId, context));
    } catch (thrown) {
      this.#countBreak(toAppError(thrown), asker);
      return;
    }
    this.#breaks = 0;
    // a gateway that reaches nobody says so for every address
    if (answer.kind === 'gateway') return;
    const latency = clock.monotonicMs() - startedAt;
    this.#hasFound = true;
    const identity = request.identify ? await this.#identity(slaveId, asker) : '';
    const how = answer.kind === 'value' ? 'answered' : 'refused';
    this.#options.onFound({ slave_id: slaveId, how, detail: answer.detail, latency_ms: Math.round(latency * 10) / 10, identity });
  }

  #countBreak(error: AppError, asker: Asker): void {
    if (error.code === 'CANCELLED' || error.code === 'INTERNAL') throw error;
    this.#breaks = asker.hasEnded ? this.#breaks + 1 : 0;
    if (this.#breaks >= MAX_BREAKS)
      throw new AppError(error.code, `${this.#name} closes the connection at every question: ${error.message}`);
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
  if (!diagnostics) throw new AppError('INTERNAL', 'The driver names diagnostics and its connection has none.');
  return diagnostics;
}
