/** Reports of a client: operations on blocks, enabling again behind a lost connection, putting back what was changed when the channel stops. */
import { AppError } from '#shared/domain/errors.ts';
import { inARow, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { DriverIo, DriverLasting, ExchangeContext, HealthSink } from '../../spi/index.ts';
import type { MmsClient } from '../association/mms-client.ts';
import type { InformationReport } from '../mms/pdu.ts';
import type { MmsValue } from '../mms/types.ts';
import { keyOf } from '../model/references.ts';
import { requireGoing } from '../writing.ts';
import { type BlocksReading, reportBlocks } from './block-rows.ts';
import { blockPlace, type ControlBlock, readBlock, writeAttribute } from './control-block.ts';
import { disableReport, type Enabled, type EnablingOptions, enableReport, releaseBlock, requireFree, reserveBlock } from './enabling.ts';
import { KeptEntries } from './kept-entries.ts';
import { REPORT_PARAMS } from './params.ts';
import { Renewal } from './renewal.ts';
import { ReportBook, type ReportBookOptions } from './report-book.ts';
import { ReportCheck } from './report-check.ts';
import type { ReportRequest } from './report-memory.ts';
import { Resumption } from './resumption.ts';

export interface ReportsOptions extends Omit<ReportBookOptions, 'sink' | 'onEntry' | 'onDoubt'> {
  readonly client: Pick<MmsClient, 'request'>;
  readonly clock: Clock;
  readonly sink: ReportBookOptions['sink'];
  /** Blocks that are enabled when the channel starts, in any spelling. */
  readonly atStart: readonly string[];
  /** Between two checks of reported values by a read, in milliseconds; 0: never. */
  readonly checkMs: number;
  /** The device as the line names it: entries that were kept belong to it. */
  readonly peer: string;
  readonly lasting: DriverLasting | undefined;
  readonly audit: DriverIo['audit'];
  readonly health: Pick<HealthSink, 'compared'>;
  /** Time limit of requests with long answers, in milliseconds. */
  readonly timeoutMs: number;
  /** False while the channel is read-only: then nothing is enabled again, and nothing put back. */
  mayWrite(): boolean;
}

/** What an operation brings. */
export interface ReportsDone {
  readonly detail: Message;
  readonly result: Readonly<Record<string, unknown>>;
  readonly isRefused?: boolean;
}

/** How long the blocks are given to be put back when the channel stops. */
const LEAVE_MS = 3000;
const TRUE: MmsValue = { kind: 'boolean', value: true };

export class Reports {
  readonly #options: ReportsOptions;
  readonly #book: ReportBook;
  readonly #resumption: Resumption;
  readonly #kept: KeptEntries;
  readonly #check: ReportCheck;
  readonly #renewal: Renewal;
  /** Blocks that are being enabled. */
  readonly #running = new Set<Promise<Enabled>>();

  constructor(options: ReportsOptions) {
    this.#options = options;
    const { clock, memory, atStart, audit, lasting, peer, sink } = options;
    const notice = (message: Message) => sink.notice(message);
    this.#kept = new KeptEntries({ lasting, clock, peer, entries: memory.reports.entries, notice });
    this.#book = new ReportBook({
      ...options,
      onEntry: () => this.#kept.changed(),
      onDoubt: (subscription) => this.#renewal.doubt(subscription),
    });
    this.#renewal = new Renewal({ ...options, book: this.#book, again: (key) => this.#resumption.again(key) });
    this.#check = new ReportCheck({
      ...options,
      book: this.#book,
      prove: (subscription, context) => this.#renewal.prove(subscription, context),
    });
    this.#resumption = new Resumption({
      clock,
      memory: memory.reports,
      atStart,
      audit,
      mayWrite: () => options.mayWrite(),
      isEnabled: (key) => this.#book.of(key) !== null,
      enable: (request, context) => this.#enabled(request, context),
      told: (enabled) => this.#enabledText(enabled),
      notice,
    });
  }

  /** What the device sends by itself; true for a report of a control block. */
  onReport(report: InformationReport): boolean {
    return this.#book.onReport(report);
  }

  /** Point table or model have changed. */
  changed(): void {
    this.#book.changed();
  }

  /** Runs an operation of `REPORT_PARAMS`. Throws as `enableReport` and `disableReport`. */
  run(name: keyof typeof REPORT_PARAMS, params: Readonly<Record<string, unknown>>, context: ExchangeContext): Promise<ReportsDone> {
    switch (name) {
      case 'report_blocks':
        return this.#list(REPORT_PARAMS.report_blocks.parse(params).logical_device, context);
      case 'enable_report':
        return this.#enable(requestOf(params), context);
      case 'disable_report':
        return this.#disable(REPORT_PARAMS.disable_report.parse(params).block, context);
      case 'interrogate_report':
        return this.#interrogate(REPORT_PARAMS.interrogate_report.parse(params).block, context);
      case 'purge_report':
        return this.#purge(REPORT_PARAMS.purge_report.parse(params).block, context);
    }
  }

  /** Enables what the settings name, and again what was enabled before the connection was lost; tells what is still changed. Never rejects. */
  async resume(): Promise<void> {
    this.#kept.load();
    this.#check.start();
    await this.#resumption.run();
  }

  /** The association has ended by itself. */
  lost(): void {
    this.#stop();
    this.#book.lost();
    this.#options.memory.reports.associationEnded();
  }

  /** Disables all blocks and puts them back, within `LEAVE_MS`; where nothing may be written, the end of the association disables them. Never rejects. */
  async leave(): Promise<void> {
    this.#stop();
    if (this.#book.all.length + this.#running.size === 0) return;
    const bound = new AbortController();
    const context = { signal: bound.signal, isStopping: () => bound.signal.aborted, retries: 0 };
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#options.clock.after(LEAVE_MS, () => {
      bound.abort();
      resolve();
    });
    if (this.#options.mayWrite()) await Promise.race([this.#disableAll(context), promise]);
    cancel();
    const { changed } = this.#options.memory.reports;
    for (const { block } of this.#book.all) {
      const names = [...(changed.get(block.key)?.keys() ?? [])].join(', ');
      if (names !== '') this.#notice(say('report.still_changed', { block: block.reference, names }));
    }
    this.#book.lost();
  }

  async #disableAll(context: ExchangeContext): Promise<void> {
    await Promise.allSettled(this.#running);
    const left = this.#book.all.map(async ({ block }) => {
      try {
        const told = disabledText(block, await disableReport(this.#enabling, block.key, context));
        if (told.isLeft) this.#notice(told.detail);
      } catch {
        // told by `leave`: the end of the association disables it, what was changed stays
      }
    });
    await Promise.all(left);
  }

  async #enabled(request: ReportRequest, context: ExchangeContext): Promise<Enabled> {
    const enabling = enableReport(this.#enabling, request, context);
    this.#running.add(enabling);
    try {
      return await enabling;
    } finally {
      this.#running.delete(enabling);
    }
  }

  get #enabling(): EnablingOptions {
    const { client, memory, timeoutMs } = this.#options;
    return {
      client,
      memory,
      timeoutMs,
      book: this.#book,
      notice: (message) => this.#notice(message),
      onForgotten: () => this.#kept.changed(),
    };
  }

  #list(wanted: string, context: ExchangeContext): Promise<BlocksReading> {
    const { client, memory } = this.#options;
    return reportBlocks({ client, memory, book: this.#book }, wanted, context);
  }

  async #enable(request: ReportRequest, context: ExchangeContext): Promise<ReportsDone> {
    const enabled = await this.#enabled(request, context);
    if (enabled.kind === 'refused') return { detail: enabled.reason, result: {}, isRefused: true };
    const { block, dataSet, revision, members } = enabled.subscription;
    const result = {
      block: block.reference,
      report_id: block.reportId,
      data_set: dataSet,
      revision,
      members: members.length,
      points: this.#book.pointCount(enabled.subscription),
      resumed: enabled.isResumed,
    };
    return { detail: this.#enabledText(enabled), result };
  }

  #enabledText({ subscription, isResumed, notes }: Extract<Enabled, { readonly kind: 'enabled' }>): Message {
    const { block, members } = subscription;
    const params = { block: block.reference, members: members.length, points: this.#book.pointCount(subscription) };
    return inARow([isResumed ? say('report.resumed', params) : say('report.enabled', params), ...notes]);
  }

  async #disable(text: string, context: ExchangeContext): Promise<ReportsDone> {
    const place = blockPlace(text);
    const key = keyOf(place);
    const isEnabled = this.#book.of(key) !== null;
    const { wanted, changed } = this.#options.memory.reports;
    if (!isEnabled && wanted.delete(key) && !changed.has(key))
      return { detail: say('report.wait_ended', { block: text }), result: { left: [] } };
    const done = await disableReport(this.#enabling, key, context);
    if (!Array.isArray(done)) return { detail: done as Message, result: {}, isRefused: true };
    const block = { reference: text };
    if (isEnabled || done.length > 0) return { detail: disabledText(block, done).detail, result: { left: done } };
    return { detail: say('report.restored', { block: text }), result: { left: done } };
  }

  async #interrogate(text: string, context: ExchangeContext): Promise<ReportsDone> {
    const place = blockPlace(text);
    if (!this.#book.of(keyOf(place))) {
      throw new AppError('STATE_CONFLICT', say('report.not_enabled', { block: text }));
    }
    requireGoing(context);
    const refusal = await writeAttribute(this.#options, place, 'GI', TRUE, context);
    return refusal ? { detail: refusal, result: {}, isRefused: true } : { detail: say('report.interrogated'), result: {} };
  }

  /** Empties the buffer of a block that nobody has enabled. */
  async #purge(text: string, context: ExchangeContext): Promise<ReportsDone> {
    const place = blockPlace(text);
    const block = await readBlock(this.#options, place, context);
    if (!block.typeOf('PurgeBuf')) {
      throw new AppError('CONFIG_INVALID', say('report.no_attribute', { block: block.reference, name: 'PurgeBuf' }));
    }
    if (this.#book.of(block.key)) throw new AppError('STATE_CONFLICT', say('report.enabled_here', { block: block.reference }));
    requireFree(block, this.#options.memory);
    requireGoing(context);
    const reserved = await reserveBlock(this.#enabling, block, RESERVE_TO_PURGE_S, context);
    const refusal = reserved ?? (await writeAttribute(this.#options, place, 'PurgeBuf', TRUE, context));
    await releaseBlock(this.#enabling, block, context);
    return refusal
      ? { detail: refusal, result: {}, isRefused: true }
      : { detail: say('report.purged', { block: block.reference }), result: {} };
  }

  #stop(): void {
    this.#resumption.stop();
    this.#check.stop();
    this.#renewal.stop();
    this.#kept.flush();
  }

  #notice(message: Message): void {
    this.#options.sink.notice(message);
  }
}

/** Long enough for two writes. */
const RESERVE_TO_PURGE_S = 10;

function requestOf(params: Readonly<Record<string, unknown>>): ReportRequest {
  const asked = REPORT_PARAMS.enable_report.parse(params);
  return {
    key: keyOf(blockPlace(asked.block)),
    dataSet: asked.data_set,
    reportId: asked.report_id,
    triggers: asked.triggers.length === 0 ? null : asked.triggers,
    options: asked.option_fields.length === 0 ? null : asked.option_fields,
    integrityMs: asked.integrity_ms,
    bufferMs: asked.buffer_ms,
    from: asked.from,
    interrogate: asked.interrogate,
    reserveS: asked.reserve_s,
    isStanding: false,
  };
}

/** What was put back of a block, or why it could not be disabled. */
function disabledText(
  { reference }: Pick<ControlBlock, 'reference'>,
  done: readonly Message[] | Message,
): { detail: Message; isLeft: boolean } {
  if ('code' in done) return { detail: done, isLeft: true };
  if (done.length === 0) return { detail: say('report.disabled', { block: reference }), isLeft: false };
  return { detail: say('report.left', { block: reference, left: done }), isLeft: true };
}
