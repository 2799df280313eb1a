/** The logs of the simulated device and the blocks that fill them (IEC 61850-7-2, 17.3 and 17.4). */
import type { Clock } from '../../../../platform/clock.ts';
import type { Steps } from '../../../../platform/steps.ts';
import type { MmsRequest, MmsResponse, ServiceError, VariableSpec } from '../../mms/pdu.ts';
import { suits } from '../../mms/type-check.ts';
import type { MmsResult, MmsValue, ObjectName } from '../../mms/types.ts';
import { ACCESS_ERROR, SERVICE_ERROR } from '../../mms/words.ts';
import type { ModelIndex } from '../../model/places.ts';
import type { DataSets } from '../data-sets.ts';
import { DueBlocks } from '../due-blocks.ts';
import { blocksOf, type ControlBlocks, type ServedImage, type Variable, variableKey } from '../image.ts';
import { compareNames } from '../name-space.ts';
import { BlockAttributes } from '../reports/block-attributes.ts';
import type { ChangeWatch } from '../reports/change-watch.ts';
import { entryIdOf, entryNumber } from '../reports/lasting-entries.ts';
import { serviceError } from '../service-error.ts';
import { Journal } from './journal.ts';
import { type KeptLog, keptLogEntries, restoredLogEntries } from './lasting-log.ts';
import { LogBlock, type LogSurroundings } from './log-block.ts';

export interface ServedLogsOptions {
  readonly image: ServedImage;
  readonly dataSets: DataSets;
  readonly clock: Clock;
  readonly watch: ChangeWatch;
  read(item: VariableSpec): MmsResult;
  /** See `LogSurroundings`. */
  onConfigured(keys: readonly string[]): void;
  /** Logs have other entries. */
  onEntries(): void;
}

type Request<Service extends MmsRequest['service']> = Extract<MmsRequest, { service: Service }>;

const CONSTRAINT = 'LG';
/** Octets that all logs may take together, and one at most and at least. */
const ALL_LOGS_OCTETS = 4_000_000;
const MOST_LOG_OCTETS = 1_000_000;
const LEAST_LOG_OCTETS = 20_000;
/** Characters that the entries of all logs may take together as the project stores them. */
const KEPT_CHARACTERS = 256_000;

