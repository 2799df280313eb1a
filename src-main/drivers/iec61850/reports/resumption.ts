/** Blocks that are enabled without being asked for now: those that the settings name when the channel starts, and all behind a lost connection. */
import { type AppError, isCancelled, toAppError } from '#shared/domain/errors.ts';
import { inARow, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { CancelTimer, Clock } from '../../../platform/clock.ts';
import type { DriverAudit, DriverIo, ExchangeContext } from '../../spi/index.ts';
import { keyOf } from '../model/references.ts';
import { blockPlace } from './control-block.ts';
import type { Enabled } from './enabling.ts';
import type { ReportMemory, ReportRequest } from './report-memory.ts';

export interface ResumptionOptions {
  readonly clock: Clock;
  readonly memory: ReportMemory;
  /** Blocks that the settings name, in any spelling. */
  readonly atStart: readonly string[];
  readonly audit: DriverIo['audit'];
  /** False while the channel is read-only. */
  mayWrite(): boolean;
  isEnabled(key: string): boolean;
  enable(request: ReportRequest, context: ExchangeContext): Promise<Enabled>;
  /** What was enabled, in words. */
  told(enabled: Extract<Enabled, { readonly kind: 'enabled' }>): Message;
  notice(message: Message): void;
}

/** What came of a block at the first try. */
interface Tried {
  readonly kind: 'enabled' | 'waits' | 'refused' | 'cut';
  readonly said: Message;
}

/** A device may notice the lost connection later than we do: until then the block is not free. */
const AGAIN_MS = 10_000;
const MOST_TRIES = 12;
/** Behind so many tries, for blocks that are not given up. */
const SELDOM_MS = 60_000;
/** Seconds for which a lost connection keeps a buffered block for us. */
const RESERVE_S = 60;

export class Resumption {
  readonly #options: ResumptionOptions;
  readonly #end = new AbortController();
  readonly #timers = new Set<CancelTimer>();

  constructor(options: ResumptionOptions) {
    this.#options = options;
  }

  /** Tries everything that is wanted, and tells what is still changed. Never rejects. */
  async run(): Promise<void> {
    const { memory, isEnabled } = this.#options;
    for (const [key, changed] of memory.changed) {
      if (!memory.wanted.has(key)) this.#notice(say('report.still_changed', { block: key, names: [...changed.keys()].join(', ') }));
    }
    const before = [...memory.wanted.values()];
    if (memory.begins()) await this.#start();
    for (const request of before) if (!isEnabled(request.key)) await this.#try(request, 0, false);
  }

  /** A block that the device has disabled is enabled again, as behind a lost connection. Never rejects. */
  again(key: string): void {
    const request = this.#options.memory.wanted.get(key);
    if (request && !this.#end.signal.aborted) void this.#try(request, 0, false);
  }

  /** Nothing is tried any more. */
  stop(): void {
    this.#end.abort();
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
  }

  /** The channel has been started: that is the command to enable what its settings name, once in the audit. */
  async #start(): Promise<void> {
    const { atStart, memory, mayWrite } = this.#options;
    const requests = this.#requests(atStart);
    if (requests.length === 0) return;
    if (!mayWrite()) {
      this.#notice(say('report.start_read_only', { count: requests.length }));
      return;
    }
    const audit = this.#audited(requests);
    if (audit === null) return;
    for (const request of requests) memory.wanted.set(request.key, request);
    const tried: Tried[] = [];
    for (const request of requests) tried.push(await this.#try(request, 0, true));
    const isAll = tried.every(({ kind }) => kind === 'enabled');
    const isCut = tried.some(({ kind }) => kind === 'cut');
    audit?.close(isAll ? 'accepted' : isCut ? 'unknown' : 'rejected', inARow(tried.map(({ said }) => said)));
  }

  #requests(atStart: readonly string[]): ReportRequest[] {
    const requests = new Map<string, ReportRequest>();
    for (const text of atStart) {
      try {
        const request = standing(keyOf(blockPlace(text)));
        requests.set(request.key, request);
      } catch (thrown) {
        this.#notice(toAppError(thrown).said);
      }
    }
    return [...requests.values()];
  }

  /** Undefined where there is no audit; null where the entry could not be made. */
  #audited(requests: readonly ReportRequest[]): DriverAudit | null | undefined {
    try {
      return this.#options.audit?.('enable_report', { blocks: requests.map(({ key }) => key) });
    } catch (thrown) {
      this.#notice(say('report.not_audited', { reason: toAppError(thrown).said }));
      return null;
    }
  }

  async #try(request: ReportRequest, tries: number, isStart: boolean): Promise<Tried> {
    const { memory, mayWrite, enable, told } = this.#options;
    const { signal } = this.#end;
    if (!mayWrite()) {
      memory.wanted.delete(request.key);
      return this.#refused(request, say('report.read_only'), isStart);
    }
    try {
      const enabled = await enable(request, { signal, isStopping: () => signal.aborted, retries: 0 });
      if (enabled.kind === 'refused') return this.#givenUp(request, enabled.reason, isStart);
      const params = { block: enabled.subscription.block.reference, detail: told(enabled) };
      const said = isStart ? say('report.started', params) : say('report.again', params);
      this.#notice(said);
      return { kind: 'enabled', said };
    } catch (thrown) {
      const error = toAppError(thrown);
      if (isCancelled(error) || signal.aborted) {
        // the next connection tries it
        memory.wanted.set(request.key, request);
        return { kind: 'cut', said: error.said };
      }
      const isTriedAgain = mayCome(error) && (request.isStanding || tries < MOST_TRIES);
      return isTriedAgain ? this.#waits(request, tries, error, isStart) : this.#givenUp(request, error.said, isStart);
    }
  }

  #waits(request: ReportRequest, tries: number, { code, said: reason }: AppError, isStart: boolean): Tried {
    const { memory, clock } = this.#options;
    memory.wanted.set(request.key, request);
    const params = { block: request.key, reason };
    const isTaken = code === 'STATE_CONFLICT' && !isStart;
    const said = isTaken ? say('report.waits', params) : say('report.tried_again', params);
    if (tries === 0) this.#notice(said);
    if (tries === MOST_TRIES) this.#notice(say('report.tried_seldom', { ...params, seconds: SELDOM_MS / 1000 }));
    const cancel = clock.after(tries < MOST_TRIES ? AGAIN_MS : SELDOM_MS, () => {
      this.#timers.delete(cancel);
      // disabled or enabled by hand meanwhile
      if (!memory.wanted.has(request.key) || this.#options.isEnabled(request.key)) return;
      void this.#try(request, tries + 1, isStart);
    });
    this.#timers.add(cancel);
    return { kind: 'waits', said };
  }

  #givenUp(request: ReportRequest, reason: Message, isStart: boolean): Tried {
    const { wanted } = this.#options.memory;
    // the next connection tries it: the device may be another one by then
    if (request.isStanding) wanted.set(request.key, request);
    else wanted.delete(request.key);
    return this.#refused(request, reason, isStart);
  }

  #refused({ key }: ReportRequest, reason: Message, isStart: boolean): Tried {
    const params = { block: key, reason };
    const said = isStart ? say('report.not_started', params) : say('report.not_again', params);
    this.#notice(said);
    return { kind: 'refused', said };
  }

  #notice(message: Message): void {
    this.#options.notice(message);
  }
}

/** True for what may be over when it is tried again. */
function mayCome({ code }: AppError): boolean {
  return code === 'STATE_CONFLICT' || code.startsWith('TIMEOUT_') || code.startsWith('TRANSPORT_');
}

/** A block as the device has it: nothing of its settings is changed, so that its buffer stays. */
function standing(key: string): ReportRequest {
  const asItIs = { dataSet: '', reportId: '', triggers: null, options: null, integrityMs: null, bufferMs: null } as const;
  return { key, ...asItIs, from: 'last', interrogate: true, reserveS: RESERVE_S, isStanding: true };
}