export class ServedLogs {
  readonly #options: ServedLogsOptions;
  /** By `LD/LN$name`. */
  #journals = new Map<string, Journal>();
  /** By `LD/LN$LG$name`. */
  #blocks = new Map<string, LogBlock>();
  readonly #due = new DueBlocks(
    (key, block) => this.#look(key, block),
    (block) => this.#entered(block),
  );
  /** Blocks that the model has no longer. */
  readonly #gone: LogBlock[] = [];
  #lastEntry = 0;

  constructor(options: ServedLogsOptions) {
    this.#options = options;
    options.watch.precede((key) => this.#due.beforeSet(key));
  }

  /** Begins with the blocks of the model as the image has them now, in steps; logs that stay keep their entries. */
  *startSteps(): Steps<void> {
    this.close();
    const blocks = yield* logBlocks(this.#options.image.index);
    this.#take(blocks);
    yield* this.#due.steps();
  }

  /**
   * Takes over the blocks of the model of the image. Those that enter the same members into the same log go on; the others begin anew with `settleSteps`, when a
   * client asks for them or when what they enter is set.
   */
  update(blocks: ControlBlocks): void {
    for (const block of this.#gone.splice(0)) block.end();
    for (const [key, block] of this.#blocks) {
      if (blocks.has(key)) continue;
      this.#blocks.delete(key);
      block.gone();
      this.#gone.push(block);
    }
    this.#take(blocks);
  }

  /** Looks at the blocks that nobody has asked for since `update`. */
  *settleSteps(): Steps<void> {
    yield* this.#due.steps();
    for (let block = this.#gone.pop(); block; block = this.#gone.pop()) {
      yield;
      block.end();
    }
  }

  /** A client is about to read this, which may be a block or have blocks in it. */
  settle(variable: Variable): void {
    this.#due.settle(variable);
  }

  #take(blocks: ControlBlocks): void {
    const { image } = this.#options;
    const names = new Set(image.model.devices.map(({ name }) => name));
    const logs = new Set<string>();
    for (const block of blocks.values()) {
      const log = new BlockAttributes(image, block).text('LogRef');
      if (names.has(log.slice(0, Math.max(0, log.indexOf('/')))) && !log.endsWith('$')) logs.add(log);
    }
    const before = this.#journals;
    const limit = Math.max(LEAST_LOG_OCTETS, Math.min(MOST_LOG_OCTETS, Math.floor(ALL_LOGS_OCTETS / Math.max(1, logs.size))));
    this.#journals = new Map([...logs].map((log) => [log, before.get(log) ?? new Journal(limit)]));
    this.#due.put(blocks);
  }

  #look(key: string, block: Variable): void {
    const known = this.#blocks.get(key);
    const goesOn = known?.goesOn() === true;
    if (!goesOn) known?.end();
    const own = known && goesOn ? known : new LogBlock(block, this.#surroundings());
    this.#blocks.set(key, own);
    const journal = this.#journals.get(own.logRef);
    if (journal) own.tell(journal);
  }

  /** What a block enters by the model. */
  #entered(block: Variable): readonly VariableSpec[] {
    const { image, dataSets } = this.#options;
    return dataSets.named(new BlockAttributes(image, block).text('DatSet'), null)?.items ?? [];
  }

  /** Names of the logs of a domain, in the order of name lists. */
  names(domain: string): readonly string[] {
    const start = `${domain}/`;
    return [...this.#journals.keys()].flatMap((log) => (log.startsWith(start) ? [log.slice(start.length)] : [])).sort(compareNames);
  }

  /** True for a data set, `LD/LN$name`, that a block names. */
  isUsed(dataSet: string): boolean {
    this.#due.settleAll();
    return [...this.#blocks.values()].some((block) => block.dataSet === dataSet);
  }

  /** Carries out what a client writes to a member of a block; answers the error, or null. */
  write(variable: Variable, value: MmsValue): number | null {
    const [, name = '', member, ...more] = variable.path;
    this.#due.settle(variable);
    const block = this.#blocks.get(variableKey({ ...variable, path: [CONSTRAINT, name] }));
    if (!block || member === undefined || more.length > 0) return ACCESS_ERROR.accessDenied;
    return suits(variable.type, value) ? block.write(member, value) : ACCESS_ERROR.typeInconsistent;
  }

  /** Entries of a log, as many as a PDU of `maxPduOctets` holds. */
  readJournal(request: Request<'read-journal'>, maxPduOctets: number): MmsResponse | ServiceError {
    const journal = this.#journals.get(keyOf(request.name));
    if (!journal) return serviceError(SERVICE_ERROR.accessNonExistent);
    this.#options.watch.endTurn();
    const page = journal.read(request, maxPduOctets);
    if (page === 'large') return serviceError(SERVICE_ERROR.resourceOther);
    return page ? { service: 'read-journal', ...page } : serviceError(SERVICE_ERROR.constraintConflict);
  }

  /** Deletes entries of a log. */
  initializeJournal({ name, limit }: Request<'initialize-journal'>): MmsResponse | ServiceError {
    const log = keyOf(name);
    const journal = this.#journals.get(log);
    if (!journal) return serviceError(SERVICE_ERROR.accessNonExistent);
    const deleted = journal.delete(limit);
    if (deleted === null) return serviceError(SERVICE_ERROR.constraintConflict);
    this.#tell(log);
    if (deleted > 0) this.#options.onEntries();
    return { service: 'initialize-journal', deleted };
  }

  /** Entries of all logs as they are kept. */
  kept(): readonly KeptLog[] {
    const share = Math.floor(KEPT_CHARACTERS / Math.max(1, this.#journals.size));
    return [...this.#journals].flatMap(([log, { entries }]) => {
      const kept = keptLogEntries(entries, share - log.length);
      return kept.length === 0 ? [] : [{ log, entries: kept }];
    });
  }

  /** Takes entries back that were kept, of logs and variables that are there still; behind the start. */
  restore(kept: readonly KeptLog[]): void {
    for (const { log, entries } of kept) {
      const journal = this.#journals.get(log);
      if (!journal) continue;
      journal.restore(restoredLogEntries(entries, ({ tag, value }) => this.#fits(tag, value)));
      for (const { entry } of journal.entries) this.#lastEntry = Math.max(this.#lastEntry, entryNumber(entry.id));
      this.#tell(log);
    }
  }

  /** Enters no more. */
  close(): void {
    this.#due.put(new Map());
    for (const block of this.#gone.splice(0)) block.end();
    for (const block of this.#blocks.values()) block.end();
    this.#blocks = new Map();
  }

  /** A part of an array is known by its name alone. */
  #fits(tag: string, value: MmsValue): boolean {
    const [key = '', element] = tag.split('(', 2);
    const variable = this.#options.image.findKey(key);
    return variable !== null && (element !== undefined || suits(variable.type, value));
  }

  #surroundings(): LogSurroundings {
    const { image, clock, watch, dataSets, read, onConfigured } = this.#options;
    return {
      image,
      clock,
      watch,
      membersOf: (dataSet) => dataSets.named(dataSet, null)?.items ?? null,
      read,
      journalOf: (logRef) => this.#journals.get(logRef) ?? null,
      enter: (logRef, variables) => {
        this.#journals.get(logRef)?.add(this.#nextEntryId(), clock.wallMs(), variables);
        this.#tell(logRef);
        this.#options.onEntries();
      },
      onConfigured,
    };
  }

  /** Every block of a log tells its oldest and newest entry. */
  #tell(log: string): void {
    const journal = this.#journals.get(log);
    if (journal) for (const block of this.#blocks.values()) if (block.logRef === log) block.tell(journal);
  }

  #nextEntryId(): Uint8Array {
    this.#lastEntry = Math.max(this.#lastEntry + 1, Math.floor(this.#options.clock.wallMs()));
    return entryIdOf(this.#lastEntry);
  }
}

function keyOf(name: ObjectName): string {
  return name.scope === 'domain' ? `${name.domain}/${name.item}` : name.item;
}

/** The log control blocks of a model, in its order. */
export function logBlocks(index: ModelIndex): Steps<ControlBlocks> {
  return blocksOf(index, [CONSTRAINT]);
}
